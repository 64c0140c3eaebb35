"""What became of each message at a request: sent as it is or in other words, or left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compaction_eval.eval.records import PartRef, RequestRecord
from compaction_eval.reports.standing import Standing, holds
from compaction_eval.reports.states import MESSAGES, MessageState

Parts = list[PartRef]


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
            for position in range(*part):
                _put(found[_sent_state(position, earlier)], position)
    stand_ins = {
        standing.made[part].get("for")
        for part in request.view
        if isinstance(part, str) and part in standing.made
    }
    for position in range(request.at):
        if holds(request.view, position):
            continue
        if not _was_there(position, earlier):
            _put(found["gone"], position)
        elif position in stand_ins:
            _put(found["reduced"], position)
        else:
            _put(found["summarised" if request.summary else "dropped"], position)
    # A made-up message that went: an earlier summary, or one that stood for another.
    gone = [part for part in request.dropped if made and isinstance(part, str)]
    found["summarised" if request.summary else "dropped"] += gone
    return {state: parts for state, parts in found.items() if parts}


def _made_state(standing: Standing, part: str, earlier: RequestRecord | None) -> MessageState:
    kind = standing.made.get(part, {}).get("kind")
    if kind == "question":
        return "question"
    if earlier is not None and part in earlier.view:
        return "summary" if kind == "summary" else "stand-in"
    return "new-summary" if kind == "summary" else "new-stand-in"


def _sent_state(position: int, earlier: RequestRecord | None) -> MessageState:
    if earlier is None or position >= earlier.at:
        return "new"
    return "kept" if holds(earlier.view, position) else "back"


def _was_there(position: int, earlier: RequestRecord | None) -> bool:
    return earlier is None or position >= earlier.at or holds(earlier.view, position)


def _put(parts: Parts, position: int) -> None:
    """Add a position, to the stretch before it where it goes on."""
    last = parts[-1] if parts else None
    if last is not None and not isinstance(last, str) and last[1] == position:
        parts[-1] = (last[0], position + 1)
    else:
        parts.append((position, position + 1))


def positions(parts: Sequence[PartRef]) -> int:
    """How many messages these are."""
    return sum(1 if isinstance(part, str) else part[1] - part[0] for part in parts)
