"""The JSON Schema for editors and the loader agree, and the schema file is up to date."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from compaction_eval.scenarios.keys import SECTIONS
from compaction_eval.scenarios.library import library_folder, scenario_files
from compaction_eval.scenarios.schema import SCHEMA_FILE, scenario_schema, schema_text

Faults = Callable[..., list[str]]

GOOD = """\
id: plan
title: A plan
lang: en
turns:
  - system: You help.
  - user: The gate is K4, the seat 12.
    facts: {gate: {value: K4, also: [gate K4]}, seat: 12}
  - {say: Let me see., call: look, args: {a: [1]}, result: ""}
  - calls: [{call: look, args: "{}", result: 8}]
    poison: "8"
  - filler: {kind: chat, turns: 2}
  - filler: {kind: tiny, turns: 9, after: 5, before: '100'}
  - user: No seat after all.
    retracts: {seat: No seat}
  - mark: told
  - messages: [{role: user, content: null}]
    retracts: [gate]
  - assistant: Fine.
probes:
  - {id: gate, kind: recall, ask: Which gate?, fact: gate, at: told}
  - {id: 2, kind: abstention, ask: Which hall?, reject: [B], match: contains, at: [end]}
"""


def validator() -> Any:
    schema = scenario_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def readings(text: str) -> Iterator[Any]:
    """As the loader reads it (all text), and as an editor does (with types)."""
    # libyaml, as PyYAML's own parser stumbles over `?,` in braces.
    yield yaml.load(text, Loader=yaml.CBaseLoader)
    yield yaml.load(text, Loader=yaml.CSafeLoader)


def test_the_schema_file_is_what_the_keys_describe() -> None:
    """`python -m compaction_eval.scenarios.schema` writes it anew."""
    assert SCHEMA_FILE.read_text("utf-8") == schema_text()


def test_a_good_file_is_good_for_both(load: Callable[..., object]) -> None:
    load(GOOD)
    for reading in readings(GOOD):
        validator().validate(reading)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: A plan\n", ""),
        ("title: A plan", "titel: A plan"),
        ("id: plan", "id: the plan"),
        ("lang: en", "lang: en\nreuse: maybe"),
        ("lang: en", "lang: en\ntranscript: {path: x, sha256: y}"),
        ("system: You help.", "system:"),
        ("system: You help.", "systm: You help."),
        ("assistant: Fine.", "assistant: Fine.\n    result: x"),
        ("assistant: Fine.", "assistant: Fine.\n    say: x"),
        ("assistant: Fine.", "assistant: [Fine.]"),
        ("assistant: Fine.", "assistant: ''"),
        ("mark: told", "mark: told\n    facts: {x: told}"),
        (', result: ""}', "}"),
        ("{a: [1]}, result", "{a: [1]}, resutl"),
        ("value: K4", "vlue: K4"),
        ("also: [gate K4]", "also: []"),
        ("kind: chat", "kind: chatter"),
        ("turns: 2", "turns: many"),
        ("turns: 2", "turns: -1"),
        ("turns: 2}", "turns: 2, before: 101}"),
        ("turns: 2}", "turns: 2, after: '0101'}"),
        ("turns: 2}", "turns: 2, after: -1}"),
        ("turns: 2}", "turns: 2, befor: 10}"),
        ("{kind: chat, turns: 2}", "chat"),
        ("retracts: [gate]", "retracts: []"),
        ("kind: recall", "kind: memory"),
        ("match: contains", "match: roughly"),
        ("at: told", "at: []"),
        ("ask: Which gate?, ", ""),
        ("at: told", "where: told"),
        ("lang: en", "lang: en\nrecorded: [{at: 1, summary: x}]"),
        ("lang: en", "lang: en\nrecorded: [{at: 1, kept_from: first, summary: x}]"),
        ("lang: en", "lang: en\nrecorded: [{at: 1, kept_from: 2, summary: x, by: hand}]"),
    ],
)
def test_a_bad_file_is_bad_for_both(faults_of: Faults, old: str, new: str) -> None:
    assert old in GOOD
    bad = GOOD.replace(old, new, 1)
    assert faults_of(bad)
    for reading in readings(bad):
        assert not validator().is_valid(reading)


@pytest.mark.parametrize("file", scenario_files(library_folder()), ids=lambda path: path.stem)
def test_shipped_scenarios_follow_the_schema(file: Path) -> None:
    for reading in readings(file.read_text("utf-8")):
        validator().validate(reading)


def test_every_key_is_explained_in_the_schema() -> None:
    for section in SECTIONS.values():
        assert all(key.about for key in section.values())
