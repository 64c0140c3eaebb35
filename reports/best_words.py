"""What keeps most at a budget, in words: the same ones in every report and over every chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.statistics import FEWEST
from compaction_eval.reports.columns import label
from compaction_eval.reports.figures import plural, ratio, share, tokens
from compaction_eval.reports.findings import Finding
from compaction_eval.reports.printable import name_text, one_line

FEW_SCENARIOS = 10
"""With fewer conversations, one of them moves a share by ten points or more."""
_NAMED = 3
Name = Callable[[SummaryRow, Sequence[SummaryRow]], str]
"""A row's name among some rows."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """How a measure is told."""

    keeps: str
    """What a strategy does, before "the largest share of ..."."""
    keep: str
    """What several do."""
    about: str
    """What it is a share of, after "40% of"."""


PHRASES = {
    "survival": Phrase("keeps", "keep", "the facts"),
    "recall": Phrase("lets the model recall", "let the model recall", "the questions"),
    "reuse": Phrase("keeps", "keep", "the values used again"),
}


def best_title(finding: Finding, rows: Sequence[SummaryRow], name: Name | None = None) -> str:
    """Who keeps most at this budget, as a title: a claim no stronger than what is shown.

    `name` is how a row is called where not by its whole name.
    """
    named_by = name or named
    told = _claim(finding, rows, named_by, most=2)
    return f"At {one_line(finding.budget)}, {told}{part_of(finding)}"


def best_line(finding: Finding, rows: Sequence[SummaryRow]) -> str:
    """The same for a list of budgets, with what takes fewer tokens and what the figures rest on."""
    told = _claim(finding, rows, named, most=3)
    told += _against_recency(finding, rows)
    leanest = finding.leanest
    # With few conversations much is alike for lack of evidence, and the leanest no advice.
    if leanest is not None and finding.base.scored >= FEW_SCENARIOS:
        told += f"; fewest tokens of these: {named(leanest, rows)} ({_saving(leanest, finding)})"
    apart = (*finding.best, *finding.below_recency)
    less = [row for row in reversed(finding.frontier) if row not in apart]
    if less:
        reached = f"{share(finding.kept(less[0]))} for {tokens(less[0].retained_tokens)}"
        told += f"; for a smaller view: {named(less[0], rows)} ({reached})"
    return f"{told}{_rests(finding)}"


def _claim(finding: Finding, rows: Sequence[SummaryRow], name: Name, most: int) -> str:
    phrase, best = PHRASES[finding.measure], finding.best
    if not best:
        return _none_best(finding, rows, name)
    among = "of those usable, " if finding.tempting else ""
    if len(best) == 1:
        kept, cost = share(finding.kept(best[0])), f"for {tokens(best[0].retained_tokens)} tokens"
        if len(finding.sound) == 1:
            only = f"alone is usable, and {phrase.keeps} {kept} of {phrase.about}"
            return f"{name(best[0], rows)} {only} {cost}"
        told = f"{name(best[0], rows)} {phrase.keeps} {largest(1)} of {phrase.about}: {kept} {cost}"
        return f"{among}{told}"
    if len(best) == len(finding.sound):
        ends = [share(finding.kept(row)) for row in (best[-1], best[0])]
        if most > 2:
            low, high = (f" ({name(row, rows)})" for row in (best[-1], best[0]))
            ends = [ends[0] + low, ends[1] + high]
        reach = " to ".join(ends)
        told = f"the usable strategies {phrase.keep} {reach} of {phrase.about}"
        return f"{told} and can't be told apart"
    # One name and a number take as much room as two names.
    shown = best[:most] if len(best) <= most else best[: most - 1]
    names = [f"{name(row, rows)} ({share(finding.kept(row))})" for row in shown]
    told = f"{listed(names, len(best))} {phrase.keep} {largest(len(best))} of {phrase.about}"
    return f"{among}{told} and can't be told apart"


def named(row: SummaryRow, rows: Sequence[SummaryRow]) -> str:
    """The row's name among these rows, on one line."""
    return name_text(label(row, rows))


def listed(names: Sequence[str], number: int | None = None) -> str:
    """`a, b and c`; `a, b and 3 more` where they are the first of so many."""
    more = (number or 0) - len(names)
    parts = [*names, f"{more:,} more"] if more > 0 else names
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def largest(rows: int) -> str:
    """Of so many rows the most, in words that don't read as a majority."""
    return "the largest share" if rows == 1 else "the largest shares"


def _against_recency(finding: Finding, rows: Sequence[SummaryRow]) -> str:
    """Which of the best are shown to keep more than plain recency, where not all of them are."""
    best, recency = finding.best, finding.recency
    if recency is None or not best or finding.base.scored < FEWEST or not finding.kept(recency):
        return ""
    above = [row for row in best if row in finding.above_recency]
    if len(above) == len(best):
        return ""
    if not above:
        none = "none of them is" if len(best) > 1 else "it isn't"
        return f"; {none} shown to beat plain recency"
    names = [named(row, rows) for row in above[:_NAMED]]
    verb = "is" if len(above) == 1 else "are"
    return f"; only {listed(names, len(above))} {verb} shown to beat plain recency"


def _saving(row: SummaryRow, finding: Finding) -> str:
    """What it saves; infeasible conversations count in that, though in no share."""
    saved = ratio(row.saved_net, row.full_tokens)
    if saved is None:
        return f"{tokens(row.retained_tokens)} tokens"
    base = finding.base
    over = f" over all {plural(base.conversations, 'conversation')}" if base.apart else ""
    return f"{share(saved)} of tokens saved net{over}"


def _none_best(finding: Finding, rows: Sequence[SummaryRow], name: Name) -> str:
    if not finding.scored:
        return not_scored(finding)
    if finding.sound:
        names = [name(row, rows) for row in finding.sound[:_NAMED]]
        return f"nothing of what was asked for is kept by {listed(names, len(finding.sound))}"
    if finding.unsound:
        return "no strategy both keeps its budget and sends valid requests"
    return "no strategy that could be chosen has a figure"


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


def part_of(finding: Finding) -> str:
    """What a title says behind its claim of a base that is small, or a part only."""
    base = finding.base
    if not finding.scored:
        return ""
    if base.apart:
        return f" ({base.scored:,} of {plural(base.conversations, 'conversation')})"
    return f" ({plural(base.scored, 'conversation')})" if base.scored < FEW_SCENARIOS else ""
