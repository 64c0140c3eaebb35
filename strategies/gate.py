"""Summarise or drop: what is worth a summary."""

from __future__ import annotations

from compaction_eval.strategies.base import Action


def gate(dropped_tokens: int, can_summarize: bool, min_tokens: int = 80) -> Action:
    """What to do with a dropped stretch of that many tokens.

    A short one isn't summarised: its summary would cost more than it keeps.
    """
    if dropped_tokens <= 0:
        return "none"
    return "summarize" if can_summarize and dropped_tokens >= min_tokens else "drop"
