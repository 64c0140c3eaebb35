"""A scenario's `tools`: their schemas, and whether the turns call what they name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.shapes import is_word
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, Scalar
from compaction_eval.strategies.errors import did_you_mean


def read_tools(node: Node | None, faults: list[Fault]) -> tuple[dict[str, Any], ...]:
    """Tool schemas; of tools that are only named, the name."""
    tools: list[dict[str, Any]] = []
    names: set[str] = set()
    for inner in node.nodes if isinstance(node, Items) else ():
        schema = _json(inner)
        tool = schema if isinstance(schema, dict) else {"name": schema}
        name = tool_name(tool)
        if not isinstance(name, str) or not is_word(name):
            message = (
                "a tool is its name (ASCII letters, digits, `_ . -`), or a schema that has one"
            )
            faults.append(Fault(inner.place, message))
        elif name in names:
            faults.append(Fault(inner.place, f"the tool '{name}' is given twice"))
        else:
            names.add(name)
            tools.append(tool)
    return tuple(tools)


def undeclared(turns: Node | None, tools: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    """Calls of turns that `tools` doesn't name, though it names others.

    Raw `messages` may call anything: they're there for odd cases.
    """
    names = {tool_name(tool): None for tool in tools}
    for node in _called(turns) if names else ():
        if node.text not in names:
            hint = did_you_mean(node.text, names) or f"; it names {', '.join(names)}"
            yield Fault(node.place, f"`tools` doesn't name '{node.text}', which is called{hint}")


def _called(turns: Node | None) -> Iterator[Scalar]:
    """The name in each `call`, alone or among `calls`."""
    for turn in turns.nodes if isinstance(turns, Items) else ():
        if not isinstance(turn, Fields):
            continue
        calls = turn.get("calls")
        inner = calls.nodes if isinstance(calls, Items) else ()
        for one in (turn, *inner):
            name = one.get("call") if isinstance(one, Fields) else None
            if isinstance(name, Scalar) and is_word(name.text):
                yield name


def tool_name(tool: Mapping[str, Any]) -> Any:
    """The name in a schema, whichever way it is written; None where it has none."""
    described = tool.get("function", tool.get("custom"))
    return described.get("name") if isinstance(described, dict) else tool.get("name")


def _json(node: Node) -> Any:
    """A schema as JSON would have it: unquoted numbers, true, false and null are no texts here.

    The schema's tokens are counted on its JSON, in which `"false"` is another text than `false`.
    """
    if isinstance(node, Items):
        return [_json(inner) for inner in node.nodes]
    if isinstance(node, Fields):
        return {key: _json(inner) for key, (_, inner) in node.by_key.items()}
    if not node.plain:
        return node.text
    try:
        value = json.loads(node.text)
    except ValueError:
        return node.text
    return value if value is None or isinstance(value, bool | int | float) else node.text
