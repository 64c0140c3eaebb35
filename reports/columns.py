"""The columns of tables for people: heading, value, and what goes first where space is short."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.evidence_words import asked
from compaction_eval.reports.figures import UNMEASURED, count, plural, ratio, share, tokens
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.usability import Usability, usability


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of a row."""

    title: str
    heading: str
    """The title in two lines, for a terminal."""
    value: Callable[[SummaryRow], str]
    importance: int
    """Lowest is left out first where the terminal is narrow; from 9 on it is never left out."""
    only_if: Callable[[SummaryRow], object] | None = None
    """The column is shown only if this holds for some row."""
    brief: Callable[[SummaryRow], str] | None = None
    """The value where space is short."""

    def short(self, row: SummaryRow) -> str:
        """The value for a terminal."""
        return (self.brief or self.value)(row)


INTERVAL = "95% interval"


def _interval(measure: str) -> Column:
    """The interval of a share; in a terminal how far its farther end is off, in points."""

    def limits(row: SummaryRow) -> tuple[float, float] | None:
        low, high = getattr(row, f"{measure}_low"), getattr(row, f"{measure}_high")
        return None if low is None else (low, high)

    def value(row: SummaryRow) -> str:
        found = limits(row)
        return UNMEASURED if found is None else f"{share(found[0])} to {share(found[1])}"

    def brief(row: SummaryRow) -> str:
        found = limits(row)
        if found is None:
            return UNMEASURED
        middle = getattr(row, measure)
        return f"±{100 * max(middle - found[0], found[1] - middle):.1f}"

    def there(row: SummaryRow) -> bool:
        return limits(row) is not None and (measure == "survival" or row.survival is None)

    return Column(INTERVAL, "95%", value, 8, there, brief)


COLUMNS: tuple[Column, ...] = (
    Column(
        "survival",
        "survival",
        lambda r: share(r.survival),
        9,
        lambda r: r.survival is not None,
    ),
    _interval("survival"),
    Column("stale", "stale", lambda r: share(r.stale), 8, lambda r: r.survival is not None),
    Column("mixed", "mixed", lambda r: share(r.mixed), 6, lambda r: r.survival is not None),
    Column("recall", "recall", lambda r: share(r.recall), 9, lambda r: r.recall is not None),
    Column("reuse", "reuse", lambda r: share(r.reuse), 9, lambda r: r.reuse is not None),
    _interval("reuse"),
    Column(
        "sure",
        "sure",
        lambda r: share(r.reuse_sure),
        6,
        lambda r: r.survival is None and r.reuse_sure is not None,
    ),
    Column(
        "lost for good",
        "lost for\ngood",
        lambda r: count(None if r.reuse is None else r.reuse_lost_for_good),
        7,
        lambda r: r.survival is None and r.reuse_lost_for_good,
    ),
    Column(
        "in words",
        "in\nwords",
        lambda r: share(r.reuse_text),
        5,
        lambda r: r.survival is None and r.reuse_text is not None,
    ),
    Column("retained tokens", "retained\ntokens", lambda r: tokens(r.retained_tokens), 9),
    Column("saved gross", "saved\ngross", lambda r: share(ratio(r.saved_gross, r.full_tokens)), 5),
    Column("saved net", "saved\nnet", lambda r: share(ratio(r.saved_net, r.full_tokens)), 9),
    Column("net tokens saved", "net\ntokens", lambda r: tokens(r.saved_net), 2),
    Column("invalid requests", "invalid", lambda r: count(r.invalid_requests), 8),
    Column("over budget", "over\nbudget", lambda r: count(r.over_budget_requests), 7),
    Column(
        "infeasible",
        "infea-\nsible",
        lambda r: count(r.infeasible_requests),
        4,
        lambda r: r.infeasible_requests,
    ),
    Column(
        "summaries",
        "sum-\nmaries",
        lambda r: count(r.summary_calls),
        3,
        lambda r: r.summary_calls,
    ),
    Column("fallbacks", "fall-\nbacks", lambda r: count(r.fallbacks), 1, lambda r: r.fallbacks),
    Column("errors", "errors", lambda r: count(r.errors), 9, lambda r: r.errors),
    Column(
        "no answer",
        "no\nanswer",
        lambda r: count(r.answer_errors),
        9,
        lambda r: r.answer_errors,
    ),
)


