"""`report --price`: costs in the terminal and in files."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.commands.conftest import MEASURE

Call = Callable[..., Result]
PRICE = ("--price", "gpt-5(on=2026-11-01)")


@pytest.fixture
def measured(call: Call) -> str:
    """The folder of a finished run."""
    pytest.importorskip("genai_prices")
    assert call(*MEASURE, "--out", "runs/one").exit_code == 0
    return "runs/one"


def test_without_a_price_one_line_says_how_to_get_costs(call: Call, measured: str) -> None:
    result = call("report", measured)
    assert result.exit_code == 0
    assert result.stdout.count("--price") == 1
    assert "USD" not in result.stdout


def test_costs_are_told_with_what_they_rest_on(call: Call, measured: str) -> None:
    result = call("report", measured, *PRICE)
    assert result.exit_code == 0
    assert "Budget 60% in USD (full history " in result.stdout
    assert "Prices: openai:gpt-5 on 2026-11-01, genai-prices " in result.stdout
    assert "input 1.25, read from the cache 0.125, written to it 1.25, output 10." in result.stdout
    assert "Cache: openai(minimum=1024, step=128, ttl=300); 10 s from request" in result.stdout
    table = result.stdout.split("in USD")[1]
    for name in ("./mine.py:last_two", "none *", "empty *"):
        assert f"\n{name} " in table


def test_the_same_call_prints_the_same(call: Call, measured: str) -> None:
    assert call("report", measured, *PRICE).stdout == call("report", measured, *PRICE).stdout


def test_cache_and_pauses_can_be_chosen(call: Call, measured: str) -> None:
    options = ("--cache", "anthropic(minimum=10)", "--pause", "60", "--summary-pause", "5")
    result = call("report", measured, *PRICE, *options)
    assert (
        "Cache: anthropic(minimum=10, look_back=20, ttl=300); 60 s from request to request, 5 s"
        " more with each summary." in result.stdout
    )
    cached = re.search(r"\nnone \* .*?([\d.]+)%", result.stdout)
    assert cached is not None
    assert float(cached[1]) > 0


def test_files_have_a_table_of_costs(call: Call, measured: str, folder: Path) -> None:
    result = call("report", measured, *PRICE, "-o", "tables.csv", "-o", "tables.md")
    assert "Written: tables.csv, tables-costs.csv, tables.md" in result.stdout
    lines = list(csv.DictReader((folder / "tables-costs.csv").read_text("utf-8").splitlines()))
    by_name = {line["strategy"]: line for line in lines}
    none, mine = by_name["none"], by_name["./mine.py:last_two"]
    assert none["cost"] == none["full_cost"] == mine["full_cost"]
    assert none["model"] == "openai:gpt-5"
    assert none["price_date"] == "2026-11-01"
    for line in lines:
        parts = ("read_tokens", "written_tokens", "uncached_tokens")
        assert sum(int(line[part]) for part in parts) == int(line["sent_tokens"])
        # Too short for any cache: 1.25 and 10 dollars for a million tokens.
        micro = 1.25 * int(line["sent_tokens"]) + 10 * int(line["output_tokens"])
        summaries = 1.25 * int(line["summary_tokens_in"]) + 10 * int(line["summary_tokens_out"])
        assert float(line["cost"]) == pytest.approx((micro + summaries) / 1e6)
    page = (folder / "tables.md").read_text("utf-8")
    assert "\n### Budget 60% in USD\n" in page
    assert "\n| strategy | USD each | against full history |" in page


def test_a_folder_of_charts_has_one_of_money_and_the_page_too(
    call: Call, measured: str, folder: Path
) -> None:
    pytest.importorskip("matplotlib")
    result = call("report", measured, "--by", "kind", *PRICE, "--out", "charts")
    assert result.exit_code == 0, result.output
    assert "report-costs.csv" in result.stdout
    assert "  money: At 60%, " in result.stdout
    names = {path.name for path in (folder / "charts").iterdir()}
    assert {"money.png", "money-dark.svg", "money.csv", "report-costs.csv"} <= names
    page = (folder / "charts" / "page.html").read_text("utf-8")
    assert "usd_without_cache" in page


def test_the_price_of_the_run_s_own_model_is_taken_by_itself(
    call: Call, measured: str, folder: Path
) -> None:
    manifest = folder / measured / "manifest.json"
    data = json.loads(manifest.read_text("utf-8"))
    for model, priced in (
        ("openai:gpt-5-mini(temperature=0)", True),
        ("openai:my-own-7b", False),
        ("openai:gpt-5-mini under chaos 429:0.1", False),
        ("openai:claude-haiku-4-5 under chaos 429:0.1", False),
    ):
        manifest.write_text(json.dumps({**data, "model": model}), "utf-8")
        result = call("report", measured)
        assert result.exit_code == 0
        assert ("Prices: openai:gpt-5-mini on " in result.stdout) is priced
        assert ("Prices: " in result.stdout) is priced


@pytest.mark.parametrize(("other", "priced"), [("gpt-5", False), ("gpt-5-mini", True)])
def test_runs_that_asked_several_models_have_none_of_their_prices_by_themselves(
    call: Call, measured: str, folder: Path, other: str, priced: bool
) -> None:
    assert call(*MEASURE[:-1], "count-slice", "--out", "runs/two").exit_code == 0
    for run, model in ((measured, "openai:gpt-5-mini"), ("runs/two", f"openai:{other}")):
        manifest = folder / run / "manifest.json"
        data = json.loads(manifest.read_text("utf-8"))
        manifest.write_text(json.dumps({**data, "model": model}), "utf-8")
    result = call("report", measured, "runs/two")
    assert result.exit_code == 0, result.output
    assert ("Prices: openai:gpt-5-mini on " in result.stdout) is priced
    assert ("Prices: " in result.stdout) is priced


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--price", "gtp-5"), "--price: no price is known of 'gtp-5'; did you mean 'gpt-5'?"),
        (("--price", "gpt-5(on=today)"), "--price gpt-5: on=today: write a day as 2026-11-01"),
        (("--price", "gpt-5(onn=1)"), "--price gpt-5: unknown parameter 'onn'; did you mean 'on'?"),
        (("--price", "gpt-5("), "--price: spec 'gpt-5(': a closing ')' is missing"),
        (("--price", "gpt-5", "--cache", ""), "--cache: spec '' names nothing: write NAME"),
        (("--price", "gpt-5", "--cache", "opnai"), "did you mean 'openai'?"),
        (("--cache", "openai"), "--cache is about costs: give --price MODEL too"),
        (("--pause", "3"), "--pause is about costs: give --price MODEL too"),
        (("--summary-pause", "3"), "--summary-pause is about costs: give --price MODEL too"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(
    call: Call, measured: str, options: tuple[str, ...], told: str
) -> None:
    result = call("report", measured, *options)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stdout == ""


def test_without_the_package_it_says_how_to_get_it(
    call: Call, measured: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    result = call("report", measured, "--price", "gpt-5")
    assert result.exit_code == 2
    assert "pip install 'compaction-eval[prices]'" in result.stderr
    assert call("report", measured).exit_code == 0


def test_a_run_of_an_earlier_version_is_still_read_but_has_no_costs(
    call: Call, measured: str, folder: Path
) -> None:
    cells = folder / measured / "cells.jsonl"
    old = re.sub(r',"message_(tokens|blocks)":\[[\d,]*\]', "", cells.read_text("utf-8"))
    cells.write_text(old, "utf-8")
    assert call("report", measured).exit_code == 0
    result = call("report", measured, *PRICE)
    assert result.exit_code == 2
    assert "run it again" in result.stderr


def test_options_of_costs_are_never_passed_over(call: Call, measured: str, folder: Path) -> None:
    manifest, cells = folder / measured / "manifest.json", folder / measured / "cells.jsonl"
    data = json.loads(manifest.read_text("utf-8"))
    manifest.write_text(json.dumps({**data, "model": "openai:gpt-5-mini"}), "utf-8")
    old = re.sub(r',"message_(tokens|blocks)":\[[\d,]*\]', "", cells.read_text("utf-8"))
    cells.write_text(old, "utf-8")
    assert call("report", measured).exit_code == 0
    result = call("report", measured, "--pause", "3")
    assert result.exit_code == 2
    assert "run it again" in result.stderr


def test_a_run_without_a_request_has_no_costs(call: Call, measured: str, folder: Path) -> None:
    cells = folder / measured / "cells.jsonl"
    keys = [json.loads(line)["key"] for line in cells.read_text("utf-8").splitlines()]
    none = {"budget_tokens": 5, "conversation_tokens": 9, "error": "raised RuntimeError"}
    cells.write_text("".join(json.dumps({"key": key, **none}) + "\n" for key in keys), "utf-8")
    result = call("report", measured, *PRICE, "-o", "tables.md", "-o", "tables.csv")
    assert result.exit_code == 3
    assert "No costs: no cell that is shown has requests." in result.stdout
    assert "Costs" not in (folder / "tables.md").read_text("utf-8")
    assert not (folder / "tables-costs.csv").exists()
