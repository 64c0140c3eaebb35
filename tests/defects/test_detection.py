"""The fast part of `make defects`: every defect on a few scenarios, some harmless changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.defects.harmless import HARMLESS, commented, run
from tests.defects.judging import BY_NAME, DEFECTS, IMPORTS, REPLAYED, share
from tests.defects.measuring import SCENARIOS, Bench, Finding, default_gates, find_imported
from tests.defects.planting import planted

from compaction_eval.eval.evidence import Evidence
from compaction_eval.eval.regression import check_regression
from compaction_eval.scenarios.library import select
from compaction_eval.strategies.errors import ConfigurationError

FEW = ["native-agent-overflow", "zh-flight-hotel-rebook", "de-ladekarten-stoerung"]
"""Chosen since they reach the defects that few scenarios show; `make defects` looks at all."""
QUICK = (
    "the same again",
    "scenarios and strategies backwards",
    "rolling-summary with defaults spelled out",
    "strategies as mappings",
    "the budget written 30.0%",
    "the library in another folder",
    "own strategy: class",
    "strategies in a wrapper that does nothing",
    "resumed after a kill in the middle of a line",
    "written as a baseline and read",
)


@pytest.fixture(scope="module")
def findings() -> list[Finding]:
    bench = Bench.over([*select(FEW), *select([str(SCENARIOS)])])
    return [bench.find(defect) for defect in REPLAYED]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    return run(tmp_path_factory.mktemp("base"))


def test_nearly_every_defect_is_caught_on_a_few_scenarios(findings: list[Finding]) -> None:
    caught, compared = share(findings)
    assert compared == len(REPLAYED)
    missed = [one.name for one in findings if one.caught == "no"]
    assert caught >= 0.95 * compared, missed


def test_there_are_at_least_thirty_defects_and_fifty_harmless_changes() -> None:
    assert len(BY_NAME) == len(DEFECTS) >= 30
    assert len({one.name for one in HARMLESS}) == len(HARMLESS) >= 50


def test_a_defect_is_gone_after_it_was_planted() -> None:
    for defect in DEFECTS:
        before = [getattr(one.owner, one.attribute) for one in defect.patches]
        with planted(defect):
            pass
        assert [getattr(one.owner, one.attribute) for one in defect.patches] == before


@pytest.mark.parametrize("defect", IMPORTS, ids=lambda defect: defect.name)
def test_another_transcript_and_other_probes_are_refused(defect: object, tmp_path: Path) -> None:
    assert find_imported(defect, tmp_path).caught == "refused"


@pytest.mark.parametrize("name", QUICK)
def test_a_harmless_change_passes(name: str, base: Evidence, tmp_path: Path) -> None:
    change = next(one for one in HARMLESS if one.name == name)
    new = change.measure(tmp_path)
    assert check_regression(new, base, default_gates(base)).outcome == "pass"


def test_a_comment_in_a_scenario_file_is_refused(base: Evidence, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="changed since"):
        check_regression(commented(tmp_path), base, default_gates(base))
