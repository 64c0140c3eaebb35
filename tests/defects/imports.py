"""Defects of importers and of the search for reuse probes.

Another scenario comes of most of these, whose digest is another, so the gate refuses to compare.
That is a detection of another kind: it says that the yardstick changed, not that anything is worse.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from tests.defects.planting import Defect, Patch

from compaction_eval.scenarios import reuse
from compaction_eval.scenarios.importers import chats


def cleaned(change: Any) -> Any:
    """`clean` whose kept messages are others."""

    def make(sound: Any) -> Any:
        def clean(raw: Any) -> Any:
            made = sound(raw)
            made.messages = change(made.messages)
            return made

        return clean

    return make


def without_tenth(messages: list[Any]) -> list[Any]:
    """All but every tenth message."""
    return [one for number, one in enumerate(messages, 1) if number % 10]


def without_answers(messages: list[Any]) -> list[Any]:
    """No tool answers."""
    return [one for one in messages if one["role"] != "tool"]


def cut_answers(messages: list[Any]) -> list[Any]:
    """Tool answers of at most twenty characters."""
    return [
        {**one, "content": one["content"][:20]} if one["role"] == "tool" else one
        for one in messages
    ]


def without_arguments(messages: list[Any]) -> list[Any]:
    """Calls without their arguments."""
    return [json.loads(ARGUMENTS.sub('"arguments": "{}"', json.dumps(one))) for one in messages]


def half(sound: Any) -> Any:
    """Every second reuse probe."""
    return lambda *arguments, **named: sound(*arguments, **named)[::2]


def all_free(sound: Any) -> Any:
    """Reuse probes that are all taken for free, so that none is in the headline."""
    return lambda *arguments, **named: tuple(
        replace(probe, free=True) for probe in sound(*arguments, **named)
    )


ARGUMENTS = re.compile(r'"arguments": "(?:[^"\\]|\\.)*"')
CLEAN = (chats, "clean")
BLOCKS = "block-truncation"

IMPORTS = (
    Defect(
        "import-loses-tenth",
        "The importer loses every tenth message.",
        BLOCKS,
        patches=(Patch(*CLEAN, cleaned(without_tenth)),),
        place="importer",
    ),
    Defect(
        "import-drops-answers",
        "The importer drops tool answers.",
        BLOCKS,
        patches=(Patch(*CLEAN, cleaned(without_answers)),),
        place="importer",
    ),
    Defect(
        "import-cuts-answers",
        "The importer cuts tool answers to twenty characters.",
        BLOCKS,
        patches=(Patch(*CLEAN, cleaned(cut_answers)),),
        place="importer",
    ),
    Defect(
        "import-loses-arguments",
        "The importer loses the arguments of calls.",
        BLOCKS,
        patches=(Patch(*CLEAN, cleaned(without_arguments)),),
        place="importer",
    ),
    Defect(
        "reuse-probes-halved",
        "Every second reuse probe is forgotten.",
        BLOCKS,
        patches=(Patch(reuse, "reuse_probes", half),),
        place="importer",
    ),
    Defect(
        "reuse-probes-all-free",
        "All reuse probes are taken for free, so that the headline has none.",
        BLOCKS,
        patches=(Patch(reuse, "reuse_probes", all_free),),
        place="importer",
    ),
)
