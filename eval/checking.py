"""Checking views against the validity profiles at the cost of what changed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from compaction_eval.eval.shape import Fault, Shape, shape_of
from compaction_eval.eval.validity import Profile, State
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.view import Conversation, View

Found = tuple[int, Fault]
"""A fault and the place of its message in the list that was checked."""


def check_messages(messages: Iterable[Message], profile: Profile) -> list[Found]:
    """All faults and warnings of some messages, in order; those of the end are at the length."""
    state = profile.start
    found: list[Found] = []
    length = 0
    for length, message in enumerate(messages, 1):
        state, faults = profile.step(state, shape_of(message))
        found.extend((length - 1, fault) for fault in faults)
    found.extend((length, fault) for fault in profile.finish(state))
    return found


@dataclass(slots=True)
class Checker:
    """Checks views over one conversation under one profile."""

    conversation: Conversation
    profile: Profile
    shapes: list[Shape]
    """Shapes of the conversation's messages; shared by the profiles."""
    states: list[State] = field(init=False)
    """The state before each message, and after the last, when all are sent."""
    places: list[int] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        state = self.profile.start
        self.states = [state]
        for position, shape in enumerate(self.shapes):
            state, faults = self.profile.step(state, shape)
            self.states.append(state)
            for fault in faults:
                self.places.append(position)
                self.faults.append(fault)

    def check(self, view: View) -> list[Found]:
        """All faults and warnings of a view, in order; places count the view's messages."""
        profile, states = self.profile, self.states
        found: list[Found] = []
        state = profile.start
        offset = 0
        for part in view.parts:
            if not isinstance(part, range):
                state, faults = profile.step(state, shape_of(part))
                found.extend((offset, fault) for fault in faults)
                offset += 1
                continue
            # Step through a stretch until the state is the script's own, then jump to its end.
            position, stop = part.start, part.stop
            shift = offset - position
            while position < stop and state != states[position]:
                state, faults = profile.step(state, self.shapes[position])
                if faults:
                    found.extend((position + shift, fault) for fault in faults)
                position += 1
            if position < stop:
                state = states[stop]
                if self.places:
                    found.extend(self._known(position, stop, shift))
            offset = stop + shift
        for fault in profile.finish(state):
            found.append((offset, fault))
        return found

    def _known(self, start: int, stop: int, shift: int) -> Iterator[Found]:
        """What is known of a stretch of the script."""
        for index in range(bisect_left(self.places, start), bisect_left(self.places, stop)):
            yield self.places[index] + shift, self.faults[index]
