"""Configuration files."""

from __future__ import annotations

from pathlib import Path

import pytest

from compaction_eval.commands.config_keys import KEYS, config_schema
from compaction_eval.commands.configuration import Configuration, find_configuration
from compaction_eval.commands.model_settings import settings_of
from compaction_eval.commands.run import command as run
from compaction_eval.strategies.errors import ConfigurationError


def texts(configuration: Configuration) -> dict[str, list[str]]:
    return {key: [one.text for one in given] for key, given in configuration.values.items()}


def write(folder: Path, text: str, name: str = "compaction-eval.yaml") -> None:
    (folder / name).write_text(text, "utf-8")


def faults(folder: Path, text: str, name: str = "compaction-eval.yaml") -> list[str]:
    write(folder, text, name)
    with pytest.raises(ConfigurationError) as refused:
        find_configuration(None, folder)
    return str(refused.value).splitlines()


def test_keys_are_the_long_options_of_run() -> None:
    options = {
        name.removeprefix("--")
        for parameter in run.params
        for name in parameter.opts
        if name.startswith("--")
    }
    assert set(KEYS) == options - {"config", "dry-run"}


def test_a_value_is_text_and_one_is_as_good_as_a_list(folder: Path) -> None:
    write(folder, "scenario: tiny.yaml\nbudget: [2000, 30%]\nrepeats: 2\ncontrols: false\n")
    assert texts(find_configuration(None, folder)) == {
        "scenario": ["tiny.yaml"],
        "budget": ["2000", "30%"],
        "repeats": ["2"],
        "controls": ["false"],
    }


def test_strategies_may_be_mappings(folder: Path) -> None:
    write(folder, "strategy:\n  - {use: count-slice, keep: 10, name: last-ten}\n  - none\n")
    first, second = find_configuration(None, folder).values["strategy"]
    assert first.fields == {"use": "count-slice", "keep": "10", "name": "last-ten"}
    assert (second.text, second.fields) == ("none", None)


def test_pyproject_says_the_same_in_its_own_table(folder: Path) -> None:
    text = """\
[project]
name = "x"

[tool.compaction-eval]
scenario = ["tiny.yaml"]
repeats = 2
controls = false
time-limit = 2.5

[[tool.compaction-eval.strategy]]
use = "count-slice"
keep = 10

[tool.other]
budget = "no concern of ours"
"""
    write(folder, text, "pyproject.toml")
    configuration = find_configuration(None, folder)
    assert texts(configuration) == {
        "scenario": ["tiny.yaml"],
        "repeats": ["2"],
        "controls": ["false"],
        "time-limit": ["2.5"],
        "strategy": ["count-slice"],
    }
    assert configuration.values["strategy"][0].fields == {"use": "count-slice", "keep": "10"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "compaction-eval.yaml",
            "gates:\n  baseline: b.jsonl\n  fail-under: [survival=0.9, stale=0]\n",
        ),
        (
            "pyproject.toml",
            "[tool.compaction-eval.gates]\nbaseline = 'b.jsonl'\n"
            "fail-under = ['survival=0.9', 'stale=0']\n",
        ),
    ],
)
def test_gates_are_a_section_of_their_own(folder: Path, name: str, text: str) -> None:
    write(folder, text, name)
    found = find_configuration(None, folder)
    assert found.values == {}
    assert {key: [one.text for one in given] for key, given in found.gates.items()} == {
        "baseline": ["b.jsonl"],
        "fail-under": ["survival=0.9", "stale=0"],
    }
    place = found.gates["fail-under"][0].place
    assert place is not None
    assert place.line == 3


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (
            "compaction-eval.yaml",
            "models:\n  openai:\n    base-url: http://127.0.0.1:8080/v1\n    retries: 0\n"
            "    headers: {X-Team: search, Authorization: 'env:TEAM_KEY'}\n",
            4,
        ),
        (
            "pyproject.toml",
            "[tool.compaction-eval.models.openai]\nbase-url = 'http://127.0.0.1:8080/v1'\n"
            "retries = 0\n[tool.compaction-eval.models.openai.headers]\nX-Team = 'search'\n"
            "Authorization = 'env:TEAM_KEY'\n",
            3,
        ),
    ],
)
def test_how_models_are_reached_is_a_section_of_a_section(
    folder: Path, name: str, text: str, line: int
) -> None:
    write(folder, text, name)
    found = find_configuration(None, folder)
    assert found.values == {}
    assert {key: given[0].text for key, given in found.models.items()} == {
        "base-url": "http://127.0.0.1:8080/v1",
        "retries": "0",
        "headers": "",
    }
    place = found.models["retries"][0].place
    assert place is not None
    assert place.line == line
    settings = settings_of(found, {"TEAM_KEY": "Bearer abc", "OPENAI_BASE_URL": "http://b/v1"})
    assert settings.base_url == "http://b/v1"
    assert {key: value.reveal() for key, value in settings.headers.items()} == {
        "X-Team": "search",
        "Authorization": "Bearer abc",
    }


