"""What `check` looks at in the whole library, against loading alone, and its time from a start."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measuring import Figure, median_seconds, process_seconds, python
from compaction_eval.commands.examining import examined
from compaction_eval.scenarios.library import library_folder, select
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.tokens import TokenCounter


def figures() -> Iterator[Figure]:
    """Ratios of loading and examining to loading; seconds of the whole command after `--help`."""
    TokenCounter().text("the vocabulary is loaded once, whoever needs it first")
    loading = median_seconds(_loaded)
    plain = median_seconds(lambda: examined(_loaded(), None, replay=True))
    yield Figure("check of the library, times loading it", plain / loading, "x", 3)
    tabled = median_seconds(lambda: examined(_loaded(), TokenCounter(), replay=True))
    yield Figure("the same with what it covers, times loading it", tabled / loading, "x", 4)
    start = process_seconds(python("run_eval.py", "--help"))
    whole = process_seconds(python("run_eval.py", "check"), runs=3)
    yield Figure("check from a cold start, without its start-up", whole - start, "s", 3)


def _loaded() -> list[Scenario]:
    return select([str(library_folder())])
