"""Which questions of a set become probes, and that the loader takes every one of them."""

from pathlib import Path
from typing import Any

import pytest
from tests.scenarios.writing import write_files

from compaction_eval.scenarios.importers.asking import askable
from compaction_eval.scenarios.importers.records import Conversation, Question
from compaction_eval.scenarios.importers.writing import scenario_files
from compaction_eval.scenarios.loader import load_file
from compaction_eval.scenarios.records import ProbeKind, Scenario

TALK: Any = (
    {"role": "system", "content": "You keep the seed bank's diary for Dr Ammer."},
    {"role": "user", "content": "The rye is in drawer K4, dried at 18 degrees on 3 racks."},
    {"role": "assistant", "content": "Noted: drawer K4."},
    {"role": "user", "content": "The rye went to drawer M9, beside the oats; 3 bags."},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": "Is Borro in charge of the oats?"},
    {"role": "assistant", "content": "He is."},
)


def ask(accept: Any = (), kind: ProbeKind = "recall", **keys: Any) -> Question:
    given = (accept,) if isinstance(accept, str) else tuple(accept)
    return Question(**{"id": "q", "kind": kind, "ask": "Where is it?", "accept": given, **keys})


def judged(*questions: Question) -> tuple[tuple[Question, ...], list[str]]:
    return askable(TALK, [{"name": "weigh_sacks"}], questions)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (ask("Z1"), "answer isn't said in the conversation"),
        (ask("K4", evidence=(3,)), "answer isn't in its evidence"),
        (ask("K4", ask="Is it in k4?"), "gives its answer away"),
        (ask("Borro", evidence=(1,)), "answer isn't in its evidence"),
        (ask(""), "no answer given"),
        (ask("K4", ask=" "), "no text"),
        (ask("K4\ud800"), "unpaired surrogate in it"),
        (ask("3"), "answer too common to be told from chance"),
        (ask("oats"), "answer is repeated by the newest user message"),
        (ask(["rye", "Borro"], match="all_of"), "answer isn't in its evidence"),
        (
            ask("Dr Ammer"),
            "answer is known without remembering, from system messages or tools",
        ),
        (ask(kind="abstention"), "unanswerable, and the set names no wrong answer"),
        (
            ask(kind="abstention", reject=("M9",)),
            "unanswerable, but its wrong answer stands in the conversation",
        ),
    ],
)
def test_a_question_that_measures_nothing_is_skipped_by_reason(
    question: Question, reason: str
) -> None:
    assert judged(question) == ((), [f"question: {reason}"])


def test_the_evidence_is_the_first_message_that_may_give_the_answer() -> None:
    found, _ = judged(ask("K4"), ask("K4", ask="Which?", evidence=(2, 1)))
    assert [one.evidence for one in found] == [(1,), (1,)]


def test_the_evidence_of_an_update_is_the_last_such_message() -> None:
    ((found,), _) = judged(ask("rye", kind="update", evidence=(1, 3)))
    assert found.evidence == (3,)


def test_forms_that_the_question_holds_are_left_out() -> None:
    ((found,), _) = judged(ask(["K4", "drawer"], ask="Which drawer?"))
    assert found.accept == ("K4",)


def test_parts_may_stand_together_in_one_message() -> None:
    ((found,), _) = judged(ask(["M9", "3 bags"], match="all_of"))
    assert (found.evidence, found.match) == ((3,), "all_of")


def test_wrong_answers_that_were_said_are_no_wrong_answers() -> None:
    ((found,), _) = judged(ask(kind="abstention", reject=("M9", "Q2")))
    assert (found.accept, found.reject, found.evidence) == ((), ("Q2",), ())


def test_a_question_is_asked_once_and_ids_are_made_safe_and_unique() -> None:
    found, reasons = judged(
        ask("K4", id="a b"), ask("M9", ask="where  is it?"), ask("M9", id="a/b", ask="Now?")
    )
    assert [one.id for one in found] == ["a-b", "a-b-2"]
    assert reasons == ["question: asked before"]


def loaded(folder: Path, *questions: Question) -> Scenario:
    found, _ = judged(*questions)
    given = Conversation("seeds", "Seeds", TALK, questions=found)
    write_files(folder, scenario_files(given, "seeds"))
    return load_file(folder / "seeds.yaml")[0]


def test_what_can_be_asked_is_written_as_probes_that_load(tmp_path: Path) -> None:
    scenario = loaded(
        tmp_path,
        ask("K4", evidence=(2,)),
        ask(["M9", "3 bags"], id="2", ask="And: now # 'here'?", match="all_of", kind="update"),
        ask(kind="abstention", id="3", ask="Who dries it?", reject=("Q2",)),
    )
    assert [(p.id, p.kind, p.accept, p.match, p.evidence, p.at) for p in scenario.probes] == [
        ("q", "recall", ("K4",), "contains", 2, (("end", 7),)),
        ("2", "update", ("M9", "3 bags"), "all_of", 3, (("end", 7),)),
        ("3", "abstention", (), "contains", None, (("end", 7),)),
    ]
    assert scenario.probes[1].ask == "And: now # 'here'?"
    assert scenario.probes[2].reject == ("Q2",)
