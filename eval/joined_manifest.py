"""The manifest of joined runs: what they have in common, and their matrices put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import product
from typing import Any

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.selected import SELECTED
from compaction_eval.scenarios.records import variant_name

ASKED = ("model", "judge")
"""Who answered questions, and who judged the answers; not the same in all runs that are joined."""
Conversation = tuple[str, str]
"""A scenario's id and variant."""


def conversation_of(entry: Mapping[str, Any]) -> Conversation:
    """The conversation of a manifest's entry for a scenario."""
    return entry["id"], entry["variant"]


def kept_conversations(parts: Iterable[Mapping[str, Any]]) -> set[Conversation]:
    """The conversations that are planned for every strategy, budget and summariser."""
    by_row: dict[tuple[str, str, str], set[Conversation]] = {}
    for part in parts:
        own = set(map(conversation_of, part["scenarios"]))
        for strategy, budget, summarizer in product(
            part["strategies"], part["budgets"], part["summarizers"]
        ):
            row = (strategy["label"], budget, summarizer["label"])
            by_row.setdefault(row, set()).update(own)
    return reduce(set.intersection, by_row.values()) if by_row else set()


def left_out_of(
    parts: Mapping[str, Mapping[str, Any]], kept: set[Conversation]
) -> dict[str, list[str]]:
    """Names of conversations that aren't kept, by the names of the runs that have them."""
    having: dict[str, list[str]] = {}
    for name, part in parts.items():
        for one in map(conversation_of, part["scenarios"]):
            if one not in kept:
                having.setdefault(variant_name(*one), []).append(name)
    found: dict[str, list[str]] = {}
    for scenario, names in having.items():
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        found.setdefault(listed, []).append(scenario)
    return found


def joined_manifest(
    manifests: Sequence[Mapping[str, Any]], parts: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What all runs have in common, their matrices put together, and the parts."""
    first, *others = manifests
    common = {
        key: value
        for key, value in first.items()
        if key != SELECTED and all(key in other and other[key] == value for other in others)
    }
    asked = {}
    for key in ASKED:
        names = [str(one[key]) for one in manifests if one.get(key) is not None]
        if names:
            asked[key] = " + ".join(dict.fromkeys(names))
    return {
        **common,
        **asked,
        "version": " + ".join(dict.fromkeys(str(one.get("version")) for one in manifests)),
        "budgets": list(dict.fromkeys(budget for part in parts for budget in part["budgets"])),
        "strategies": _union(parts, "strategies", lambda one: one["label"]),
        "summarizers": _union(parts, "summarizers", lambda one: one["label"]),
        "scenarios": _union(parts, "scenarios", conversation_of),
        "places": _places(manifests),
        "joined": list(parts),
    }


def _union(
    parts: Iterable[Mapping[str, Any]], kind: str, key: Callable[[Any], object]
) -> list[Any]:
    """The entries of all parts, the first of each; those of one former name side by side."""
    found: dict[object, dict[object, Any]] = {}
    for part in parts:
        for entry in part[kind]:
            found.setdefault(entry.get("was", key(entry)), {}).setdefault(key(entry), entry)
    return [entry for same in found.values() for entry in same.values()]


def _places(manifests: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Where scenarios lay: as the first run with each has it, with all probes that are known."""
    found: dict[str, Any] = {}
    for manifest in manifests:
        for name, place in manifest.get("places", {}).items():
            known = found.get(name, place)
            found[name] = {**known, "probes": {**place["probes"], **known["probes"]}}
    return found


def matrix_order(manifest: Mapping[str, Any]) -> Callable[[CellRecord], tuple[int, ...]]:
    """Sorts cells as a matrix has them: by scenario, strategy, budget, summariser, repeat."""
    places: list[dict[Any, int]] = [_numbers(map(conversation_of, manifest["scenarios"]))]
    places.append(_numbers(one["label"] for one in manifest["strategies"]))
    places.append(_numbers(manifest["budgets"]))
    places.append(_numbers(one["label"] for one in manifest["summarizers"]))

    def order(cell: CellRecord) -> tuple[int, ...]:
        key = cell.key
        values = ((key.scenario, key.variant), key.strategy, key.budget, key.summarizer)
        return (
            *(at.get(value, len(at)) for at, value in zip(places, values, strict=True)),
            key.repeat,
        )

    return order


def _numbers(values: Iterable[Any]) -> dict[Any, int]:
    return {value: at for at, value in enumerate(values)}
