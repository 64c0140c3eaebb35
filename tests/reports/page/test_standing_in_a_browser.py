"""What the page says of real runs, against a plain search of each view: states, losses, messages.

Nothing here uses the page's marks: every text of every view is searched anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from compaction_eval.cli import cli
from compaction_eval.eval.finding import NOTHING, Sought, marks_in
from compaction_eval.eval.records import REUSE_KINDS, CellRecord, ProbeRecord, RequestRecord
from compaction_eval.eval.recovery import recovered
from compaction_eval.eval.store import Run, read_run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.page.assembling import assemble
from compaction_eval.reports.sayings import witness
from compaction_eval.scenarios.forms import text_forms, value_forms
from compaction_eval.scenarios.records import Scenario, variant_name
from compaction_eval.scenarios.timeline import standing
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import reading_text
from compaction_eval.strategies.summary import is_summary

if TYPE_CHECKING:
    from tests.reports.page.reading import Reader

TRANSCRIPT = Path(__file__).parents[3] / "examples" / "session.jsonl"
VARIED = (
    # Facts that are taken back, answers in parts, old values that get the last word.
    *("--scenario", "zh-white-screen-build", "--scenario", "zh-store-sales-check"),
    *("--scenario", "moor-race-spring", "--transcript", str(TRANSCRIPT)),
    *("--strategy", "count-summary", "--strategy", "block-truncation"),
    *("--strategy", "rolling-summary", "--budget", "30%", "--no-controls"),
)
TOLD = """
const [names, done] = arguments;
(async () => {
  const told = [];
  for (const one of names) {
    const cell = cellOf(...one);
    const [talk, made] = [await block(cell.scenario.block), await block(cell.block)];
    const story = { names: cell, talk, cell: made };
    const facts = {};
    for (const fact of story.talk.facts)
      facts[fact.id] = story.cell.requests.map((_, index) => factState(story, fact, index));
    const verdicts = story.cell.verdicts.map((verdict) => {
      const question = questionOf(story, verdict);
      const fact = question && story.talk.facts[question.fact];
      const turns = turningsOf(story, verdict, question).map(([at]) => at);
      return [verdict.verdict, fact ? factState(story, fact, verdict.request) : null, turns];
    });
    const left = story.cell.requests.map((_, index) => messagesAt(story, index)
      .filter((one) => ["dropped", "summarised", "reduced"].includes(one.state))
      .map((one) => one.position));
    told.push({ facts, verdicts, left });
  }
  done(told);
})().catch((error) => done(String(error.stack)));
"""


read = lru_cache(None)(normalise)


def texts(
    scenario: Scenario, cell: CellRecord, request: RequestRecord
) -> Iterator[tuple[int | str, str, bool]]:
    """Each message of a view but its question, and whether it is one of the conversation's."""
    ask = next((one.ask for one in scenario.probes if one.id == request.probe), None)
    summaries = {one.summary for one in cell.requests}
    for part in request.view:
        if isinstance(part, str):
            message = cell.synthetic[part]
            if ask is None or message.get("content") != ask:
                own = not (is_summary(message) or part in summaries)
                yield part, read(reading_text(message)), own
        else:
            for at in range(*part):
                yield at, read(reading_text(scenario.messages[at])), True


def state(scenario: Scenario, cell: CellRecord, request: RequestRecord, fact: str) -> str | None:
    """How a fact stands by the words of DESIGN: the last word wins."""
    stands = standing(scenario.statements, fact, request.at)
    if stands is None:
        return None
    current = value_forms(stands.current, "contains")
    old = value_forms(stands.superseded, "contains")
    sought = Sought(current, tuple(form for form in old if form not in current))
    back = Sought(current=text_forms(stands.last.forms))
    total, in_message, taken = NOTHING, False, False
    for part, text, own in texts(scenario, cell, request):
        marks = marks_in(text, sought)
        total += marks
        in_message |= own and marks.current
        taken |= part == stands.last.message or bool(marks_in(text, back))
    if stands.last.retraction:
        return "stale" if total.stale and not taken else "taken-back"
    if not total.current:
        return "stale" if total.stale else "lost"
    if not total.last_current:
        return "stale"
    return "in-view" if in_message else "in-summary"


def turns(scenario: Scenario, cell: CellRecord, record: ProbeRecord) -> list[int]:
    """Where `show` says that an answer went, after where its verdict turned."""
    if record.lost_at is None or record.verdict not in ("missing", "stale", "mixed"):
        return []
    gone: int | None = record.lost_at
    written = next((one for one in scenario.probes if one.id == record.probe), None)
    if record.kind not in REUSE_KINDS and record.verdict != "mixed" and written is not None:
        seen = witness(scenario, cell, written, record)
        assert seen is not None
        if not seen.question.absent:
            gone = seen.gone_at(record)
    gone = record.request if gone is None else gone
    return list(dict.fromkeys((record.lost_at, gone)))


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    folder = tmp_path_factory.mktemp("varied")
    result = CliRunner().invoke(cli, ("run", "-q", *VARIED, "--out", str(folder / "run")))
    assert result.exit_code == 0, result.output
    run = read_run(folder / "run")
    material = Material("varied", run.manifest, summary_rows(run), run.cells, Marks())
    page = assemble(material, recovered(run.manifest), [], {})
    (folder / "page.html").write_bytes(page.data)
    return run, folder / "page.html"


@pytest.fixture
def told(reader: Reader, varied: tuple[Run, Path]) -> list[dict[str, Any]]:
    """What the page says of each cell."""
    reader.open(varied[1])
    names = [
        (variant_name(k.scenario, k.variant), k.strategy, k.budget, k.summarizer, k.repeat)
        for k in (cell.key for cell in varied[0].cells)
    ]
    told = reader.browser.execute_async_script(TOLD, names)  # type: ignore[no-untyped-call]  # selenium has no types for it
    assert isinstance(told, list), told
    return told


def test_every_fact_every_loss_and_every_message_is_as_a_plain_search_finds_it(
    told: list[dict[str, Any]], varied: tuple[Run, Path]
) -> None:
    run, _ = varied
    scenarios = recovered(run.manifest).scenarios
    seen = set()
    for cell, page in zip(run.cells, told, strict=True):
        scenario = scenarios[cell.key.scenario, cell.key.variant]
        for fact in {one.fact for one in scenario.statements}:
            states = [state(scenario, cell, request, fact) for request in cell.requests]
            assert page["facts"][f"fact {fact}"] == states, (cell.key, fact)
            seen |= {*states}
        for record, (verdict, _, requests) in zip(cell.probes, page["verdicts"], strict=True):
            assert (verdict, requests) == (record.verdict, turns(scenario, cell, record)), record
            seen |= {(len(requests), verdict)}
        for request, left in zip(cell.requests, page["left"], strict=True):
            stretches = [part for part in request.dropped if not isinstance(part, str)]
            assert sorted(left) == [at for part in stretches for at in range(*part)]
    # The runs have what could go wrong.
    assert {None, "in-view", "in-summary", "stale", "lost", "taken-back"} < seen
    assert {(1, "missing"), (1, "stale"), (2, "stale"), (2, "missing")} < seen


def test_what_a_question_follows_stands_as_its_verdict_says(told: list[dict[str, Any]]) -> None:
    fitting = {
        "correct": {"in-view", "in-summary"},
        "missing": {"lost"},
        "stale": {"stale"},
        "mixed": {"stale"},
        "not-asked": {"taken-back", None},
    }
    verdicts = [one for cell in told for one in cell["verdicts"]]
    assert len(verdicts) > 200
    assert [one for one in verdicts if one[1] not in fitting[one[0]]] == []
