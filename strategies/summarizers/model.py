"""A summariser that asks a model: our prompt, whoever reaches the endpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.prompts import DEFAULT_LIMITS, prompt

PREFIXES = ("openai",)
"""How models are reached: a summariser `openai:NAME` is a model."""
SAME = "model"
"""The summariser that is the model which the run asks its questions."""
TOKENS_PER_CHARACTER = 1.5
"""Tokens that an answer may take for each wide character wanted. Wide characters cost 0.6 to 1.1
tokens in the usual vocabularies; the rest is room for those which write a little too much."""
FEWEST_TOKENS = 256
"""Tokens that an answer may always take, so that a model that thinks aloud gets to the point."""

Ask = Callable[[Sequence[Message], int], str]
"""Messages and the longest answer in tokens -> the answer; raises what tells why there is none.
A plain function: a copy of what keeps state for a fork must not copy who is asked."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A model as a run reaches it."""

    ask: Ask
    context_tokens: int | None = None
    """Its window, for request and answer together; None where that isn't known."""


Models = Callable[[str], Reached]
"""From a model's name, such as `openai:NAME(temperature=0.2)` or `model`, to how it is reached."""


def names_model(use: str) -> bool:
    """Whether what a summariser's spec uses is a model."""
    return use == SAME or use.partition(":")[0].strip() in PREFIXES


def longest_answer(request: SummaryRequest) -> int:
    """Tokens that the answer to a request may take."""
    limit = request.limit or DEFAULT_LIMITS[request.style]
    return max(FEWEST_TOKENS, int(limit * TOKENS_PER_CHARACTER))


@dataclass(frozen=True, slots=True)
class ModelSummarizer:
    """Sends the prompt of a request and gives back what came, unjudged: strategies check it."""

    name: str
    """As the user named the model."""
    ask: Ask
    context_tokens: int | None = None
    """The model's window; a longer request is summarised in parts (`WithinWindow`)."""

    @property
    def pure(self) -> bool:
        """True: forks that ask for the same summary are one and the same place."""
        return True

    def summarize(self, request: SummaryRequest) -> str:
        """The model's answer; raises what `ask` raises."""
        return self.ask(prompt(request), longest_answer(request))
