"""The offline summariser: copies what says most, invents nothing and needs no model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, cast

from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.options import at_least
from compaction_eval.strategies.prompt_wordings import WORDINGS
from compaction_eval.strategies.sentences import sentences
from compaction_eval.strategies.summarizers.fragments import thirds
from compaction_eval.strategies.summarizers.pieces import pieces
from compaction_eval.strategies.summarizers.selection import Candidate, select
from compaction_eval.strategies.summary import DEFAULT_LIMIT, summary_length
from compaction_eval.strategies.summary_checks import fit_summary

_SURROGATE = re.compile("[\ud800-\udfff]")
_SMALL = 70
"""A summary may be that long (wide characters) whatever it stands for: one sentence always fits."""
NOTHING = {
    "zh": "没有需要保留的内容。此前的对话没有实质信息。",
    "ja": "残すべき内容はありません。これまでの会話に実質的な情報はありません。",
    "de": "Bisher wurde nichts Wesentliches gesagt.",
    "en": "Nothing of substance was said so far.",
}


@dataclass(frozen=True, slots=True)
class Extractive:
    """Keeps the sentences, clauses and values richest in numbers, names, paths, decisions and
    constraints, in the order in which they were said.

    Deterministic, blind to the answer key, and never longer than the limit (`limit`, in wide
    characters, where the request names none). The previous summary's pieces compete with the new
    ones. `density`: the share of the new messages' length that a summary may have at most.
    """

    limit: int = DEFAULT_LIMIT
    density: float = 0.6
    pure: ClassVar[bool] = True

    def __post_init__(self) -> None:
        at_least(1, limit=self.limit)

    @property
    def name(self) -> str:
        """The registered name."""
        return "extractive"

    def summarize(self, request: SummaryRequest) -> str:
        """The new summary; the pieces of the user under the user's name."""
        language = request.language.split("-")[0].lower()
        wording = WORDINGS.get(language, WORDINGS["en"])
        user = wording.roles["user"] + wording.colon
        request = replace(
            request,
            messages=tuple(map(_whole, request.messages)),
            previous=None if request.previous is None else encodable(request.previous),
        )
        limit = self.limit if request.limit is None else request.limit
        previous = request.previous or ""
        new = sum(thirds(content_text(message)) for message in request.messages)
        room = int(min(3 * limit, thirds(previous) + max(self.density * new, 3 * _SMALL)))
        chosen = select(list(_candidates(request, language, user)), room)
        text = _written(chosen, user)
        while len(chosen) > 1 and summary_length(text) > limit:
            chosen.pop()
            text = _written(chosen, user)
        return encodable(fit_summary(text or NOTHING.get(language, NOTHING["en"]), limit))


def encodable(text: str) -> str:
    """The text with surrogate pairs as the signs that they mean, and U+FFFD for lone halves.

    A message may hold either, and JSON inside of it halves that are written as escapes.
    """
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _whole(message: Message) -> Message:
    """The message with words that a summary can copy, wherever it cuts them."""
    content = content_text(message)
    words = encodable(content)
    return message if words == content else cast("Message", {**message, "content": words})


def _candidates(request: SummaryRequest, language: str, user: str) -> Iterator[Candidate]:
    """The pieces of the previous summary, then those of the messages."""
    order = 0
    number = 0
    for line in (request.previous or "").splitlines():
        speaker = "user" if line.startswith(user) else "assistant"
        for sentence in sentences(line.removeprefix(user)):
            for piece in pieces(sentence, language):
                yield Candidate(piece, order, number, speaker)
                order += 1
            number += 1
    source: frozenset[str] = frozenset()
    for message in request.messages:
        number += 1
        speaker = role(message)
        found = pieces(content_text(message), language)
        if speaker == "assistant":
            source = frozenset(word for piece in found for word in piece.topic | piece.values)
        for piece in found:
            yield Candidate(piece, order, number, speaker, source if speaker == "tool" else _NONE)
            order += 1


_NONE: frozenset[str] = frozenset()
_ENDS = ".!?。！？…"
_LOOSE = ",;:，；：、 "


def _written(chosen: Iterable[Candidate], user: str) -> str:
    """The pieces as lines: one for each stretch of the user's or of the others' words."""
    lines: list[str] = []
    before: Candidate | None = None
    for candidate in sorted(chosen, key=lambda candidate: candidate.order):
        text = candidate.piece.text
        own = candidate.speaker == "user"
        if before is None or own != (before.speaker == "user"):
            if lines:
                lines[-1] = lines[-1].rstrip(_LOOSE)
            lines.append(user + text if own else text)
        else:
            follows = candidate.piece.continues and candidate.order == before.order + 1
            lines[-1] = _joined(lines[-1], text, follows=follows)
        before = candidate
    if lines:
        lines[-1] = lines[-1].rstrip(_LOOSE)
    return "\n".join(lines)


def _joined(line: str, text: str, *, follows: bool) -> str:
    """The line with another piece, which goes on with its last sentence or starts one."""
    wide = line[-1] > "\u2fff" or text[0] > "\u2fff"
    if follows:
        return f"{line}{text}" if line[-1] > "\u2fff" else f"{line} {text}"
    line = line.rstrip(_LOOSE)
    if line[-1] in _ENDS:
        return f"{line}{text}" if line[-1] > "\u2fff" else f"{line} {text}"
    return f"{line}；{text}" if wide else f"{line}; {text}"
