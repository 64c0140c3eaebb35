"""Which calls only read, so that an agent can make them again: by tool's name or shell command.

Calls of which nothing is known count as if they changed something.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from compaction_eval.scenarios.shell_reading import only_reads
from compaction_eval.scenarios.tool_words import tool_words
from compaction_eval.strategies.messages import argument_leaves, call_arguments, call_name

READING = frozenset(
    [
        "browse",
        "calculate",
        "cat",
        "compute",
        "convert",
        "count",
        "describe",
        "fetch",
        "find",
        "get",
        "glob",
        "grep",
        "head",
        "inspect",
        "list",
        "lookup",
        "ls",
        "query",
        "read",
        "retrieve",
        "scan",
        "search",
        "show",
        "stat",
        "tail",
        "view",
    ]
)
"""Words in the names of tools that only read."""
CHANGING = frozenset(
    [
        "add",
        "append",
        "apply",
        "approve",
        "assign",
        "book",
        "buy",
        "cancel",
        "close",
        "commit",
        "create",
        "delete",
        "edit",
        "execute",
        "insert",
        "install",
        "kill",
        "make",
        "mark",
        "merge",
        "modify",
        "move",
        "patch",
        "pay",
        "post",
        "publish",
        "push",
        "put",
        "remove",
        "rename",
        "replace",
        "reset",
        "run",
        "save",
        "schedule",
        "send",
        "set",
        "start",
        "stop",
        "submit",
        "transfer",
        "update",
        "upload",
        "write",
    ]
)
"""Words in the names of tools that change something, whatever else the name says."""
OPENING = ("open", "open_file", "goto", "scroll_down", "scroll_up")
"""Whole names of tools that only read, made of words that say nothing by themselves."""
SHELLS = frozenset(["bash", "shell", "exec", "terminal", "console"])


def can_be_repeated(call: Mapping[str, Any]) -> bool:
    """Whether a call only reads, by the name of its tool or the command that it gives a shell."""
    name = call_name(call)
    words = tool_words(name)
    if not SHELLS.isdisjoint(words):
        command = _command(call)
        return command is not None and only_reads(command)
    if name in OPENING:
        return True
    if name == "str_replace_editor" or name == "str_replace_based_edit_tool":
        return "view" in argument_leaves(call)[:1]
    return CHANGING.isdisjoint(words) and not READING.isdisjoint(words)


def _command(call: Mapping[str, Any]) -> str | None:
    """What a shell is told: its argument `command` or `cmd`, or all there is."""
    try:
        arguments = json.loads(call_arguments(call))
    except (ValueError, RecursionError):
        return call_arguments(call)
    if not isinstance(arguments, dict):
        return None
    told = next((arguments[key] for key in ("command", "cmd") if key in arguments), None)
    return told if isinstance(told, str) else None
