"""LoCoMo, LongMemEval and BFCL's memory questions become conversations with probes."""

import json
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.records import Account, Imported, Question


def read(path: Path, value: Any, form: str) -> Imported:
    path.write_text(json.dumps(value), "utf-8")
    return import_file(find_formats(form), path)


def turn(speaker: str, id: str, text: str, **keys: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": id, "text": text, **keys}


TALK = {
    "speaker_a": "Ida",
    "speaker_b": "Per",
    "session_2_date_time": "4 May",
    "session_2": [
        turn("Per", "D2:1", "My boat is called Mistral now."),
        turn("Ida", "D2:2", "", blip_caption="a green boat"),
    ],
    "session_1": [
        turn("Ida", "D1:1", "I keep bees and quails in Tarm."),
        turn("Per", "D1:2", "I row on Sundays."),
    ],
}


def locomo(folder: Path, *qa: dict[str, Any]) -> Imported:
    sample = {"sample_id": "conv-1", "conversation": TALK, "qa": list(qa)}
    return read(folder / "talks.json", [sample], "locomo")


def asked(imported: Imported) -> tuple[Question, ...]:
    (conversation,) = imported.conversations
    return conversation.questions


def test_sessions_are_joined_in_order_with_names_and_dates(tmp_path: Path) -> None:
    imported = locomo(tmp_path)
    (conversation,) = imported.conversations
    assert conversation.name == "talks-conv-1"
    assert list(conversation.messages) == [
        {"role": "user", "content": "Ida: I keep bees and quails in Tarm."},
        {"role": "assistant", "content": "Per: I row on Sundays."},
        {"role": "assistant", "content": "[4 May]\nPer: My boat is called Mistral now."},
        {"role": "user", "content": "Ida: [shares a picture: a green boat]"},
    ]
    assert imported.account == Account(
        kept=4, repaired=(("date of a session put before its first message", 1),)
    )


def test_what_is_no_turn_or_session_of_a_talk_is_counted(tmp_path: Path) -> None:
    talk = {**TALK, "session_3": None, "session_4": [{"speaker": "Ida"}], "session_x": 1}
    imported = read(tmp_path / "talks.json", {"conversation": talk}, "locomo")
    assert dict(imported.account.skipped) == {
        "session without turns": 1,
        "turn without speaker and id": 1,
    }


def test_categories_are_kinds_and_evidence_is_found_by_id(tmp_path: Path) -> None:
    single = {"question": "Whose town?", "answer": "Tarm", "evidence": ["D1:1"], "category": 4}
    when = {"question": "When?", "answer": "4 May", "evidence": ["D2:1"], "category": 2}
    several = {"question": "Which animals?", "answer": "quails, bees", "evidence": ["D1:1; D1:2"]}
    wrong = {"question": "Ida's boat?", "category": 5, "adversarial_answer": "Sirocco"}
    found = asked(locomo(tmp_path, single, when, {**several, "category": 1}, wrong))
    assert [(q.kind, q.accept, q.reject, q.match, q.evidence) for q in found] == [
        ("recall", ("Tarm",), (), "contains", (0,)),
        ("temporal", ("4 May",), (), "contains", (2,)),
        ("recall", ("quails", "bees"), (), "all_of", (0,)),
        ("abstention", (), ("Sirocco",), "contains", ()),
    ]


def test_what_a_talk_cannot_be_asked_is_counted(tmp_path: Path) -> None:
    imported = locomo(
        tmp_path,
        {"question": "Ida's boat?", "category": 5, "evidence": ["D2:1"]},
        {"question": "Per's boat?", "category": 5, "adversarial_answer": "Mistral"},
        {"question": "Which day?", "answer": "Sundays", "category": 4, "evidence": ["D9:9"]},
        {"question": "Which day then?", "answer": "Sundays", "category": 4, "evidence": ["D1:1"]},
        {"question": "How many?", "answer": 2022, "category": 1},
        {"question": "What?", "answer": "x", "category": 6},
        "noise",
    )
    assert asked(imported) == ()
    assert dict(imported.account.skipped) == {
        "question: unanswerable, and the set names no wrong answer": 1,
        "question: unanswerable, but its wrong answer stands in the conversation": 1,
        "question: its evidence isn't in the conversation": 1,
        "question: answer isn't in its evidence": 1,
        "question: answer isn't said in the conversation": 1,
        "question: unknown category '6'": 1,
        "question: not an object": 1,
    }


@pytest.mark.parametrize("id", ["D2:01", "D:2:1", "D02:1", "D9:9; D2:1"])
def test_evidence_is_found_however_its_id_is_written(tmp_path: Path, id: str) -> None:
    row = {"question": "Which boat?", "answer": "Mistral", "category": 4, "evidence": [id]}
    (question,) = asked(locomo(tmp_path, row))
    assert question.evidence == (2,)


def test_an_answer_with_a_reason_ends_before_it(tmp_path: Path) -> None:
    row = {"question": "Which boat?", "answer": "Mistral; he says so", "evidence": ["D2:1"]}
    (question,) = asked(locomo(tmp_path, {**row, "category": 3}))
    assert question.accept == ("Mistral",)
    other = locomo(tmp_path, {**row, "category": 4})
    assert dict(other.account.skipped)["question: answer isn't said in the conversation"] == 1


def entry(id: str, type: str, answer: Any, **keys: Any) -> dict[str, Any]:
    return {
        "question_id": id,
        "question_type": type,
        "question": "Where do the quails live?",
        "answer": answer,
        "question_date": "2031/05/04",
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2031/05/01", "2031/05/02"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "The quails live in Tarm."},
                {"role": "assistant", "content": "Good."},
            ],
            [
                {
                    "role": "user",
                    "content": "They moved on from Tarm to Skjern.",
                    "has_answer": True,
                },
                {"role": "assistant", "content": "In Skjern, then."},
                {"role": "user", "content": "Thanks."},
                {"role": "assistant", "content": ""},
            ],
        ],
        "answer_session_ids": ["s2"],
        **keys,
    }


