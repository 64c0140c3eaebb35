"""`run --model`: through real sockets to an endpoint on 127.0.0.1, sound or misbehaving."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.commands.conftest import again

from compaction_eval.eval.models.chaos import Chaos
from compaction_eval.eval.models.chaos_server import Endpoint, answering

if TYPE_CHECKING:
    from tests.commands.conftest import Call

RUN = ("run", "--scenario", "tiny.yaml", "--budget", "70%", "--strategy", "count-slice(keep=2)")
KEY = "sk-not-to-be-shown"


def answer(request: Mapping[str, Any]) -> str:
    *view, last = request["messages"]
    if "answer to grade" in str(last["content"]):
        return '{"reason": "as listed", "verdict": "correct"}'
    return "8443" if "8443" in json.dumps(view) else "I don't know."


@pytest.fixture
def endpoint(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    with answering(Chaos(), answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield server


def recalls(file: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in json.loads(Path(file).read_text("utf-8"))["probes"]:
        found.setdefault(one["strategy"], []).append(one["recall"])
    return found


def test_recall_stands_beside_survival_and_a_table_says_whose_fault_it_is(
    call: Call, endpoint: Endpoint
) -> None:
    result = call(*RUN, "--model", "openai:tiny", "-o", "r.json", "-o", "r.md", "-o", "r.csv")
    assert result.exit_code == 0, result.output
    for text in (result.output, Path("r.md").read_text("utf-8")):
        assert "What the view held, and what the model answered" in text
        assert "Of what the views still held, openai:tiny gave 2 of 2 (100%) in its answers" in text
    assert recalls("r.json") == {
        "none": ["correct"], "empty": ["abstained"], "evidence-only": ["correct"],
        "count-slice(keep=2)": ["abstained"], "token-window": ["abstained"],
    }  # fmt: skip
    rows = {one["strategy"]: one for one in json.loads(Path("r.json").read_text())["summary"]}
    assert (rows["none"]["recall"], rows["none"]["kept_recalled"]) == (1.0, 1)
    assert (rows["empty"]["recall"], rows["empty"]["lost_missed"]) == (0.0, 1)


def test_survival_and_its_bytes_are_those_of_a_run_without_a_model(
    call: Call, endpoint: Endpoint
) -> None:
    call(*RUN, "--out", "plain", "-o", "plain.json")
    call(*RUN, "--out", "asked", "-o", "asked.json", "--model", "openai:tiny")
    plain, asked = (json.loads(Path(f).read_text())["probes"] for f in ("plain.json", "asked.json"))
    nothing = dict.fromkeys(("recall", "recalled", "recall_share", "outcome", "answer", "judge"))
    assert plain == [{**one, **nothing} for one in asked]
    assert "answer" not in Path("plain/cells.jsonl").read_text("utf-8")


def test_a_rerun_and_a_replay_ask_nobody_and_write_the_same_bytes(
    call: Call, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = ("--model", "openai:tiny", "--judge", "openai:judge")
    first = call(*RUN, *models, "--out", "a", "-o", "a.json", "--record", "c.jsonl.gz")
    assert first.exit_code == 0, first.output
    assert "The judge agrees with the matchers on" in first.output
    again = call(*RUN, *models, "--out", "b", "-o", "b.json")
    assert "No model had to be asked anew." in again.output
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.delenv("OPENAI_API_KEY")
    replayed = call(*RUN, *models, "--out", "c", "-o", "c.json", "--replay", "c.jsonl.gz")
    assert replayed.exit_code == 0, replayed.output
    for other in ("b", "c"):
        assert Path("a/cells.jsonl").read_bytes() == Path(f"{other}/cells.jsonl").read_bytes()
        assert Path("a.json").read_bytes() == Path(f"{other}.json").read_bytes()
    missing = call(*RUN, *models, "--repeats", "2", "--replay", "c.jsonl.gz", "--out", "d")
    assert missing.exit_code == 2
    assert "c.jsonl.gz: tiny / count-slice(keep=2) / 70% / extractive / p at end:" in missing.output


def test_a_rerun_of_a_finished_run_contacts_nobody(
    call: Call, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = call(*RUN, "--model", "openai:tiny", "-o", "a.json")
    asked = len(endpoint.seen)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    again = call(*RUN, "--model", "openai:tiny", "-o", "b.json")
    assert (first.exit_code, again.exit_code) == (0, 0), again.output
    assert "Nothing new to measure" in again.output
    assert len(endpoint.seen) == asked
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def test_what_finished_cells_were_told_is_recorded_too_and_costs_nothing(
    call: Call, endpoint: Endpoint
) -> None:
    call(*RUN, "--model", "openai:tiny", "--out", "a", "--record", "at-once.jsonl")
    asked = {one.key for one in endpoint.seen}
    later = call(*RUN, "--model", "openai:tiny", "--out", "a", "--record", "later.jsonl")
    assert later.exit_code == 0, later.output
    assert "No model had to be asked anew." in later.output
    assert {one.key for one in endpoint.seen} == asked
    assert Path("later.jsonl").read_bytes() == Path("at-once.jsonl").read_bytes()


def test_a_limit_ends_the_run_with_3_and_the_same_command_goes_on(
    call: Call, endpoint: Endpoint
) -> None:
    command = (*RUN, "--model", "openai:tiny", "--max-requests", "3", "--concurrency", "1")
    first = call(*command)
    assert first.exit_code == 3
    assert "--max-requests 3 is reached; finished cells are in runs/" in first.output
    codes = [call(*command).exit_code for _ in range(3)]
    assert codes[-1] == 0


@pytest.mark.parametrize("fault", ["429", "500", "cut", "html", "bad-json", "close"])
def test_faults_that_pass_change_no_verdict(call: Call, endpoint: Endpoint, fault: str) -> None:
    call(*RUN, "--model", "openai:tiny", "--out", "sound")
    chaos = f"{fault}:0.3,seed=1,retry-after=0"
    found = call(*RUN, "--model", "openai:tiny", "--out", "odd", "--chaos", chaos)
    assert found.exit_code == 0, found.output
    assert Path("odd/cells.jsonl").read_bytes() == Path("sound/cells.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("fault", "outcome", "code"),
    [
        ("context", "context-length", 0),
        ("filter", "filtered", 0),
        ("no-choices", "empty", 0),
        ("500", "server-error", 3),
    ],
)
def test_faults_that_stay_are_told_by_outcome_and_are_no_zeros(
    call: Call, endpoint: Endpoint, fault: str, outcome: str, code: int
) -> None:
    Path("compaction-eval.yaml").write_text("models: {openai: {retries: 0}}\n", "utf-8")
    result = call(*RUN, "--model", "openai:tiny", "-o", "r.json", "--chaos", f"{fault}:1")
    assert result.exit_code == code, result.output
    document = json.loads(Path("r.json").read_text("utf-8"))
    assert {(p["recall"], p["recalled"], p["outcome"]) for p in document["probes"]} == {
        ("error", None, outcome)
    }
    assert {(row["recall"], row["answer_errors"]) for row in document["summary"]} == {(None, 1)}
    assert "got no answer" in result.output
    if code:
        assert "5 of 5 questions without an answer." in result.output
        assert "Once that is mended:" in result.output


@pytest.mark.parametrize("faults", ["500:0.4,429-bare:0.2,seed=3", "500,429-bare,cut,ok"])
def test_the_command_of_the_last_line_asks_what_is_open_until_all_is_answered(
    call: Call, endpoint: Endpoint, faults: str
) -> None:
    """Faults that repeat are no obstacle: attempts go on where the last command's ended."""
    Path("compaction-eval.yaml").write_text("models: {openai: {retries: 0}}\n", "utf-8")
    command = [*RUN, "--model", "openai:tiny", "--repeats", "4", "--out", "odd", "--chaos", faults]
    outputs = []
    result = call(*command)
    while result.exit_code == 3 and len(outputs) < 20:
        outputs.append(result.output)
        assert "of 20 questions without an answer." in result.output
        assert again(result) == command
        result = call(*again(result))
    assert (result.exit_code, len(outputs) > 1) == (0, True), result.output
    call(*command[:-3], "sound")
    assert Path("odd/cells.jsonl").read_bytes() == Path("sound/cells.jsonl").read_bytes()


