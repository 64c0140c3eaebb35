"""What gates and comparisons look at: verdicts and totals of each cell, from a run or a baseline.

A run holds every request; a baseline holds only this, so everything that is compared is made from
these records, whichever of the two they came from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from compaction_eval.eval.manifest import key_seers
from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord, Verdict
from compaction_eval.eval.store import Run
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.loading import CONTROLS
from compaction_eval.strategies.specs import parse_spec


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts of one cell, summed over its requests; tokens include the tools' schemas."""

    requests: int = 0
    sent_tokens: int = 0
    full_tokens: int = 0
    """Tokens of the full history at each of these requests."""
    summary_tokens: int = 0
    """The summariser's input and output tokens."""
    reused_tokens: int = 0
    """Tokens of the prefixes that were sent before."""
    retained_tokens: int = 0
    """Tokens of the views at which something was probed, tools apart."""
    probed_requests: int = 0
    invalid_requests: int = 0
    over_budget_requests: int = 0
    infeasible_requests: int = 0
    compactions: int = 0
    summary_calls: int = 0
    fallbacks: int = 0
    never_fired: int = 0
    thrash: int = 0
    summary_grew: int = 0
    poisoned: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """One verdict on one probe at one place."""

    probe: str
    place: str
    kind: str
    """A kind of written probe, or one of `REUSE_KINDS`."""
    verdict: Verdict
    free: bool = False
    chance: bool = False
    recoverable: bool = False
    recall: Verdict | None = None
    """The verdict on a model's answer, as it counts: one that doesn't know what nobody can know is
    `correct`. None where no model was asked."""


@dataclass(frozen=True, slots=True)
class CellEvidence:
    """One cell's verdicts and totals; a cell with an error has neither."""

    key: CellKey
    totals: Totals
    outcomes: tuple[Outcome, ...]
    apart: bool = False
    error: bool = False
    budget_tokens: int | None = None
    """The budget's size in this conversation; None where a baseline doesn't say."""


@dataclass(frozen=True, slots=True)
class ScenarioEvidence:
    """What is known of a scenario variant."""

    id: str
    variant: str
    digest: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """A strategy or summariser of a run."""

    label: str
    spec: str
    sees_answer_key: bool = False

    @property
    def is_control(self) -> bool:
        """Whether it is one of the controls, with whatever parameters and name."""
        try:
            return parse_spec(self.spec).use in CONTROLS
        except ConfigurationError:
            return False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A run, as far as gates and comparisons look at it."""

    circumstances: Mapping[str, Any]
    """What must be the same for two of these to be compared: tokenizer, matcher, profile, …"""
    strategies: tuple[Named, ...]
    summarizers: tuple[Named, ...]
    scenarios: tuple[ScenarioEvidence, ...]
    cells: tuple[CellEvidence, ...]
    missing: int = 0
    """Cells of the matrix that weren't measured."""
    unanswered: int = 0
    """Questions to a model that got no answer for a reason that may pass."""
    live: bool = False
    """Whether a model wrote summaries, so that the views of two runs of the same may differ."""
    name: str = ""
    """What it was read from, for messages."""
    _by_key: dict[CellKey, CellEvidence] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        self._by_key.update((cell.key, cell) for cell in self.cells)

    def cell(self, key: CellKey) -> CellEvidence | None:
        """The cell of that key; None where there is none."""
        return self._by_key.get(key)

    @property
    def answered(self) -> bool:
        """Whether a model was asked; its answers may differ between two runs of the same."""
        return any(one.recall is not None for cell in self.cells for one in cell.outcomes)

    @property
    def errors(self) -> int:
        """Cells that couldn't be measured."""
        return sum(cell.error for cell in self.cells)

    @property
    def incomplete(self) -> bool:
        """Whether some cell or answer isn't there: such evidence never passes anything."""
        return bool(self.missing or self.errors or self.unanswered)


def rows_of(evidence: Evidence) -> set[tuple[str, str, str]]:
    """Its rows: strategy, budget, summariser."""
    return {(one.key.strategy, one.key.budget, one.key.summarizer) for one in evidence.cells}


