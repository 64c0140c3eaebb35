"""stub"""
from __future__ import annotations

from compaction_eval.strategies.messages import Message


def filler(kind: str, turns: int, seed: int, lang: str) -> list[Message]:
    return []