def columns_for(rows: Iterable[SummaryRow]) -> list[Column]:
    """The columns that have something to say about these rows."""
    known = list(rows)
    shown = [c for c in COLUMNS if c.only_if is None or any(map(c.only_if, known))]
    # Where nothing was measured, that is to be seen.
    return shown if any(headline(row) is not None for row in known) else [COLUMNS[0], *shown]


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one budget, best first; after the usable ones the others, then the controls."""

    budget: str
    rows: tuple[SummaryRow, ...]

    @property
    def caption(self) -> str:
        """What the figures rest on, and how many cells are in no share.

        Rows without errors count, since the others rest on fewer conversations. These differ in
        probes alone: one that a view can only get wrong is asked where one did.
        """
        measured = [row for row in self.rows if row.full_tokens is not None]
        if not measured:
            return "nothing measured"
        rows = [row for row in measured if not row.errors] or measured
        apart, cells = max((row.cells_apart, row.cells) for row in rows)
        if apart == cells:
            return f"not scored: {apart:,} of {plural(cells, 'replay')} infeasible"
        parts = (
            plural(max(row.scenarios for row in rows), "conversation"),
            *asked(rows),
            plural(max(row.requests or 0 for row in rows), "request"),
            f"full history {max(row.full_tokens or 0 for row in rows):,} tokens",
        )
        return ", ".join(parts) + (
            f"; {apart:,} of {plural(cells, 'replay')} infeasible" if apart else ""
        )


def merged(rows: Sequence[SummaryRow]) -> list[SummaryRow]:
    """The rows, those that no summariser made a difference to once and without its name."""
    by_strategy: dict[tuple[str, str], list[SummaryRow]] = {}
    for row in rows:
        by_strategy.setdefault((row.strategy, row.budget), []).append(row)
    result = []
    for same in by_strategy.values():
        bare = [replace(row, summarizer="") for row in same]
        alike = len(same) > 1 and bare[0].summary_calls == 0 and all(b == bare[0] for b in bare)
        result += bare[:1] if alike else same
    return result


def groups(rows: Sequence[SummaryRow], marks: Marks) -> list[Group]:
    """The rows by budget, in the order in which budgets first appear."""
    budgets = dict.fromkeys(row.budget for row in rows)
    order = _order(usability(rows, marks))
    return [
        Group(budget, tuple(sorted((row for row in rows if row.budget == budget), key=order)))
        for budget in budgets
    ]


def _order(use: Usability) -> Callable[[SummaryRow], tuple[bool, bool, float, float]]:
    def key(row: SummaryRow) -> tuple[bool, bool, float, float]:
        kept = headline(row)
        return (
            use.marks.is_control(row),
            not use.is_usable(row),
            -(kept if kept is not None else -1.0),
            row.retained_tokens if row.retained_tokens is not None else float("inf"),
        )

    return key


def headline(row: SummaryRow) -> float | None:
    """What the row is ranked by: survival, or reuse where there are no written probes."""
    return row.reuse if row.survival is None else row.survival


def label(row: SummaryRow, rows: Iterable[SummaryRow]) -> str:
    """The row's name among these rows: its summariser is named where they have several."""
    return label_of(row.strategy, row.summarizer, (other.summarizer for other in rows))


def label_of(strategy: str, summarizer: str, summarizers: Iterable[str]) -> str:
    """The name of a strategy with a summariser, where there are rows with these."""
    several = len({other for other in summarizers if other}) > 1
    return f"{strategy} + {summarizer}" if several and summarizer else strategy


def apart_lines(rows: Sequence[SummaryRow], marks: Marks) -> list[str]:
    """A line that names the budgets at which cells stand apart, and why; none without any."""
    parts = []
    for group in groups(rows, marks):
        apart, cells = max((row.cells_apart, row.cells) for row in group.rows)
        if apart:
            parts.append(
                f"{apart:,} of {plural(cells, 'replay')} by each strategy at {group.budget}"
            )
    if not parts:
        return []
    return [
        f"Infeasible: {', '.join(parts)}. Left out of the shares and of retained tokens, since in"
        " more than half of the requests the system messages and the newest block alone exceed"
        " the budget."
    ]
