"""A sound and a broken measurement side by side, and what the gate says of the two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from tests.defects.planting import Defect, planted
from tests.defects.transcript import imported

from compaction_eval.eval.evidence import Evidence, evidence_of
from compaction_eval.eval.gates import Gate, parse_gates
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.regression import check_regression
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.store import Run
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import parse_spec

GUARDS = {
    "fail-on-rise": (
        "invalid_requests=0",
        "over_budget_requests=0",
        "never_fired=0",
        "fallbacks=0",
        "sent_tokens=1%",
        "summary_tokens=5%",
        "sent_tokens[tag=tight]=1%",
    ),
    "fail-on-drop": ("prefix_reuse=2pp",),
}
"""Gates beside "no probe flips for the worse"; each row of the table has its own figures."""
BUDGET = "30%"

Caught = Literal["flip", "gate", "refused", "no"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one defect."""

    name: str
    """The defect's; what it is made of can't be sent to another process."""
    flips: tuple[str, ...] = ()
    """Verdicts that got worse: `scenario probe: correct to missing`."""
    guards: tuple[str, ...] = ()
    """Gates that failed, such as `sent_tokens=1%`."""
    refused: str = ""
    """Why the gate wouldn't compare the two."""
    changed_requests: int = 0
    """Requests whose view isn't the sound one's."""

    @property
    def caught(self) -> Caught:
        """By what it was caught first."""
        if self.refused:
            return "refused"
        return "flip" if self.flips else "gate" if self.guards else "no"


def measured(scenarios: Sequence[Scenario], strategy: str, name: str, summarizer: str) -> Run:
    """A strategy over scenarios, in this process; `name` is its label."""
    spec = replace(parse_spec(strategy), name=name)
    matrix = Matrix(tuple(scenarios), (spec,), (Budget.parse(BUDGET),), (parse_spec(summarizer),))
    return run_matrix(matrix, executor="inline")


def default_gates(evidence: Evidence) -> tuple[Gate, ...]:
    """The guards, as far as there is something for them to look at.

    Controls are gated only where they're named.
    """
    control = next((f"strategy={one.label}" for one in evidence.strategies if one.is_control), "")
    tags = {tag for scenario in evidence.scenarios for tag in scenario.tags}

    def text(guard: str) -> str:
        metric, bound = guard.rsplit("=", 1)
        name, _, tag = metric.rstrip("]").partition("[")
        return f"{name}[{','.join(filter(None, (tag, control)))}]={bound}"

    return parse_gates(
        {
            rule: [text(one) for one in guards if "tag=tight" not in one or "tight" in tags]
            for rule, guards in GUARDS.items()
        }
    )


@dataclass(slots=True)
class Bench:
    """Scenarios on which defects are tried; each sound strategy is measured once."""

    scenarios: Sequence[Scenario]
    _sound: dict[tuple[str, str], Run]

    @classmethod
    def over(cls, scenarios: Sequence[Scenario]) -> Bench:
        """A bench over some scenarios."""
        return cls(scenarios, {})

    def sound(self, defect: Defect) -> Run:
        """The measurement without the defect."""
        key = (defect.strategy, defect.summarizer)
        if key not in self._sound:
            self._sound[key] = measured(
                self.scenarios, defect.strategy, label(defect), defect.summarizer
            )
        return self._sound[key]

    def find(self, defect: Defect) -> Finding:
        """Plant a defect, measure, and ask the gate."""
        sound = self.sound(defect)
        with planted(defect):
            broken = measured(
                self.scenarios, defect.broken or defect.strategy, label(defect), defect.summarizer
            )
        finding = judged(defect, evidence_of(sound, "base"), evidence_of(broken, "new"))
        return replace(finding, changed_requests=changed_requests(sound, broken))


def find_imported(defect: Defect, folder: Path) -> Finding:
    """Import the transcript without and with a defect, measure both, and ask the gate."""
    sound = measured(imported(folder / "sound"), defect.strategy, label(defect), defect.summarizer)
    with planted(defect):
        scenarios = imported(folder / "broken")
    broken = measured(scenarios, defect.strategy, label(defect), defect.summarizer)
    return judged(defect, evidence_of(sound, "base"), evidence_of(broken, "new"))


def label(defect: Defect) -> str:
    """The name under which both are measured."""
    return parse_spec(defect.strategy).use


def judged(defect: Defect, base: Evidence, new: Evidence) -> Finding:
    """What the gate says. A run with an error is incomplete, which never passes."""
    try:
        regression = check_regression(new, base, default_gates(new))
    except ConfigurationError as error:
        # Any other mistake, such as a gate on nothing, is one of this suite and no detection.
        if not str(error).startswith("can't be compared"):
            raise
        return Finding(defect.name, refused=str(error))
    assert regression.outcome != "incomplete", defect.name
    flips = tuple(
        f"{flip.key.scenario} {flip.probe}: {flip.before} to {flip.after}"
        for flip in regression.worse
    )
    guards = tuple(
        f"{one.gate.metric.name}{'[tag=tight]' * ('tag' in one.gate.filters)}={one.gate.bound.text}"
        for one in regression.results
        if one.judgement == "fail"
    )
    found = Finding(defect.name, flips=flips, guards=guards)
    # The gate's word counts, not what is counted here.
    assert (regression.outcome == "fail") == (found.caught != "no"), regression.outcome
    return found


def changed_requests(sound: Run, broken: Run) -> int:
    """Requests at which another view was sent, synthetic messages compared by what they say."""
    count = 0
    for old, new in zip(sound.cells, broken.cells, strict=True):
        for before, after in zip(old.requests, new.requests, strict=True):
            count += _said(before.view, old.synthetic) != _said(after.view, new.synthetic)
    return count


def _said(view: Sequence[object], synthetic: dict[str, object]) -> list[object]:
    return [synthetic[part] if isinstance(part, str) else part for part in view]


SCENARIOS = Path(__file__).parent / "scenarios"
"""The suite's own: what the default library can't show."""
