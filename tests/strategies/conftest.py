"""What the tests of strategies share: small conversations."""

from typing import Any, cast

import pytest

from compaction_eval.strategies.base import Context
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.tokens import TokenCounter


def say(role: str, content: str, **more: Any) -> Message:
    return cast("Message", {"role": role, "content": content, **more})


@pytest.fixture
def talk() -> list[Message]:
    """Eight messages: a system prompt, a request, a tool block, and small talk with repeats."""
    call = {"id": "call_1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    return [
        say("system", "You help."),
        say("user", "List the files, please."),
        cast("Message", {"role": "assistant", "content": None, "tool_calls": [call]}),
        say("tool", "a.txt b.txt", tool_call_id="call_1"),
        say("assistant", "There are two."),
        say("user", "ok"),
        say("assistant", "Anything else?"),
        say("user", "ok"),
    ]


@pytest.fixture
def context() -> Context:
    return Context(budget=60, counter=TokenCounter())
