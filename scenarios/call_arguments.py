"""Arguments of calls that no API would have sent: they stand as they are, but were hardly meant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.messages import call_name, tool_calls

ON_PURPOSE = "edge"
"""Tag of scenarios in which a call may be broken because that is what they are about."""
_SHOWN = 60


def no_objects(scenario: Scenario) -> Iterator[Fault]:
    """Each call that a scenario file writes with arguments that are no JSON object.

    Recorded calls, which stand in a file of their own, are what an agent really sent.
    """
    if ON_PURPOSE in scenario.tags:
        return
    own = Path(scenario.file)
    for message, place in zip(scenario.messages, scenario.places, strict=False):
        if Path(place.file) != own:
            continue
        for call in tool_calls(message):
            function = call.get("function")
            text = function.get("arguments") if isinstance(function, Mapping) else None
            if isinstance(text, str) and not _is_object(text):
                shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
                yield Fault(
                    place,
                    f"the arguments of '{call_name(call)}' are no JSON object: '{shown}'; write "
                    "`args` as a mapping, or quote the keys and texts inside",
                )


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
