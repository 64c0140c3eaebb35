"""The rows that a report is about, by the options that choose among a run's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from compaction_eval.commands.several_runs import versions
from compaction_eval.eval.matrix import Budget
from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.marks import Marks
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean


def chosen_rows(
    rows: Sequence[SummaryRow],
    budgets: Iterable[str],
    strategies: Sequence[str],
    marks: Marks,
    manifest: Mapping[str, Any],
) -> list[SummaryRow]:
    """The rows that are asked for. Raises ConfigurationError for what the run doesn't have."""
    wanted = [Budget.parse(text).label for text in budgets]
    _check("budget", wanted, [row.budget for row in rows])
    named = versions(strategies, manifest)
    _check("strategy", named, [row.strategy for row in rows])
    at = [row for row in rows if not wanted or row.budget in wanted]
    if strategies:
        return [row for row in at if row.strategy in named]
    # What bounds the scale says nothing of where it is hard; without anything else, it is shown.
    return [row for row in at if not marks.is_reference(row)] or at


def _check(what: str, given: Iterable[str], known: Sequence[str]) -> None:
    names = list(dict.fromkeys(known))
    faults = [
        f"--{what}: this run has no '{one}'"
        + (did_you_mean(one, names) or f"; there are {', '.join(names)}")
        for one in given
        if one not in names
    ]
    if faults:
        raise ConfigurationError("\n".join(faults))
