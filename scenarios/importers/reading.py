"""The files of an import read one after the other, and what is wrong with some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.importers import Format, import_file
from compaction_eval.scenarios.importers.documents import shortened
from compaction_eval.scenarios.importers.records import Imported, NoFormatError
from compaction_eval.scenarios.importers.sources import Source
from compaction_eval.strategies.errors import ConfigurationError

_NOT_JSON = "not JSON"
_NO_FORMAT = "in none of the formats"
_KEEP_GOING = "With --keep-going, what can't be read is left out and the rest imported."


@dataclass(slots=True)
class Reader:
    """Reads sources; none is kept, so the same may be read again."""

    formats: Mapping[str, Format]
    sources: Sequence[Source]
    keep_going: bool
    mistakes: dict[Path, list[str]] = field(default_factory=dict)
    """One line for each thing that can't be read or understood, by file."""
    passed: dict[Path, str] = field(default_factory=dict)
    """Why a file is no transcript to be read."""
    unread: int = 0
    """Files of which nothing can be read."""
    read_any: bool = False
    paths: tuple[Path, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.paths = tuple(one.path for one in self.sources if not (one.passed or one.fault))

    def read(self, source: Source) -> Imported | None:
        """What is in a file; None where that is no transcript, or one that can't be read."""
        if source.passed:
            self.passed[source.path] = source.passed
            return None
        if source.fault:
            self._leave_out(source, [f"{source.path}: {source.fault}"])
            return None
        try:
            found = import_file(
                self.formats, source.path, keep_going=self.keep_going, beside=self.paths
            )
        except ConfigurationError as error:
            if isinstance(error, NoFormatError) and source.found:
                self.passed[source.path] = _NO_FORMAT
            elif isinstance(error, FaultsError) and not source.is_meant:
                self.passed[source.path] = _NOT_JSON
            else:
                self._leave_out(source, str(error).splitlines())
            return None
        self.read_any = True
        if found.faults:
            self.mistakes[source.path] = [str(fault) for fault in shortened(list(found.faults))]
        return found

    def _leave_out(self, source: Source, reasons: list[str]) -> None:
        self.unread += source.path not in self.mistakes
        self.mistakes[source.path] = reasons

    def raise_mistakes(self) -> None:
        """Raise ConfigurationError where the mistakes met so far end the import."""
        lines = [line for of in self.mistakes.values() for line in of]
        if lines and not self.keep_going:
            hint = [_KEEP_GOING] if is_anything_left(self.formats, self.sources) else []
            raise ConfigurationError("\n".join([*lines, *hint]))
        if lines and not self.read_any:
            raise ConfigurationError("\n".join(lines))
        if not self.read_any:
            told = [f"{path}: {reason}" for path, reason in self.passed.items()]
            more = [f"… and {len(told) - 10} more files"] if len(told) > 10 else []
            raise ConfigurationError("\n".join(["no transcript found", *told[:10], *more]))


def is_anything_left(formats: Mapping[str, Format], sources: Sequence[Source]) -> bool:
    """Whether some conversation would be imported if what can't be read were left out."""
    reader = Reader(formats, sources, keep_going=True)
    found = (reader.read(source) for source in sources)
    return any(one is not None and one.conversations for one in found)
