"""What probes are told apart by: family, kind, language, where the evidence stands, how old it is.

A dimension names the group of each probe, and the groups' order; what a run doesn't say is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from compaction_eval.eval.places import family
from compaction_eval.eval.records import REUSE_KINDS, CellRecord, ProbeRecord
from compaction_eval.scenarios.records import ProbeKind, Where

FIFTHS = ("0-20%", "20-40%", "40-60%", "60-80%", "80-100%")
YOUNGEST = 250
"""Tokens; ages are told apart by doubling from here on."""
REUSE = "reuse"
REUSE_TEXT = "reuse-text"
ABSTENTION = "abstention"

GroupOf = Callable[[CellRecord, ProbeRecord], str | None]
"""The name of a probe's group; None where it is in none."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A way of telling probes apart."""

    name: str
    """As on the command line."""
    title: str
    group_of: Callable[[Mapping[str, Any]], GroupOf]
    """From a run's manifest to the group of each of its probes."""
    order: Callable[[str], tuple[int, str]]
    """Sorts the groups' names."""
    without: str = ""
    """Why a probe is in no group."""
    hardest_first: bool = False
    """Whether the groups are so many that they come by difficulty."""


def _family(manifest: Mapping[str, Any]) -> GroupOf:
    return lambda cell, _: family(manifest, cell.key.scenario)


def _language(manifest: Mapping[str, Any]) -> GroupOf:
    languages = {one["id"]: one.get("lang") for one in manifest.get("scenarios", ())}
    return lambda cell, _: languages.get(cell.key.scenario)


def _position(_: Mapping[str, Any]) -> GroupOf:
    def group(cell: CellRecord, probe: ProbeRecord) -> str | None:
        if probe.source_tokens is None:
            return None
        fifth = len(FIFTHS) * probe.source_tokens // cell.conversation_tokens
        return FIFTHS[min(fifth, len(FIFTHS) - 1)]

    return group


def _age(_: Mapping[str, Any]) -> GroupOf:
    return lambda _, probe: None if probe.age_tokens is None else age_band(probe.age_tokens)


def age_band(tokens: int) -> str:
    """`0-249`, `250-499`, `500-999` and on, each as wide as all before it."""
    start, stop = 0, YOUNGEST
    while tokens >= stop:
        start, stop = stop, 2 * stop
    return f"{start:,}-{stop - 1:,}"


def _compactions(_: Mapping[str, Any]) -> GroupOf:
    def group(_: CellRecord, probe: ProbeRecord) -> str | None:
        since = probe.age_compactions
        return None if since is None else compaction_band(since)

    return group


def compaction_band(compactions: int) -> str:
    """`0`, `1`, `2-3`, `4-7` and on, each as wide as all before it."""
    if compactions < 2:
        return str(compactions)
    start = 1 << (compactions.bit_length() - 1)
    return f"{start:,}-{2 * start - 1:,}"


def _where(_: Mapping[str, Any]) -> GroupOf:
    return lambda _, probe: probe.where if probe.kind in REUSE_KINDS else None


def _kind(_: Mapping[str, Any]) -> GroupOf:
    return lambda _, probe: probe.kind


def _probe(_: Mapping[str, Any]) -> GroupOf:
    return lambda cell, probe: f"{cell.key.scenario} {probe.probe}"


def _by_name(name: str) -> tuple[int, str]:
    return 0, name


def _by_number(name: str) -> tuple[int, str]:
    return int(name.partition("-")[0].replace(",", "")), name


def _by_kind(name: str) -> tuple[int, str]:
    kinds = (*get_args(ProbeKind), REUSE, REUSE_TEXT)
    return (kinds.index(name) if name in kinds else len(kinds)), name


def _by_use(name: str) -> tuple[int, str]:
    return get_args(Where).index(name), name


_NO_EVIDENCE = "no evidence in the conversation"
DIMENSIONS: Mapping[str, Dimension] = {
    one.name: one
    for one in (
        Dimension("family", "family of scenarios", _family, _by_name, "no file of the scenario"),
        Dimension("kind", "kind of probe", _kind, _by_kind),
        Dimension("language", "language", _language, _by_name),
        Dimension(
            "position",
            "where the evidence stands, by tokens of the conversation",
            _position,
            _by_number,
            _NO_EVIDENCE,
        ),
        Dimension(
            "age",
            "age of the evidence when asked about, in tokens",
            _age,
            _by_number,
            _NO_EVIDENCE,
        ),
        Dimension(
            "compactions",
            "compactions between the evidence and the question, each strategy's own",
            _compactions,
            _by_number,
            _NO_EVIDENCE,
        ),
        Dimension("where", "where the agent used the value", _where, _by_use, "written, not found"),
        Dimension("probe", "scenario and probe", _probe, _by_name, hardest_first=True),
    )
}
DEFAULT = ("family", "kind", "language", "position", "age")


def unsaid(manifest: Mapping[str, Any], cells: Iterable[CellRecord], name: str) -> str | None:
    """Why a run can't be told apart by a dimension: it was measured before runs said so."""
    said = True
    if name == "family":
        said = "places" in manifest
    elif name == "language":
        said = all("lang" in one for one in manifest.get("scenarios", ()))
    elif name == "position":
        probes = [p for cell in cells for p in cell.probes if p.source is not None]
        said = not probes or any(probe.source_tokens is not None for probe in probes)
    if said:
        return None
    told = {
        "family": "which family its scenarios belong to",
        "language": "which language its scenarios are in",
        "position": "where in the conversation the evidence stands",
    }[name]
    return f"This run doesn't say {told}: it was measured by an earlier version."
