"""`--record FILE`: what a run is told by its models becomes a cassette, also when it is stopped.

Each reply goes at once into a journal beside the cassette, `FILE.unfinished`. At the end the
journal and a cassette from before are made one, and the journal is gone. After a kill it stays,
and the next recording to the same file takes it in. Several processes may record to one file: the
last one to end writes it.

ConfigurationError      at the start: the file can't be written, or is no cassette
StoreError              afterwards: the disk is full
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from compaction_eval.eval.models.base import ChatModel, ChatRequest, Reply, StoreError
from compaction_eval.eval.models.cassette import (
    Recorded,
    Recording,
    add,
    decode,
    encode,
    read_cassette,
    recorded,
    write_cassette,
)
from compaction_eval.eval.writing import check_folder
from compaction_eval.strategies.errors import ConfigurationError

_UNFINISHED = ".unfinished"


class Journal:
    """The replies of a recording that isn't finished, appended line by line."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor: int | None = descriptor
        self._lock = threading.Lock()
        self._seen: Recording = {}

    def note(self, new: Recorded) -> None:
        """Have a reply on its way to the disk before returning. Raises StoreError."""
        with self._lock:
            if self._descriptor is None or not add(self._seen, new):
                return
            data = f"{encode(new)}\n".encode()
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
            except OSError as error:
                raise _unwritable(self._path, error) from error

    def close(self) -> None:
        """Take no more notes: of an interrupted run some replies come in late."""
        with self._lock:
            self._descriptor = None


def unfinished_of(path: Path) -> Path:
    """The journal of a recording to a cassette."""
    return path.with_name(f"{path.name}{_UNFINISHED}")


@contextmanager
def recording_to(path: Path) -> Iterator[Journal]:
    """Record to a cassette; it is written when the context is left, in whatever way."""
    check_folder(path.parent)
    if path.exists():
        read_cassette(path)
    unfinished = unfinished_of(path)
    descriptor = _open_shared(unfinished)
    journal = Journal(unfinished, descriptor)
    try:
        try:
            yield journal
        finally:
            journal.close()
            if _is_last(descriptor):
                _finish(path, unfinished)
    finally:
        os.close(descriptor)


class Recorder:
    """A model whose replies are noted, whether they were asked for now or came from a store."""

    def __init__(self, inner: ChatModel, journal: Journal) -> None:
        self._inner = inner
        self._journal = journal

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self._inner.name

    def complete(self, request: ChatRequest) -> Reply:
        """The inner model's reply. Raises ModelError as the inner does, and StoreError."""
        reply = self._inner.complete(request)
        self._journal.note(recorded(self.name, request, reply))
        return reply


def _finish(path: Path, unfinished: Path) -> None:
    """Make one cassette of the journal and the old one; what was told last counts."""
    found: Recording = {}
    old = read_cassette(path) if path.exists() else {}
    try:
        for one in (*_noted(unfinished), *old.values()):
            add(found, one)
        write_cassette(path, found)
        unfinished.unlink()
    except OSError as error:
        raise _unwritable(path, error) from error


def _noted(unfinished: Path) -> Iterator[Recorded]:
    """The whole lines of a journal; one that a kill cut short is dropped."""
    with unfinished.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                yield decode(line.rstrip("\n"))
            except ValueError:
                continue


def _open_shared(unfinished: Path) -> int:
    """The journal, held so that nobody takes it away meanwhile."""
    try:
        import fcntl  # Windows has none
    except ImportError as error:
        raise ConfigurationError(
            f"--record {unfinished.name.removesuffix(_UNFINISHED)}: recording takes file locks of"
            " Unix, which this system hasn't; replaying works here"
        ) from error
    while True:
        try:
            unfinished.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(unfinished, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            # A line that a kill cut short ends here, so that the next one is whole.
            if os.fstat(descriptor).st_size:
                os.write(descriptor, b"\n")
        except OSError as error:
            raise ConfigurationError(
                f"{unfinished}: can't write there: {error.strerror}"
            ) from error
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        try:
            if os.path.samestat(os.fstat(descriptor), unfinished.stat()):
                return descriptor
        except FileNotFoundError:
            pass  # another process ended its recording between the two steps
        os.close(descriptor)


def _is_last(descriptor: int) -> bool:
    """Whether no other process still records; those who aren't last leave their lines to it."""
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _unwritable(path: Path, error: OSError) -> StoreError:
    return StoreError(f"{path}: the recording can't be written: {error.strerror}")
