"""The values that an assistant message uses: in its calls' arguments, and in its own words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from compaction_eval.scenarios.records import Where
from compaction_eval.scenarios.telling import (
    is_exact,
    is_number,
    is_telling,
    short_names,
    telling_values,
)
from compaction_eval.scenarios.tool_words import writes_file
from compaction_eval.scenarios.well_known import WELL_KNOWN
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import (
    Message,
    argument_leaves,
    call_name,
    scalar_text,
    tool_calls,
)

LONGEST_WHOLE = 60
"""Characters up to which an argument without white space is one value."""
_TRIMMED = ".,;:!?()[]{}<>'\""
_MARKS = frozenset("/_@.")


class Use(NamedTuple):
    """How a message uses a value."""

    written: str
    tool: str
    """Empty in the agent's own words."""
    where: Where
    forms: tuple[str, ...]
    """Normalised: the value comes free where the newest block holds one of these."""
    telling: bool = True
    """Whether its shape rules out chance and common knowledge."""


def call_values(message: Message) -> dict[str, Use]:
    """The distinctive values of a message's calls, by their normalised form, as first used."""
    values: dict[str, Use] = {}
    for call in tool_calls(message):
        writes: bool | None = None
        for leaf in argument_leaves(call):
            if isinstance(leaf, bool):
                continue
            text = scalar_text(leaf)
            for written in _parts(text):
                value = normalise(written)
                if value not in values and is_distinctive(value):
                    where: Where = "call"
                    if written != text:
                        writes = writes_file(call) if writes is None else writes
                        where = "file" if writes else "call"
                    telling = _is_telling(written, whole=written == text)
                    values[value] = Use(written, call_name(call), where, (value,), telling)
    return values


def _is_telling(written: str, *, whole: bool) -> bool:
    """What is given as an argument of its own is meant; the words of a text are looked at."""
    if not whole:
        return is_telling(written)
    if is_number(written):
        return is_exact(written)
    return written.casefold() not in WELL_KNOWN


def text_values(message: Message, used: Collection[str]) -> dict[str, Use]:
    """The telling values of a message's words, by their normalised form, as first written.

    Those in `used`, values of its calls, are left out, and so are the last parts of such paths.
    """
    names = {normalise(name) for value in used for name in short_names(value)}
    values: dict[str, Use] = {}
    for written, forms in telling_values(_words(message)):
        value = normalise(written)
        if value not in used and value not in names:
            values.setdefault(value, Use(written, "", "text", (value, *map(normalise, forms))))
    return values


def is_distinctive(value: str) -> bool:
    """Whether a normalised value of a call is unlikely to stand somewhere by chance."""
    digits = sum(map(str.isdecimal, value))
    return digits >= 3 or (len(value) >= 4 and (digits > 0 or not _MARKS.isdisjoint(value)))


def _parts(text: str) -> Iterator[str]:
    """An argument's scalar whole, or its words where it is a text."""
    words = text.split()
    if words == [text] and len(text) <= LONGEST_WHOLE:
        yield text
    else:
        for word in words:
            yield word.strip(_TRIMMED)


def _words(message: Message) -> str:
    """What an assistant message says, its calls apart."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list | tuple) else ()
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
