"""Files that are read as a whole, and only if they are files: a named pipe would wait for ever."""

from __future__ import annotations

import errno
from pathlib import Path


def read_regular(path: Path) -> bytes:
    """The bytes of a regular file; OSError for anything else, or what can't be read."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    return path.read_bytes()


def refusal(error: OSError) -> str:
    """The reason in words."""
    return error.strerror or type(error).__name__
