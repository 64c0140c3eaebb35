"""The table `[tool.compaction-eval]` of a TOML file, as the same kind of tree that YAML files make.

TOML's parser tells no places, so a value's place is that of its key, found again in the text.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Place
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, Scalar

NOWHERE: Mapping[str, Place] = {}
_TABLE = re.compile(
    r"\s*\[+\s*tool\s*\.\s*[\"']?compaction-eval[\"']?((?:\s*\.\s*[\"']?[\w-]+[\"']?)*)"
)
_NAME = re.compile(r"[\w-]+")
_ANY_TABLE = re.compile(r"\s*\[")
_KEY = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*[=.]")
_AT = re.compile(r"\(at line (\d+), column (\d+)\)|\(at end of document\)")


def parse_toml(data: bytes, file: str) -> tuple[Node | None, list[Fault]]:
    """The table's tree and what is wrong with the file; no tree where the table is missing."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return None, [Fault(Place(file, line), "isn't UTF-8; save the file as UTF-8")]
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, [_explain(str(error), text, file)]
    table: object = document
    for name in ("tool", "compaction-eval"):
        table = table.get(name) if isinstance(table, dict) else None
    if table is None:
        return None, []
    start, places = _places(text, file)
    if not isinstance(table, dict):
        return Scalar(str(table), start), []
    entries = {}
    for key, value in table.items():
        place = places.get(key, start)
        entries[key] = (Scalar(key, place), _tree(value, place, places, f"{key}."))
    return Fields(entries, start), []


def _tree(
    value: object, place: Place, places: Mapping[str, Place] = NOWHERE, prefix: str = ""
) -> Node:
    if isinstance(value, dict):
        entries = {}
        for key, inner in value.items():
            at = places.get(f"{prefix}{key}", place)
            entries[key] = (Scalar(key, at), _tree(inner, at, places, f"{prefix}{key}."))
        return Fields(entries, place)
    if isinstance(value, list):
        return Items(tuple(_tree(item, place) for item in value), place)
    if isinstance(value, str):
        return Scalar(value, place)
    # JSON writes true, 10 and 0.5 as YAML files have them; dates are text.
    return Scalar(json.dumps(value, default=str).strip('"'), place)


def _places(text: str, file: str) -> tuple[Place, dict[str, Place]]:
    """Where the table starts, and where each of its keys stands first; `gates.x` in a section."""
    start = Place(file)
    places: dict[str, Place] = {}
    inside = found = False
    section = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if table := _TABLE.match(line):
            place = Place(file, number, len(line) - len(line.lstrip()) + 1)
            if not found:
                start, found = place, True
            inside, section = True, ""
            for name in _NAME.finditer(line, table.start(1), table.end(1)):
                places.setdefault(f"{section}{name[0]}", Place(file, number, name.start() + 1))
                section += f"{name[0]}."
        elif _ANY_TABLE.match(line) and not line[:1].isspace():
            inside = False
        elif inside and (key := _KEY.match(line)):
            places.setdefault(section + key[1], Place(file, number, key.start(1) + 1))
    return start, places


def _explain(message: str, text: str, file: str) -> Fault:
    at = _AT.search(message)
    place = Place(file, text.count("\n") + 1)
    if at is not None and at[1]:
        place = Place(file, int(at[1]), int(at[2]))
    reason = _AT.sub("", message).strip()
    return Fault(place, f"{reason[:1].lower()}{reason[1:]}")
