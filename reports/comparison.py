"""A comparison of two runs as reports need it, and how its parts are worded, one way in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from compaction_eval.eval.comparison import Difference, Row
from compaction_eval.eval.pairing import Change, Flip, Paired
from compaction_eval.eval.statistics import EXACT_UP_TO, FEWEST, Interval
from compaction_eval.reports.figures import UNMEASURED, plural, share, tokens
from compaction_eval.reports.printable import one_line
from compaction_eval.scenarios.records import variant_name
from compaction_eval.scenarios.wording import listed_words

CHANGES: Mapping[Change, str] = {
    "lost": "Lost",
    "stale": "Turned stale",
    "wrong": "Turned wrong",
    "regained": "Regained",
}
"""The kinds of flips, in the order in which they are told, with their headings."""
MOST_FLIPS = 20
MEASURES: Mapping[str, str] = {
    "survival": "survival",
    "recall": "recall",
    "reuse": "reuse",
    "reuse_text": "reuse in words",
    "stale": "stale",
    "retained_tokens": "retained tokens",
    "sent_tokens": "sent tokens",
    "saved_net_share": "saved net",
}
TOO_FEW = "too few"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is reported."""

    base: str
    new: str
    """What the two were read from."""
    paired: Paired
    flips: tuple[Flip, ...]
    differences: tuple[Difference, ...]
    by: tuple[str, ...]
    """What the differences are told by, in order."""
    place_of: Callable[[str, str], tuple[str, int] | None]
    """From a scenario and a probe to its file and line."""
    only_changed: bool = False

    @property
    def several_summarizers(self) -> bool:
        """Whether a row's name needs its summariser."""
        return len({one.after.key.summarizer for one in self.paired.pairs}) > 1

    def row_name(self, row: Row) -> str:
        """`rolling-summary at 30%`, with the summariser where there are several."""
        strategy, budget, summarizer = map(one_line, row)
        more = f" + {summarizer}" if self.several_summarizers else ""
        return f"{strategy}{more} at {budget}"

    def of(self, change: Change) -> list[Flip]:
        """The flips of one kind."""
        return [flip for flip in self.flips if flip.change == change]

    def section(self, by: str) -> dict[Row, list[Difference]]:
        """The differences of one kind, by row in their order."""
        found: dict[Row, list[Difference]] = {}
        for one in self.differences:
            if one.by == by:
                found.setdefault(one.row, []).append(one)
        return found


def headline(found: Comparison) -> str:
    """The flips in numbers, and out of how many verdicts."""
    pairs = found.paired.pairs
    verdicts = sum(len(one.after.outcomes) for one in pairs)
    over = f"{plural(verdicts, 'verdict')} in {plural(len(pairs), 'cell')}"
    if not found.flips:
        return f"No verdict flipped, of {over}."
    counts = [f"{len(found.of(kind)):,} {title.lower()}" for kind, title in CHANGES.items()]
    return f"{', '.join(counts)}, of {over}."


def unpaired(found: Comparison) -> list[str]:
    """What only one side has, a line each."""
    told = (
        ("Scenarios", found.paired.new_scenarios, found.new),
        ("Scenarios", found.paired.removed_scenarios, found.base),
        ("Strategies", found.paired.new_rows, found.new),
        ("Strategies", found.paired.removed_rows, found.base),
    )
    return [
        f"{what} only in {one_line(side)}, not compared:"
        f" {listed_words(map(one_line, names), most=10)}."
        for what, names, side in told
        if names
    ]


def unchanged_text(found: Comparison) -> str:
    """The rows of which nothing differs: `The same: none at 30%, 50%; …`; empty without any."""
    changed = {one.row for one in found.differences if one.changed}
    budgets: dict[tuple[str, str], list[str]] = {}
    for row in dict.fromkeys(one.row for one in found.differences):
        if row not in changed:
            budgets.setdefault((row[0], row[2]), []).append(row[1])
    strategies: dict[tuple[str, ...], list[str]] = {}
    for (strategy, summarizer), own in budgets.items():
        more = f" + {summarizer}" if found.several_summarizers else ""
        strategies.setdefault(tuple(own), []).append(one_line(strategy + more))
    told = [f"{', '.join(names)} at {', '.join(own)}" for own, names in strategies.items()]
    return f"The same: {'; '.join(told)}." if told else ""


