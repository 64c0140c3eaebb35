"""A file of strategies that say and raise the texts of the corpus, as somebody's own would."""

from __future__ import annotations

STRATEGIES = '''\
"""Strategies of somebody's own, which say what they like."""
import json
from dataclasses import dataclass
from pathlib import Path

TEXTS = json.loads((Path(__file__).parent / "texts.json").read_text("utf-8"))


@dataclass(frozen=True)
class Keeps:
    """Keeps the newest messages."""

    keep: int = 1

    def compact(self, messages, budget):
        return messages[-self.keep:]

    __call__ = compact


@dataclass(frozen=True)
class Raises:
    """Raises one of the texts."""

    number: int = 0

    def __call__(self, messages, budget):
        raise RuntimeError(TEXTS[self.number])


def makes_up(messages, budget):
    """Says all of the texts in messages of its own, and names a tool that nobody knows."""
    # What has no UTF-8 is refused.
    everything = " ".join(TEXTS).encode("utf-8", "replace").decode()
    call = {"id": TEXTS[0], "type": "function",
            "function": {"name": "note", "arguments": json.dumps({"text": everything})}}
    return [
        {"role": "user", "name": "compaction_summary", "content": everything},
        {"role": "assistant", "content": everything, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": everything, "content": everything},
        *messages[-2:],
    ]
'''
