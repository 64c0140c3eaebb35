"""Messages that are given as the API has them: in a turn's `messages`, or a transcript's lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.files import read_regular, refusal
from compaction_eval.scenarios.records import Place
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, Scalar
from compaction_eval.strategies.errors import did_you_mean
from compaction_eval.strategies.messages import ROLES, Message, call_name, tool_calls

_NULLS = frozenset({"", "null", "~"})


def plain(node: Node) -> Any:
    """A tree as dicts, lists and texts."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Items):
        return [plain(inner) for inner in node.nodes]
    return {key: plain(inner) for key, (_, inner) in node.by_key.items()}


def raw_message(node: Node, faults: list[Fault]) -> Message | None:
    """One entry of a turn's `messages`; a fault and None where it is no message."""
    message = plain(node)
    if isinstance(node, Fields):
        content = node.get("content")
        if isinstance(content, Scalar) and content.plain and content.text in _NULLS:
            message["content"] = None
    reason = message_fault(message)
    if reason:
        faults.append(Fault(node.place, reason))
        return None
    return cast("Message", message)


def message_fault(message: object) -> str | None:
    """Why something is no message, or None. Odd but well-shaped messages are meant to pass."""
    if not isinstance(message, Mapping):
        return "a message is a mapping with `role` and `content`"
    role = message.get("role")
    if not isinstance(role, str) or role not in ROLES:
        known = sorted(ROLES)
        return f"unknown role {role!r}{did_you_mean(str(role), known)}; one of {', '.join(known)}"
    content = message.get("content")
    if content is not None and not isinstance(content, str | list):
        return "a message's content is a text, a list of parts, or null"
    calls = message.get("tool_calls")
    if calls is not None and not isinstance(calls, list):
        return "tool_calls is a list"
    for call in tool_calls(cast("Message", message)):
        if not isinstance(call, Mapping) or not call_name(call):
            needed = "`function` with `name` and `arguments`, or `custom` with `name` and `input`"
            return f"a call needs {needed}"
        if not call_name(call).isascii():
            return f"the tool name '{call_name(call)}' isn't ASCII; the API would refuse it"
    return None


def read_transcript(
    node: Fields, folder: Path, faults: list[Fault]
) -> tuple[list[Message], list[Place], bytes]:
    """A transcript's messages, the place of each, and the file's bytes."""
    path_node, sum_node = node.get("path"), node.get("sha256")
    if not isinstance(path_node, Scalar) or not isinstance(sum_node, Scalar):
        return [], [], b""
    path = folder / path_node.text
    try:
        data = read_regular(path)
    except OSError as error:
        faults.append(Fault(path_node.place, f"can't read {path}: {refusal(error)}"))
        return [], [], b""
    digest = hashlib.sha256(data).hexdigest()
    if sum_node.text.lower() != digest:
        message = f"{path} has changed: its sha256 is {digest}"
        faults.append(Fault(sum_node.place, message))
    messages: list[Message] = []
    places: list[Place] = []
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        place = Place(str(path), number)
        try:
            message = json.loads(line)
        except UnicodeDecodeError:
            faults.append(Fault(place, "not UTF-8"))
            continue
        except json.JSONDecodeError as error:
            place = Place(str(path), number, error.colno)
            faults.append(Fault(place, f"not JSON: {error.msg}"))
            continue
        except RecursionError:
            faults.append(Fault(place, "nested too deeply to be read"))
            continue
        except ValueError:
            # Python refuses to read whole numbers of thousands of digits.
            faults.append(Fault(place, "a number has too many digits to be read"))
            continue
        wrong = message_fault(message)
        if wrong:
            faults.append(Fault(place, wrong))
        else:
            messages.append(cast("Message", message))
            places.append(place)
    if not messages and not faults:
        faults.append(Fault(path_node.place, f"{path} holds no messages"))
    return messages, places, data
