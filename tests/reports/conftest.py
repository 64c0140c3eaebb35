"""Hand-made records: a report is a function of these alone."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from compaction_eval.eval.records import (
    CellKey,
    CellRecord,
    ProbeRecord,
    RequestRecord,
    SummaryRow,
    Verdict,
)
from compaction_eval.scenarios.records import Place, Probe, Scenario, Statement

Row = Callable[..., SummaryRow]

_ROW = SummaryRow(
    strategy="block-truncation",
    budget="30%",
    summarizer="extractive",
    sees_answer_key=False,
    scenarios=14,
    cells=28,
    cells_apart=0,
    errors=0,
    probes=212,
    survival=0.5,
    stale=0.02,
    mixed=0.01,
    recall=None,
    reuse=None,
    survival_pooled=0.5,
    stale_pooled=0.02,
    mixed_pooled=0.01,
    recall_pooled=None,
    reuse_pooled=None,
    reuse_probes=0,
    reuse_sure=None,
    reuse_recoverable=None,
    reuse_irreplaceable=None,
    reuse_text=None,
    reuse_sure_pooled=None,
    reuse_recoverable_pooled=None,
    reuse_irreplaceable_pooled=None,
    reuse_text_pooled=None,
    reuse_text_probes=0,
    reuse_lost_recoverable=0,
    reuse_lost_for_good=0,
    retained_tokens=1234.4,
    sent_tokens=700_000,
    full_tokens=1_000_000,
    conversation_tokens=90_000,
    saved_gross=300_000,
    saved_net=250_000,
    requests=900,
    invalid_requests=0,
    over_budget_requests=0,
    infeasible_requests=0,
    compactions=120,
    summary_calls=0,
    summary_tokens_in=0,
    summary_tokens_out=0,
    fallbacks=0,
    never_fired=0,
    thrash=0,
    summary_grew=0,
    mutated_input=0,
    poisoned=0,
    refused_by={},
)


@pytest.fixture
def row() -> Row:
    """A summary row; keyword arguments replace its fields."""

    def make(strategy: str = "block-truncation", budget: str = "30%", **changes: Any) -> SummaryRow:
        return replace(_ROW, strategy=strategy, budget=budget, **changes)

    return make


@pytest.fixture
def failed(row: Row) -> SummaryRow:
    """A row of which every cell ended in an error."""
    counts = ("scenarios", "cells", "cells_apart", "errors", "probes", "reuse_probes")
    figures = [field.name for field in fields(SummaryRow)]
    figures = figures[figures.index("scenarios") :]
    unmeasured = {name: 0 if name in counts else None for name in figures}
    return row("failed", **{**unmeasured, "cells": 3, "errors": 3})


@pytest.fixture
def rows(row: Row) -> list[SummaryRow]:
    """Two budgets of contenders and controls, in the matrix's order."""
    made = []
    for budget, bonus in (("15%", 0.0), ("30%", 0.2)):
        made += [
            row(
                "rolling-summary",
                budget,
                survival=0.7 + bonus,
                retained_tokens=1300.0,
                summary_calls=40,
                fallbacks=2,
            ),
            row("block-truncation", budget, survival=0.4 + bonus, retained_tokens=1200.0),
            row(
                "count-slice(keep=10)",
                budget,
                survival=0.1,
                retained_tokens=2000.0,
                invalid_requests=31,
                over_budget_requests=4,
            ),
            row(
                "none",
                budget,
                survival=1.0,
                stale=0.0,
                mixed=0.0,
                retained_tokens=9000.0,
                saved_gross=0,
                saved_net=0,
                over_budget_requests=880,
            ),
            row("empty", budget, survival=0.0, retained_tokens=40.0),
            row(
                "evidence-only",
                budget,
                survival=1.0,
                retained_tokens=600.0,
                sees_answer_key=True,
            ),
            row(
                "token-window",
                budget,
                survival=0.41 + bonus,
                retained_tokens=1250.0,
                invalid_requests=120,
            ),
        ]
    return made


