"""Scenario files that a test writes as an import does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from compaction_eval.scenarios.importers.staging import Staging


def write_files(folder: Path, files: Mapping[str, bytes], *, force: bool = False) -> None:
    """Write files into a folder, which is made if need be, or none of them; see `Staging`."""
    with Staging(folder) as staging:
        staging.add(files)
        staging.finish(force=force)