def flip_text(found: Comparison, flip: Flip) -> str:
    """`file:line: scenario probe@place, strategy at budget: before -> after`."""
    key = flip.key
    place = found.place_of(key.scenario, flip.probe)
    where = f"{place[0]}:{place[1]}: " if place is not None else ""
    repeat = f", repeat {key.repeat}" if key.repeat else ""
    scenario = variant_name(key.scenario, key.variant)
    row = found.row_name((key.strategy, key.budget, key.summarizer))
    return one_line(
        f"{where}{scenario} {flip.probe}@{flip.place}, {row}{repeat}: {flip.before} -> {flip.after}"
    )


def evidence_text(differences: Sequence[Difference]) -> str:
    """What a row's figures rest on: `42 scenarios, 505 probes (design effect 1.8), …`."""
    parts = [plural(max(one.scenarios for one in differences), "scenario")]
    for measure, noun in (
        ("survival", "probe"),
        ("reuse", "reuse probe"),
        ("reuse_text", "text probe"),
    ):
        for one in differences:
            if one.measure == measure and one.probes is not None:
                known = effect(one)
                told = f" (design effect {known})" if known != UNMEASURED else ""
                parts.append(f"{plural(one.probes, noun)}{told}")
    return ", ".join(parts)


def effect(one: Difference) -> str:
    """The design effect; unknown where nothing changed, or so little is there to tell it."""
    known = one.changed and one.scenarios >= FEWEST and one.design_effect is not None
    return f"{one.design_effect:.1f}" if known else UNMEASURED


def value(one: Difference, figure: float) -> str:
    """A figure of a side."""
    return share(figure) if one.unit == "share" else tokens(figure)


def change(one: Difference) -> str:
    """The change with its sign: points of a share, or tokens."""
    return signed(one.change, one.unit) if one.changed else "same"


def limits(one: Difference) -> str:
    """The interval of a change: `−7.5 to +1.0`."""
    if not one.changed:
        return ""
    return interval_text(one.interval, one.unit)


def interval_text(interval: Interval | None, unit: str) -> str:
    """`−7.5 to +1.0`, in points or tokens; words where there are too few scenarios."""
    if interval is None:
        return TOO_FEW
    return f"{signed(interval.low, unit)} to {signed(interval.high, unit)}"


def signed(figure: float, unit: str) -> str:
    """A figure with its sign; a share in points, with as many digits as tell it from nothing."""
    scaled = figure * 100 if unit == "share" else figure
    digits = 1 if unit == "share" else 0
    if abs(scaled) < 1e-9:
        return f"{0:.{digits}f}"
    while round(scaled, digits) == 0:
        digits += 1
    return ("−" if scaled < 0 else "+") + f"{abs(scaled):,.{digits}f}"


def explanations(found: Comparison) -> list[str]:
    """What the figures are, a line each."""
    units = {one.unit for one in found.differences if one.changed}
    if not units:
        return []
    points = "in points for shares and in tokens else" if len(units) > 1 else "in points"
    lines = [
        "Shares are means over scenarios of the scenario's own share of the probes that both sides"
        f" asked. Changes are {points}, with 95% intervals over scenarios: exact sign flips up to"
        f" {EXACT_UP_TO}, bootstrap above, '{TOO_FEW}' below {FEWEST}. Of many intervals one in"
        " twenty misses by chance.",
        "Design effect: how much less the probes tell than as many independent ones would, since"
        " those of one conversation stand or fall together.",
    ]
    if "tokens" in units:
        lines.append(
            "retained: mean tokens of the view when something was asked; saved net: of the full"
            " history's tokens, the summariser's taken off."
        )
    return lines