@pytest.fixture
def scenario() -> Scenario:
    """A port that is said in a tool's output, changed by the user, and asked for twice."""
    messages: tuple[Any, ...] = (
        {"role": "system", "content": "You are a coding agent."},
        {"role": "user", "content": "Where does staging listen?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "read_file", "arguments": '{"path": "staging.yaml"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "host: api.test\nlisten: 8443\n"},
        {"role": "assistant", "content": "On 8443."},
        {"role": "user", "content": "Listen on 9443 from now on."},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Thanks. Sort the imports."},
        {"role": "assistant", "content": "Sorted."},
    )
    place = Place("staging-port.yaml", 1, 1)
    return Scenario(
        id="staging-port",
        title="A port is changed",
        lang="en",
        messages=messages,
        statements=(
            Statement("port", 3, ("8443",), False, place),
            Statement("port", 5, ("9443",), False, place),
        ),
        probes=(
            Probe("port", "update", "Which port now?", (("moved", 7), ("end", 9)), fact="port"),
            Probe(
                "host", "artifact", "Which host?", (("end", 9),), accept=("api.test",), evidence=3
            ),
        ),
    )


@pytest.fixture
def cell() -> CellRecord:
    """Its replay: the third request cuts five messages, a summary is made, the host is lost."""
    return CellRecord(
        key=CellKey("staging-port", "", "rolling-summary", "30%", "extractive"),
        budget_tokens=60,
        conversation_tokens=200,
        requests=(
            RequestRecord(2, None, 20, 20, ((0, 2),)),
            RequestRecord(4, None, 52, 52, ((0, 4),)),
            RequestRecord(
                6,
                None,
                55,
                90,
                ((0, 1), "s0", (5, 6)),
                "summarize",
                ((1, 5),),
                "s0",
                blocks_dropped=3,
                summary_calls=1,
                summary_tokens_in=80,
                summary_tokens_out=12,
            ),
            RequestRecord(7, "port", 58, 99, ((0, 1), "s0", (5, 7))),
            RequestRecord(
                8,
                None,
                64,
                104,
                ((0, 1), "s0", (5, 8)),
                over_budget=True,
                faults=("openai.6 message 3: an orphan",),
                fallback="raised ValueError",
            ),
            RequestRecord(9, "port", 59, 110, ((0, 1), "s0", (5, 9))),
            RequestRecord(9, "host", 59, 110, ((0, 1), "s0", (5, 9))),
        ),
        probes=(
            ProbeRecord(
                "port",
                "update",
                "moved",
                7,
                "correct",
                request=3,
                source=5,
                age_tokens=20,
                age_messages=1,
                age_compactions=0,
            ),
            ProbeRecord("port", "update", "end", 9, "correct", request=5, source=5),
            ProbeRecord("host", "artifact", "end", 9, "missing", request=6, source=3, lost_at=2),
        ),
        synthetic={
            "s0": {
                "role": "user",
                "name": "compaction_summary",
                "content": "[Summary of the conversation so far]\nStaging listened on 8443.",
            }
        },
    )


@pytest.fixture
def told() -> Callable[..., CellRecord]:
    """Makes a cell from its verdicts: probes p0, p1 … of a conversation of 100 tokens."""

    def make(
        scenario: str,
        *verdicts: Verdict,
        kinds: tuple[str, ...] = (),
        strategy: str = "rolling-summary",
        budget: str = "30%",
        before: int | None = 10,
        age: int | None = 40,
    ) -> CellRecord:
        told = zip(verdicts, kinds or ("recall",) * len(verdicts), strict=True)
        probes = tuple(
            ProbeRecord(f"p{at}", kind, "end", 9, verdict, age_tokens=age, source_tokens=before)
            for at, (verdict, kind) in enumerate(told)
        )
        key = CellKey(scenario, "", strategy, budget, "extractive")
        return CellRecord(
            key, 30, 100, requests=(RequestRecord(9, None, 20, 90, ()),), probes=probes
        )

    return make


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal() -> Terminal:
    return Terminal()