@pytest.mark.parametrize(
    ("type", "kind"),
    [
        ("single-session-user", "recall"),
        ("single-session-assistant", "recall"),
        ("single-session-preference", "constraint"),
        ("multi-session", "recall"),
        ("knowledge-update", "update"),
    ],
)
def test_question_types_are_kinds(tmp_path: Path, type: str, kind: str) -> None:
    imported = read(tmp_path / "hay.json", [entry("q7", type, "Skjern")], "longmemeval")
    (question,) = asked(imported)
    assert (question.id, question.kind, question.evidence) == ("q7", kind, (2,))
    assert imported.conversations[0].name == "hay-q7"
    assert imported.conversations[0].messages[2].get("content") == (
        "[2031/05/02]\nThey moved on from Tarm to Skjern."
    )
    assert dict(imported.account.skipped) == {"empty": 1}


def test_sessions_are_put_in_the_order_of_their_dates(tmp_path: Path) -> None:
    row = entry("q7", "knowledge-update", "Skjern")
    dates = ["2031/05/01 (Thu) 21:10", "2031/05/01 (Thu) 08:30"]
    for key in ("haystack_session_ids", "haystack_sessions"):
        row[key] = row[key][::-1]
    imported = read(tmp_path / "hay.json", [{**row, "haystack_dates": dates}], "longmemeval")
    (question,) = asked(imported)
    said = [message["content"] for message in imported.conversations[0].messages]
    assert said[0] == "[2031/05/01 (Thu) 08:30]\nThe quails live in Tarm."
    assert question.evidence == (2,)
    assert dict(imported.account.repaired)["sessions put in the order of their dates"] == 1


def test_sessions_whose_dates_say_no_order_stay_as_they_are(tmp_path: Path) -> None:
    row = entry("q7", "knowledge-update", "Skjern", haystack_dates=["May 4", "April 7"])
    imported = read(tmp_path / "hay.json", [row], "longmemeval")
    assert str(imported.conversations[0].messages[0]["content"]).startswith("[May 4]")


def test_a_question_about_time_tells_its_own_date(tmp_path: Path) -> None:
    row = entry("q7", "temporal-reasoning", "Skjern", answer_session_ids=[])
    (question,) = asked(read(tmp_path / "hay.json", [row], "longmemeval"))
    assert (question.kind, question.ask) == (
        "temporal",
        "[2031/05/04] Where do the quails live?",
    )


