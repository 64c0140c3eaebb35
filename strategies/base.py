"""The plug-in contract: what a strategy and a summariser are given, and what they give back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.tokens import TokenCounter

Action = Literal["none", "truncate", "summarize", "drop", "reduce", "mask"]
"""What a compaction did: nothing, cut, summarised, let go without a summary, cut inside a message,
replaced content by a placeholder."""


@dataclass(frozen=True, slots=True)
class PlantedFact:
    """One statement, update or retraction of a fact that some probe asks for."""

    id: str
    forms: tuple[str, ...]
    """What counts as the value, the value first; for a retraction the retracting words, if any."""
    message: Message
    retraction: bool = False


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """What the probes ask for, in the order in which it is said."""

    facts: tuple[PlantedFact, ...] = ()
    evidence: tuple[Message, ...] = ()
    """Every message that a perfect selection would keep: those of `facts`, and the sources of
    probes without a fact."""


@dataclass(frozen=True, slots=True)
class ToolCompaction:
    """A compaction that the recorded agent's own tool did."""

    after: Message
    """The newest message that had been said."""
    kept: Message | None
    """The oldest message that stayed as it was; None where none did."""
    summary: str
    """The tool's text in place of all that was said before, system messages apart."""


class Summarizer(Protocol):
    """Turns messages into a text. A fresh instance serves one conversation and may keep state.

    A class whose attribute `sees_answer_key` is true is handed the answer key; reports say so. One
    whose attribute `pure` is true always gives the same text for the same request, so that the
    engine may use an answer again.
    """

    @property
    def name(self) -> str:
        """The registered name."""
        ...

    def summarize(self, request: SummaryRequest) -> str:
        """The new summary, which replaces the previous one. May raise anything."""
        ...


PromptStyle = Literal["rolling", "note", "dialogue"]
"""How a model would be asked: `rolling` (merge with the previous summary), `note` (a system prompt
and the dialogue as the user's message), `dialogue` (all in one system message)."""


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What is to be summarised: plain-text messages, as the strategy renders them."""

    messages: tuple[Message, ...]
    previous: str | None = None
    """The summary so far; the new one replaces it."""
    limit: int | None = None
    """Longest summary wanted, in wide characters (see `summary.summary_length`)."""
    language: str = "en"
    style: PromptStyle = "rolling"
    answer_key: AnswerKey | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What a strategy may use beside the messages."""

    budget: int
    """Tokens that the view may take, request overhead included."""
    counter: TokenCounter
    """The run's one counter."""
    summarizer: Summarizer | None = None
    language: str = "en"
    """The conversation's language: an ISO 639-1 code."""
    tools_tokens: int = 0
    """Tokens of the tool schemas sent with each request; not part of the budget."""
    answer_key: AnswerKey | None = None
    """Given only to a strategy whose attribute `sees_answer_key` is true."""
    recorded: tuple[ToolCompaction, ...] = ()
    """What the recorded agent's own tool did, in order; for our own strategies alone."""

    @property
    def can_summarize(self) -> bool:
        """Whether the run has a summariser."""
        return self.summarizer is not None

    def count(self, messages: Iterable[Message]) -> int:
        """Tokens of a request that sends these messages (the 3 of the request included)."""
        return self.counter.request(messages)

    def summarize(
        self,
        messages: Sequence[Message],
        previous: str | None = None,
        *,
        limit: int | None = None,
        style: PromptStyle = "rolling",
    ) -> str:
        """The run's summariser on these messages; raises what the summariser raises."""
        if self.summarizer is None:
            raise LookupError("this run has no summariser")
        return self.summarizer.summarize(
            SummaryRequest(tuple(messages), previous, limit, self.language, style)
        )


def sees_answer_key(thing: object) -> bool:
    """Whether a strategy or summariser is handed the answer key: what its attribute says."""
    return bool(getattr(thing, "sees_answer_key", False))


def replays_recording(strategy: object) -> bool:
    """Whether a strategy needs a scenario with recorded compactions: what its attribute says."""
    return bool(getattr(strategy, "replays_recording", False))


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a strategy did to a view."""

    view: Sequence[Message]
    """The messages to send now; from here on they're the view (under `history: replace`)."""
    action: Action = "none"
    dropped: Sequence[Message] = ()
    """Messages of the old view that aren't in the new one, in order, the old summary apart."""
    summary: str | None = None
    """The text of the summary that was made now."""
    fallback: str | None = None
    """Why the strategy did less than it meant to, such as a summariser that raised."""
    blocks_dropped: int = 0
    orphans_dropped: int = 0
    """Tool messages whose call was gone already when they reached the front."""
    mutated_input: bool = False
    """Set by the guard around foreign code: it changed what it was given."""
    replayed: bool = False
    """Whether the summary is a recording's: it was paid for then, and nobody knows what it took."""


class Strategy(Protocol):
    """Turns a view into a shorter one; changes nothing that it is given."""

    @property
    def name(self) -> str:
        """The registered name."""
        ...

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The view to send for these messages under the context's budget."""
        ...
