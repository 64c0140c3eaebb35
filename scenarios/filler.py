"""Filler: talk and tool output that say nothing a probe asks for, as much of it as is wanted.

Seeded and varied. Numbers are decimals or hex where they can be, so that a port or a price that a
scenario plants is hardly ever in them; the checker tells when one is after all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any, cast

from compaction_eval.scenarios.dice import Dice
from compaction_eval.scenarios.filler_outputs import (
    WORDS,
    Texts,
    json_output,
    listing_output,
    log_output,
    stacktrace_output,
)
from compaction_eval.scenarios.keys import FILLER_KINDS, MIXED_KINDS
from compaction_eval.strategies.messages import Message

_TEXTS = Path(__file__).parent / "filler_texts"
_ATTEMPTS = 20
"""Tries at a message that wasn't there before; a repetition is taken after that."""

UNBROKEN = 1_000
"""Characters that a turn of `unbroken` filler has."""
_TINY = ("ok", "ja", "hm", "go", "好", "はい", "+", "…")

Output = Callable[[Dice, Texts, str], str]
# Kind -> the tool that is called, the argument that names what is looked at, and what it answers.
_TOOLS: dict[str, tuple[str, str, Output]] = {
    "tool_log": ("tail_log", "service", log_output),
    "listing": ("list_files", "path", listing_output),
    "json": ("fetch_record", "collection", json_output),
    "stacktrace": ("run_check", "target", stacktrace_output),
}


def exchanges(kind: str, seed: int, lang: str) -> Iterator[list[Message]]:
    """One exchange of two messages after the other, without end.

    `chat` is said by the user and answered by the assistant, `tiny` in a word or two; the others
    are a call and its result. Call ids are `filler_1`, `filler_2`, …; the caller gives them the
    conversation's own. Raises ValueError, at the first one, for an unknown kind or language.
    """
    if kind not in FILLER_KINDS or kind == "unbroken":
        raise ValueError(f"there are no exchanges of the kind of filler '{kind}'")
    texts = _texts(lang)
    dice = _dice(kind, seed, lang)
    seen: set[str] = set()
    for number in count(1):
        chosen = dice.pick(MIXED_KINDS) if kind == "mixed" else kind
        if chosen == "tiny":
            yield _exchange(f"{dice.pick(_TINY)} {number}", dice.pick(_TINY))
        elif chosen == "chat":
            yield _chat(dice, texts, seen)
        else:
            yield _tool(chosen, number, dice, texts, seen)


def unbroken(turns: int, seed: int, lang: str) -> list[Message]:
    """A user message of letters and digits without a space, 1,000 a turn, and its answer.

    More turns begin with the same characters as fewer; none are no messages.
    """
    _texts(lang)
    dice = _dice("unbroken", seed, lang)
    answer = dice.pick(_TINY)
    return _exchange(dice.characters(UNBROKEN * turns), answer) if turns else []


def _dice(kind: str, seed: int, lang: str) -> Dice:
    return Dice(f"{kind}:{seed}:{lang}")


@lru_cache(maxsize=8)
def _texts(lang: str) -> Texts:
    path = _TEXTS / f"{lang}.json"
    if not path.is_file():
        raise ValueError(f"there is no filler in '{lang}'")
    return cast("Texts", json.loads(path.read_text("utf-8")))


def _fresh(make: Callable[[], str], seen: set[str]) -> str:
    """A text that wasn't made before."""
    text = make()
    for _ in range(_ATTEMPTS):
        if text not in seen:
            break
        text = make()
    seen.add(text)
    return text


def _chat(dice: Dice, texts: Texts, seen: set[str]) -> list[Message]:
    topic = dice.pick(texts["topics"])
    slots = {name: dice.pick(texts[name]) for name in ("thing", "style", "term")}

    def ask() -> str:
        opening = dice.pick(texts["opening"])
        slots["thing"] = dice.pick(texts["thing"])
        return f"{opening}{dice.pick(topic['ask'])}".format_map(slots)

    def reply() -> str:
        first = dice.pick(topic["reply"])
        second = dice.pick([text for text in topic["reply"] if text != first])
        sentences = [first, second] if dice.happens(0.6) else [first]
        if dice.happens(0.5):
            sentences.append(dice.pick(texts["closing"]))
        # Languages that write no space between words write none between sentences either.
        joint = " " if first.isascii() or first.endswith(".") else ""
        return joint.join(sentences).format_map(slots)

    return _exchange(_fresh(ask, seen), _fresh(reply, seen))


def _exchange(said: str, answered: str) -> list[Message]:
    return cast(
        "list[Message]",
        [{"role": "user", "content": said}, {"role": "assistant", "content": answered}],
    )


def _tool(kind: str, number: int, dice: Dice, texts: Texts, seen: set[str]) -> list[Message]:
    name, argument, output = _TOOLS[kind]
    word = f"{dice.pick(WORDS)}-{dice.pick(WORDS)}"
    arguments = json.dumps({argument: word, "cursor": dice.hexadecimal(10)}, ensure_ascii=False)
    call: dict[str, Any] = {
        "id": f"filler_{number}",
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }
    say = dice.pick(texts["say"]).format(word=word) or None
    return cast(
        "list[Message]",
        [
            {"role": "assistant", "content": say, "tool_calls": [call]},
            {
                "role": "tool",
                "tool_call_id": call["id"],
                "content": _fresh(lambda: output(dice, texts, word), seen),
            },
        ],
    )
