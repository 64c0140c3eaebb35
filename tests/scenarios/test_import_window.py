"""A stretch of a conversation: whole blocks, and everything that points into it moved along."""

from dataclasses import replace
from typing import Any

import pytest

from compaction_eval.scenarios.importers.records import Conversation, Question
from compaction_eval.scenarios.importers.usage import Usage
from compaction_eval.scenarios.importers.window import Window
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.strategies.errors import ConfigurationError


def say(speaker: str, text: str) -> Any:
    return {"role": speaker, "content": text}


def call(*ids: str) -> Any:
    calls = [
        {"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def answer(id: str) -> Any:
    return {"role": "tool", "tool_call_id": id, "content": f"result of {id}"}


MESSAGES: tuple[Any, ...] = (
    say("system", "Be brief."),  # 1
    say("user", "The pump is P-77."),  # 2
    call("a", "b"),  # 3
    answer("a"),  # 4
    answer("b"),  # 5
    say("assistant", "Done with hall 4."),  # 6
    say("user", "And the valve?"),  # 7
    call("c"),  # 8
    answer("c"),  # 9
    say("assistant", "It is shut."),  # 10
)
WHOLE = Conversation("talk", "Talk", MESSAGES)


def kept(window: Window, conversation: Conversation = WHOLE) -> list[int]:
    left, _ = window.cut(conversation)
    return [] if left is None else [MESSAGES.index(message) + 1 for message in left.messages]


@pytest.mark.parametrize(
    ("window", "positions"),
    [
        (Window(), list(range(1, 11))),
        (Window(first=2, last=2), [1, 2]),
        (Window(first=6), [1, 6, 7, 8, 9, 10]),
        (Window(last=6), [1, 2, 3, 4, 5, 6]),
        (Window(first=3, last=5), [1, 3, 4, 5]),
        (Window(first=4, last=7), [1, 6, 7]),
        (Window(first=2, last=4), [1, 2]),
        (Window(first=7, last=99), [1, 7, 8, 9, 10]),
        (Window(most=10), list(range(1, 11))),
        (Window(most=9), list(range(1, 10))),
        (Window(most=8), list(range(1, 8))),
        (Window(most=4), [1, 2]),
        (Window(first=6, most=3), [1, 6, 7]),
        (Window(first=6, most=4), [1, 6, 7]),
        (Window(first=6, most=5), [1, 6, 7, 8, 9]),
    ],
)
def test_whole_blocks_stay_and_system_messages_always(window: Window, positions: list[int]) -> None:
    assert kept(window) == positions


def test_what_is_left_out_is_counted_by_reason() -> None:
    _, reasons = Window(first=4, last=9, most=4).cut(WHOLE)
    assert reasons == {
        "message outside of --from and --to": 2,
        "message of a tool block that --from, --to or --max-messages would cut": 4,
        "message after --max-messages": 1,
    }


@pytest.mark.parametrize("window", [Window(first=11), Window(first=4, last=5), Window(most=1)])
def test_a_conversation_of_which_nothing_is_left_is_none(window: Window) -> None:
    left, reasons = window.cut(WHOLE)
    assert left is None
    assert sum(reasons.values()) == len(MESSAGES)


def test_bounds_the_wrong_way_round_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="--to 3 is before --from 4"):
        Window(first=4, last=3)


def test_an_untouched_conversation_stays_the_same() -> None:
    given = replace(WHOLE, usage=Usage(3, 100))
    assert Window(first=1, last=10, most=10).cut(given) == (given, {})


@pytest.mark.parametrize(
    ("window", "compactions"),
    [
        (Window(first=6), [(2, 1)]),
        (Window(first=5), [(2, 1)]),
        (Window(first=7), []),
        (Window(last=6), []),
        (Window(last=7), [(6, 5)]),
        (Window(first=2, last=9), [(6, 5)]),
    ],
)
def test_recorded_compactions_move_along_or_are_left_out_and_told(
    window: Window, compactions: list[tuple[int, int]]
) -> None:
    # After the sixth message, with the sixth kept as it was.
    given = replace(WHOLE, compactions=(RecordedCompaction(6, 5, "P-77"),), usage=Usage(3, 100))
    left, reasons = window.cut(given)
    assert left is not None
    assert [(each.at, each.kept_from) for each in left.compactions] == compactions
    assert reasons.get("recorded compaction outside of what was kept", 0) == (not compactions)
    assert left.usage == Usage()


def test_a_compaction_at_the_very_end_stays_where_the_end_does() -> None:
    given = replace(WHOLE, compactions=(RecordedCompaction(10, 10, "All."),))
    left, _ = Window(first=6).cut(given)
    assert left is not None
    assert [(each.at, each.kept_from) for each in left.compactions] == [(6, 6)]


def test_questions_keep_their_evidence_or_go() -> None:
    pump = Question("q1", "recall", "Which pump?", ("P-77",), evidence=(1,))
    hall = Question("q2", "recall", "Which hall?", ("hall 4",), evidence=(5,))
    given = replace(WHOLE, questions=(pump, hall))
    left, reasons = Window(first=6).cut(given)
    assert left is not None
    assert left.questions == (replace(hall, evidence=(1,)),)
    assert reasons["question whose evidence isn't kept"] == 1
