"""The groupings of a comparison: kind of probe, age of its evidence, tag of its scenario."""

from __future__ import annotations

from collections.abc import Iterable

from compaction_eval.eval.changes import ProbeChange
from compaction_eval.eval.comparison import Grouping
from compaction_eval.eval.evidence import Evidence, place_of
from compaction_eval.eval.store import Run
from compaction_eval.reports.dimensions import DIMENSIONS, age_band

BY = ("strategy", "kind", "age", "tag")


def by_kind() -> Grouping:
    """Kinds in their own order, reuse last."""
    return Grouping("kind", lambda one: (one.kind,), DIMENSIONS["kind"].order)


def by_tag(evidence: Evidence) -> Grouping:
    """Tags by name; a probe is in the group of each tag that its scenario has."""
    tags = {(one.id, one.variant): one.tags for one in evidence.scenarios}

    def groups(one: ProbeChange) -> Iterable[str]:
        return tags.get((one.scenario, one.variant), ())

    return Grouping("tag", groups, lambda name: (0, name))


def by_age(run: Run) -> Grouping:
    """Bands of the tokens between evidence and question, the youngest first.

    The age is the conversation's, whatever a strategy kept of it, so one run tells both's.
    """
    ages: dict[tuple[str, str, str, str], str] = {}
    for cell in run.cells:
        key = cell.key
        for probe in cell.probes:
            if probe.age_tokens is not None:
                place = (key.scenario, key.variant, probe.probe, place_of(probe))
                ages.setdefault(place, age_band(probe.age_tokens))

    def groups(one: ProbeChange) -> Iterable[str]:
        band = ages.get((one.scenario, one.variant, one.probe, one.place))
        return () if band is None else (band,)

    return Grouping("age", groups, DIMENSIONS["age"].order)
