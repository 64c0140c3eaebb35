"""What people and CI systems look at; reads finished records, never replays or scores.

`frame` is for callers from outside: a run as a pandas DataFrame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compaction_eval.reports.frames import frame

__all__ = ["frame"]


def __getattr__(name: str) -> Any:
    """Load what is asked for by then: every other import of a report stays as fast as it was."""
    if name == "frame":
        from compaction_eval.reports.frames import frame

        return frame
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
