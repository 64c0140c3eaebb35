"""The second table and the sentence on a model's answers; nothing where none was asked."""

import io
from typing import Any

from compaction_eval.reports.marks import marks_of
from compaction_eval.reports.recalled import (
    HEADINGS,
    judge_lines,
    print_recalled,
    recall_sentence,
    recalled_section,
)
from compaction_eval.reports.table import console, print_table

ASKED: dict[str, Any] = {
    "recall": 0.75,
    "answers": 20,
    "answer_errors": 0,
    "answer_context_errors": 0,
    "kept_recalled": 12,
    "kept_missed": 3,
    "lost_recalled": 1,
    "lost_missed": 4,
}
MANIFEST = {"model": "openai:tiny\x1b[31m"}


def shown(rows: Any) -> str:
    stream = io.StringIO()
    print_recalled(rows, marks_of(()), console(stream, 100))
    return stream.getvalue()


def test_nothing_is_said_where_no_model_was_asked(row: Any) -> None:
    rows = [row()]
    assert shown(rows) == ""
    assert recalled_section(rows, marks_of(())) == []
    assert recall_sentence(rows, {}) == ""


def test_the_four_ways_are_told_for_each_row(row: Any) -> None:
    rows = [row("a", **ASKED), row("b", budget="50%", **{**ASKED, "lost_missed": 40})]
    lines = shown(rows).splitlines()
    assert any(line.split() == ["30%", "a", "12", "3", "1", "4"] for line in lines)
    assert any(line.split() == ["50%", "b", "12", "3", "1", "40"] for line in lines)
    assert "| 30% | a | 12 | 3 | 1 | 4 |" in recalled_section(rows, marks_of(()))
    assert all(heading in "\n".join(recalled_section(rows, marks_of(()))) for heading in HEADINGS)


def test_the_sentence_tells_the_models_failures_from_the_compactions(row: Any) -> None:
    told = recall_sentence(
        [row(**{**ASKED, "answer_errors": 2, "answer_context_errors": 1})], MANIFEST
    )
    assert told == (
        "Of what the views still held, openai:tiny\\x1b[31m gave 12 of 15 (80.0%) in its answers;"
        " of what they had lost, 1 of 5. 2 questions got no answer, 1 of them since the view"
        " outgrew the model's window; they're in no share."
    )


def test_a_judge_is_told_with_its_agreement_and_its_leniency(row: Any) -> None:
    assert judge_lines([row(**ASKED)]) == []
    judged = {"judged": 20, "judge_agreement": 0.9, "judge_kappa": 0.7,
              "judge_right": 12, "judge_more": 2,
              "judge_less": 0}  # fmt: skip
    (line,) = judge_lines([row(**ASKED, **judged), row(**ASKED, **{**judged, "judge_kappa": None})])
    assert "agrees with the matchers on 90.0% of 40 answers, kappa 0.80" in line
    assert "4 that it accepts and they don't, 0 the other way round" in line
    assert "Judges accept wrong answers more often" in line


def test_recall_and_missing_answers_are_columns_of_the_table(row: Any) -> None:
    stream = io.StringIO()
    rows = [row(**{**ASKED, "answer_errors": 7})]
    print_table(rows, marks_of(()), console(stream, 200))
    assert "recall" in stream.getvalue()
    assert "75.0%" in stream.getvalue()
    assert "answer" in stream.getvalue()
