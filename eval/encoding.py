"""Records as JSON and back: one line per cell, compact, the same bytes for the same record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from operator import attrgetter
from typing import Any, TypeVar

from compaction_eval.eval.records import (
    AnswerRecord,
    CellKey,
    CellRecord,
    ProbeRecord,
    RequestRecord,
)

Record = AnswerRecord | CellKey | CellRecord | ProbeRecord | RequestRecord
R = TypeVar("R", AnswerRecord, CellKey, CellRecord, ProbeRecord, RequestRecord)


def encode_cell(cell: CellRecord) -> str:
    """A cell as one line of JSON, without a newline. Fields at their default are left out."""
    plain = _plain(cell)
    plain["key"] = _plain(cell.key)
    for name in ("requests", "probes"):
        if name in plain:
            plain[name] = [_plain(record) for record in plain[name]]
    for probe in plain.get("probes", ()):
        if "answer" in probe:
            probe["answer"] = _plain(probe["answer"])
    return json.dumps(plain, ensure_ascii=True, separators=(",", ":"))


def decode_cell(line: str) -> CellRecord:
    """A cell from its line. ValueError for anything else, such as a line that was cut off."""
    data = json.loads(line)
    try:
        left = data.get("facts_left", ())
        data["facts_left"] = tuple((position, fact, seen) for position, fact, seen in left)
        data["key"] = _record(CellKey, data["key"])
        data["requests"] = tuple(_request(one) for one in data.get("requests", ()))
        data["probes"] = tuple(_probe(one) for one in data.get("probes", ()))
        return _record(CellRecord, data)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not a cell of this version: {error}") from error


def _default(field: Field[Any]) -> object:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING


_FIELDS = {
    kind: (
        tuple(field.name for field in fields(kind)),
        attrgetter(*(field.name for field in fields(kind))),
        tuple(map(_default, fields(kind))),
    )
    for kind in (AnswerRecord, CellKey, CellRecord, ProbeRecord, RequestRecord)
}
"""Of each record the names of its fields, what gets all their values, and their defaults."""


def _plain(record: Record) -> dict[str, Any]:
    """A record's fields, in order, those at their default apart."""
    names, values, defaults = _FIELDS[type(record)]
    told = zip(names, values(record), defaults, strict=True)
    return {name: value for name, value, default in told if value != default}


def _record(kind: type[R], data: Mapping[str, Any]) -> R:
    return kind(**data)


def _probe(data: dict[str, Any]) -> ProbeRecord:
    if "answer" in data:
        data["answer"] = _record(AnswerRecord, data["answer"])
    return _record(ProbeRecord, data)


def _request(data: dict[str, Any]) -> RequestRecord:
    for name in ("view", "dropped"):
        parts = data.get(name, ())
        data[name] = tuple(part if isinstance(part, str) else tuple(part) for part in parts)
    for name in ("faults", "refused_by", "events"):
        data[name] = tuple(data.get(name, ()))
    return _record(RequestRecord, data)
