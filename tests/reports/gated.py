"""Gated runs made by hand: three probes of one scenario, or twenty scenarios of a live run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compaction_eval.eval.evidence import evidence_of
from compaction_eval.eval.gates import parse_gates
from compaction_eval.eval.records import CellKey, CellRecord, ProbeRecord, RequestRecord, Verdict
from compaction_eval.eval.regression import Regression, check_regression
from compaction_eval.eval.store import Run
from compaction_eval.reports.gate_report import GateReport, gate_report

HOSTILE = "p\x1b[31m]]><&\"'\u202e|`,:%\r\n::error::x\ud800\uffff"


def run(verdicts: Sequence[Verdict], *, name: str = "p", label: str = "mine") -> Run:
    """One scenario in one row; all that is lost was lost at the second request."""
    requests = (
        RequestRecord(2, None, 10, 10, ((0, 2),)),
        RequestRecord(4, None, 10, 20, ("s0",), action="summarize"),
        RequestRecord(6, "p", 10, 20, ("s0",)),
    )
    probes = tuple(
        ProbeRecord(
            f"{name}{n}", "recall", "end", 6, verdict, request=2, lost_at=1 if n % 2 == 0 else None
        )
        for n, verdict in enumerate(verdicts)
    )
    key = CellKey("a", "noise=2", label, "30%", "none")
    places = {f"{name}{n}": f"scenarios/a b.yaml:{10 + n}" for n in range(len(verdicts))}
    manifest = {
        "encoding": "o200k_base",
        "repeats": 1,
        "budgets": ["30%"],
        "strategies": [{"label": label, "spec": "./mine.py:f", "sees_answer_key": False}],
        "summarizers": [{"label": "none", "spec": "none", "sees_answer_key": False}],
        "scenarios": [{"id": "a", "variant": "noise=2", "digest": "11"}],
        "places": {"a": {"file": "scenarios/a b.yaml", "probes": places}},
    }
    return Run(manifest, (CellRecord(key, 10, 20, requests=requests, probes=probes),))


def report(
    before: Sequence[Verdict],
    after: Sequence[Verdict],
    *gates: str,
    name: str = "p",
    flips: int = 0,
) -> GateReport:
    old, new = (run(verdicts, name=name) for verdicts in (before, after))
    regression = check_regression(
        evidence_of(new, "runs/new"),
        evidence_of(old, "base.jsonl"),
        parse_gates({"fail-under": gates}),
        allow_flips=flips,
    )
    return gate_report(regression, new, folder="runs/new", baseline="base.jsonl")


LOST = (["correct"] * 3, ["missing", "stale", "correct"])


def live(lost: int) -> Regression:
    """Twenty scenarios of four probes, of which the first `lost` lost all; a model summarised."""
    sides = []
    for worse in (0, lost):
        whole = run(["correct"] * 4)
        manifest = {
            **whole.manifest,
            "summarizers": [{**one, "live": True} for one in whole.manifest["summarizers"]],
            "scenarios": [{"id": f"s{n}", "variant": "", "digest": "1"} for n in range(20)],
        }
        cells = [
            replace(
                (run(["missing"] * 4) if n < worse else whole).cells[0],
                key=CellKey(f"s{n}", "", "mine", "30%", "none"),
            )
            for n in range(20)
        ]
        sides.append(evidence_of(Run(manifest, tuple(cells)), "live"))
    gates = parse_gates({"fail-on-drop": ["survival=5pp"]})
    return check_regression(sides[1], sides[0], gates)
