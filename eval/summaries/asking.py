"""What a model's reply to a request for a summary means for the cell that asks.

A text is a summary, for the strategy to judge. What the model itself makes of it (an answer that is
cut off, filtered, empty, calls of tools, a window that is too small) is the strategy's to bear: its
fallback, with the reason. What passes (a limit on rates, a broken connection) is neither's doing:
the replay ends there, and the cell is measured another time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from compaction_eval.eval.models.base import ChatModel, ChatRequest, ModelError, Outcome
from compaction_eval.eval.models.reply_json import TRANSIENT
from compaction_eval.eval.recall.wording import spoken
from compaction_eval.eval.records import CellKey
from compaction_eval.scenarios.records import variant_name
from compaction_eval.strategies.errors import StrategyError
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.summarizers.model import Reached

_WHY: dict[Outcome, str] = {
    "cut": "it stopped at its longest allowed answer, and half a summary is none",
    "tool-calls": "it called tools",
}
"""What is said of an outcome whose reply gives no reason that helps."""


@dataclass(frozen=True, slots=True)
class SummaryModel:
    """A model that summaries are asked of; safe to be used by several threads at once."""

    model: ChatModel
    context_tokens: int | None = None
    """Its window; None where that isn't known."""


class SummaryStopped(BaseException):
    """The replay can't go on. Not an Exception, which a strategy would answer with a fallback."""


@dataclass(slots=True)
class CellAsking:
    """Asks for the summaries of one cell; remembers what ended it."""

    key: CellKey
    summary_model: Callable[[str], SummaryModel]
    """By the name that a spec has."""
    away: Callable[[], AbstractContextManager[object]] = nullcontext
    """What a thread does around its waiting."""
    fault: str | None = None
    """What passes, in a line: the cell has no figures."""
    error: ModelError | None = None
    """What ends the run."""

    def models(self, name: str) -> Reached:
        """How a summariser reaches the model of that name."""
        found = self.summary_model(name)

        def ask(messages: Sequence[Message], max_tokens: int) -> str:
            return self._ask(found.model, messages, max_tokens)

        return Reached(ask, found.context_tokens)

    def _ask(self, model: ChatModel, messages: Sequence[Message], max_tokens: int) -> str:
        """The summary's text. Raises StrategyError for what the model did, SummaryStopped."""
        if self.fault is not None or self.error is not None:
            raise SummaryStopped  # somebody else's code has gone on all the same
        key = self.key
        name = variant_name(key.scenario, key.variant)
        request = ChatRequest(
            messages=tuple(messages),
            purpose="summary",
            max_tokens=max_tokens,
            repeat=key.repeat,
            whereabouts=f"{name} / {key.strategy} / {key.budget} / {key.summarizer} / a summary",
        )
        try:
            with self.away():
                reply = model.complete(request)
        except ModelError as error:
            self.error = error
            raise SummaryStopped from error
        if reply.outcome == "answered":
            if text := spoken(reply.text):
                return text
            raise StrategyError(f"{model.name}: empty: nothing but reasoning or calls")
        reason = _WHY.get(reply.outcome) or reply.reason
        told = f"{model.name}: {reply.outcome}: {reason}".removesuffix(": ")
        if reply.outcome in TRANSIENT:
            self.fault = f"the summariser {told}"
            raise SummaryStopped
        raise StrategyError(told)
