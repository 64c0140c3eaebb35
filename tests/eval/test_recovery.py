"""The scenarios of a run are found again, or it is told why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compaction_eval.eval.places import places_of
from compaction_eval.eval.recovery import CHANGED, GONE, lacking_lines, recovered
from compaction_eval.scenarios.importers.in_memory import read_transcripts
from compaction_eval.scenarios.library import select
from compaction_eval.scenarios.records import Scenario

SESSION = Path(__file__).parents[2] / "examples" / "session.jsonl"
OWN = """\
id: own
title: One fact
lang: en
params: {tail: [0, 2]}
turns:
  - user: The port is 8443.
    facts: {port: "8443"}
  - assistant: Noted.
  - filler: {kind: chat, turns: $tail, seed: 3}
probes:
  - {id: p, kind: recall, ask: Which port is it?, fact: port}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(OWN, "utf-8")
    return Path("own.yaml")


def manifest(scenarios: list[Scenario]) -> dict[str, Any]:
    return {
        "scenarios": [
            {"id": one.id, "variant": one.variant, "digest": one.digest} for one in scenarios
        ],
        "places": places_of(scenarios),
    }


def test_each_variant_is_read_from_its_file(file: Path) -> None:
    scenarios = select([str(file)])
    found = recovered(manifest(scenarios))
    assert list(found.scenarios) == [("own", "tail=0"), ("own", "tail=2")]
    assert [*found.scenarios.values()] == scenarios
    assert found.lacking == {}


def test_a_file_that_is_gone_changed_or_broken_is_told(file: Path) -> None:
    run = manifest(select([str(file)]))
    file.write_text(OWN.replace("Noted", "Fine"), "utf-8")
    assert set(recovered(run).lacking.values()) == {CHANGED}
    file.write_text("id: [", "utf-8")
    assert set(recovered(run).lacking.values()) == {CHANGED}
    file.unlink()
    found = recovered(run)
    assert found.scenarios == {}
    assert lacking_lines(found) == [f"own[tail=0], own[tail=2]: {GONE}"]


def test_a_shipped_scenario_is_found_wherever_the_package_lies_now() -> None:
    (scenario,) = select(["designer-introduction"])
    run = manifest([scenario])
    run["places"]["designer-introduction"]["file"] = "/elsewhere/designer-introduction.yaml"
    assert recovered(run).scenarios["designer-introduction", ""].messages == scenario.messages
    del run["places"]
    assert recovered(run).lacking == {}


def test_a_file_of_ones_own_wins_over_a_shipped_one_of_its_name(file: Path) -> None:
    own = file.rename("designer-introduction.yaml")
    own.write_text(OWN.replace("id: own", "id: designer-introduction"), "utf-8")
    scenarios = select([str(own)])
    found = recovered(manifest(scenarios))
    assert [*found.scenarios.values()] == scenarios


def test_a_transcript_that_was_taken_as_it_stood_is_read_so_again(
    file: Path, tmp_path: Path
) -> None:
    (tmp_path / "session.jsonl").write_bytes(SESSION.read_bytes())
    (transcript,) = read_transcripts([Path("session.jsonl")])
    told = manifest([*select([str(file)]), *transcript.scenarios])
    found = recovered(told)
    assert found.scenarios["session", ""].messages == transcript.scenarios[0].messages
    assert not found.lacking
    with (tmp_path / "session.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"type": "user", "message": {"role": "user", "content": "More."}}\n')
    assert recovered(told).lacking == {("session", ""): CHANGED}
    (tmp_path / "session.jsonl").unlink()
    assert recovered(told).lacking == {("session", ""): GONE}
