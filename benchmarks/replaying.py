"""Replaying one prepared script inside this process, without a run folder."""

from __future__ import annotations

from pathlib import Path

from compaction_eval.eval.cells import measure
from compaction_eval.eval.matrix import Budget
from compaction_eval.eval.records import CellKey, CellRecord
from compaction_eval.eval.script import Script, prepare
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.loading import load_strategy, load_summarizer
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.tokens import TokenCounter

SUMMARIZER = "extractive"


def replayed(script: Script, counter: TokenCounter, strategy: str, budget: str) -> CellRecord:
    """One measured cell; raises where it is an error, since that would time the wrong thing."""
    spec = parse_spec(strategy)
    cell = measure(
        CellKey(script.scenario.id, "", spec.label, budget, SUMMARIZER),
        script,
        load_strategy(spec, Path.cwd()),
        load_summarizer(parse_spec(SUMMARIZER), Path.cwd()),
        counter,
        Budget.parse(budget).of(script.conversation_tokens),
        "openai",
    )
    if cell.error is not None:
        raise RuntimeError(f"{strategy}: {cell.error}")
    return cell


def prepared(scenario: Scenario) -> tuple[Script, TokenCounter]:
    """A script and the counter that measured it."""
    counter = TokenCounter()
    return prepare(scenario, counter), counter
