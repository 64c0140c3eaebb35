"""Ways of reading the script from one state on, kept so that no stretch is read twice.

A view rarely opens a stretch of the script in the state that the script itself had there. Mostly
the states meet after a message or two; where they don't (a template that waits for the next user
message while the agent works through hundreds of calls), the deviating way is kept as a track, and
the next view, cut a little later, meets that one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from compaction_eval.eval.shape import Fault, Shape
from compaction_eval.eval.validity import Profile, State


@dataclass(slots=True)
class Track:
    """The states of one profile from one place of the script on, as far as they were asked for."""

    profile: Profile
    shapes: Sequence[Shape]
    start: int
    states: list[State]
    """The state before each message from `start` on; it begins with the one given."""
    places: list[int] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def meets(self, position: int, state: State) -> bool:
        """Whether this track is in that state before the message at a position."""
        index = position - self.start
        return 0 <= index < len(self.states) and self.states[index] == state

    def state(self, position: int) -> State:
        """The state before the message at a position, at or behind the start."""
        state = self.states[-1]
        for at in range(self.start + len(self.states) - 1, position):
            state, faults = self.profile.step(state, self.shapes[at])
            self.states.append(state)
            for fault in faults:
                self.places.append(at)
                self.faults.append(fault)
        return self.states[position - self.start]

    def found(self, start: int, stop: int) -> Iterator[tuple[int, Fault]]:
        """Places and faults of a stretch that has been read."""
        for index in range(bisect_left(self.places, start), bisect_left(self.places, stop)):
            yield self.places[index], self.faults[index]
