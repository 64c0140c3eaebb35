"""How the run in a folder differs from one that is to go on there, and whether it may all the same.

A strategy or summariser whose file was changed since may: where cells of it failed, all its cells
are measured anew, so that its figures never come of two versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from compaction_eval.eval.manifest import same_run
from compaction_eval.eval.records import CellRecord

KINDS = ("strategies", "summarizers")


@dataclass(frozen=True, slots=True)
class Mended:
    """What failed and has another file now, by label."""

    strategies: frozenset[str] = frozenset()
    summarizers: frozenset[str] = frozenset()

    def concerns(self, cell: CellRecord) -> bool:
        """Whether a cell was measured with what is another now."""
        return cell.key.strategy in self.strategies or cell.key.summarizer in self.summarizers

    def __bool__(self) -> bool:
        return bool(self.strategies or self.summarizers)


def mended(
    old: Mapping[str, Any], new: Mapping[str, Any], cells: Iterable[CellRecord]
) -> Mended | None:
    """What was mended, if that is all in which the runs differ; None where it isn't."""
    if set(same_run(old, new)) - set(KINDS):
        return None
    failed = [cell.key for cell in cells if cell.error is not None]
    changed: dict[str, frozenset[str]] = {}
    for kind, known in zip(
        KINDS,
        ({key.strategy for key in failed}, {key.summarizer for key in failed}),
        strict=True,
    ):
        if [_but_files(one) for one in old[kind]] != [_but_files(one) for one in new[kind]]:
            return None
        changed[kind] = frozenset(_changed(old[kind], new[kind]))
        if not changed[kind] <= known:
            return None
    return Mended(**changed)


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What differs, a phrase each: `strategies: no longer the same file: ./own.py:compact`."""
    return [_difference(key, old.get(key), new.get(key)) for key in same_run(old, new)]


def _difference(key: str, old: Any, new: Any) -> str:
    if key in KINDS and old and new:
        labels = [[one["label"] for one in side] for side in (old, new)]
        if labels[0] == labels[1]:
            changed = list(_changed(old, new))
            if changed and all(map(_same_but_files, old, new)):
                return f"{key} (the file of {', '.join(changed)} has changed)"
            return key
        return f"{key} ({_both_ways(*labels)})"
    if key == "scenarios" and old and new:
        known, wanted = ({_name(one): one["digest"] for one in side} for side in (old, new))
        if list(known) != list(wanted):
            return f"{key} ({_both_ways([*known], [*wanted])})"
        changed = [name for name, digest in wanted.items() if known[name] != digest]
        return f"{key} ({', '.join(changed[:5])} changed)" if changed else key
    if key == "budgets" and old and new:
        return f"{key} ({_both_ways(old, new)})"
    return key


def _both_ways(old: list[str], new: list[str]) -> str:
    more = [name for name in new if name not in old]
    less = [name for name in old if name not in new]
    parts = [f"only there: {', '.join(less[:5])}"] * bool(less)
    parts += [f"only here: {', '.join(more[:5])}"] * bool(more)
    return "; ".join(parts) or "in another order"


def _name(entry: Mapping[str, Any]) -> str:
    return f"{entry['id']} {entry['variant']}".rstrip()


def _but_files(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry with the names of its files alone."""
    return {**entry, "files": [file["name"] for file in entry["files"]]}


def _same_but_files(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return _but_files(one) == _but_files(other)


def _changed(old: Iterable[Any], new: Iterable[Any]) -> Iterable[str]:
    pairs = zip(old, new, strict=True)
    return (after["label"] for before, after in pairs if before["files"] != after["files"])
