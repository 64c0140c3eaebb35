"""Which language a conversation is in, as far as its script tells."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.prose_language import wide_language


def language(messages: Sequence[Message]) -> str:
    """`zh`, `ja`, or `en` for everything else, judged by what user and assistant say."""
    said = "\n".join(content_text(m) for m in messages if role(m) in ("user", "assistant"))
    return wide_language(said) or "en"
