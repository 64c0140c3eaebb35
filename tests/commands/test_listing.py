"""`list`."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint

import pytest
from click.testing import Result

from compaction_eval.strategies import loading

Call = Callable[..., Result]


@pytest.mark.parametrize("kind", ["strategies", "scenarios", "summarizers", "formats"])
def test_every_entry_has_a_name_and_says_what_it_is(call: Call, kind: str) -> None:
    entries = json.loads(call("list", kind, "--json").stdout)
    assert entries
    for entry in entries:
        assert entry["name"]
        assert entry["about"], entry
        assert "\n" not in entry["about"]


def test_all_registered_strategies_are_listed_with_their_defaults(call: Call) -> None:
    entries = {one["name"]: one for one in json.loads(call("list", "strategies", "--json").stdout)}
    assert list(entries) == list(loading.registered("strategies"))
    assert entries["count-slice"]["parameters"]["keep"] == 10
    assert "Sees the answer key." in entries["evidence-only"]["about"]
    text = call("list", "strategies").stdout
    assert "keep=10" in text


def test_an_entry_point_that_cannot_be_imported_is_listed_with_the_reason(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = EntryPoint("broken", "no_such_package:Thing", "compaction_eval.strategies")
    monkeypatch.setattr(loading, "entry_points", lambda group: [broken])
    loading.registered.cache_clear()
    try:
        result = call("list", "strategies")
    finally:
        loading.registered.cache_clear()
    assert result.exit_code == 0
    assert "broken" in result.stdout
    assert "can't be loaded: no_such_package:Thing: there is no module" in result.stdout


def test_formats_are_those_of_import_and_of_results(call: Call) -> None:
    entries = json.loads(call("list", "formats", "--json").stdout)
    by_use = {one["name"]: one["use"] for one in entries}
    assert by_use["openai"] == "import"
    assert by_use[".csv"] == "run -o"


def test_formats_stand_under_what_they_are_for(call: Call) -> None:
    lines = call("list", "formats").stdout.splitlines()
    headings = [line for line in lines if not line.startswith(" ")]
    assert headings == ["import:", "run -o:"]
    under = lines[lines.index("run -o:") + 1 :]
    assert [line.split()[0] for line in under] == [
        ".json",
        ".jsonl",
        ".csv",
        ".md",
        ".xml",
        ".html",
    ]
    assert len({len(line) - len(line.split(None, 1)[1]) for line in lines if line[0] == " "}) == 1


def test_a_mistyped_kind_is_told_with_the_nearest_one(call: Call) -> None:
    result = call("list", "strategie")
    assert result.exit_code == 2
    assert "; did you mean 'strategies'?" in result.stderr
