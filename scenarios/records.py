"""What a scenario is, once read: messages, what is said in them, and what is asked about it.

Positions are indices into `Scenario.messages`; a place is a number of messages said before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.paths import path_text

ProbeKind = Literal[
    "recall",
    "update",
    "constraint",
    "decision",
    "artifact",
    "tool-result",
    "tool-argument",
    "continuation",
    "temporal",
    "abstention",
]
Where = Literal["call", "file", "text"]
"""Where an agent uses a value: an argument, a text that it writes into a file, its own words."""
Match = Literal["contains", "exact", "number", "regex", "all_of", "set"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file, for messages to people; line and column count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{path_text(self.file)}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact said, updated or retracted at a message."""

    fact: str
    message: int
    """Position of the message that says it; where a turn makes several messages, of the last one
    in which the words stand."""
    forms: tuple[str, ...]
    """Accepted forms as written: value, `said`, `also`; of a retraction its words, if any."""
    retraction: bool
    place: Place

    @property
    def value(self) -> str:
        """The value itself; empty for a retraction without words."""
        return self.forms[0] if self.forms else ""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question, and what counts as its answer."""

    id: str
    kind: ProbeKind
    ask: str
    at: tuple[tuple[str, int], ...]
    """Name and place of each point at which it is asked; `end` is the number of messages."""
    fact: str | None = None
    accept: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    match: Match = "contains"
    evidence: int | None = None
    """For a probe without a fact: the earliest message with an accepted form."""
    place: Place = field(default_factory=lambda: Place(""))
    kept: str = ""
    """Why it stays although all strategies pass it, or none does."""


@dataclass(frozen=True, slots=True)
class ReuseProbe:
    """A value which the recorded agent used and knew from an earlier message."""

    id: str
    value: str
    request: int
    """Position of the assistant message that uses it."""
    source: int
    """Position of the newest earlier message that holds it."""
    tool: str
    """Whose call uses it; empty where the agent's own words do."""
    free: bool = False
    """Stands in the system prompt, a tool schema or the newest block before the request; in words
    also where these give it away."""
    own: bool = False
    """Only the agent's own messages hold it."""
    where: Where = "call"
    chance: bool = False
    """The agent may have had it from elsewhere: it came up with it itself, the newest block gives
    it away, or its shape is one that many texts have."""
    recoverable: bool = False
    """The agent could have had it again by a call that it had made before."""


@dataclass(frozen=True, slots=True)
class Poison:
    """Claims that only an injected instruction in a message makes."""

    message: int
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordedCompaction:
    """A compaction that the recorded agent's own tool did; the messages themselves all stay.

    With it, the view of any later request can be made again: the leading system messages, the
    summary as a user's message, then the messages from `kept_from` on.
    """

    at: int
    """Place: messages that had been said before it."""
    kept_from: int
    """Position of the first message that stayed as it was; `at` where none did."""
    summary: str
    """The tool's own text, as the model was given it."""
    trigger: str = ""
    """What set it off, as the tool calls it; empty where it doesn't say."""
    tokens_before: int | None = None
    """As the tool counted them; None where it doesn't say."""
    tokens_after: int | None = None
    """Input of the first request after it, cached or not; None where it isn't recorded."""
    cached_after: int | None = None
    """Of those, read from the provider's cache."""


@dataclass(frozen=True, slots=True)
class Stress:
    """What compaction code must get right in a scenario of the edge suite, and under what."""

    budget: str
    """As on the command line: tokens, or a percentage."""
    holds: tuple[str, ...]
    """Names in `properties.PROPERTIES`: what the scenario is about."""
    summarizer: str = "extractive"
    """A specification, as on the command line."""
    keeps: tuple[str, ...] = ()
    """Texts that must be in the view at every request after they were said."""
    valid: bool = True
    """Whether the conversation itself obeys the API's rules."""
    reported: tuple[str, ...] = ()
    """Addresses at which such a fault was reported."""
    place: Place = field(default_factory=lambda: Place(""), compare=False)
    """Where the summariser is named, or the section where none is."""


def variant_name(id: str, variant: str) -> str:
    """The name of a scenario's variant: the id, and the variant in brackets where there is one."""
    return f"{id}[{variant}]" if variant else id


@dataclass(frozen=True, slots=True)
class Scenario:
    """One conversation, in one variant of its parameters."""

    id: str
    title: str
    lang: str
    messages: Sequence[Message]
    """A tuple, or read from its file when they are asked for (`recorded_messages`)."""
    variant: str = ""
    """Its parameters' values, such as `noise=20`; empty where it has none."""
    tags: tuple[str, ...] = ()
    description: str = ""
    tools: tuple[Mapping[str, Any], ...] = ()
    """Tool schemas; a tool that is given by name only is `{"name": …}`."""
    statements: tuple[Statement, ...] = ()
    probes: tuple[Probe, ...] = ()
    reuse: tuple[ReuseProbe, ...] = ()
    poison: tuple[Poison, ...] = ()
    recorded: tuple[RecordedCompaction, ...] = ()
    """What the recorded agent's own tool did, in order."""
    stress: Stress | None = None
    places: Sequence[Place] = ()
    """Where each message stands in the file: its turn, or its line in a transcript."""
    filler: tuple[tuple[int, int], ...] = ()
    """Stretches of generated messages, as start and stop positions."""
    file: str = ""
    digest: str = ""
    """SHA-256 of the file (and of what it refers to), in hex; the same for all its variants."""
    format: str = ""
    """Where `file` is a transcript that was taken as it stands: the format that it was to be read
    in, or `auto`."""

    @property
    def key(self) -> str:
        """The name of this variant."""
        return variant_name(self.id, self.variant)
