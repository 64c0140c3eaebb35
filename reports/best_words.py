"""What keeps most at a budget, in words: the same ones in every report and over every chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.statistics import FEWEST
from compaction_eval.reports.columns import label
from compaction_eval.reports.figures import plural, ratio, share, tokens
from compaction_eval.reports.findings import Finding
from compaction_eval.reports.printable import one_line

FEW_SCENARIOS = 10
"""With fewer conversations, one of them moves a share by ten points or more."""
_NAMED = 3
"""Rows that a sentence names of those that can't be told apart."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """How a measure is told."""

    keeps: str
    keep: str
    about: str


PHRASES = {
    "survival": Phrase("keeps", "keep", "the facts"),
    "recall": Phrase("lets the model recall", "let the model recall", "the answers"),
    "reuse": Phrase("keeps", "keep", "the values used again"),
}


def best_title(finding: Finding, rows: Sequence[SummaryRow]) -> str:
    """Who keeps most at this budget, as a title: a claim no stronger than what is shown."""
    at = f"At a budget of {one_line(finding.budget)}"
    return f"{at}, {_claim(finding, rows)}{_part(finding)}"


def best_line(finding: Finding, rows: Sequence[SummaryRow]) -> str:
    """The same for a list of budgets, with what is cheaper and what the figures rest on."""
    told = _claim(finding, rows)
    cheapest = finding.cheapest
    if cheapest is not None:
        told += f"; cheapest: {named(cheapest, rows)} ({_saving(cheapest)})"
    apart = (*finding.best, *finding.below_recency)
    less = [row for row in reversed(finding.frontier) if row not in apart]
    if less:
        reached = f"{share(finding.kept(less[0]))} for {tokens(less[0].retained_tokens)}"
        told += f"; for fewer tokens: {named(less[0], rows)} ({reached})"
    return f"{told}{_rests(finding)}"


def _claim(finding: Finding, rows: Sequence[SummaryRow]) -> str:
    phrase, best = PHRASES[finding.measure], finding.best
    if not best:
        return _none_best(finding, rows)
    if len(best) == 1:
        name, kept = named(best[0], rows), share(finding.kept(best[0]))
        cost = f"for {tokens(best[0].retained_tokens)} tokens"
        if len(finding.sound) == 1:
            only = "alone is usable, and"
            return f"{name} {only} {phrase.keeps} {kept} of {phrase.about} {cost}"
        return f"{name} {phrase.keeps} most of {phrase.about}: {kept} {cost}"
    told = figures(finding, best, rows, _NAMED)
    if len(best) == len(finding.sound):
        more = f"is shown to {phrase.keep} more of {phrase.about} than the others"
        return f"no usable strategy {more}: {told}"
    return f"{told} {phrase.keep} most of {phrase.about} and can't be told apart"


def figures(
    finding: Finding, best: Sequence[SummaryRow], rows: Sequence[SummaryRow], most: int
) -> str:
    """`a (63.7%), b (60.8%) and 2 more`."""
    told = [f"{named(row, rows)} ({share(finding.kept(row))})" for row in best[:most]]
    return listed(told, len(best))


def named(row: SummaryRow, rows: Sequence[SummaryRow]) -> str:
    """The row's name among these rows, on one line."""
    return one_line(label(row, rows))


def listed(names: Sequence[str], number: int | None = None) -> str:
    """`a, b and c`; `a, b and 3 more` where they are the first of so many."""
    more = (number or 0) - len(names)
    parts = [*names, f"{more:,} more"] if more > 0 else names
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _saving(row: SummaryRow) -> str:
    saved = ratio(row.saved_net, row.full_tokens)
    if saved is None:
        return f"{tokens(row.retained_tokens)} tokens"
    return f"{share(saved)} of tokens saved net"


def _none_best(finding: Finding, rows: Sequence[SummaryRow]) -> str:
    if not finding.scored:
        return not_scored(finding)
    if finding.sound:
        names = listed([named(row, rows) for row in finding.sound[:_NAMED]], len(finding.sound))
        return f"nothing of what was asked for is kept by {names}"
    if finding.unsound:
        return "no strategy both keeps its budget and sends valid requests"
    return "there is no strategy to choose"


def not_scored(finding: Finding) -> str:
    """Why there is no figure."""
    base = finding.base
    if base.conversations and base.apart == base.conversations:
        one = "the only conversation is"
        every = one if base.apart == 1 else f"all {base.apart:,} conversations are"
        return f"not scored: {every} infeasible there"
    asked = "model was asked" if finding.measure == "recall" else "strategy has a figure"
    return f"not scored: no {asked}"


def _rests(finding: Finding) -> str:
    """What the figures rest on, in brackets."""
    base = finding.base
    if not finding.scored:
        return ""
    parts = [plural(base.scored, "conversation")]
    if base.apart:
        parts = [f"{base.scored:,} of {plural(base.conversations, 'conversation')}"]
        parts.append(f"{base.apart:,} infeasible")
    if base.scored < FEWEST:
        parts.append("too few to tell anything apart")
    elif base.scored < FEW_SCENARIOS:
        parts.append("too few to tell much apart")
    return f" [{'; '.join(parts)}]"


def _part(finding: Finding) -> str:
    """What a title says of a base that is small, or a part only."""
    base = finding.base
    if not finding.scored:
        return ""
    if base.apart:
        return f" ({base.scored:,} of {plural(base.conversations, 'conversation')})"
    return f" ({plural(base.scored, 'conversation')})" if base.scored < FEW_SCENARIOS else ""
