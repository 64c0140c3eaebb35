"""What a summariser is shown: messages as plain words, without ids and structure.

A call becomes a line `tool name(key=value, …)` under the assistant's words, its arguments decoded,
so that a value is read as the agent wrote it and not as JSON escapes it. Tool output stands under
the role `tool`. Encoded images never get in, a placeholder does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, cast

from compaction_eval.strategies.messages import (
    Message,
    call_arguments,
    call_name,
    role,
    scalar_text,
    tool_calls,
)
from compaction_eval.strategies.summary import is_summary

DEFAULT_INTERNAL_TAGS = (
    "[Judge feedback]",
    "[Critic feedback]",
    "[Verifier feedback]",
    "[Evaluator feedback]",
    "[Self-reflection]",
    "[System reminder]",
    "[Harness note]",
    "[评审反馈]",
    "[系统提醒]",
    "【评审反馈】",
    "【系统提醒】",
    "[評価フィードバック]",
    "[Prüferfeedback]",
)
"""How the user messages open that agent frameworks put in themselves. A list and not "any bracket":
people send JSON lists, Markdown links and log lines."""

Cut = Literal["head", "ends"]
"""What stays of a long text: its beginning, or a third each of its beginning, middle and end."""

_GAP = " […] "
# No two classes side by side have a character in common, and the runs are bounded: what is shown
# here is anyone's text, and a pattern that tries again from every place would take for ever.
_ENCODED = re.compile(r"data:([\w.+/-]{0,100})(?:;[\w=.+-]{0,100})*?;base64,[A-Za-z0-9+/=_-]*")
_LONGEST_URL = 200
_LONGEST_WORD = 40


def render(
    messages: Iterable[Message],
    *,
    arguments: int | None = None,
    output: int | None = None,
    cut: Cut = "head",
    internal_tags: Sequence[str] = DEFAULT_INTERNAL_TAGS,
    keep_internal: bool = False,
) -> list[Message]:
    """Plain messages (`role` and `content` only) that say what these messages say.

    `arguments` and `output` are the most characters shown of one call's arguments and of one tool
    answer (nothing: all of them). Left out: summaries, messages without words, and, unless
    `keep_internal`, those of the agent's own framework (see `is_internal`).
    """
    rendered: list[Message] = []
    for message in messages:
        if is_summary(message) or (not keep_internal and is_internal(message, internal_tags)):
            continue
        speaker = role(message)
        words = spoken(message)
        if speaker in ("tool", "function"):
            speaker = "tool"
            words = shorten(words, output, cut)
        lines = [words] if words.strip() else []
        for call in tool_calls(message):
            said = shorten(_arguments(call), arguments, cut)
            lines.append(f"tool {call_name(call) or 'unknown'}({said})")
        if lines:
            text = "\n".join(lines)
            rendered.append(cast("Message", {"role": speaker or "user", "content": text}))
    return rendered


def is_internal(message: Message, internal_tags: Sequence[str] = DEFAULT_INTERNAL_TAGS) -> bool:
    """Whether the agent's framework wrote this user message, by the known tag that opens it."""
    if role(message) != "user":
        return False
    content = message.get("content")
    if isinstance(content, str) and not content.lstrip().startswith(("[", "【")):
        return False
    opening = spoken(message)[:200].lstrip().casefold()
    for tag in internal_tags:
        known = tag.casefold()
        # A Markdown link whose title happens to be a tag is the user's own.
        if opening.startswith(known) and not opening.startswith(known + "("):
            return True
    return False


def spoken(message: Message) -> str:
    """The words of a message's content; a placeholder for each part that isn't text."""
    content = message.get("content")
    if content is None:
        refusal = message.get("refusal")
        return refusal if isinstance(refusal, str) else ""
    if isinstance(content, str):
        return _without_encoded(content)
    parts: list[Any] = list(content) if isinstance(content, list | tuple) else [content]
    return "\n".join(_part(part) for part in parts)


def shorten(text: str, most: int | None, cut: Cut = "head") -> str:
    """The text, or at most `most` characters of it (the gap's marks apart), cut between words.

    Between words, since half a number is another number.
    """
    if most is None or len(text) <= most:
        return text
    if most <= 0:
        return _GAP.strip()
    third = most // 3
    if cut == "head" or third == 0:
        return text[: _word_start(text, most)].rstrip() + _GAP.rstrip()
    middle = (len(text) - third) // 2
    pieces = (
        text[: _word_start(text, third)],
        text[_word_end(text, middle) : _word_start(text, middle + third)],
        text[_word_end(text, len(text) - third) :],
    )
    return _GAP.join(piece.strip() for piece in pieces)


def _word_start(text: str, at: int) -> int:
    """The nearest place at or before `at` that isn't inside a word (a very long one is cut)."""
    place = at
    while at - place < _LONGEST_WORD and _inside_word(text, place):
        place -= 1
    return at if _inside_word(text, place) else place


def _word_end(text: str, at: int) -> int:
    """The nearest place at or after `at` that isn't inside a word (a very long one is cut)."""
    place = at
    while place - at < _LONGEST_WORD and _inside_word(text, place):
        place += 1
    return at if _inside_word(text, place) else place


def _inside_word(text: str, at: int) -> bool:
    """Whether a cut at `at` parts two characters of one word, number, path or address."""
    return 0 < at < len(text) and _joins(text[at - 1]) and _joins(text[at])


def _joins(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character in "._-/:,%@+")


def _arguments(call: Mapping[str, Any]) -> str:
    """A call's arguments as `key=value` pairs; those that are no JSON object as they stand."""
    text = call_arguments(call)
    try:
        value = json.loads(text)
        if isinstance(value, dict):
            text = ", ".join(f"{key}={_decoded(inner)}" for key, inner in value.items())
    except (ValueError, RecursionError):
        pass
    return _without_encoded(text)


def _decoded(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}={_decoded(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_decoded, value)) + "]"
    return scalar_text(value)


def _part(part: object) -> str:
    """One content part as words."""
    if not isinstance(part, Mapping):
        return _without_encoded(scalar_text(part)) if part is not None else ""
    for key in ("text", "refusal"):
        if isinstance(part.get(key), str):
            return _without_encoded(part[key])
    kind = str(part.get("type") or "part")
    name = kind.removeprefix("input_").removesuffix("_url")
    link = part.get(kind)
    url = link.get("url") if isinstance(link, Mapping) else link
    if isinstance(url, str) and url.startswith("http") and len(url) <= _LONGEST_URL:
        return f"[{name}: {url}]"
    return f"[{name}]"


def _without_encoded(text: str) -> str:
    """The text with each base64 data URL replaced by its media type."""
    if ";base64," not in text:
        return text
    return _ENCODED.sub(lambda found: f"[{found[1] or 'data'}]", text)
