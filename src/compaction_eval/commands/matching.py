"""What `compare RUN --between A B` does: two strategies of a run at matched retained tokens."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from compaction_eval.commands.compared import (
    known,
    known_budgets,
    lacking,
    measured,
    side,
)
from compaction_eval.commands.errors import INCOMPLETE, NOTHING_SELECTED, fail
from compaction_eval.commands.unwritten import write_all
from compaction_eval.eval.matching import matches
from compaction_eval.reports.matched import WRITERS, explanation, match_text, write_matches
from compaction_eval.reports.results import check_output
from compaction_eval.reports.table import console
from compaction_eval.strategies.paths import path_text


def compare_strategies(
    given: str,
    first: str,
    second: str,
    budgets: Sequence[str],
    output: Sequence[str],
    *,
    quiet: bool,
) -> None:
    """Match; ends with 3 where the run is incomplete or a file can't be written, 5 for nothing."""
    outputs = [Path(text) for text in dict.fromkeys(output)]
    for path in outputs:
        check_output(path, tuple(WRITERS))
    evidence = side(given).evidence
    known("--between", (first, second), measured([evidence], lambda cell: cell.key.strategy))
    labels = known_budgets(budgets, [evidence])
    found = matches(evidence, first, second, labels or None)
    if not found:
        fail([f"Nothing selected: {first} was asked nothing at these budgets."], NOTHING_SELECTED)
    out = console(sys.stdout)
    if not quiet:
        for match in found:
            out.print(match_text(match, found))
        out.print(explanation(found), style="dim")
    unwritten = write_all(outputs, lambda path: write_matches(path, found))
    written = [path_text(path) for path in outputs if path not in unwritten]
    if written and not quiet:
        click.echo(f"Written: {', '.join(written)}")
    gaps = lacking(evidence)
    if gaps or unwritten:
        fail([*unwritten.values(), *gaps], INCOMPLETE)
