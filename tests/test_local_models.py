"""A small real model's recording replays to the same bytes, and docs/local-models.md tells of it.

`make live` records it; `UPDATE_DOCS=1 pytest tests/test_local_models.py` then writes anew what it
results in.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from compaction_eval.cli import cli
from compaction_eval.eval.models.base import ChatRequest, Reply
from compaction_eval.eval.models.cassette import read_cassette
from compaction_eval.eval.models.keys import RequestKey, request_key
from compaction_eval.eval.models.replaying import Replayer

ROOT = Path(__file__).resolve().parents[1]
LIVE = ROOT / "live"
RECORDING = LIVE / "recording.jsonl.gz"
RUNS = ("compaction-eval", "summaries")
PAGE = ROOT / "docs" / "local-models.md"
PART = re.compile(r"<!-- (?P<name>\w+) -->\n```\n.*?```\n<!-- end -->\n", re.DOTALL)
AGAIN = "What is asked has changed since the recording, or how it is graded: run `make live` again."
UPDATE = bool(os.environ.get("UPDATE_DOCS"))


@pytest.fixture(autouse=True)
def _no_key_and_no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("a replay opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refused)
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)


def printed(*arguments: str) -> str:
    """What a command prints at 120 columns."""
    result = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"}).invoke(cli, arguments)
    assert result.exit_code == 0, f"{AGAIN}\n{result.output}"
    return result.output


def replayed(run: str, *options: str) -> str:
    """What a recorded run prints; its results are in results.json, its folder has its name."""
    files = ("--replay", str(RECORDING), "--out", run, "-o", "results.json")
    return printed("run", "--config", str(LIVE / f"{run}.yaml"), *files, *options)


def results() -> str:
    """The results without what differs from machine to machine: where files lie, versions."""
    found = json.loads(Path("results.json").read_text("utf-8"))
    for name in ("python", "dependencies", "git_revision", "places"):
        del found["manifest"][name]
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


@pytest.mark.parametrize("run", RUNS)
def test_the_recording_replays_to_the_committed_results_without_key_and_network(run: str) -> None:
    replayed(run, "--jobs", "1", "--concurrency", "1")
    expected = LIVE / "results" / f"{run}.json"
    if UPDATE:
        expected.write_text(results(), "utf-8")
    assert results() == expected.read_text("utf-8"), AGAIN


@pytest.mark.parametrize("run", RUNS)
def test_workers_and_requests_at_a_time_change_no_byte_of_it(run: str) -> None:
    replayed(run, "--jobs", "2", "--executor", "processes", "--concurrency", "8")
    assert results() == (LIVE / "results" / f"{run}.json").read_text("utf-8")


def test_the_recording_is_small_and_holds_no_reply_that_nobody_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: set[RequestKey] = set()
    complete = Replayer.complete

    def noted(self: Replayer, request: ChatRequest) -> Reply:
        asked.add(request_key(self.name, request))
        return complete(self, request)

    monkeypatch.setattr(Replayer, "complete", noted)
    for run in RUNS:
        replayed(run)
    assert asked == read_cassette(RECORDING).keys(), AGAIN
    assert RECORDING.stat().st_size < 250_000


def test_the_page_shows_what_the_replayed_runs_and_their_comparison_print() -> None:
    parts = {
        "replies": replies(),
        "run": tables(replayed("compaction-eval")),
        "ranking": printed("compare", "compaction-eval", "--ranking").strip("\n"),
        "summaries": tables(replayed("summaries")),
    }
    text = PAGE.read_text("utf-8")
    assert [match["name"] for match in PART.finditer(text)] == list(parts)
    shown = {name: re.sub(r" +$", "", part, flags=re.MULTILINE) for name, part in parts.items()}
    fresh = PART.sub(lambda m: f"<!-- {m[1]} -->\n```\n{shown[m[1]]}\n```\n<!-- end -->\n", text)
    if UPDATE:
        PAGE.write_text(fresh, "utf-8")
    assert PAGE.read_text("utf-8") == fresh, "`make docs` writes the page anew"


def replies() -> str:
    """What the recording holds, by what it was asked for and how it ended."""
    lines = []
    recorded = read_cassette(RECORDING).values()
    for purpose in sorted({one.purpose for one in recorded}):
        mine = [one.reply for one in recorded if one.purpose == purpose]
        ends = Counter(reply.outcome for reply in mine)
        lines.append(
            f"{purpose:8} {len(mine):4} replies,"
            f" {sum(reply.tokens_in or 0 for reply in mine):6,} tokens in,"
            f" {sum(reply.tokens_out or 0 for reply in mine):6,} out: "
            + ", ".join(f"{count} {outcome}" for outcome, count in sorted(ends.items()))
        )
    return "\n".join(lines)


def tables(output: str) -> str:
    """What a run prints of its figures: without its files and the next command."""
    told = re.sub(
        r"^(Written: |Follow a lost fact: |No model had ).*\n?", "", output, flags=re.MULTILINE
    )
    return re.sub(r"\n{3,}", "\n\n", told).strip("\n")


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """live/record.py, which takes its server from the test's folder."""
    spec = importlib.util.spec_from_file_location("record", LIVE / "record.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "LIVE", tmp_path)
    return module


def test_the_server_of_a_recording_ends_with_it(record: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "serve.py").write_text(
        "import os, time\nprint(f'http://127.0.0.1:{os.getpid()}', flush=True)\ntime.sleep(60)\n"
    )
    with record.served() as address:
        process = int(address.removesuffix("/v1").rpartition(":")[2])
        os.kill(process, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_server_that_does_not_come_up_ends_the_recording_with_its_exit_code(
    record: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "serve.py").write_text("raise SystemExit(2)")
    with pytest.raises(SystemExit) as ended, record.served():
        pass
    assert ended.value.code == 2


def test_without_a_model_the_server_says_so_in_a_line() -> None:
    command = [sys.executable, str(LIVE / "serve.py"), "--model", "nowhere.gguf"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "live/serve.py: nowhere.gguf: no such file\n")
