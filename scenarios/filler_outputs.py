"""What the tools of filler answer: logs, file listings, JSON and stack traces."""

from __future__ import annotations

import json
from typing import Any

from compaction_eval.scenarios.dice import Dice

Texts = dict[str, Any]
"""One language's texts, as in `filler_texts/`."""

_WORDS = (
    "alder amber basalt beacon birch cobalt copper coral cove delta drift dune ember falcon fern "
    "fjord flint garnet gorse harbor hazel heron ivory jasper juniper kelp lark laurel lichen "
    "maple marlin meadow moss nettle oriole osprey pebble pine plover quartz quill raven reed "
    "saffron sedge shale sorrel spruce tansy teal thistle umber vetch willow wren yarrow"
)
WORDS = tuple(_WORDS.split())
_FOLDERS = ("assets", "core", "docs", "fixtures", "lib", "misc", "scripts", "shared", "tools")
_ENDINGS = ("css", "csv", "go", "html", "ini", "js", "md", "py", "rs", "sql", "svg", "txt")
_LEVELS = ("DEBUG", "INFO ", "INFO ", "INFO ", "WARN ")
_EXCEPTIONS = ("BrokenLinkError", "HandlerMissing", "LockHeld", "StreamClosed", "UnreadableFrame")
_VERBS = ("apply", "collect", "dispatch", "flush", "load", "merge", "open", "resolve", "walk")


def _name(dice: Dice) -> str:
    return f"{dice.pick(WORDS)}_{dice.pick(WORDS)}"


def log_output(dice: Dice, texts: Texts, word: str) -> str:
    """8 to 18 lines; times are seconds since the start, as a clock's could be somebody's answer."""
    seconds = float(dice.decimal(10, 900))
    lines = []
    for _ in range(dice.number(8, 18)):
        seconds += float(dice.decimal(0, 9))
        about = word if dice.happens(0.3) else f"{dice.pick(WORDS)}-{dice.pick(WORDS)}"
        event = dice.pick(texts["log"]).format(word=about)
        lines.append(f"[{seconds:.3f}] {dice.pick(_LEVELS)} {event} ({dice.decimal(0, 80)} ms)")
    return "\n".join(lines) + "\n"


def listing_output(dice: Dice, texts: Texts, word: str) -> str:
    """10 to 24 files with sizes in kB."""
    lines = []
    for _ in range(dice.number(10, 24)):
        size = dice.decimal(0, 90, 1)
        path = f"{dice.pick(_FOLDERS)}/{_name(dice)}.{dice.pick(_ENDINGS)}"
        lines.append(f"{size:>6} kB  {word}/{path}")
    return "\n".join(sorted(lines, key=lambda line: line[10:])) + "\n"


def json_output(dice: Dice, texts: Texts, word: str) -> str:
    """4 to 8 records."""
    records = [
        {
            "key": dice.hexadecimal(12),
            "label": f"{word} {dice.pick(WORDS)}",
            "weight": float(dice.decimal(0, 2)),
            "active": dice.happens(0.7),
            "note": dice.pick(texts["notes"]),
        }
        for _ in range(dice.number(4, 8))
    ]
    return json.dumps({"collection": word, "items": records}, ensure_ascii=False, indent=1) + "\n"


def stacktrace_output(dice: Dice, texts: Texts, word: str) -> str:
    """A Python traceback of 4 to 9 frames."""
    lines = ["Traceback (most recent call last):"]
    for _ in range(dice.number(4, 9)):
        module, function = _name(dice), f"{dice.pick(_VERBS)}_{dice.pick(WORDS)}"
        lines.append(f'  File "{dice.pick(_FOLDERS)}/{module}.py", in {function}')
        lines.append(f"    return self.{dice.pick(_VERBS)}({dice.pick(WORDS)}, {dice.pick(WORDS)})")
    reason = dice.pick(texts["errors"]).format(word=word)
    lines.append(f"{dice.pick(_EXCEPTIONS)}: {reason}")
    return "\n".join(lines) + "\n"
