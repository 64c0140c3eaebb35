"""A rolling summary as it is often first written, with three faults that the tests bring out.

It cuts with the old summary's size in mind, takes every user message that opens with `[` for one of
the framework's own, and drops a user's question while the answer stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.block_truncation import BlockTruncation
from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.rendering import render
from compaction_eval.strategies.summary import previous_summary, summary_message


@dataclass(frozen=True, slots=True)
class NaiveRollingSummary:
    """Loaded by the tests from its file, as anyone's own strategy would be."""

    name: str = "naive-rolling-summary"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """Cut, then summarise, and put the summary in front whatever its size."""
        found = previous_summary(messages)
        body = [m for at, m in enumerate(messages) if found is None or at != found[0]]
        front = [messages[found[0]]] if found is not None else []
        room = context.budget - context.counter.messages(front)
        cut = BlockTruncation().compact(body, Context(room, context.counter))
        if not cut.dropped:
            return Compaction(messages)
        said = [
            message
            for message in cut.dropped
            if not (role(message) == "user" and content_text(message).startswith("["))
        ]
        text = context.summarize(render(said), found[1] if found is not None else None)
        view = [summary_message(text), *cut.view]
        return Compaction(view, "summarize", cut.dropped, summary=text)