def test_a_header_that_cant_be_sent_is_told_with_its_place(folder: Path) -> None:
    write(folder, "models:\n  openai:\n    headers: {X-Team: 'env:TEAM'}\n")
    with pytest.raises(ConfigurationError) as refused:
        settings_of(find_configuration(None, folder), {"TEAM": "a\nb"})
    assert "compaction-eval.yaml:3:14: header X-Team: its value has characters" in str(
        refused.value
    )


def test_without_a_file_or_table_there_is_nothing(folder: Path) -> None:
    assert find_configuration(None, folder).values == {}
    write(folder, "[project]\nname = 'x'\n", "pyproject.toml")
    assert find_configuration(None, folder).values == {}
    write(folder, "# nothing yet\n")
    assert find_configuration(None, folder).values == {}


def test_the_yaml_file_goes_before_pyproject(folder: Path) -> None:
    write(folder, "[tool.compaction-eval]\nbudget = '10%'\n", "pyproject.toml")
    write(folder, "budget: 20%\n")
    assert texts(find_configuration(None, folder)) == {"budget": ["20%"]}


def test_a_named_pyproject_must_have_the_table(folder: Path) -> None:
    write(folder, "[project]\nname = 'x'\n", "pyproject.toml")
    with pytest.raises(ConfigurationError, match=r"no table \[tool.compaction-eval\]"):
        find_configuration(folder / "pyproject.toml", folder)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("budgett: 30%\n", "1:1: unknown key 'budgett'; did you mean 'budget'?"),
        ("zzz: [x]\n", "1:1: unknown key 'zzz'; known are scenario, "),
        ("gates: [x]\n", "1:8: 'gates' has keys such as baseline"),
        ("gates: {basline: x}\n", "1:9: unknown key 'basline'; did you mean 'baseline'?"),
        ("gates:\n  fail-under: survivl=1\n", "2:15: 'fail-under': 'survivl=1': unknown metric"),
        ("gates:\n  fail-under: [a: b]\n", "2:16: 'fail-under' is a METRIC=VALUE or a list"),
        ("gates: {allow-flips: -1}\n", "1:22: 'allow-flips': '-1' is no whole number from 0"),
        ("gates: {allow-removed: 1}\n", "1:24: 'allow-removed': '1' is neither true nor false"),
        ("models: openai\n", "1:9: 'models' has the key openai"),
        ("models: {opnai: {}}\n", "1:10: unknown key 'opnai'; did you mean 'openai'?"),
        ("models: {openai: x}\n", "1:18: 'models.openai' has keys such as base-url"),
        ("models: {openai: {url: x}}\n", "1:19: unknown key 'url'; "),
        ("models: {openai: {base-url: x}}\n", "1:29: 'base-url': 'x' is no address such as http"),
        ("models: {openai: {retries: 101}}\n", "1:28: 'retries': '101' is more than 100"),
        ("models: {openai: {timeout: 0}}\n", "1:28: 'timeout': '0' is no time above 0"),
        ("models: {openai: {headers: x}}\n", "1:28: 'headers' is a mapping of names to values"),
        ("models: {openai: {headers: {a: [b]}}}\n", "1:32: 'headers': 'a' is no text on one line"),
        (
            "models: {openai: {headers: {a b: c}}}\n",
            "1:28: 'headers': 'a b' is no name of a header",
        ),
        ("models: {openai: {headers: {api-key: c}}}\n", "'api-key' looks like a secret"),
        ("models: {openai: {key-variable: sk-1}}\n", "it is the name of an environment variable"),
        ("\nrepeats: two\n", "2:10: 'repeats': 'two' is no whole number above 0"),
        (f"repeats: {'9' * 5_000}\n", "1:10: 'repeats': '999"),
        ("repeats: [1, 2]\n", "1:10: 'repeats' is one value"),
        ("budget: []\n", "1:9: 'budget' is an empty list"),
        ("budget: {a: b}\n", "1:9: 'budget' is a text or a list of texts"),
        ("controls: no\n", "1:11: 'controls': 'no' is neither true nor false"),
        ("time-limit: nan\n", "1:13: 'time-limit': 'nan' is no time above 0"),
        ("executor: proceses\n", "did you mean 'processes'?"),
        ("strategy: {uze: none}\n", "1:11: 'strategy': a mapping needs the key 'use'; did you"),
        ("strategy: {use: {a: b}}\n", "parameter 'use' is no text"),
        ("budget: 30% # of all\n", "quote it, or put the comment on a line of its own"),
        ("budget: 30%\nbudget: 40%\n", "2:1: the key 'budget' is given twice"),
        ("- budget\n", "1:1: a configuration has keys such as scenario"),
        ("a: b: c\n", "1:5: "),
    ],
)
def test_a_mistake_is_told_with_its_place(folder: Path, text: str, fault: str) -> None:
    (line,) = faults(folder, text)
    assert line.startswith("compaction-eval.yaml:")
    assert fault in line


