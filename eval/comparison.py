"""What changed between two pieces of evidence, in figures: per row, and per group of probes.

A share is that of probes which both sides asked, as the mean over scenarios of the scenario's own
share, so that before and change add up to after. Tokens are those of the cells that both have. The
scenario is the unit: each interval is over one number a scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from compaction_eval.eval.changes import ProbeChange, probe_changes
from compaction_eval.eval.metrics import with_answers
from compaction_eval.eval.pairing import Pair
from compaction_eval.eval.row_cells import row_key
from compaction_eval.eval.share_figures import ScoredProbes, ShareFigures
from compaction_eval.eval.statistics import Interval, mean_intervals
from compaction_eval.eval.token_figures import TOKENS, Tokens, Unit

Row = tuple[str, str, str]
"""Strategy, budget, summariser."""
FOUND = {"reuse": "reuse", "reuse-text": "reuse_text"}
"""Kind of probe -> what the share of those that were kept is called; of other kinds, survival."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure before and after."""

    by: str
    """`strategy`, or the name of a grouping."""
    group: str
    """Of a grouping: which probes; empty for the whole row."""
    row: Row
    measure: str
    """`survival`, `recall`, `reuse`, `reuse_text`, `stale`, or one of tokens: `retained_tokens`,
    `sent_tokens`, `saved_net_share`."""
    unit: Unit
    before: float
    after: float
    change: float
    interval: Interval | None
    """Of the change, 95%; None with fewer scenarios than anything can be said about."""
    scenarios: int
    probes: int | None = None
    """Probes that both sides asked; None for tokens."""
    design_effect: float | None = None
    changed: bool = False
    """Whether anything below the figure differs, though the figure itself may not."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way of telling probes apart."""

    name: str
    groups_of: Callable[[ProbeChange], Iterable[str]]
    """The groups that a probe is in: none, one or several."""
    order: Callable[[str], tuple[int, str]]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A difference before its interval, which all have computed together."""

    difference: Difference
    by_scenario: list[float]
    """One number a scenario, of which the change is the mean."""


def compare(
    pairs: Sequence[Pair], groupings: Sequence[Grouping] = (), *, rows: bool = True
) -> list[Difference]:
    """The differences: of whole rows (where `rows`), then by each grouping; rows as in `pairs`."""
    by_row: dict[Row, list[Pair]] = {}
    for one in pairs:
        key = one.after.key
        by_row.setdefault(row_key(key), []).append(one)
    probes = {row: ScoredProbes(list(probe_changes(own))) for row, own in by_row.items()}
    drafts: list[_Draft] = []
    if rows:
        for row, own in by_row.items():
            drafts += _row(row, own, probes[row])
    for grouping in groupings:
        for row in by_row:
            drafts += _grouped(row, grouping, probes[row])
    intervals = mean_intervals([draft.by_scenario for draft in drafts])
    return [_finished(*both) for both in zip(drafts, intervals, strict=True)]


def _finished(draft: _Draft, interval: Interval | None) -> Difference:
    return replace(draft.difference, interval=interval)


def _row(row: Row, pairs: Sequence[Pair], scored: ScoredProbes) -> Iterable[_Draft]:
    written = [at for at, one in enumerate(scored.probes) if one.kind not in FOUND]
    if written:
        yield _share("strategy", "", row, "survival", scored.figures(written, "correct"))
    answers = [Pair(*with_answers((one.before, one.after))) for one in pairs]
    asked = ScoredProbes(list(probe_changes(answers)))
    if asked.probes:
        places = range(len(asked.probes))
        yield _share("strategy", "", row, "recall", asked.figures(places, "correct"))
    for kind, measure in FOUND.items():
        found = [at for at, one in enumerate(scored.probes) if one.kind == kind]
        if found:
            yield _share("strategy", "", row, measure, scored.figures(found, "correct"))
    if written:
        yield _share("strategy", "", row, "stale", scored.figures(written, "stale"))
    for tokens in TOKENS:
        draft = _tokens(row, tokens, pairs)
        if draft is not None:
            yield draft


def _grouped(row: Row, grouping: Grouping, scored: ScoredProbes) -> Iterable[_Draft]:
    """Survival by group; reuse where that is all there is. Found ones are kinds of their own."""
    written = any(one.kind not in FOUND for one in scored.probes)
    apart = set(FOUND) if written else {"reuse-text"}
    found: dict[str, list[int]] = {}
    for at, one in enumerate(scored.probes):
        if one.kind in apart and grouping.name != "kind":
            continue
        for group in grouping.groups_of(one):
            found.setdefault(group, []).append(at)
    for group in sorted(found, key=grouping.order):
        places = found[group]
        measure = FOUND.get(scored.probes[places[0]].kind, "survival")
        yield _share(grouping.name, group, row, measure, scored.figures(places, "correct"))


def _share(by: str, group: str, row: Row, measure: str, figures: ShareFigures) -> _Draft:
    before, after = fmean(figures.before), fmean(figures.after)
    return _Draft(
        Difference(
            by=by,
            group=group,
            row=row,
            measure=measure,
            unit="share",
            before=before,
            after=after,
            change=after - before,
            interval=None,
            scenarios=len(figures.before),
            probes=figures.probes,
            design_effect=figures.design_effect,
            changed=figures.changed,
        ),
        [new - old for old, new in zip(figures.before, figures.after, strict=True)],
    )


def _tokens(row: Row, measure: Tokens, pairs: Sequence[Pair]) -> _Draft | None:
    """A sum over cells or a ratio of two sums, taken apart into what each scenario adds to it.

    Both sides ask the same requests, so a scenario's weight in a ratio is the same on both.
    """
    kept = [
        one for one in pairs if not (measure.headline and (one.before.apart or one.after.apart))
    ]
    old = measure.by_scenario([one.before for one in kept])
    new = measure.by_scenario([one.after for one in kept])
    if not old or not new:
        return None
    scale = len(new)
    return _Draft(
        Difference(
            by="strategy",
            group="",
            row=row,
            measure=measure.name,
            unit=measure.unit,
            before=sum(old.values()),
            after=sum(new.values()),
            change=sum(new.values()) - sum(old.values()),
            interval=None,
            scenarios=len(new),
            changed=any(new[scenario] != old[scenario] for scenario in new),
        ),
        [scale * (new[scenario] - old[scenario]) for scenario in new],
    )
