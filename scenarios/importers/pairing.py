"""Ids for calls and results that were recorded without: which result answers which call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, cast

from compaction_eval.strategies.messages import as_text, call_name


def mend_ids(entries: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Give ids to calls and results without one: results answer the calls before them in order."""
    holders = [(entry, "tool_call_id") for entry in entries]
    holders += [(call, "id") for entry in entries for call in calls_of(entry)]
    for holder, key in holders:
        if not isinstance(holder.get(key), str | None):
            holder[key] = as_text(holder[key])
            yield "id made text"
    taken = {holder.get(key) for holder, key in holders}
    fresh = (name for number in count(1) if (name := f"call_{number}") not in taken)
    for at, entry in enumerate(entries):
        calls = calls_of(entry)
        if not calls:
            continue
        results = _results_after(entries, at)
        known = {call.get("id") for call in calls}
        strangers = (
            i for result in results if (i := result.get("tool_call_id")) and i not in known
        )
        for call in calls:
            if not call.get("id"):
                call["id"] = next(strangers, None) or next(fresh)
                yield "id of a call added"
        answered = {result.get("tool_call_id") for result in results}
        waiting = [call for call in calls if call["id"] not in answered]
        for result in results:
            if not result.get("tool_call_id") and waiting:
                result["tool_call_id"] = waiting.pop(_first_of_its_tool(waiting, result))["id"]
                yield "id of a tool result added"


def calls_of(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The calls of an assistant message, to be changed in place."""
    return cast(
        list[dict[str, Any]], entry.get("tool_calls", []) if entry["role"] == "assistant" else []
    )


def _results_after(entries: Sequence[dict[str, Any]], at: int) -> list[dict[str, Any]]:
    """The tool messages that directly follow a message."""
    stop = at + 1
    while stop < len(entries) and entries[stop]["role"] == "tool":
        stop += 1
    return list(entries[at + 1 : stop])


def _first_of_its_tool(calls: Sequence[Mapping[str, Any]], result: Mapping[str, Any]) -> int:
    """Which call a result without an id answers: the first of the tool that it names, else 0."""
    for at, call in enumerate(calls):
        if call_name(call) and call_name(call) == result.get("name"):
            return at
    return 0
