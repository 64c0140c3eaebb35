"""Whether what two runs call by one name is the same, and what to call it where it isn't."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from compaction_eval.eval.records import CellKey, CellRecord


@dataclass(frozen=True, slots=True)
class Named:
    """A strategy or summariser as one run has it."""

    run: str
    """The run's name."""
    version: str
    """The version of ours that measured it."""
    asked: tuple[object, object]
    """The model that was asked, and the one that judged; None for neither."""
    entry: Mapping[str, Any]
    """Its entry in the manifest: spec, digests of files, …"""
    cells: Mapping[CellKey, CellRecord]


Same = Callable[[Named, Named], bool]


def same_summarizer(one: Named, other: Named) -> bool:
    """Whether it is the same one; what strategies make of it doesn't matter.

    Where a file has changed, it is the same as long as nothing that was measured is another.
    """
    if one.entry == other.entry:
        return True
    shared = one.cells.keys() & other.cells.keys()
    return (
        one.entry["spec"] == other.entry["spec"]
        and bool(shared)
        and all(_same_cell(one.cells[key], other.cells[key]) for key in shared)
    )


def same_strategy(one: Named, other: Named) -> bool:
    """Whether its cells may stand in one row: the same in all that both runs measured.

    Where they have no cell in common, whether all that cells rest on is the same. A run that asked
    no model is told apart from one that did unless the latter has all of its cells.
    """
    shared = one.cells.keys() & other.cells.keys()
    if not shared:
        return (one.entry, one.version, one.asked) == (other.entry, other.version, other.asked)
    if one.entry["spec"] != other.entry["spec"]:
        return False
    if one.asked == other.asked:
        return all(_same_cell(one.cells[key], other.cells[key]) for key in shared)
    bare, asked = (one, other) if one.asked == (None, None) else (other, one)
    return (
        bare.asked == (None, None)
        and bare.cells.keys() <= asked.cells.keys()
        and all(_same_cell(cell, _bare(asked.cells[key])) for key, cell in bare.cells.items())
    )


def _same_cell(one: CellRecord, other: CellRecord) -> bool:
    """Whether both measured the same, be one of a version that recorded less of it."""
    if bool(one.message_tokens) != bool(other.message_tokens):
        one, other = _as_recorded_before(one), _as_recorded_before(other)
    return one == other


def _as_recorded_before(cell: CellRecord) -> CellRecord:
    """The cell without what earlier versions lack: sizes, and which facts were left."""
    return replace(cell, message_tokens=(), message_blocks=(), system_messages=0, facts_left=())


def _bare(cell: CellRecord) -> CellRecord:
    return replace(cell, probes=tuple(replace(probe, answer=None) for probe in cell.probes))


def united(cells: Iterable[CellRecord]) -> dict[CellKey, CellRecord]:
    """The cells by key; of two, the one with a model's answers, or with sizes, else the first."""
    found: dict[CellKey, CellRecord] = {}
    for cell in cells:
        known = found.get(cell.key)
        if known is None or _held(cell) > _held(known):
            found[cell.key] = cell
    return found


def _held(cell: CellRecord) -> tuple[bool, bool]:
    """What a cell may have more than another that measured the same: answers, sizes."""
    return any(probe.answer is not None for probe in cell.probes), bool(cell.message_tokens)


def labels(named: Sequence[Named], same: Same, taken: Collection[str]) -> dict[str, str]:
    """What it is called in each run: its label, with a run's name where runs have other ones.

    `named`: one label as each run has it, in the runs' order. `taken`: labels that mean something
    else already.
    """
    groups: list[tuple[Named, list[str]]] = []
    for one in named:
        for at, (first, runs) in enumerate(groups):
            if same(first, one):
                cells = united((*first.cells.values(), *one.cells.values()))
                asked = one.asked if first.asked == (None, None) else first.asked
                groups[at] = (replace(first, cells=cells, asked=asked), [*runs, one.run])
                break
        else:
            groups.append((one, [one.run]))
    found: dict[str, str] = {}
    for first, runs in groups:
        label = str(first.entry["label"])
        if len(groups) > 1:
            label = f"{label} [{first.run}]"
            while label in taken:
                label += "'"
        found |= dict.fromkeys(runs, label)
    return found