def test_all_mistakes_are_told_at_once_in_order(folder: Path) -> None:
    lines = faults(folder, "budgett: 30%\nrepeats: 0\nexecutor: x\n")
    assert [line.split(":")[1] for line in lines] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[tool.compaction-eval]\n\nbudgett = 1\n", "pyproject.toml:3:1: unknown key 'budgett'"),
        ("[tool.compaction-eval]\nrepeats = 0\n", "pyproject.toml:2:1: 'repeats': '0' is no whole"),
        ("[tool.compaction-eval]\nbudget = = 1\n", "pyproject.toml:2:10: invalid value"),
        ("[tool]\ncompaction-eval = 3\n", "a configuration has keys"),
        (
            "[tool.compaction-eval.gates]\nbaseline = 'x'\nfail-under = ['stale=5']\n",
            "pyproject.toml:3:1: 'fail-under': 'stale=5': stale is a share",
        ),
        (
            "[tool.compaction-eval.models.openai]\n\nretries = -1\n",
            "pyproject.toml:3:1: 'retries': '-1' is no whole number from 0",
        ),
        (
            "[tool.compaction-eval.models.opnai]\n",
            "pyproject.toml:1:30: unknown key 'opnai'; did you mean 'openai'?",
        ),
    ],
)
def test_a_mistake_in_pyproject_has_its_keys_place(folder: Path, text: str, fault: str) -> None:
    assert fault in faults(folder, text, "pyproject.toml")[0]


def test_the_schema_accepts_what_the_reader_accepts() -> None:
    from jsonschema import Draft202012Validator

    schema = config_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    good = {
        "budget": [2000, "30%"],
        "strategy": [{"use": "count-slice", "keep": 10}, "none"],
        "repeats": 1,
        "profile": "openai",
        "models": {"openai": {"base-url": "http://host/v1", "headers": {"X-A": "env:A"}}},
    }
    assert validator.is_valid(good)
    gated = {"gates": {"baseline": "b.jsonl", "fail-under": ["survival=0.9"], "allow-flips": 0}}
    assert validator.is_valid(gated)
    for bad in (
        {"gates": {"fail-undr": "x"}},
        {"budgett": 1},
        {"repeats": 0},
        {"strategy": [{"keep": 1}]},
        {"executor": "x"},
    ):
        assert not validator.is_valid(bad)
