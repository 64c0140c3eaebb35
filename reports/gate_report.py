"""A gated run, as everything that shows it needs it; and its verdict in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.eval.regression import Regression
from compaction_eval.eval.store import Run
from compaction_eval.reports.figures import plural
from compaction_eval.reports.losses import Loss, losses
from compaction_eval.scenarios.wording import listed_words


@dataclass(frozen=True, slots=True)
class GateReport:
    """What came of it, the run it is about, and what to type next."""

    regression: Regression
    run: Run
    folder: str
    baseline: str | None
    losses: tuple[Loss, ...]
    """The verdicts that got worse."""
    bless: str | None = None
    """The command that would make this run the new baseline."""
    follow: str | None = None
    """The command that follows the first loss, or first cause of a failed bound, to its place."""
    problems: tuple[str, ...] = ()
    """Of an incomplete run: what is missing, a line each."""

    @property
    def losses_fail(self) -> bool:
        """Whether the losses are failures: not where statistics decide, nor where allowed."""
        allowed = self.regression.allowed_flips
        return allowed is not None and len(self.losses) > allowed


def gate_report(
    regression: Regression,
    run: Run,
    *,
    folder: str,
    baseline: str | None,
    problems: Sequence[str] = (),
) -> GateReport:
    """The report on a checked run, without commands."""
    found = tuple(losses(regression.worse, run))
    return GateReport(regression, run, folder, baseline, found, problems=tuple(problems))


def headline(report: GateReport) -> str:
    """`FAIL: 3 verdicts got worse (0 allowed); 1 of 2 gates failed`."""
    found = report.regression
    if found.outcome == "incomplete":
        return f"INCOMPLETE: {'; '.join(report.problems) or 'not all was measured'}"
    parts = []
    worse = len(report.losses)
    if found.paired is not None:
        if found.allowed_flips is None:
            parts.append(f"{plural(worse, 'verdict')} got worse, which statistics weigh")
        elif worse or found.allowed_flips:
            parts.append(f"{plural(worse, 'verdict')} got worse ({found.allowed_flips:,} allowed)")
        else:
            parts.append("no verdict got worse")
    counts = Counter(result.judgement for result in found.results)
    total = sum(counts.values())
    for count, words in (
        (counts["fail"], "failed"),
        (counts["inconclusive"], "can't be decided"),
    ):
        if count:
            parts.append(f"{count:,} of {plural(total, 'gate check')} {words}")
    if total and not counts["fail"] and not counts["inconclusive"]:
        parts.append(f"{plural(total, 'gate check')} passed")
    return f"{found.outcome.upper()}: {'; '.join([*parts, *_gone(report)])}"


def _gone(report: GateReport) -> list[str]:
    paired = report.regression.paired
    if paired is None:
        return []
    found = (
        (paired.removed_scenarios, "scenario is gone", "scenarios are gone"),
        (paired.removed_rows, "row is gone", "rows are gone"),
    )
    return [plural(len(names), one, many) for names, one, many in found if names]


def membership(report: GateReport, most: int = 10) -> list[str]:
    """Lines on scenarios and rows that only one side has."""
    paired = report.regression.paired
    if paired is None:
        return []
    told = (
        ("New scenarios, not in the baseline", paired.new_scenarios),
        ("New rows, not in the baseline", paired.new_rows),
        ("Scenarios of the baseline that are gone", paired.removed_scenarios),
        ("Rows of the baseline that are gone", paired.removed_rows),
    )
    return [f"{what}: {listed_words(names, most)}" for what, names in told if names]
