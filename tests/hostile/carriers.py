"""Files that carry every text of the corpus in every place that somebody else writes or names."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.hostile.corpus import ALL, BY_NAME, HOSTILE
from tests.hostile.own_strategies import STRATEGIES
from tests.hostile.talks import cases, talks

_HALF = re.compile("[\ud800-\udfff]")
_NO_YAML = re.compile("[^\x20-\x7e]")
NAMED = "names.yaml"
SPOKEN = "spoken.yaml"
TRANSCRIPT = "talks.jsonl"
ODD_NAMES = ("\x1b[31m\u202egpj.jsonl", "::error::x\n=1+1.jsonl", "<img src=x>|`@octocat`.jsonl")
"""Names of files that a file system takes."""

LABELS = tuple(
    BY_NAME[name].text for name in ("script-end", "formula", "mathematics", "mention", "tower")
)
"""Names of strategies in the run that charts are drawn of."""
SUMMARIZER = BY_NAME["script"].text
"""The summariser's name there."""


def yaml_text(text: str) -> str:
    """A text between quotes, as YAML reads it back; halves of letters have no way into YAML."""

    def escaped(match: re.Match[str]) -> str:
        code = ord(match[0])
        return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"

    inner = _HALF.sub("", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_NO_YAML.sub(escaped, inner)}"'


def _flow(value: object) -> str:
    """A value as YAML in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return yaml_text(value) if isinstance(value, str) else json.dumps(value)


def spoken() -> str:
    """A scenario: each text is said, is a fact's value, stands in a call and is asked about."""
    turns: list[dict[str, Any]] = [{"system": ALL}]
    # In scripts these are more than keys.
    ids = dict(enumerate(("__proto__", "constructor", "hasOwnProperty", "length", "then")))
    probes: list[dict[str, Any]] = []
    for number, one in enumerate(HOSTILE):
        code = f"code-{7919 + 31 * number}"
        value = f"{code} {one.text.strip()}" if len(one.text) < 300 else code
        fact = ids.get(number, f"fact{number}")
        if number % 2:
            turns.append({"user": f"{one.text}\n{value}", "facts": {fact: value}})
        else:
            args = {"text": one.text, one.name: [one.text]}
            call = {"call": "note", "args": args, "result": f"{one.text}\n{value}"}
            turns.append({**call, "say": one.text, "facts": {fact: value}})
        turns.append({"assistant": one.text + "."})
        ask = f"What was said of {one.name}? {one.text}"
        probes.append(
            {"id": ids.get(number, f"probe{number}"), "kind": "recall", "ask": ask, "fact": fact}
        )
    schema = {
        "name": "note",
        "description": ALL,
        "parameters": {"type": "object", "properties": {"text": {"description": ALL}}},
    }
    lines = [
        "id: spoken",
        f"title: {yaml_text(ALL)}",
        f"description: {yaml_text(ALL)}",
        "lang: en",
        "tags: [odd, constructor, __proto__]",
        f"tools: [{_flow({'type': 'function', 'function': schema})}]",
        "turns:",
        *(f"  - {_flow(turn)}" for turn in turns),
        "probes:",
        *(f"  - {_flow(probe)}" for probe in probes),
    ]
    return "\n".join(lines) + "\n"


def named() -> str:
    """A scenario of one fact, for runs in which names are what is odd."""
    return """\
id: names
title: One fact, then talk
lang: en
turns:
  - user: The port of the ferry is 8443, by the way.
    facts: {port: "8443"}
  - assistant: Noted.
  - user: Now tell me about the tide tables.
  - assistant: They are printed once a year.
probes:
  - {id: p, kind: recall, ask: Which port was it?, fact: port}
"""


def naming() -> str:
    """A configuration in which each text names a strategy, and one that raises it."""
    rows: list[dict[str, Any]] = []
    for number, one in enumerate(HOSTILE):
        name = _HALF.sub("", one.text)
        rows.append({"use": "./odd.py:Keeps", "keep": 1 + number % 3, "name": name})
        rows.append({"use": "./odd.py:Raises", "number": number, "name": f"raises {one.name}"})
    lines = ["strategy:", *(f"  - {_flow(row)}" for row in rows)]
    return "\n".join(lines) + "\n"


def speaking() -> str:
    """A configuration in which strategies have names that act; the last ones keep 40 messages."""
    uses = ["rolling-summary", "token-window", "./odd.py:makes_up"]
    rows = [{"use": use, "name": name} for use, name in zip(uses, LABELS, strict=False)]
    rows += [{"use": "./odd.py:Keeps", "keep": 40, "name": name} for name in LABELS[len(uses) :]]
    lines = [f"summarizer: {_flow({'use': 'extractive', 'name': SUMMARIZER})}"]
    lines += ["controls: false", "strategy:", *(f"  - {_flow(row)}" for row in rows)]
    return "\n".join(lines) + "\n"


def wrong() -> str:
    """A scenario with a fault for each text: a key that there isn't, a value that can't be."""
    lines = ["id: wrong", "title: x", "lang: en", "turns:"]
    for one in HOSTILE:
        lines.append(f"  - {{user: x, {yaml_text(one.text[:60])}: y}}")
        lines.append(f"  - {_flow({'mark': one.text})}")
    lines += ["probes:"]
    for one in HOSTILE:
        at = {"id": one.text, "kind": one.text, "ask": "x", "fact": one.text, "at": one.text}
        lines.append(f"  - {_flow(at)}")
    return "\n".join(lines) + "\n"


def write_all(folder: Path) -> None:
    """Put all files into a folder."""
    texts = {
        SPOKEN: spoken(),
        NAMED: named(),
        "naming.yaml": naming(),
        "speaking.yaml": speaking(),
        "wrong.yaml": wrong(),
        "cases.jsonl": "".join(f"{json.dumps(case)}\n" for case in cases()),
        "odd.py": STRATEGIES,
        "texts.json": json.dumps([one.text for one in HOSTILE]),
        TRANSCRIPT: "".join(f"{json.dumps(talk)}\n" for talk in talks()),
        **{name: f"{json.dumps(next(talks()))}\n" for name in ODD_NAMES},
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