def evidence_of(run: Run, name: str = "") -> Evidence:
    """The evidence of a run."""
    manifest = run.manifest
    return Evidence(
        circumstances=circumstances_of(manifest),
        strategies=_named(manifest, "strategies"),
        summarizers=_named(manifest, "summarizers"),
        scenarios=tuple(
            ScenarioEvidence(one["id"], one["variant"], one["digest"], tuple(one.get("tags", ())))
            for one in manifest["scenarios"]
        ),
        cells=tuple(map(_cell, run.cells)),
        missing=len(expected_keys(manifest) - {cell.key for cell in run.cells}),
        unanswered=len(run.unanswered),
        live=any(one.get("live") for one in (*manifest["strategies"], *manifest["summarizers"])),
        name=name,
    )


def circumstances_of(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What two runs must have in common to be compared, by manifest key."""
    names = ("schema", "matcher", "encoding", "profile", "repeats", "model", "judge")
    asked = {
        name: manifest[name]
        for name in ("asking", "grader", "judging", "chaos")
        if name in manifest
    }
    return {**{name: manifest.get(name) for name in names}, **asked}


def expected_keys(manifest: Mapping[str, Any]) -> set[CellKey]:
    """The cells that a whole run has; one that was joined, those of all its runs."""
    return {
        CellKey(scenario["id"], scenario["variant"], strategy, budget, summarizer, repeat)
        for part in manifest.get("joined", (manifest,))
        for scenario, strategy, budget, summarizer, repeat in product(
            part["scenarios"],
            [one["label"] for one in part["strategies"]],
            part["budgets"],
            [one["label"] for one in part["summarizers"]],
            range(manifest["repeats"]),
        )
    }


def _named(manifest: Mapping[str, Any], kind: Any) -> tuple[Named, ...]:
    seers = key_seers(manifest, kind)
    return tuple(Named(one["label"], one["spec"], one["label"] in seers) for one in manifest[kind])


def _cell(cell: CellRecord) -> CellEvidence:
    outcomes = tuple(
        Outcome(
            probe.probe,
            place_of(probe),
            probe.kind,
            probe.verdict,
            probe.free,
            probe.chance,
            probe.recoverable,
            recall_of(probe),
        )
        for probe in cell.probes
    )
    if cell.error is not None:
        return CellEvidence(cell.key, Totals(), (), error=True)
    return CellEvidence(
        cell.key, _totals(cell), outcomes, apart=cell.apart, budget_tokens=cell.budget_tokens
    )


def recall_of(probe: ProbeRecord) -> Verdict | None:
    """The verdict on a model's answer, as it counts; None where none was asked."""
    if probe.answer is None:
        return None
    return "correct" if probe.answer.right else probe.answer.verdict


def place_of(probe: ProbeRecord) -> str:
    """The mark's name; of a reuse probe, whose place has none, where its request is."""
    return str(probe.at) if probe.place == "request" else probe.place


def _totals(cell: CellRecord) -> Totals:
    requests = cell.requests
    events = Counter(event for request in requests for event in request.events)
    probed = sorted({probe.request for probe in cell.probes if probe.kind != "reuse-text"})
    tools = cell.tools_tokens * len(requests)
    return Totals(
        requests=len(requests),
        sent_tokens=_sum(requests, "tokens") + tools,
        full_tokens=_sum(requests, "full") + tools,
        summary_tokens=_sum(requests, "summary_tokens_in") + _sum(requests, "summary_tokens_out"),
        reused_tokens=_sum(requests, "reused_tokens"),
        retained_tokens=sum(requests[index].tokens for index in probed),
        probed_requests=len(probed),
        invalid_requests=sum(bool(request.faults) for request in requests),
        over_budget_requests=_sum(requests, "over_budget"),
        infeasible_requests=_sum(requests, "infeasible"),
        compactions=sum(request.action != "none" for request in requests),
        summary_calls=_sum(requests, "summary_calls"),
        fallbacks=sum(request.fallback is not None for request in requests),
        never_fired=int(cell.never_fired),
        thrash=events["thrash"],
        summary_grew=events["summary-grew"],
        poisoned=events["poisoned"],
    )


def _sum(requests: Sequence[Any], name: str) -> int:
    return sum(getattr(request, name) for request in requests)
