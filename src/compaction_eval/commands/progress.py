"""The progress bar: on a terminal only, never in CI, never when quiet."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compaction_eval.eval.records import CellRecord


@contextmanager
def progress(total: int, *, quiet: bool) -> Iterator[Callable[[CellRecord], None]]:
    """What is to be called for each finished cell."""
    if quiet or os.environ.get("CI") or not sys.stderr.isatty():
        yield lambda cell: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("cells"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True, no_color=bool(os.environ.get("NO_COLOR")))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("cells", total=total)
        yield lambda cell: bar.advance(task)
