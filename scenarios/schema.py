"""The JSON Schema of scenario files, for editors; made from the same keys as the loader's checks.

`python -m compaction_eval.scenarios.schema` writes `scenario.schema.json` beside this file.

Editors read YAML with types, the loader doesn't: where a text may stand, a number or a boolean may.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from compaction_eval.scenarios.keys import SCENARIO, SECTIONS, TURN_KINDS, Key, Section, turn_keys
from compaction_eval.scenarios.shapes import WORD

SCHEMA_FILE = Path(__file__).parent / "scenario.schema.json"

_TEXT = {"type": ["string", "number", "boolean"], "pattern": r"\S"}
_EMPTY_TEXT = {"type": ["string", "number", "boolean"]}
_WORD = {"type": ["string", "number", "boolean"], "pattern": rf"^{WORD}$"}
_NUMBER = {"type": ["integer", "string"], "minimum": 0, "pattern": r"^(\d+|\$.+)$"}
_PERCENT = {**_NUMBER, "maximum": 100, "pattern": r"^(0*(\d{1,2}|100)|\$.+)$"}


def scenario_schema() -> dict[str, Any]:
    """The schema, in JSON Schema's draft 7, which editors know best."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A compaction-eval scenario",
        **_mapping(SCENARIO),
        "oneOf": [{"required": ["turns"]}, {"required": ["transcript"]}],
        "definitions": {
            "turn": {
                "type": "object",
                "oneOf": [_turn(kind) for kind in TURN_KINDS],
            },
            **{
                name: _mapping(section)
                for name, section in SECTIONS.items()
                if name not in ("scenario", "turn")
            },
        },
    }


def schema_text() -> str:
    """The schema as it stands in the file."""
    return json.dumps(scenario_schema(), indent=2, ensure_ascii=False) + "\n"


def _turn(kind: str) -> dict[str, Any]:
    turn = _mapping(turn_keys(kind))
    return {**turn, "required": sorted({kind, *turn.get("required", ())})}


def _mapping(keys: Section) -> dict[str, Any]:
    required = [name for name, key in keys.items() if key.required]
    return {
        "type": "object",
        "properties": {name: _described(key) for name, key in keys.items()},
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }


def _described(key: Key) -> dict[str, Any]:
    schema = _value(key)
    if not key.about:
        return schema
    # Draft 7 ignores whatever stands beside a reference.
    return {"description": key.about, **({"allOf": [schema]} if "$ref" in schema else schema)}


def _value(key: Key) -> dict[str, Any]:
    least = {} if key.empty else {"minItems": 1}
    match key.shape:
        case "text":
            return _EMPTY_TEXT if key.empty else _TEXT
        case "texts":
            return _one_or_more(_TEXT)
        case "word":
            return {"enum": list(key.values)} if key.values else _WORD
        case "words":
            return _one_or_more({"enum": list(key.values)} if key.values else _WORD)
        case "number":
            return _NUMBER
        case "percent":
            return _PERCENT
        case "flag":
            return {"enum": [True, False, "true", "false"]}
        case "tree":
            return {"not": {"type": "array"}}
        case "trees":
            return {"type": "array", **least}
        case "section":
            return _reference(key)
        case "sections":
            return {"type": "array", "items": _reference(key), **least}
        case "mapping":
            return _by_id(_described(key.inner) if key.inner else _TEXT)
        case "fact":
            return {"anyOf": [_TEXT, _reference(key)]}
        case "retracts":
            return {"anyOf": [_one_or_more(_WORD), _by_id(_TEXT)]}


def _one_or_more(one: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


def _by_id(value: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "propertyNames": {"pattern": f"^{WORD}$"},
        "additionalProperties": value,
    }


def _reference(key: Key) -> dict[str, Any]:
    return {"$ref": f"#/definitions/{key.section}"}


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), "utf-8")
