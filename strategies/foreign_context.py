"""What code from outside is given in place of the run's context: its words, and nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from compaction_eval.strategies.base import Context, PromptStyle
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class ForeignContext:
    """The attributes and methods of a `Context` that the documentation names.

    The run's counter (which knows the texts of all questions), its summariser and its answer key
    are attributes of nothing here.
    """

    budget: int
    """Tokens that the view may take, request overhead included."""
    language: str
    tools_tokens: int
    can_summarize: bool
    count: Callable[[Iterable[Message]], int]
    summarize: Callable[..., str]
    encoding: str

    @property
    def counter(self) -> TokenCounter:
        """A counter that knows nothing of the run, for code that calls a built-in strategy."""
        return _own_counter(self.encoding)


def foreign_context(context: Context) -> ForeignContext:
    """The facade of a context."""

    # Functions rather than bound methods, whose `__self__` is the context.
    def count(messages: Iterable[Message]) -> int:
        return context.count(messages)

    def summarize(
        messages: Sequence[Message],
        previous: str | None = None,
        *,
        limit: int | None = None,
        style: PromptStyle = "rolling",
    ) -> str:
        return context.summarize(messages, previous, limit=limit, style=style)

    return ForeignContext(
        budget=context.budget,
        language=context.language,
        tools_tokens=context.tools_tokens,
        can_summarize=context.can_summarize,
        count=count,
        summarize=summarize,
        encoding=context.counter.encoding_name,
    )


@lru_cache(maxsize=2)
def _own_counter(encoding: str) -> TokenCounter:
    return TokenCounter(encoding)
