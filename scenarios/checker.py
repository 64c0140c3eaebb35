"""stub"""
from __future__ import annotations

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Scenario


def check(scenario: Scenario) -> list[Fault]:
    return []
