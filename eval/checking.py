"""Checking views against the validity profiles at the cost of what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compaction_eval.eval.shape import Fault, Shape, shape_of
from compaction_eval.eval.tracks import Track
from compaction_eval.eval.validity import Profile, State
from compaction_eval.strategies.view import Conversation, View

Found = tuple[int, Fault]
"""A fault and the place of its message in the list that was checked."""


LONG_WAY = 16
"""Messages after which a way that hasn't met a known one is kept as a track of its own."""
TRACKS_KEPT = 8
"""Tracks beside the script's own; the oldest is forgotten."""


def loose_shapes(view: View) -> dict[int, Shape]:
    """The shapes of the messages that aren't the conversation's own, by `id`; for all profiles."""
    return {id(part): shape_of(part) for part in view.parts if not isinstance(part, range)}


@dataclass(slots=True)
class Checker:
    """Checks views over one conversation under one profile."""

    conversation: Conversation
    profile: Profile
    shapes: list[Shape]
    """Shapes of the conversation's messages; shared by the profiles."""
    tracks: list[Track] = field(init=False)
    """Known ways through the script; the first is the one of the script itself."""

    def __post_init__(self) -> None:
        own = Track(self.profile, self.shapes, 0, [self.profile.start])
        own.state(len(self.shapes))
        self.tracks = [own]

    def check(self, view: View, loose: Mapping[int, Shape] | None = None) -> list[Found]:
        """All faults and warnings of a view, in order; places count the view's messages.

        `loose` is what `loose_shapes` gives for the view, where the caller has it already.
        """
        profile = self.profile
        known = loose_shapes(view) if loose is None else loose
        found: list[Found] = []
        state = profile.start
        offset = 0
        for part in view.parts:
            if isinstance(part, range):
                state = self._stretch(part, state, offset - part.start, found)
                offset += len(part)
            else:
                state, faults = profile.step(state, known[id(part)])
                found.extend((offset, fault) for fault in faults)
                offset += 1
        for fault in profile.finish(state):
            found.append((offset, fault))
        return found

    def _stretch(self, part: range, state: State, shift: int, found: list[Found]) -> State:
        """The state behind a stretch: stepped to until a known track is met, then looked up."""
        own = self.tracks[0]
        for position in part:
            met = own if own.states[position] == state else self._met(position, state)
            if met is None and position - part.start == LONG_WAY:
                met = self._keep(position, state)
            if met is not None:
                after = met.state(part.stop)
                if met.places:
                    found.extend((at + shift, f) for at, f in met.found(position, part.stop))
                return after
            state, faults = self.profile.step(state, self.shapes[position])
            if faults:
                found.extend((position + shift, fault) for fault in faults)
        return state

    def _met(self, position: int, state: State) -> Track | None:
        """The track that left the script's own and is in that state there."""
        return next((track for track in self.tracks[1:] if track.meets(position, state)), None)

    def _keep(self, position: int, state: State) -> Track:
        track = Track(self.profile, self.shapes, position, [state])
        self.tracks.append(track)
        if len(self.tracks) > TRACKS_KEPT + 1:
            del self.tracks[1]
        return track
