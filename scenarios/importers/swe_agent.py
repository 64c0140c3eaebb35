"""Trajectories of SWE-agent: `history` is what the model was shown, one conversation per agent.

Actions are text in the assistant's words, or tool calls; both stay as the model wrote them. Where
there is no history, the steps of `trajectory` are told as turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.json_values import said_text
from compaction_eval.scenarios.importers.records import Imported, Tally
from compaction_eval.scenarios.importers.repairs import is_message

_OF_A_MESSAGE = ("role", "content", "name", "tool_calls", "tool_call_id")
_THINKING = ("thinking_blocks", "reasoning_content")
_OWN_KEYS = frozenset({"agent", "message_type", "thought", "action"})
_OF_A_STEP = frozenset({"action", "observation"})


def recognises(document: Document) -> bool:
    """Whether every value is an object with a history or steps as SWE-agent writes them."""
    return all(isinstance(v, Mapping) and _is_trajectory(v) for v in document.values)


def convert(document: Document) -> Imported:
    """A conversation for each agent of each trajectory, in the order in which they first speak."""
    tally, chats = Tally(), list[Chat]()
    several = len(document.values) > 1
    for number, value in enumerate(document.values, 1):
        trajectory = value if isinstance(value, Mapping) else {}
        agents = _agents(trajectory, tally)
        for agent, messages in agents.items():
            labels = [*([str(number)] if several else []), *([agent] if len(agents) > 1 else [])]
            chats.append(Chat(messages, labels=labels, index=number - 1))
    return imported(document, chats, tally)


def _is_trajectory(value: Mapping[str, Any]) -> bool:
    history, steps = _listed(value, "history"), _listed(value, "trajectory")
    told = any(is_message(m) and not _OWN_KEYS.isdisjoint(m) for m in history)  # type: ignore[arg-type]  # a message is a mapping
    return told or any(isinstance(s, Mapping) and s.keys() >= _OF_A_STEP for s in steps)


def _agents(trajectory: Mapping[str, Any], tally: Tally) -> dict[str, list[object]]:
    """Agent -> its messages; entries that are no messages go to the first, to be told as such."""
    history = _listed(trajectory, "history")
    if not any(map(is_message, history)):
        tally.repaired.append("history made from the steps")
        return {"": [m for step in _listed(trajectory, "trajectory") for m in _turns(step)]}
    agents: dict[str, list[object]] = {}
    for entry in history:
        agent = str(entry.get("agent", "")) if isinstance(entry, Mapping) else ""
        if not agent and agents:
            agent = next(iter(agents))
        agents.setdefault(agent, []).append(_message(entry, tally))
    return agents


def _message(entry: object, tally: Tally) -> object:
    if not isinstance(entry, Mapping):
        return entry
    message = {key: entry[key] for key in _OF_A_MESSAGE if key in entry}
    if message.get("tool_calls") is None:
        message.pop("tool_calls", None)
    if any(entry.get(key) for key in _THINKING):
        tally.repaired.append("thinking left out")
    if not message.get("content") and not message.get("tool_calls") and entry.get("thought"):
        message["content"] = entry["thought"]
        tally.repaired.append("thought taken for the missing content")
    answered = _listed(entry, "tool_call_ids")
    if message.get("role") == "tool" and answered and "tool_call_id" not in message:
        message["tool_call_id"] = answered[0]
        if len(answered) > 1:
            tally.repaired.append("answer to several calls given to the first")
    return message


def _turns(step: object) -> list[object]:
    """What the agent said in a step, and what it was shown then."""
    if not isinstance(step, Mapping):
        return [step]
    said = said_text(step.get("response")) or "\n".join(
        filter(None, (said_text(step.get("thought")), said_text(step.get("action"))))
    )
    shown = said_text(step.get("observation"))
    turns: list[object] = [{"role": "assistant", "content": said}]
    return [*turns, {"role": "user", "content": shown}] if shown else turns


def _listed(holder: Mapping[str, Any], key: str) -> Sequence[object]:
    value = holder.get(key)
    return value if isinstance(value, list) else ()
