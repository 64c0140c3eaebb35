"""The words that a tool's name is made of, and which tools write files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from compaction_eval.strategies.messages import call_arguments, call_name

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
WRITING = frozenset(
    [
        "append",
        "create",
        "edit",
        "insert",
        "modify",
        "overwrite",
        "patch",
        "replace",
        "save",
        "update",
        "write",
    ]
)
"""Words in the names of tools that write files, where they're told which file."""


def tool_words(name: str) -> frozenset[str]:
    """`get_user`, `getUser`, `mcp.GetUser` -> their words, lower-case."""
    return frozenset(word.lower() for word in _WORD.findall(name))


def writes_file(call: Mapping[str, Any]) -> bool:
    """Whether a call writes a file: a tool that says so by name, and is given a path or a patch."""
    words = tool_words(call_name(call))
    if WRITING.isdisjoint(words):
        return False
    if "patch" in words:
        return True
    try:
        arguments = json.loads(call_arguments(call))
    except (ValueError, RecursionError):
        return False
    keys = arguments if isinstance(arguments, dict) else ()
    return any({"file", "path", "filename", "filepath"} & tool_words(str(key)) for key in keys)
