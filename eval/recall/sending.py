"""The request that asks a probe: the view that was sent, message by message, and its tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compaction_eval.eval.records import CellRecord, RequestRecord
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.messages import Message

_ANY_ARGUMENTS: Mapping[str, Any] = {"type": "object", "properties": {}}


def view_messages(
    cell: CellRecord, request: RequestRecord, scenario: Scenario
) -> tuple[Message, ...]:
    """The messages of a request's view, the question included, as the strategy left them."""
    found: list[Message] = []
    for part in request.view:
        if isinstance(part, str):
            found.append(cell.synthetic[part])
        else:
            found.extend(scenario.messages[slice(*part)])
    return tuple(found)


def chat_tools(scenario: Scenario) -> tuple[Mapping[str, Any], ...]:
    """The scenario's tools in the shape of the chat-completions API, however they're written.

    A tool that is only named takes any arguments.
    """
    return tuple(_chat_tool(tool) for tool in scenario.tools)


def _chat_tool(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(tool.get("function"), Mapping):
        return {**tool, "type": "function", "function": _function(tool["function"])}
    if isinstance(tool.get("custom"), Mapping):
        return {**tool, "type": "custom"}
    return {"type": "function", "function": _function(tool)}


def _function(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    kept = {key: tool[key] for key in ("name", "description", "strict") if key in tool}
    parameters = tool.get("parameters", tool.get("input_schema"))
    usable = isinstance(parameters, Mapping) and parameters
    return {**kept, "parameters": parameters if usable else _ANY_ARGUMENTS}
