"""The keys of a configuration file, described once for its reader, its schema and its tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from compaction_eval.eval.models.settings import (
    DEADLINE,
    MOST_CONCURRENCY,
    MOST_RETRIES,
    RETRIES,
    TIMEOUT,
)
from compaction_eval.eval.validity import PROFILES
from compaction_eval.strategies.vocabulary import NAMES

EXECUTORS = ("auto", "inline", "processes")
MOST_REPEATS = 1_000
"""Far more than show a chance, and few enough for a plan to be made at once."""
LONGEST = 86_400
"""A day: a longer time limit is none, and the longest ones are more than a system's timers take."""

Shape = Literal["texts", "specs", "gates", "text", "number", "count", "seconds", "flag", "headers"]


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """One key: a long option of `run`, or in the section `gates` of `gate`, without its dashes; or
    of the section `models`, a setting."""

    shape: Shape
    about: str
    values: tuple[str, ...] = ()
    """The only values allowed, where there are such."""
    most: int | None = None
    """The largest number allowed."""


MODEL_OPTION_KEYS: Mapping[str, ConfigKey] = {
    "model": ConfigKey("text", "The model that is asked each probe; none if missing."),
    "judge": ConfigKey("text", "The model that also grades answers; none if missing."),
    "concurrency": ConfigKey("number", "Requests in flight at a time.", most=MOST_CONCURRENCY),
    "max-requests": ConfigKey("number", "Requests to models, at most."),
    "max-tokens-total": ConfigKey("number", "Tokens that models take and give, at most."),
    "max-cost": ConfigKey("text", "USD that models may cost."),
    "record": ConfigKey("text", "The cassette that replies are written to."),
    "replay": ConfigKey("text", "The cassette that replies are taken from."),
    "chaos": ConfigKey("text", "Faults to be put before the endpoint."),
}
"""The options that are about models, all but `model` of use only beside it."""

KEYS: Mapping[str, ConfigKey] = {
    "scenario": ConfigKey("texts", "Files, folders, ids or TAG:x; the shipped library if missing."),
    "transcript": ConfigKey("texts", "Transcripts to measure as they stand, by path."),
    "format": ConfigKey("text", "The format of the transcripts; auto if missing."),
    "strategy": ConfigKey("specs", "Strategies to compare; all built-in ones if missing."),
    "budget": ConfigKey("texts", "Tokens (2000) or shares of each conversation (30%)."),
    "summarizer": ConfigKey("specs", "Summarizers, models too; extractive if missing."),
    "controls": ConfigKey("flag", "Whether the controls are added; true if missing."),
    "repeats": ConfigKey("number", "How often each cell is measured.", most=MOST_REPEATS),
    "encoding": ConfigKey("text", "The BPE encoding that counts tokens.", NAMES),
    "profile": ConfigKey(
        "text", "The API whose rules the requests are checked by.", tuple(PROFILES)
    ),
    "jobs": ConfigKey("number", "Worker processes; one per processor if missing."),
    "executor": ConfigKey("text", "Where cells are measured.", EXECUTORS),
    "time-limit": ConfigKey(
        "seconds", "Seconds that one call of your own code may take.", most=LONGEST
    ),
    "output": ConfigKey("texts", "Result files, by suffix: .json, .jsonl, .csv, .md, .xml, .html."),
    "out": ConfigKey("text", "The run folder; runs/ID if missing."),
    "quiet": ConfigKey("flag", "Print errors and the last line only."),
    **MODEL_OPTION_KEYS,
}

GATE_KEYS: Mapping[str, ConfigKey] = {
    "baseline": ConfigKey("text", "The baseline file that runs are compared with."),
    "fail-under": ConfigKey("gates", "METRIC=VALUE: fails below it."),
    "fail-over": ConfigKey("gates", "METRIC=VALUE: fails above it."),
    "fail-on-drop": ConfigKey("gates", "METRIC=2pp or METRIC=5%: fails for a larger drop."),
    "fail-on-rise": ConfigKey("gates", "METRIC=2pp or METRIC=5%: fails for a larger rise."),
    "allow-flips": ConfigKey("count", "Verdicts that may get worse; 0 if missing."),
    "allow-removed": ConfigKey("flag", "Whether scenarios and rows may be gone."),
    "statistical": ConfigKey("flag", "Whether statistics decide; where a model was, if missing."),
}
"""The keys of the section `gates`."""
GATES = "gates"

MODEL_KEYS: Mapping[str, ConfigKey] = {
    "base-url": ConfigKey("text", "The endpoint's address; goes behind OPENAI_BASE_URL."),
    "key-variable": ConfigKey("text", "The variable with the key; OPENAI_API_KEY if missing."),
    "headers": ConfigKey("headers", "Headers of every request; env:VARIABLE takes a variable's."),
    "timeout": ConfigKey(
        "seconds", f"Seconds that one attempt may take; {TIMEOUT:g} if missing.", most=LONGEST
    ),
    "deadline": ConfigKey(
        "seconds", f"Seconds for a request with its retries; {DEADLINE:g} if missing.", most=LONGEST
    ),
    "retries": ConfigKey(
        "count", f"How often a request is sent again; {RETRIES} if missing.", most=MOST_RETRIES
    ),
    "context-tokens": ConfigKey(
        "number", "Tokens of the models' window, by which material for summaries is parted."
    ),
}
"""The keys of the section `models`, in which each way to reach models has a section."""
MODELS, OPENAI = "models", "openai"


def config_schema() -> dict[str, Any]:
    """The JSON Schema of a configuration file, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "compaction-eval configuration",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            **_properties(KEYS),
            GATES: {
                "description": "What `gate` holds a run to.",
                "type": "object",
                "additionalProperties": False,
                "properties": _properties(GATE_KEYS),
            },
            MODELS: {
                "description": "How models are reached.",
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    OPENAI: {
                        "description": "Any OpenAI-compatible endpoint.",
                        "type": "object",
                        "additionalProperties": False,
                        "properties": _properties(MODEL_KEYS),
                    }
                },
            },
        },
    }


def _properties(keys: Mapping[str, ConfigKey]) -> dict[str, Any]:
    return {
        name: {"description": key.about, **_SHAPES[key.shape], **_bounds(key)}
        for name, key in keys.items()
    }


def _bounds(key: ConfigKey) -> dict[str, Any]:
    choice = {"enum": list(key.values)} if key.values else {}
    return choice if key.most is None else {**choice, "maximum": key.most}


# YAML's plain 2000 is a number to an editor, and text to our reader.
_SCALAR: dict[str, Any] = {"type": ["string", "number"]}
_SPEC: dict[str, Any] = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "required": ["use"],
            "properties": {
                "use": {"type": "string", "description": "A registered name, ./file.py:NAME, …"},
                "name": {"type": "string", "description": "The label in tables."},
            },
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
        },
    ]
}


def _one_or_more(item: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


_SHAPES: Mapping[Shape, dict[str, Any]] = {
    "texts": _one_or_more(_SCALAR),
    "specs": _one_or_more(_SPEC),
    "gates": _one_or_more({"type": "string"}),
    "text": {"type": "string"},
    "count": {"type": "integer", "minimum": 0},
    "number": {"type": "integer", "minimum": 1},
    "seconds": {"type": "number", "exclusiveMinimum": 0},
    "flag": {"type": "boolean"},
    "headers": {"type": "object", "additionalProperties": _SCALAR},
}
