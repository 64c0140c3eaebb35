"""What a summariser was shown: parts of messages looked for in the text that it was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from compaction_eval.eval.properties.answers import good_answers, words_of
from compaction_eval.eval.properties.judging import Judged, listed, unless
from compaction_eval.eval.properties.trial import Trial
from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import (
    Message,
    argument_leaves,
    call_name,
    content_text,
    scalar_text,
    tool_calls,
)
from compaction_eval.strategies.rendering import is_internal, spoken

PIECE = 32
"""Characters of the piece by which a message is recognised."""
SHORTEST = 8
"""Characters of a message below which it can't be told from a part of another text."""
_MIDDLES = (0.5, 0.45, 0.55, 0.4, 0.6)
_HEADS = (0.0, 0.1, 0.2)
_UNESCAPED = "\n\n"
"""What stands between a text and the same text with its JSON escapes read; in neither of them."""


def all_shown(trial: Trial) -> Judged:
    """Where a summary was made by the summariser, and messages are gone that say something which
    no other message says; what the agent's own framework wrote need not be summarised."""
    pieces = Pieces(trial.messages)
    for x in trial.exchanges:
        if not x.newly_made or not good_answers(trial, x):
            continue
        text = " ".join(said_in(ask.request) for ask in x.asks)
        sought = [
            (one.position, piece)
            for one in x.gone
            if not is_internal(one.message) and (piece := pieces.of(one.message, _MIDDLES))
        ]
        if sought:
            unseen = [position for position, piece in sought if piece not in text]
            what = f"the summariser wasn't shown the middle of {listed(unseen)}" if unseen else ""
            yield x.at, what


def only_new_shown(trial: Trial) -> Judged:
    """Where the summariser was asked."""
    pieces = Pieces(trial.messages)
    heads = [
        [piece for places in (_HEADS, _MIDDLES) if (piece := pieces.of(message, places))]
        for message in trial.messages
    ]
    summarised: set[int] = set()
    for x in trial.exchanges:
        if not x.asks:
            continue
        reason = ""
        now: set[int] = set()
        for ask in x.asks:
            text = _messages_in(ask.request)
            previous = normalise(ask.request.previous or "")
            doubled = len(previous) >= PIECE and previous in text
            for one in x.before:
                if one.kind == "made":
                    text = text.replace(normalise(words_of(one)) or "\n", "\n")
            shown = {at for at in range(x.at) if any(piece in text for piece in heads[at])}
            once = text.partition(_UNESCAPED)[0]
            twice = [at for at in shown if any(once.count(piece) > 1 for piece in heads[at])]
            if shown & summarised:
                reason = f"{listed(shown & summarised)} had been summarised before"
            elif twice:
                reason = f"{listed(twice)} was shown twice"
            elif doubled:
                reason = "the earlier summary was given twice"
            if ask.answer in good_answers(trial, x):
                now |= shown
        if x.compaction.summary is not None or x.newly_made:
            summarised |= now
        yield x.at, unless(not reason, reason)


@dataclass(slots=True)
class Pieces:
    """Finds in a message a piece of text that stands nowhere else in the script."""

    messages: list[Message]
    _all: str = field(init=False)
    _known: dict[tuple[int, tuple[float, ...]], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        said = (text for message in self.messages for text in _texts(message))
        names = (call_name(call) for message in self.messages for call in tool_calls(message))
        # As a summariser may be given them, so that a piece isn't found where two messages meet.
        self._all = " ".join((*said, *map(normalise, names)))

    def of(self, message: Message, places: tuple[float, ...]) -> str:
        """A piece around one of some places (0 the beginning, 1 the end); empty if there is none
        that is distinct."""
        key = (id(message), places)
        if key not in self._known:
            longest = max(_texts(message), key=len, default="")
            self._known[key] = next(
                (piece for piece in _pieces(longest, places) if self._is_distinct(piece)), ""
            )
        return self._known[key]

    def _is_distinct(self, piece: str) -> bool:
        first = self._all.find(piece)
        return self._all.find(piece, first + 1) < 0


def said_in(request: SummaryRequest) -> str:
    """All that a summariser was given, normalised; JSON escapes as what they stand for, too."""
    return f"{normalise(request.previous or '')}\n{_messages_in(request)}"


def _messages_in(request: SummaryRequest) -> str:
    text = " ".join(
        text for message in request.messages for text in (content_text(message), *_leaves(message))
    )
    plain = normalise(text)
    unescaped = normalise(text.replace("\\n", " ").replace('\\"', '"'))
    return plain if plain == unescaped else f"{plain}{_UNESCAPED}{unescaped}"


def _texts(message: Message) -> list[str]:
    """The texts of a message, each normalised: content parts, argument values."""
    content = message.get("content")
    parts = content if isinstance(content, list | tuple) else [content]
    said = [spoken(cast("Message", {"content": [part]})) for part in parts if _has_words(part)]
    return [normalise(text) for text in (*said, *_leaves(message)) if text.strip()]


def _has_words(part: object) -> bool:
    """Whether it is a text, or a part that holds one; an image is none."""
    return isinstance(part.get("text") if isinstance(part, Mapping) else part, str)


def _leaves(message: Message) -> list[str]:
    return [scalar_text(leaf) for call in tool_calls(message) for leaf in argument_leaves(call)]


def _pieces(text: str, places: tuple[float, ...]) -> Iterator[str]:
    if len(text) <= PIECE:
        if len(text) >= SHORTEST:
            yield text
        return
    for place in places:
        start = round((len(text) - PIECE) * place)
        yield text[start : start + PIECE].strip()
