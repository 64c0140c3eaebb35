"""Addresses of what the page's explorer shows: the part after `#`, as its `start.js` reads it."""

from __future__ import annotations

from urllib.parse import urlencode

from compaction_eval.eval.records import ProbeRecord
from compaction_eval.reports.page.text import shown
from compaction_eval.reports.standing import Standing
from compaction_eval.scenarios.records import variant_name


def fragment(standing: Standing, probe: str | None = None) -> str:
    """The address of a cell, at the request where the fact of a probe was lost.

    Without a probe it is the first one that was missed; of one that was kept, where it was asked.
    """
    key = standing.cell.key
    said: dict[str, object] = {
        "s": shown(variant_name(key.scenario, key.variant)),
        "a": shown(key.strategy),
        "b": shown(key.budget),
        "m": shown(key.summarizer),
    }
    if key.repeat:
        said["n"] = key.repeat
    own = [one for one in standing.cell.probes if probe is None or one.probe == probe]
    record = next(filter(_missed, own), own[0] if probe is not None and own else None)
    if record is not None:
        said |= _place(standing, record)
    return urlencode(said, errors="replace")


def _place(standing: Standing, record: ProbeRecord) -> dict[str, object]:
    fact = standing.fact_of(record.probe, record.place, record.at)
    turned = None
    if fact is not None and _missed(record):
        turned = standing.turned_at(fact, record.request)
    place: dict[str, object] = {"r": record.request if turned is None else turned}
    return place if fact is None else place | {"f": fact["id"]}


def _missed(record: ProbeRecord) -> bool:
    return not record.free and record.verdict not in ("correct", "not-asked")
