"""Files that are written whole or not at all, and whether they can be is told before any work."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text


def replace_file(file: Path, data: bytes) -> None:
    """Write a file so that a reader, a kill or a full disk sees the old one or the new one.

    Raises OSError; what had been written until then is gone again.
    """
    # A link stays one: what it points at is replaced.
    file = file.resolve()
    part = file.with_name(file.name + ".part")
    try:
        with part.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def check_folder(folder: Path) -> None:
    """Raise ConfigurationError where no file can be put into a folder, or it can't be made.

    Nothing stays behind. It is tried, since permissions don't tell of a read-only file system.
    """
    nearest = folder.absolute()
    try:
        nearest = next(one for one in (nearest, *nearest.parents) if one.exists())
        if not nearest.is_dir():
            raise ConfigurationError(f"{path_text(nearest)}: is no folder")
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        raise ConfigurationError(
            f"{path_text(nearest)}: can't write there: {error.strerror}"
        ) from error
