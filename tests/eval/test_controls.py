"""Scenarios that measure nothing are found without a replay, mostly without a tokenizer too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from compaction_eval.eval.controls import (
    CONTROLS,
    MARGIN,
    RoughCounter,
    control_verdict,
    examine,
    size_faults,
)
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.script import prepare
from compaction_eval.scenarios.library import select
from compaction_eval.scenarios.records import Place, Probe, Scenario, Statement
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.tokens import TokenCounter

TALK = ("The gate is K4.", "Fine.", "And lunch?", "At noon.", "Thanks a lot.", "Sure.")


def scenario(
    *texts: str, system: str = "You help.", fact_at: int = 1, value: str = "K4"
) -> Scenario:
    """A conversation with a fact said at a message and asked for at the end; not checked."""
    messages = [{"role": "system", "content": system}]
    for at, text in enumerate(texts):
        messages.append({"role": ("user", "assistant")[at % 2], "content": text})
    end = (("end", len(messages)),)
    return Scenario(
        id="plan",
        title="A plan",
        lang="en",
        messages=tuple(messages),  # type: ignore[arg-type]  # plain dicts of the right shape
        statements=(Statement("gate", fact_at, (value,), False, Place("plan.yaml", 5)),),
        probes=(Probe("which", "recall", "Which?", end, "gate", place=Place("plan.yaml", 9)),),
        file="plan.yaml",
    )


def long(texts: int, words: int) -> tuple[str, ...]:
    """Texts of equal length, of which the first says the fact."""
    return tuple("The gate is K4. " + "word " * words for _ in range(texts))


def test_a_sound_scenario_has_no_findings() -> None:
    found = examine([scenario(*long(40, 9))])
    assert (found.faults, found.warnings) == ([], [])


def test_a_value_that_nobody_says_fails_the_full_history_and_the_evidence() -> None:
    found = examine([scenario(*TALK, value="Q7")])
    assert [str(fault) for fault in found.faults] == [
        "plan.yaml:9:1: probe 'which': the full history doesn't answer it at 'end' "
        "(the verdict is missing)",
        "plan.yaml:9:1: probe 'which': the messages that hold its evidence don't answer it at "
        "'end' (the verdict is missing)",
    ]


def test_a_value_that_is_said_elsewhere_than_at_its_message_fails_the_evidence_alone() -> None:
    [fault] = examine([scenario(*TALK, fact_at=3)]).faults
    assert "the messages that hold its evidence don't answer it" in fault.message


def test_what_variants_have_in_common_is_told_once() -> None:
    broken = scenario(*TALK, fact_at=3)
    assert len(examine([replace(broken, variant=v) for v in ("a", "b")]).faults) == 1


def test_a_conversation_of_few_large_messages_is_too_tight() -> None:
    found = examine([scenario(*long(6, 200))])
    assert [str(warning) for warning in found.warnings] == [
        "plan.yaml:1:1: 'plan': at a budget of 15% 3 of 4 requests don't fit with the system "
        "messages and the newest block alone; make the conversation longer, or its largest "
        "messages shorter"
    ]


def test_a_conversation_that_is_mostly_system_message_is_never_compacted() -> None:
    found = examine([scenario(*long(20, 5), system="word " * 2000)])
    assert [str(warning).partition(" no request")[0] for warning in found.warnings] == [
        "plan.yaml:1:1: 'plan': at a budget of 15%",
        "plan.yaml:1:1: 'plan': at a budget of 30%",
    ]


def test_sizes_that_are_clear_need_no_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: TokenCounter, text: str) -> int:
        raise AssertionError(f"tokenised: {text}")

    library = select(["milestone-rounds", "zh-moving-week"])
    monkeypatch.setattr(TokenCounter, "_tokenise", refuse)
    assert examine(library).warnings == []


def test_estimates_are_within_the_margin_that_is_kept() -> None:
    exact, rough = TokenCounter(), RoughCounter()
    for one in select(()):
        counted, guessed = prepare(one, exact), prepare(one, rough)
        for at in counted.main_line:
            share = counted.floor[at] / counted.conversation_tokens
            estimate = guessed.floor[at] / guessed.conversation_tokens
            assert share / MARGIN < estimate < share * MARGIN, (one.id, at)


def test_every_shipped_scenario_is_compacted_at_15_and_30_percent() -> None:
    counter = TokenCounter()
    found = [str(fault) for one in select(()) for fault in size_faults(prepare(one, counter))]
    assert found == []


@pytest.fixture(scope="module")
def verdicts() -> Mapping[tuple[str, str, str, str], Mapping[str, str]]:
    """Scenario, variant, probe and place -> the controls' verdicts in a run."""
    matrix = Matrix(
        scenarios=tuple(select(())),
        strategies=tuple(parse_spec(control.strategy.name) for control in CONTROLS),
        budgets=(Budget.parse("15%"),),
        summarizers=(parse_spec("none"),),
        directory=Path.cwd(),
    )
    found: dict[tuple[str, str, str, str], dict[str, str]] = {}
    for cell in run_matrix(matrix).cells:
        for probe in cell.probes:
            if probe.kind != "reuse":
                key = (cell.key.scenario, cell.key.variant, probe.probe, probe.place)
                found.setdefault(key, {})[cell.key.strategy] = probe.verdict
    return found


def test_controls_find_without_a_replay_what_they_find_in_a_run(
    verdicts: Mapping[tuple[str, str, str, str], Mapping[str, str]],
) -> None:
    counter = RoughCounter()
    for one in select(()):
        script = prepare(one, counter)
        for question in script.questions:
            if question.ask is None:
                continue
            own = {c.strategy.name: control_verdict(script, question, c) for c in CONTROLS}
            key = (one.id, one.variant, question.probe, question.place)
            assert own == verdicts[key]
