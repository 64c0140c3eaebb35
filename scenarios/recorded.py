"""The `recorded` section: what the recorded agent's own tool compacted, and what it put there."""

from __future__ import annotations

from collections.abc import Iterator

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Place, RecordedCompaction
from compaction_eval.scenarios.shapes import section_faults
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node

_NUMBERS = ("tokens_before", "tokens_after", "cached_after")


def read_recorded(
    node: Node | None, messages: int, faults: list[Fault]
) -> tuple[RecordedCompaction, ...]:
    """The compactions of a conversation of that many messages, in the order of the file.

    Those that are misshapen (a fault already) are left out.
    """
    found: list[RecordedCompaction] = []
    for fields in node.nodes if isinstance(node, Items) else ():
        if not isinstance(fields, Fields) or section_faults(fields, "recorded"):
            continue
        wrong = list(_position_faults(fields, found[-1].at if found else 1, messages))
        faults += wrong
        if not wrong:
            found.append(_compaction(fields))
    return tuple(found)


def _position_faults(fields: Fields, earliest: int, messages: int) -> Iterator[Fault]:
    """Positions that no message has, or that go back behind the compaction before."""
    at, kept_from = int(fields.text("at")), int(fields.text("kept_from"))
    if not 1 <= at <= messages:
        message = f"`at` is the last message before it, counted from 1 to {messages}"
        yield Fault(_place(fields, "at"), message)
    elif at < earliest:
        message = f"the compaction before it is at {earliest}; put them in order"
        yield Fault(_place(fields, "at"), message)
    elif not 1 <= kept_from <= at + 1:
        message = (
            f"`kept_from` is the first message that stayed, counted from 1 to {at}, or {at + 1} "
            "where none did"
        )
        yield Fault(_place(fields, "kept_from"), message)
    counts = {name: int(text) for name in _NUMBERS if (text := fields.text(name))}
    if counts.get("cached_after", 0) > counts.get("tokens_after", 0):
        message = "`cached_after` is a part of `tokens_after`, so no larger"
        yield Fault(_place(fields, "cached_after"), message)


def _compaction(fields: Fields) -> RecordedCompaction:
    counts = (int(text) if (text := fields.text(name)) else None for name in _NUMBERS)
    return RecordedCompaction(
        int(fields.text("at")),
        int(fields.text("kept_from")) - 1,
        fields.text("summary"),
        fields.text("trigger"),
        *counts,
    )


def _place(fields: Fields, key: str) -> Place:
    return fields.by_key[key][1].place
