"""What `compare BASE [NEW] --ranking` does: whether one order of strategies tells another."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from compaction_eval.commands.compared import known_budgets, lacking, side
from compaction_eval.commands.errors import INCOMPLETE, NOTHING_SELECTED, fail
from compaction_eval.commands.unwritten import write_all
from compaction_eval.eval.predicting import predictions
from compaction_eval.reports.predicted import EXPLANATION, WRITERS, as_lines, write_predictions
from compaction_eval.reports.results import check_output
from compaction_eval.reports.table import console
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text


def compare_orders(
    base: str, new: str | None, budgets: Sequence[str], output: Sequence[str], *, quiet: bool
) -> None:
    """Rank; ends with 3 where a side is incomplete or a file can't be written, 5 for nothing."""
    outputs = [Path(text) for text in dict.fromkeys(output)]
    for path in outputs:
        check_output(path, tuple(WRITERS))
    before = side(base).evidence
    after = before if new is None else side(new).evidence
    if after is before and not before.answered:
        raise ConfigurationError(
            f"{base}: no model was asked in it, so there is no second order; name a second run"
        )
    labels = known_budgets(budgets, [before, after])
    found = [one for one in predictions(before, after) if not labels or one.budget in labels]
    if not found:
        fail(["Nothing selected: the two have no budget in common."], NOTHING_SELECTED)
    out = console(sys.stdout)
    for one in found:
        for line in as_lines(one)[: 1 if quiet else None]:
            out.print(line, soft_wrap=True)
    if not quiet:
        out.print(EXPLANATION, style="dim")
    unwritten = write_all(outputs, lambda path: write_predictions(path, found))
    written = [path_text(path) for path in outputs if path not in unwritten]
    if written and not quiet:
        click.echo(f"Written: {', '.join(written)}")
    gaps = [*lacking(before), *(lacking(after) if after is not before else ())]
    if gaps or unwritten:
        fail([*unwritten.values(), *gaps], INCOMPLETE)
