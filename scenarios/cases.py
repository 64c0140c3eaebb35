"""Recorded edge cases into scenarios in memory: one JSON object a line, judged by all properties.

A line has `id` and `messages`, and may have `budget` and `input_valid`; other keys are ignored.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from compaction_eval.scenarios.errors import Fault, FaultsError
from compaction_eval.scenarios.importers.documents import MOST_FAULTS
from compaction_eval.scenarios.raw_messages import message_fault
from compaction_eval.scenarios.records import Place, Scenario, Stress
from compaction_eval.scenarios.shapes import is_word
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.messages import Message, role, tool_calls

BUDGET = "30%"
"""Where a case names none."""
CLOSING: Mapping[str, str] = {"role": "assistant", "content": "Done."}
"""What the agent says at the end of a case that ends without it, so that a request is made."""


def read_cases(path: Path, check_budget: Callable[[str], object]) -> list[Scenario]:
    """The cases of a file, in order.

    `check_budget` raises ConfigurationError for a text that is no budget. Raises FaultsError with
    every line that is no case, ConfigurationError for a file that can't be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    cases: list[Scenario] = []
    faults: list[Fault] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        place = Place(str(path), number)
        try:
            cases.append(_case(line, place, check_budget))
        except json.JSONDecodeError as error:
            faults.append(Fault(replace(place, column=error.colno), f"not JSON: {error.msg}"))
        except ValueError as error:
            faults.append(Fault(place, str(error)))
        except ConfigurationError as error:
            faults.append(Fault(place, str(error)))
    if not cases and not faults:
        faults.append(Fault(Place(str(path)), "holds no cases"))
    if faults:
        more = len(faults) - MOST_FAULTS
        if more > 0:
            last = faults[MOST_FAULTS]
            faults = faults[:MOST_FAULTS]
            faults.append(Fault(last.place, f"{last.message} (and {more - 1} more lines)"))
        raise FaultsError(faults)
    return cases


def _case(line: bytes, place: Place, check_budget: Callable[[str], object]) -> Scenario:
    """One case; ValueError or ConfigurationError says what is wrong with the line."""
    record = _parsed(line)
    name, messages = record.get("id"), record.get("messages")
    if not isinstance(name, str) or not is_word(name):
        raise ValueError("a case has an `id` of ASCII letters, digits, `_`, `.` and `-`")
    budget, valid = record.get("budget", BUDGET), record.get("input_valid", True)
    if isinstance(budget, bool) or not isinstance(budget, str | int):
        raise ValueError("`budget` is a number of tokens or a percentage such as 30%")
    check_budget(str(budget))
    if not isinstance(valid, bool):
        raise ValueError("`input_valid` is true or false")
    closed = _closed(_messages(messages))
    return Scenario(
        id=name,
        title=name,
        lang="en",
        messages=closed,
        places=(place,) * len(closed),
        stress=Stress(budget=str(budget), holds=(), valid=valid),
        file=place.file,
        digest=hashlib.sha256(line).hexdigest(),
    )


def _parsed(line: bytes) -> Mapping[str, object]:
    try:
        record = json.loads(line.decode("utf-8-sig"), object_pairs_hook=_once_each)
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None  # it is a ValueError too, with a longer text
    except RecursionError:
        raise ValueError("nested too deeply to be read") from None
    if not isinstance(record, dict):
        raise ValueError("a case is an object with `id` and `messages`")
    return record


def _once_each(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """An object, none of whose keys is given twice: JSON would silently take the last."""
    for key, times in Counter(key for key, _ in pairs).items():
        if times > 1:
            raise ValueError(f"the key '{key}' is given {times} times in one object")
    return dict(pairs)


def _messages(value: object) -> list[Message]:
    if not isinstance(value, list) or not value:
        raise ValueError("a case has `messages`, a list of one message or more")
    for at, message in enumerate(value):
        fault = message_fault(message)
        if fault:
            raise ValueError(f"message {at}: {fault}")
    return [cast("Message", message) for message in value]


def _closed(messages: Sequence[Message]) -> tuple[Message, ...]:
    last = messages[-1]
    if role(last) == "assistant" and not tool_calls(last):
        return tuple(messages)
    return (*messages, cast("Message", dict(CLOSING)))