def test_a_baseline_of_another_grader_is_refused(
    call: Call, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(*RUN, "--model", "openai:tiny", "--out", "now")
    monkeypatch.setattr("compaction_eval.eval.manifest.GRADER", 1)
    call(*RUN, "--model", "openai:tiny", "--out", "then")
    assert call("baseline", "then", "-o", "base.jsonl").exit_code == 0
    judged = call("gate", "now", "--baseline", "base.jsonl")
    assert judged.exit_code == 2
    assert "grader: 1 in base.jsonl, 2 in now" in judged.output


def test_made_up_answers_are_never_taken_for_those_of_the_model(
    call: Call, endpoint: Endpoint
) -> None:
    command = (*RUN, "--model", "openai:tiny", "--judge", "openai:j")
    made_up = call(*command, "--chaos", "length:1")
    assert "Of what the views still held, openai:tiny under chaos length:1 gave" in made_up.output
    real = call(*command, "-o", "r.json")
    assert "Nothing new to measure" not in real.output
    assert recalls("r.json")["none"] == ["correct"]
    call(*command, "--out", "same")
    refused = call(*command, "--out", "same", "--chaos", "length:1")
    assert (refused.exit_code, "same: holds a run with other model" in refused.output) == (2, True)


def test_under_faults_too_the_endpoint_is_checked_before_the_first_cell(
    call: Call, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    result = call(*RUN, "--model", "openai:tiny", "--chaos", "500")
    assert result.exit_code == 2, result.output
    assert "http://127.0.0.1:9/v1 can't be reached" in result.output
    assert not Path("runs").exists()


def test_under_faults_prices_are_those_of_the_endpoint(
    call: Call, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def price(model: str, url: str) -> object:
        asked.append((model, url))
        return lambda *_: Decimal("0.01")

    monkeypatch.setattr("compaction_eval.eval.recall.opening.price_of", price)
    options = ("--model", "openai:tiny", "--chaos", "500", "--max-cost", "1", "--concurrency", "1")
    result = call(*RUN, *options)
    assert result.exit_code == 0, result.output
    assert set(asked) == {("tiny", endpoint.url)}


def test_no_file_and_no_message_holds_the_key(call: Call, endpoint: Endpoint, folder: Path) -> None:
    outputs = [
        call(*RUN, "--model", "openai:tiny", "-o", "r.json", "--record", "c.jsonl").output,
        call(*RUN, "--model", "openai:tiny", "--out", "e", "--chaos", "401:1").output,
    ]
    files = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    assert len(files) > 5
    assert not any(KEY.encode() in data for data in files)
    assert not any(KEY in output for output in outputs)
    assert "the key in OPENAI_API_KEY" in outputs[1]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--judge", "openai:a"), "--judge: needs --model, which names who is asked"),
        (("--max-requests", "3"), "--max-requests: needs --model"),
        (("--model", "tiny"), "--model: model 'tiny' says nothing of how it is reached"),
        (("--model", "openai:a", "--judge", "b"), "--judge: model 'b' says nothing"),
        (("--model", "openai:a", "--chaos", "43:1"), "--chaos: there is no fault '43'"),
        (("--model", "openai:a", "--replay", "no.gz"), "no.gz: can't be read"),
        (("--model", "openai:a", "--replay", "a", "--record", "b"), "either written or read"),
        (("--model", "openai:a", "--record", "b", "--chaos", "500"), "misbehaves on purpose"),
    ],
)
def test_what_cant_be_meant_is_told_before_anything_runs(
    call: Call, endpoint: Endpoint, options: tuple[str, ...], reason: str
) -> None:
    result = call(*RUN, *options)
    assert result.exit_code == 2
    assert reason in result.output
    assert "--chaos: --chaos" not in result.output
    assert not Path("runs").exists()
    assert not endpoint.seen


def test_without_a_key_one_line_says_which_variable_to_set(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    result = call(*RUN, "--model", "openai:tiny")
    assert result.exit_code == 2
    assert "set the variable OPENAI_API_KEY" in result.output
    assert not Path("runs").exists()


def test_models_may_stand_in_the_configuration(call: Call, endpoint: Endpoint) -> None:
    Path("compaction-eval.yaml").write_text("model: openai:tiny\nmax-cost: nothing\n", "utf-8")
    result = call(*RUN)
    assert result.exit_code == 2
    assert "compaction-eval.yaml:2:11: 'nothing' is no amount above 0" in result.output
    Path("compaction-eval.yaml").write_text("model: openai:tiny\nconcurrency: 2\n", "utf-8")
    assert "openai:tiny gave" in call(*RUN).output


def test_a_dry_run_says_how_much_would_be_asked(call: Call, endpoint: Endpoint) -> None:
    result = call(*RUN, "--model", "openai:tiny", "--judge", "openai:j", "--dry-run")
    assert "model: openai:tiny to be asked 5 questions, openai:j to judge" in result.output
    assert not endpoint.seen


def test_the_pytest_plug_in_asks_a_model(endpoint: Endpoint, folder: Path) -> None:
    from compaction_eval.testing.errors import EvaluationError
    from compaction_eval.testing.evaluating import evaluate
    from compaction_eval.testing.words import figure_lines

    kept = evaluate("none", scenarios="tiny.yaml", model="openai:tiny")
    assert kept.recall == 1.0
    lost = evaluate("empty", scenarios="tiny.yaml", model="openai:tiny", judge="openai:j")
    assert lost.recall == 0.0
    assert any(
        'tiny, p (recall) abstained: said "I don\'t know."; the view was missing' in line
        for line in figure_lines(lost.recall)  # type: ignore[arg-type]  # a number that knows what it was measured on
    )
    lost.fail_under("recall=0")
    with pytest.raises(EvaluationError, match="no model was asked"):
        _ = evaluate("none", scenarios="tiny.yaml").recall


def test_which_cell_meets_which_fault_is_the_same_for_any_order(
    call: Call, endpoint: Endpoint
) -> None:
    """Also where two ask the same: here the two views hold the whole conversation."""
    strategies = ("--strategy", "none", "--strategy", "none(name=also)")
    found = []
    for out, threads in (("a", "1"), ("b", "8"), ("c", "8")):
        chaos = ("--chaos", "length:0.3,filter:0.3,seed=2", "--repeats", "6")
        command = ("run", "--scenario", "tiny.yaml", "--budget", "90%", "--no-controls")
        call(*command, *strategies, "--model", "openai:tiny", *chaos, "--concurrency", threads,
             "--out", out)  # fmt: skip
        found.append(Path(out, "cells.jsonl").read_bytes())
    assert found[0] == found[1] == found[2]


def test_show_tells_an_answer_and_its_verdict_from_a_run_folder(
    call: Call, endpoint: Endpoint
) -> None:
    call(*RUN, "--model", "openai:tiny", "--judge", "openai:j", "--out", "kept")
    cell = ("show", "tiny.yaml", "--budget", "70%", "--run", "kept", "--probe", "p")
    kept = call(*cell, "--strategy", "none")
    assert kept.exit_code == 0, kept.output
    assert "the model's answer, correct: 8443" in kept.output
    lost = call(*cell, "--strategy", "empty").output
    assert "the model's answer, abstained: I don't know." in lost
    assert "the judge: correct: as listed" in lost


def test_show_refuses_a_run_folder_without_the_cell_or_of_another_version(
    call: Call, endpoint: Endpoint
) -> None:
    call(*RUN, "--model", "openai:tiny", "--out", "kept")
    cell = ("show", "tiny.yaml", "--strategy", "empty", "--run", "kept")
    other = call(*cell, "--budget", "71%")
    assert other.exit_code == 2
    assert "kept: holds nothing of tiny / empty / 71% / extractive; did you mean" in other.output
    Path("tiny.yaml").write_text(Path("tiny.yaml").read_text("utf-8").replace("Which", "What"))
    changed = call(*cell, "--budget", "70%")
    assert (changed.exit_code, "has changed since that run" in changed.output) == (2, True)
    assert call(*cell, "--budget", "70%", "--run", "no").exit_code == 2
