"""What an importer makes of a file: conversations, and an account of everything it met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Match, ProbeKind, RecordedCompaction
from compaction_eval.strategies.messages import Message


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a question set, to be written as a probe that is asked at the end."""

    id: str
    """Need not be safe as a probe's id, nor unique."""
    kind: ProbeKind
    ask: str
    accept: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    match: Match = "contains"
    evidence: tuple[int, ...] = ()
    """Positions of the messages that may give the answer; any may, if there are none. Once the
    question has been judged askable: of the one that does."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One recorded conversation, ready to be written as a scenario."""

    name: str
    """What its id is made from; need not be safe as a file's name, nor unique."""
    title: str
    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    """Tool schemas; a tool that is given by name only is `{"name": …}`."""
    description: str = ""
    """What the recording tells of itself: its compactions, the tokens that were paid for."""
    compactions: tuple[RecordedCompaction, ...] = ()
    questions: tuple[Question, ...] = ()
    """Written probes, all of which the loader takes."""


@dataclass(frozen=True, slots=True)
class Account:
    """How many messages or entries were kept, and how many were not, by reason."""

    kept: int = 0
    skipped: tuple[tuple[str, int], ...] = ()
    repaired: tuple[tuple[str, int], ...] = ()
    """Repairs, of which one message may need several; all repaired messages are among the kept."""

    @classmethod
    def of(cls, kept: int, skipped: Iterable[str], repaired: Iterable[str]) -> Account:
        """An account from one reason for each thing skipped and each repair."""
        return cls(kept, _counted(Counter(skipped)), _counted(Counter(repaired)))

    @classmethod
    def total(cls, accounts: Iterable[Account]) -> Account:
        """The sum of several accounts."""
        kept, skipped, repaired = 0, Counter[str](), Counter[str]()
        for account in accounts:
            kept += account.kept
            skipped.update(dict(account.skipped))
            repaired.update(dict(account.repaired))
        return cls(kept, _counted(skipped), _counted(repaired))


@dataclass(frozen=True, slots=True)
class Imported:
    """All that was found in one file."""

    conversations: tuple[Conversation, ...]
    account: Account
    faults: tuple[Fault, ...] = ()
    """What couldn't be read or understood, and where; not among the skipped."""
    companion: bool = False
    """Holds no conversations, only what others among the given files are completed with."""


@dataclass(slots=True)
class Tally:
    """Reasons, collected while a file is converted."""

    skipped: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def _counted(reasons: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(reasons.items()))
