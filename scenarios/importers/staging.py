"""Files written where they will stand only once all of them are: all, or none.

They are put into a hidden folder inside the one that they are for, so that moving them is a
renaming. Whatever ends the work before that, a fault, a full disk or the user, leaves nothing
behind and no older file changed.
"""

from __future__ import annotations

import filecmp
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

from compaction_eval.scenarios.files import refusal
from compaction_eval.strategies.errors import ConfigurationError

_HIDDEN = ".import-"


class Staging:
    """A context in which files are added, and `finish` puts them in their places.

    All its methods raise ConfigurationError with the reason where a file can't be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: list[Path] = []
        self._names: list[str] = []
        self._staged: Path | None = None

    def __enter__(self) -> Staging:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave nothing but what `finish` has put in place."""
        if self._staged is not None:
            shutil.rmtree(self._staged, ignore_errors=True)
        for folder in reversed(self._made):
            try:
                folder.rmdir()
            except OSError:
                break  # the files are in it

    def add(self, files: Mapping[str, bytes]) -> None:
        """Write some files, by name, apart."""
        try:
            staged = self._place()
            for name, content in files.items():
                (staged / name).write_bytes(content)
                self._names.append(name)
        except OSError as error:
            raise self._refused(error) from None

    def finish(self, *, force: bool = False, read: Iterable[Path] = ()) -> None:
        """Put all files in place; those that are there already, byte for byte, stay.

        Raises ConfigurationError, one line per file and with nothing changed, where another
        content is there already and `force` isn't given, or where the file is one that was `read`
        to make them.
        """
        try:
            staged = self._place()
            new = [name for name in self._names if not self._is_there(name)]
            different = [name for name in new if (self._folder / name).exists()]
            own = {path.resolve() for path in read} if different else set[Path]()
            taken = [name for name in different if (self._folder / name).resolve() in own]
            if taken:
                hint = "is the transcript itself, which isn't overwritten; give another folder"
                lines = [f"{self._folder / name}: {hint}" for name in taken]
                raise ConfigurationError("\n".join(lines))
            if different and not force:
                hint = "is there already with another content; --force overwrites it"
                lines = [f"{self._folder / name}: {hint}" for name in different]
                raise ConfigurationError("\n".join(lines))
            self._move(staged, new)
        except OSError as error:
            raise self._refused(error) from None

    def _place(self) -> Path:
        if self._staged is None:
            missing = [one for one in (self._folder, *self._folder.parents) if not one.exists()]
            for folder in reversed(missing):
                folder.mkdir()
                self._made.append(folder)
            self._staged = Path(tempfile.mkdtemp(prefix=_HIDDEN, dir=self._folder))
        return self._staged

    def _is_there(self, name: str) -> bool:
        place = self._folder / name
        if not place.exists():
            return False
        if place.is_dir():
            raise ConfigurationError(f"{place}: is a directory")
        return filecmp.cmp(self._place() / name, place, shallow=False)

    def _move(self, staged: Path, names: list[str]) -> None:
        before = staged / "before"
        before.mkdir()
        try:
            for name in names:
                place = self._folder / name
                if place.exists():
                    place.replace(before / name)
                (staged / name).replace(place)
        except BaseException:
            for name in names:
                if (before / name).exists():
                    (before / name).replace(self._folder / name)
                elif not (staged / name).exists():
                    (self._folder / name).unlink(missing_ok=True)
            raise

    def _refused(self, error: OSError) -> ConfigurationError:
        place = str(error.filename or self._folder)
        if self._staged is not None:
            place = place.replace(str(self._staged), str(self._folder))
        elif Path(place).name.startswith(_HIDDEN):
            place = str(self._folder)
        return ConfigurationError(f"{place}: {refusal(error).lower()}")
