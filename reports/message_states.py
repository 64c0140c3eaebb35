"""What became of each message at a request: sent as it is or in other words, or left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from compaction_eval.eval.records import PartRef, RequestRecord
from compaction_eval.reports.standing import Standing
from compaction_eval.reports.states import MESSAGES, MessageState

Parts = list[PartRef]
Stretch = tuple[int, int]
"""Positions of messages, from the first to before the last."""


def message_states(
    standing: Standing, index: int, *, made: bool = True
) -> Mapping[MessageState, Parts]:
    """The messages of the conversation and the made-up ones at a request, by state.

    In the order of `MESSAGES`; a state that nothing is in isn't there. Without `made`, made-up
    messages that went aren't told.
    """
    request = standing.cell.requests[index]
    previous = standing.before(index)
    earlier = standing.cell.requests[previous] if previous >= 0 else None
    found: dict[MessageState, Parts] = {state: [] for state in MESSAGES}
    for part in request.view:
        if isinstance(part, str):
            found[_made_state(standing, part, earlier)].append(part)
        else:
            for stretch, old, there in _since(part, earlier):
                _put(found["new" if not old else "kept" if there else "back"], stretch)
    stand_ins = {
        standing.made[part].get("for")
        for part in request.view
        if isinstance(part, str) and part in standing.made
    }
    left: MessageState = "summarised" if request.summary else "dropped"
    for stretch, sent in _told_apart((0, request.at), _held(request)):
        if sent:
            continue
        for rest, old, there in _since(stretch, earlier):
            if old and not there:
                _put(found["gone"], rest)
                continue
            for position in range(*rest):
                state: MessageState = "reduced" if position in stand_ins else left
                _put(found[state], (position, position + 1))
    # A made-up message that went: an earlier summary, or one that stood for another.
    gone = [part for part in request.dropped if made and isinstance(part, str)]
    found[left] += gone
    return {state: parts for state, parts in found.items() if parts}


def _made_state(standing: Standing, part: str, earlier: RequestRecord | None) -> MessageState:
    kind = standing.made.get(part, {}).get("kind")
    if kind == "question":
        return "question"
    if earlier is not None and part in earlier.view:
        return "summary" if kind == "summary" else "stand-in"
    return "new-summary" if kind == "summary" else "new-stand-in"


def _since(stretch: Stretch, earlier: RequestRecord | None) -> Iterator[tuple[Stretch, bool, bool]]:
    """A stretch in pieces: whether each was said before a request, and whether that sent it."""
    start, stop = stretch
    said = start if earlier is None else min(max(earlier.at, start), stop)
    if earlier is not None:
        for piece, there in _told_apart((start, said), _held(earlier)):
            yield piece, True, there
    if said < stop:
        yield (said, stop), False, False


def _told_apart(stretch: Stretch, held: Sequence[Stretch]) -> Iterator[tuple[Stretch, bool]]:
    """A stretch in pieces, each with whether it is in one of these, which are in order."""
    at, stop = stretch
    for first, last in held[max(bisect_right(held, (at,)) - 1, 0) :]:
        if at >= stop or first >= stop:
            break
        if at < first:
            yield (at, first), False
        if at < last:
            yield (max(at, first), min(last, stop)), True
            at = min(last, stop)
    if at < stop:
        yield (at, stop), False


def _held(request: RequestRecord) -> list[Stretch]:
    """The messages of the conversation that a view has, in the conversation's order, each once."""
    found: list[Stretch] = []
    for start, stop in sorted(part for part in request.view if not isinstance(part, str)):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], stop))
        else:
            found.append((start, stop))
    return found


def _put(parts: Parts, stretch: Stretch) -> None:
    """Add a stretch, to the one before it where it goes on."""
    last = parts[-1] if parts else None
    if last is not None and not isinstance(last, str) and last[1] == stretch[0]:
        parts[-1] = (last[0], stretch[1])
    else:
        parts.append(stretch)


def positions(parts: Sequence[PartRef]) -> int:
    """How many messages these are."""
    return sum(1 if isinstance(part, str) else part[1] - part[0] for part in parts)
