"""What a run lacks, in words: cells that aren't there, and rows on different conversations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from compaction_eval.eval.evidence import expected_keys
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.eval.selected import unfinished
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import one_line
from compaction_eval.scenarios.records import variant_name
from compaction_eval.scenarios.wording import listed_words

_NAMED = 8
_Conversations = frozenset[tuple[str, str, int]]


def gap_lines(
    manifest: Mapping[str, Any], cells: Sequence[CellRecord], damaged: int = 0
) -> list[str]:
    """Lines on what isn't there and what thus can't be compared; none of a whole run.

    `damaged` are lines that can't be read, which are told elsewhere.
    """
    if not {"scenarios", "repeats"} <= manifest.keys():
        return []
    return [*_missing(manifest, cells, damaged), *uneven_lines(manifest, cells)]


def _missing(manifest: Mapping[str, Any], cells: Sequence[CellRecord], damaged: int) -> list[str]:
    planned = len(expected_keys(manifest))
    if len(cells) + damaged >= planned:
        return []
    several = "joined" in manifest
    who = "These runs hold" if several else "This run holds"
    if unfinished(manifest, cells) > damaged:
        why = f"{'one' if several else 'it'} was interrupted"
    else:
        why = "these were selected"
    return [f"{who} {len(cells):,} of {plural(planned, 'cell')}: {why}; figures rest on these."]


def uneven_lines(manifest: Mapping[str, Any], cells: Sequence[CellRecord]) -> list[str]:
    """Which rows rest on which conversations, where not all rest on the same."""
    if not is_uneven(cells, expected_keys(manifest)):
        return []
    rows: dict[tuple[str, str, str], set[tuple[str, str, int]]] = {}
    for cell in cells:
        key = cell.key
        conversation = (key.scenario, key.variant, key.repeat)
        rows.setdefault((key.strategy, key.budget, key.summarizer), set()).add(conversation)
    groups: dict[_Conversations, list[str]] = {}
    for (strategy, budget, summarizer), found in rows.items():
        alike = {frozenset(rows[row]) for row in rows if row[0] == strategy}
        more = f" at {budget}"
        if len({frozenset(rows[row]) for row in rows if row[:2] == (strategy, budget)}) > 1:
            more += f" with {summarizer}"
        name = one_line(strategy if len(alike) == 1 else strategy + more)
        named = groups.setdefault(frozenset(found), [])
        if name not in named:
            named.append(name)
    if len(groups) < 2:
        return ["Not all strategies were measured at the same budgets and summarisers."]
    told = [
        f"{listed_words(names, most=_NAMED)} on {_conversations(found)}"
        for found, names in sorted(groups.items(), key=lambda group: -len(group[0]))
    ]
    return [
        "Strategies rest on different conversations, so their figures can't be compared:"
        f" {'; '.join(told)}."
    ]


def _conversations(found: _Conversations) -> str:
    names = dict.fromkeys(
        one_line(variant_name(scenario, variant)) for scenario, variant, _ in sorted(found)
    )
    return f"{plural(len(found), 'conversation')} ({listed_words(names, most=_NAMED)})"


def is_uneven(cells: Sequence[CellRecord], planned: Iterable[CellKey]) -> bool:
    """Whether something is measured on a conversation and something else isn't, though planned."""
    axes = [set(values) for values in zip(*(_axes(cell.key) for cell in cells), strict=True)]
    return bool(axes) and len(cells) < sum(
        all(value in axis for value, axis in zip(_axes(key), axes, strict=True)) for key in planned
    )


def _axes(key: CellKey) -> tuple[object, ...]:
    return (key.scenario, key.variant, key.repeat), key.strategy, key.budget, key.summarizer
