"""A stretch of a conversation: whole blocks only, with all that points into it moved along."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compaction_eval.scenarios.importers.asking import askable
from compaction_eval.scenarios.importers.records import Conversation, Question
from compaction_eval.scenarios.importers.usage import Usage
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.strategies.blocks import blocks
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.messages import Message, is_system

_OUTSIDE = "message outside of --from and --to"
_SPLIT = "message of a tool block that --from, --to or --max-messages would cut"
_BEYOND = "message after --max-messages"


@dataclass(frozen=True, slots=True)
class Window:
    """First the messages from `first` to `last` (counted from 1, both included), system messages
    in any case; of these no more than `most`, from the start. Tool blocks stay whole or go.
    """

    first: int | None = None
    last: int | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        """Raise ConfigurationError for bounds between which nothing can be."""
        if self.first is not None and self.last is not None and self.last < self.first:
            raise ConfigurationError(f"--to {self.last} is before --from {self.first}")

    def cut(self, conversation: Conversation) -> tuple[Conversation | None, Mapping[str, int]]:
        """What is left of a conversation, and a count of what isn't, by reason."""
        messages = conversation.messages
        reasons = dict.fromkeys(range(len(messages)), "")
        for at, reason in self._outside(messages):
            reasons[at] = reason
        kept = [at for at, reason in reasons.items() if not reason]
        kept, cut = self._most(messages, kept)
        reasons.update(cut)
        told = Counter(reason for reason in reasons.values() if reason)
        if not told:
            return conversation, {}
        if all(is_system(messages[at]) for at in kept):
            told["message of a conversation of which too little is left"] += len(kept)
            return None, told
        compactions = _moved(conversation.compactions, kept, messages)
        told["recorded compaction outside of what was kept"] = len(conversation.compactions) - len(
            compactions
        )
        left = tuple(messages[at] for at in kept)
        questions, unasked = askable(
            left, conversation.tools, list(_with_evidence(conversation.questions, kept))
        )
        told["question whose evidence isn't kept"] = (
            len(conversation.questions) - len(questions) - len(unasked)
        )
        told.update(unasked)
        # What was paid was paid for the whole conversation.
        found = replace(
            conversation,
            messages=left,
            compactions=compactions,
            questions=questions,
            usage=Usage(),
        )
        return found, +told

    def _outside(self, messages: Sequence[Message]) -> Iterator[tuple[int, str]]:
        first, last = self.first or 1, self.last or len(messages)
        for block in blocks(messages):
            inside = [first <= at + 1 <= last for at in block]
            if not all(inside) and not is_system(messages[block[0]]):
                reason = _SPLIT if any(inside) else _OUTSIDE
                yield from ((at, reason) for at in block)

    def _most(
        self, messages: Sequence[Message], kept: list[int]
    ) -> tuple[list[int], dict[int, str]]:
        """The first positions, as many as may be and no block divided; of the others the reason."""
        if self.most is None or len(kept) <= self.most:
            return kept, {}
        place = {at: number for number, at in enumerate(kept)}
        divided: set[int] = set()
        for block in blocks(messages):
            numbers = [place[at] for at in block if at in place]
            divided.update(range(min(numbers) + 1, max(numbers) + 1) if numbers else ())
        end = next(end for end in range(self.most, -1, -1) if end not in divided)
        cut = dict.fromkeys(kept[self.most :], _BEYOND)
        cut.update(dict.fromkeys(kept[end : self.most], _SPLIT))
        return kept[:end], cut


def _moved(
    compactions: Sequence[RecordedCompaction], kept: Sequence[int], messages: Sequence[Message]
) -> tuple[RecordedCompaction, ...]:
    """Those before which something was said and after which something comes, or came never."""
    moved = []
    for each in compactions:
        at = bisect_left(kept, each.at)
        said = any(not is_system(messages[position]) for position in kept[:at])
        if said and (at < len(kept) or each.at == len(messages)):
            kept_from = bisect_left(kept, each.kept_from)
            moved.append(replace(each, at=at, kept_from=kept_from))
    return tuple(moved)


def _with_evidence(questions: Sequence[Question], kept: Sequence[int]) -> Iterator[Question]:
    moved = {before: now for now, before in enumerate(kept)}
    for one in questions:
        evidence = tuple(moved[at] for at in one.evidence if at in moved)
        if evidence or not one.evidence:
            yield replace(one, evidence=evidence)
