"""A summariser that fails in a chosen way, to see what a strategy makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from compaction_eval.strategies.base import Summarizer, SummaryRequest, sees_answer_key
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.summarizers.extractive import Extractive
from compaction_eval.strategies.summary import DEFAULT_LIMIT, summary_length

Fault = Literal["raises", "timeout", "empty", "short", "inflated", "refusal", "chat"]
"""`short`: ten characters or fewer. `inflated`: `times` times the wanted length. `chat`: goes on
with the conversation."""

INFLATION = 10
_ANSWERS = Extractive()
"""Keeps no state, so it may answer for all."""

_REFUSALS = {
    "en": "I'm sorry, but I can't help with summarising this conversation.",
    "zh": "抱歉，我无法总结这段对话的内容。",
    "ja": "申し訳ありませんが、この会話を要約することはできません。",
    "de": "Es tut mir leid, aber ich kann dieses Gespräch nicht zusammenfassen.",
}
_CHATS = {
    "en": "Sure, I'll get right to it! Would you like me to start with the first step?",
    "zh": "好的，我这就去处理！请问您希望先从哪一步开始呢？",
    "ja": "かしこまりました。すぐに取りかかります。最初のステップから始めてよろしいでしょうか？",
    "de": "Gerne, ich kümmere mich sofort darum! Soll ich mit dem ersten Schritt beginnen?",
}


@dataclass(slots=True)
class Faulty:
    """Fails at every `every`-th call in the way of `fault`, and else answers as `inner` does."""

    fault: Fault = "raises"
    inner: Summarizer = _ANSWERS
    every: int = 1
    times: int = INFLATION
    """How many times as long as wanted an inflated text is, at least."""
    calls: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ConfigurationError(f"every is 1 or more, not {self.every}")
        if self.times < 1:
            raise ConfigurationError(f"times is 1 or more, not {self.times}")

    @property
    def name(self) -> str:
        """The registered name."""
        return "faulty"

    @property
    def sees_answer_key(self) -> bool:
        """Whether the summariser inside does."""
        return sees_answer_key(self.inner)

    def summarize(self, request: SummaryRequest) -> str:
        """The fault, where it's its turn."""
        self.calls += 1
        if self.calls % self.every:
            return self.inner.summarize(request)
        if self.fault == "raises":
            raise RuntimeError("this summarizer was told to fail")
        if self.fault == "timeout":
            raise TimeoutError("this summarizer was told to run out of time")
        if self.fault == "inflated":
            least = self.times * (request.limit or DEFAULT_LIMIT)
            return _inflated(self.inner.summarize(request), least)
        texts: Mapping[str, str | Mapping[str, str]] = {
            "empty": "",
            "short": "ok",
            "refusal": _REFUSALS,
            "chat": _CHATS,
        }
        text = texts[self.fault]
        if isinstance(text, str):
            return text
        return text.get(request.language.split("-")[0].lower(), text["en"])


def _inflated(summary: str, least: int) -> str:
    """The summary said over and over, until it has at least so many wide characters."""
    text = summary
    while summary_length(text) < least:
        text = f"{text}\n{text}"
    return text
