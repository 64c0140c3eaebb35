"""Files that can't be written: each is told in a line, and stops none of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from compaction_eval.strategies.paths import path_text


def write_all(outputs: Iterable[Path], write: Callable[[Path], object]) -> dict[Path, str]:
    """Write the files; of those that can't be written, the reason in a line."""
    unwritten: dict[Path, str] = {}
    for path in outputs:
        with noting(path, unwritten):
            write(path)
    return unwritten


@contextmanager
def noting(path: Path, unwritten: dict[Path, str]) -> Iterator[None]:
    """Where the file or folder can't be written inside, note the reason instead of raising it."""
    try:
        yield
    except OSError as error:
        unwritten[path] = f"{path_text(path)}: can't be written: {error.strerror or error}"
