"""How a model is asked for a summary: three styles, in four languages and English for the others.

`rolling` merges the previous summary with new messages, `note` puts the dialogue into the user's
message, `dialogue` puts everything into one system message under the conversation's own names for
the roles. The same text is what a summariser's input tokens are counted on.

Whatever is summarised is data: it stands inside a fence that doesn't occur in it, and each of its
lines that we didn't open with a speaker's name is indented, so that no text can close the fence,
speak as another role or give orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.prompt_wordings import OTHER, WIDE, WORDINGS, Wording
from compaction_eval.strategies.summary import DEFAULT_LIMIT

PROMPTS = 1
"""Version of the prompts: summaries under two of them aren't those of one summariser."""
DEFAULT_LIMITS = {"rolling": DEFAULT_LIMIT, "note": 120, "dialogue": DEFAULT_LIMIT}
"""Longest summary of each style, in wide characters, where the request names none."""


def prompt(request: SummaryRequest) -> list[Message]:
    """The messages that a model would be sent for this request."""
    language = request.language.split("-")[0].lower()
    wording = WORDINGS.get(language, OTHER)
    limit = request.limit or DEFAULT_LIMITS[request.style]
    bound = wording.bound.format(limit if language in WIDE else 3 * limit)
    merge = [wording.merge] if request.previous and request.style != "rolling" else []
    if request.style == "dialogue":
        dialogue = _dialogue(request.messages, wording.roles, wording.colon)
        text = [
            wording.dialogue,
            *merge,
            bound,
            wording.data,
            *_material(request, wording, dialogue),
        ]
        return [_message("system", text)]
    task = wording.note if request.style == "note" else wording.rolling
    dialogue = _dialogue(request.messages, {}, ": ")
    return [
        _message("system", [task, *merge, bound, wording.data]),
        _message("user", _material(request, wording, dialogue)),
    ]


def _message(speaker: str, paragraphs: Iterable[str]) -> Message:
    return cast("Message", {"role": speaker, "content": "\n\n".join(paragraphs)})


def _dialogue(messages: Iterable[Message], names: Mapping[str, str], colon: str) -> str:
    """One entry a message, `role: content`, continuation lines indented."""
    lines = []
    for message in messages:
        speaker = role(message)
        content = _indented(content_text(message)).removeprefix("  ")
        lines.append(f"{names.get(speaker, speaker)}{colon}{content}")
    return "\n".join(lines)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def _material(request: SummaryRequest, wording: Wording, dialogue: str) -> list[str]:
    """The previous summary, if any, and the dialogue, each in its fence."""
    fenced = []
    if request.previous:
        fenced.append(_fenced("summary", wording.previous, _indented(request.previous)))
    fenced.append(_fenced("transcript", wording.new, dialogue))
    return fenced


def _fenced(tag: str, title: str, text: str) -> str:
    """The text between tags which it doesn't contain itself."""
    fence = tag
    number = 1
    lowered = text.lower()
    while fence in lowered:
        number += 1
        fence = f"{tag}-{number}"
    return f"{title}\n<{fence}>\n{text}\n</{fence}>"
