"""A line of ten megabytes, and a hundred thousand empty ones: what is shown of them is bounded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from compaction_eval.cli import cli

MEGABYTE = 1_000_000
TEXTS = {
    "line": "the rail is open and the pier is not " * (10 * MEGABYTE // 37),
    "empty lines": "\n" * 100_000,
}
STRATEGY = ("--strategy", "block-truncation", "--budget", "30%")


def conversation(text: str) -> list[dict[str, object]]:
    """A tool says two values around the text, and its agent uses them again."""

    def call(name: str, arguments: dict[str, str]) -> dict[str, object]:
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"id": name, "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    return [
        {"role": "user", "content": "Where is the parcel of order LW-4137?"},
        call("find", {"order": "LW-4137"}),
        {"role": "tool", "tool_call_id": "find", "content": f"PX7391Q {text} QQ-8812"},
        {"role": "assistant", "content": "Found."},
        {"role": "user", "content": "Then follow it, please."},
        call("track", {"parcel": "PX7391Q", "depot": "QQ-8812"}),
        {"role": "tool", "tool_call_id": "track", "content": "on its way"},
        {"role": "assistant", "content": "It is on its way."},
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_shown_of_it_stays_small(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("talk.json").write_text(json.dumps({"messages": conversation(TEXTS[name])}), "utf-8")
    run = ("run", "--transcript", "talk.json", *STRATEGY, "--no-controls", "--executor", "inline")
    files = ("-o", "r.json", "-o", "r.md", "-o", "r.csv", "--out", "run")
    told = []
    for arguments in (
        (*run, *files),
        ("show", "--transcript", "talk.json", *STRATEGY),
        ("report", "run", "--by", "probe", "-o", "page.html"),
    ):
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, result.output
        told.append(result.output)
    shown = told[1].split("\n")
    assert any("PX7391Q" in line for line in shown)
    assert max(map(cell_len, shown)) <= 2_000
    assert sum(map(len, told)) < 20_000
    assert Path("page.html").stat().st_size < MEGABYTE
    assert max(Path(file).stat().st_size for file in ("r.json", "r.md", "r.csv")) < 50_000
