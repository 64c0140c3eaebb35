"""Output that can't be written never stops a command: its results matter more than its words.

A reader that leaves early (`| head -1`) has read what it wanted: the command ends as it would have.
A full disk is told at the end. What goes to a closed stream (`>&-`) is gone.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

INCOMPLETE = 3
"""Exit code of a command that did its work, and couldn't say all of it."""
_LEFT = (errno.EPIPE, errno.ECONNRESET)


class _Lasting(FileIO):
    """A file that takes whatever it is given; from the first failure on, to no end."""

    failure: OSError | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        """The number of bytes written, or pretended to be."""
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


@contextmanager
def lasting_output() -> Iterator[None]:
    """Run a program whose output lasts; exits with 3 where a good end couldn't be told whole."""
    sys.stdout, out = _lasting(sys.stdout)
    sys.stderr, _ = _lasting(sys.stderr)
    code: int | str | None = 0
    try:
        yield
    except SystemExit as end:
        code = end.code
    sys.stdout.flush()
    failure = out.failure if out is not None else None
    if failure is not None and failure.errno not in _LEFT:
        print(f"The output can't be written: {failure.strerror}", file=sys.stderr)
        code = code or INCOMPLETE
    sys.stderr.flush()
    sys.exit(code)


def _lasting(stream: TextIO | None) -> tuple[TextIO, _Lasting | None]:
    """The stream with a lasting file below it, and that file; as it is where it has another kind.

    A Windows console has one of its own.
    """
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8"), None
    buffer = getattr(stream, "buffer", None)
    if not isinstance(stream, TextIOWrapper) or type(getattr(buffer, "raw", buffer)) is not FileIO:
        return stream, None
    file = _Lasting(stream.fileno(), "w", closefd=False)
    lasting = TextIOWrapper(
        BufferedWriter(file),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    return lasting, file
