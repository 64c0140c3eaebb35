"""Which facts left the view, which of them a summariser was shown, and which it kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.eval.recall.conftest import talk

from compaction_eval.eval.cells import measure
from compaction_eval.eval.encoding import decode_cell, encode_cell
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.eval.script import prepare
from compaction_eval.strategies.factories import guarded_strategy_factory
from compaction_eval.strategies.guard import Limits
from compaction_eval.strategies.loading import load_strategy, load_summarizer
from compaction_eval.strategies.specs import Spec, parse_spec
from compaction_eval.strategies.tokens import TokenCounter

COUNTER = TokenCounter()
KEEPS_TWO = "count-summary(max_messages=3, keep_recent=2)"
Counts = tuple[int | None, int | None, int | None]


def measured(strategy: Any, summarizer: str, budget: int = 10_000) -> CellRecord:
    key = CellKey("talk0", "", "s", "b", summarizer)
    script = prepare(talk(), COUNTER)
    made = (
        load_strategy(parse_spec(strategy), Path())
        if isinstance(strategy, str)
        else guarded_strategy_factory(strategy, Spec("own"), "own", Limits(), lambda *_: None)
    )
    writer = load_summarizer(parse_spec(summarizer), Path())
    return measure(key, script, made, writer, COUNTER, budget, "openai")


def counts(cell: CellRecord) -> Counts:
    assert cell.error is None
    return cell.facts_dropped, cell.facts_shown, cell.facts_kept


@pytest.mark.parametrize(
    ("answer", "kept"),
    [("Staging is at 9443 by now.", 1), ("The move is done by now.", 0)],
)
def test_a_fact_that_was_shown_is_kept_where_the_summary_has_it(answer: str, kept: int) -> None:
    # 8443 and Tom are superseded before their message leaves; 9443 leaves and holds.
    found = counts(measured(KEEPS_TWO, f'scripted(answers="{"|".join([answer] * 40)}")'))
    assert found == (1, 1, kept)


def test_where_no_summary_is_asked_for_nothing_is_counted() -> None:
    assert counts(measured("count-slice(keep=2)", "extractive")) == (None, None, None)
    assert counts(measured(KEEPS_TWO, "none")) == (None, None, None)


def test_a_summary_that_is_refused_keeps_nothing() -> None:
    assert counts(measured(KEEPS_TWO, "faulty(fault=raises)")) == (1, 1, 0)
    inflated = measured(KEEPS_TWO, "faulty(fault=inflated, inner=oracle)")
    assert counts(inflated) == (1, 1, 0)


def test_the_perfect_summariser_keeps_all_that_it_is_shown() -> None:
    dropped, shown, kept = counts(measured(KEEPS_TWO, "oracle"))
    assert dropped == shown == kept == 1


class Selective:
    """Shows its summariser nothing but the system message, and keeps only the newest."""

    def compact(self, messages: Any, context: Any) -> Any:
        note = context.summarize(messages[:1])
        return [{"role": "user", "content": f"Note: {note}"}, messages[-1]]


def test_what_a_strategy_doesnt_show_is_dropped_and_not_shown() -> None:
    answers = "|".join(["A note about nothing much."] * 40)
    cell = measured(Selective, f'scripted(answers="{answers}")')
    assert counts(cell) == (1, 0, 0)
    ((position, fact, shown),) = cell.facts_left
    assert "9443" in str(talk().messages[position])
    assert (fact, shown) == ("port", False)
    assert decode_cell(encode_cell(cell)) == cell


def test_what_was_shown_is_named_as_such() -> None:
    assert [left[1:] for left in measured(KEEPS_TWO, "oracle").facts_left] == [("port", True)]
    assert measured("count-slice(keep=2)", "extractive").facts_left == ()


class Noting:
    """Puts the text it is given into a message of its own, and says nothing of a summary."""

    def compact(self, messages: Any, context: Any) -> Any:
        if len(messages) < 4:
            return messages
        note = context.summarize(messages[:-2])
        return [{"role": "user", "content": f"So far: {note}"}, *messages[-2:]]


def test_the_text_that_an_own_strategy_was_given_counts_as_its_summary() -> None:
    answers = "|".join(["It listens on 9443."] * 40)
    assert counts(measured(Noting, f'scripted(answers="{answers}")'))[1:] == (1, 1)
