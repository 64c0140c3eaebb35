"""A short transcript written for the importers, and the scenarios that an import makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.scenarios.writing import write_files

from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.naming import Ids
from compaction_eval.scenarios.importers.writing import scenario_files
from compaction_eval.scenarios.library import select
from compaction_eval.scenarios.records import Scenario

ORDERS = 12


def messages() -> list[dict[str, Any]]:
    """An agent looks orders up, and uses what it found a few calls later."""
    said: list[dict[str, Any]] = [
        {"role": "system", "content": "You look after the orders of a lamp workshop."}
    ]
    for number in range(1, ORDERS + 1):
        order, parcel = f"LW-{4100 + 37 * number}", f"PX{7300 + 91 * number}Q"
        said += [
            {"role": "user", "content": f"Where is the order {order}? The customer rang again."},
            _call(2 * number - 1, "find_order", {"order": order}),
            _answer(2 * number - 1, f"order {order}: packed, parcel {parcel}, shelf {number}"),
            _call(2 * number, "track", {"parcel": parcel}),
            _answer(2 * number, f"{parcel} left the depot at {7 + number}:4{number % 10}"),
            {"role": "assistant", "content": "It left the depot today and should arrive tomorrow."},
        ]
        if number > 2:
            earlier = f"PX{7300 + 91 * (number - 2)}Q"
            said += [
                {"role": "user", "content": "And tell the one before last that theirs is on time."},
                _call(100 + number, "notify", {"parcel": earlier}),
                _answer(100 + number, "sent"),
            ]
    return [*said, {"role": "assistant", "content": "All of them have been told."}]


def _call(number: int, name: str, arguments: dict[str, str]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{number}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _answer(number: int, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"call_{number}", "content": content}


def imported(folder: Path) -> list[Scenario]:
    """The scenarios that the importers make of the transcript, written to a folder and loaded."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "workshop.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in messages()), "utf-8")
    made = folder / "made"
    ids = Ids()
    for conversation in import_file(find_formats("openai"), source).conversations:
        write_files(made, scenario_files(conversation, ids.take(conversation.name), "en"))
    return select([str(made)])