def test_a_haystack_whose_question_cannot_be_asked_is_left_out_and_counted(tmp_path: Path) -> None:
    rows = [
        entry("q1", "knowledge-update", "Skjern"),
        entry("q2_abs", "multi-session", "You never said."),
        entry("q3", "multi-session", "Esbjerg"),
        entry("q4", "riddle", "Skjern"),
    ]
    imported = read(tmp_path / "hay.json", rows, "longmemeval")
    assert [each.name for each in imported.conversations] == ["hay-q1"]
    assert dict(imported.account.skipped) == {
        "empty": 4,
        "question: unanswerable, and the set names no wrong answer": 1,
        "question: answer isn't said in the conversation": 1,
        "question: unknown type 'riddle'": 1,
        "message of a conversation whose question can't be asked": 15,
    }


PREREQUISITES = [
    {
        "id": f"memory_prereq_{number}-shop-{number}",
        "scenario": "shop",
        "question": [[{"role": "user", "content": text}] for text in texts],
    }
    for number, texts in enumerate(
        [["My name is Ida, and I'd like a lamp.", "Make it 40 cm."], ["The lamp is dented."]]
    )
]
QUESTIONS = [
    {"id": f"memory_{n}-shop-{n}", "scenario": "shop", "question": [[{"content": ask}]]}
    for n, ask in enumerate(["Who am I?", "How tall is the lamp, in cm?", "What of it?"])
]
ANSWERS = [
    {"id": "memory_0-shop-0", "ground_truth": ["Ida"], "source": '"My name is Ida..."'},
    {"id": "memory_1-shop-1", "ground_truth": ["40", "forty"], "source": "Make it 40 cm."},
]


def memory(folder: Path, *, answers: str = "possible_answer.json") -> dict[str, Path]:
    parts = {
        "told": folder / "memory_prereq_conversation" / "memory_shop.json",
        "asked": folder / "BFCL_v4_memory.json",
        "answers": folder / answers,
    }
    for (_, path), rows in zip(parts.items(), (PREREQUISITES, QUESTIONS, ANSWERS), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return parts


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("told", "memory_shop"),
        ("asked", "BFCL_v4_memory-shop"),
        ("answers", "possible_answer-shop"),
    ],
)
def test_any_file_of_a_set_finds_the_others(tmp_path: Path, part: str, name: str) -> None:
    imported = import_file(find_formats("auto"), memory(tmp_path)[part])
    (conversation,) = imported.conversations
    assert conversation.name == name
    reply = {"role": "assistant", "content": "Noted."}
    assert list(conversation.messages) == [
        {"role": "user", "content": "My name is Ida, and I'd like a lamp."},
        reply,
        {"role": "user", "content": "Make it 40 cm."},
        reply,
        {"role": "user", "content": "The lamp is dented."},
        reply,
    ]
    assert [(q.accept, q.evidence) for q in conversation.questions] == [
        (("Ida",), (0,)),
        (("40", "forty"), (2,)),
    ]
    assert imported.account == Account(
        kept=6,
        skipped=(("question: no answer given", 1),),
        repaired=(("reply added to a turn, as the set has none", 3),),
    )


def test_files_of_a_set_that_are_given_together_are_read_once(tmp_path: Path) -> None:
    parts = memory(tmp_path, answers="elsewhere/gold.json")
    files = tuple(parts.values())
    told, asked_, answers = (
        import_file(find_formats("auto"), path, beside=files) for path in files
    )
    assert len(told.conversations[0].questions) == 2
    assert (asked_.conversations, asked_.companion) == ((), True)
    assert (answers.conversations, answers.companion) == ((), True)


def test_questions_without_their_conversations_are_counted(tmp_path: Path) -> None:
    parts = memory(tmp_path)
    other = [*QUESTIONS, {**QUESTIONS[0], "id": "memory_9-port-0", "scenario": "port"}]
    parts["asked"].write_text("".join(json.dumps(row) + "\n" for row in other), "utf-8")
    imported = import_file(find_formats("auto"), parts["asked"])
    reason = "question: its conversation isn't beside the file"
    assert dict(imported.account.skipped)[reason] == 1


def test_a_broken_file_that_nobody_gave_is_passed_over(tmp_path: Path) -> None:
    parts = memory(tmp_path)
    (tmp_path / "a_memory.json").write_text("{")
    assert len(import_file(find_formats("auto"), parts["asked"]).conversations) == 1
