"""Turns become messages, and what they say becomes statements."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, cast

from compaction_eval.scenarios.drafting import Draft
from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.filling import Filling
from compaction_eval.scenarios.keys import TURN_KINDS
from compaction_eval.scenarios.raw_messages import plain, raw_message
from compaction_eval.scenarios.shapes import section_faults
from compaction_eval.scenarios.stating import state_facts
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, Scalar, text_of
from compaction_eval.strategies.messages import Message, call_ids


def draft(turns: Node | None, lang: str, filling: Filling, faults: list[Fault]) -> Draft:
    """The conversation of some turns. What misshapen turns (a fault already) state is skipped."""
    written = Draft()
    nodes = [node for node in _items(turns) if isinstance(node, Fields)]
    new_id = _ids(_raw_ids(nodes))
    for node in nodes:
        kinds = [kind for kind in TURN_KINDS if kind in node.by_key]
        facts = node.get("facts")
        misshapen = bool(section_faults(node, "turn"))
        if misshapen:
            written.unsure.update(facts.by_key if isinstance(facts, Fields) else ())
        if len(kinds) != 1:
            continue
        start = len(written.messages)
        if kinds[0] == "mark":
            _mark(node.by_key["mark"][1], written, faults)
        elif kinds[0] == "filler":
            written.messages += filling.messages(node.by_key["filler"][1], lang, new_id, faults)
            written.filler.append((start, len(written.messages)))
        else:
            written.messages += _messages(kinds[0], node, new_id, faults)
        written.places += [node.place] * (len(written.messages) - start)
        if not misshapen:
            state_facts(node, start, written, faults)
    return written


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.nodes if isinstance(node, Items) else ()


def _messages(
    kind: str, node: Fields, new_id: Callable[[], str], faults: list[Fault]
) -> list[Message]:
    value = node.by_key[kind][1]
    if kind == "call":
        return _calls([node], text_of(node.get("say")), new_id)
    if kind == "calls":
        calls = [inner for inner in _items(value) if isinstance(inner, Fields)]
        return _calls(calls, text_of(node.get("say")), new_id)
    if kind == "messages":
        raw = [raw_message(inner, faults) for inner in _items(value)]
        return [message for message in raw if message is not None]
    return [cast("Message", {"role": kind, "content": text_of(value) or ""})]


def _calls(nodes: Sequence[Fields], say: str | None, new_id: Callable[[], str]) -> list[Message]:
    """One assistant message with the calls, then their results in order."""
    calls: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for node in nodes:
        call_id = new_id()
        function = {
            "name": node.text("call"),
            "arguments": _arguments(node.get("args")),
        }
        calls.append({"id": call_id, "type": "function", "function": function})
        result = node.text("result")
        results.append({"role": "tool", "tool_call_id": call_id, "content": result})
    if not calls:
        return []
    asking = {"role": "assistant", "content": say, "tool_calls": calls}
    return cast("list[Message]", [asking, *results])


def _arguments(node: Node | None) -> str:
    """A mapping as JSON with texts for scalars; one text as it stands: JSON can be typed."""
    if node is None:
        return "{}"
    return node.text if isinstance(node, Scalar) else json.dumps(plain(node), ensure_ascii=False)


def _mark(node: Node, written: Draft, faults: list[Fault]) -> None:
    name = text_of(node)
    if name == "end":
        message = "`end` is the conversation's end, which needs no mark; choose another name"
        faults.append(Fault(node.place, message))
    elif name in written.marks:
        faults.append(Fault(node.place, f"the mark '{name}' is set twice"))
    elif name:
        written.marks[name] = len(written.messages)


def _raw_ids(nodes: Sequence[Fields]) -> set[str]:
    """Ids that raw messages of the turns use; counting must not meet them by accident."""
    ids: set[str] = set()
    for node in nodes:
        for inner in _items(node.get("messages")):
            message = raw_message(inner, [])
            if message is not None:
                ids.update(call_ids(message))
    return ids


def _ids(taken: set[str]) -> Callable[[], str]:
    """Counts `call_1`, `call_2`, … over the conversation."""
    count = 0

    def new_id() -> str:
        nonlocal count
        count += 1
        while f"call_{count}" in taken:
            count += 1
        return f"call_{count}"

    return new_id
