"""A summariser that asks a model: our prompt, whoever reaches the endpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.prompts import DEFAULT_LIMITS, prompt

TOKENS_PER_CHARACTER = 1.5
"""Tokens that an answer may take for each wide character wanted. Wide characters cost 0.6 to 1.1
tokens in the usual vocabularies; the rest is room for those which write a little too much."""
FEWEST_TOKENS = 256
"""Tokens that an answer may always take, so that a model that thinks aloud gets to the point."""

Ask = Callable[[Sequence[Message], int], str]
"""Messages and the longest answer in tokens -> the answer; raises what tells why there is none."""


@dataclass(frozen=True, slots=True)
class ModelSummarizer:
    """Sends the prompt of a request and gives back what came, unjudged: strategies check it."""

    name: str
    """As the user named the model."""
    ask: Ask
    max_input_tokens: int | None = None
    """Longest request that the model is sent; a longer one is summarised in parts (`InParts`)."""

    def summarize(self, request: SummaryRequest) -> str:
        """The model's answer; raises what `ask` raises."""
        limit = request.limit or DEFAULT_LIMITS[request.style]
        return self.ask(prompt(request), max(FEWEST_TOKENS, int(limit * TOKENS_PER_CHARACTER)))
