"""`check`, and `schema`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from compaction_eval.scenarios.library import library_folder, scenario_files

Call = Callable[..., Result]


def test_a_sound_scenario_is_counted(call: Call) -> None:
    result = call("check", "tiny.yaml")
    assert (result.exit_code, result.stdout) == (
        0,
        "No faults, 1 warning: 1 scenario, 1 variant, 7 messages, 1 probe\n",
    )


def test_quiet_says_nothing_of_what_is_sound(call: Call) -> None:
    assert call("check", "-q", "tiny.yaml").output == ""


def test_faults_of_all_files_are_told_one_a_line(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text()
    (folder / "typo.yaml").write_text(
        text.replace("id: tiny", "id: typo").replace("fact:", "fcat:")
    )
    (folder / "compaction-eval.yaml").write_text("budgett: 30%\n")
    result = call("check", "typo.yaml", "compaction-eval.yaml")
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert any(
        line.startswith("typo.yaml:15:") and "did you mean 'fact'?" in line for line in lines
    )
    assert any("did you mean 'budget'?" in line for line in lines)


def test_without_a_path_it_is_the_configuration_and_what_it_names(call: Call, folder: Path) -> None:
    (folder / "compaction-eval.yaml").write_text("scenario: tiny.yaml\nstrategy: ./mine.py:boom\n")
    result = call("check")
    told = "No faults, 1 warning: 1 configuration file, 1 scenario,"
    assert result.stdout.splitlines()[-1].startswith(told)
    (folder / "compaction-eval.yaml").write_text("scenario: tiny.yaml\nstrategy: ./mine.py:bom\n")
    result = call("check")
    assert result.exit_code == 2
    assert result.stderr.startswith("compaction-eval.yaml:2:11: ")
    assert "did you mean 'boom'?" in result.stderr


@pytest.mark.parametrize("first", ["scenaro: tiny.yaml", "scenario: tiny.yaml"])
def test_a_configuration_of_another_name_is_known_by_its_keys(
    call: Call, folder: Path, first: str
) -> None:
    """One misspelt key doesn't make it a scenario."""
    (folder / "settings.yaml").write_text(f"{first}\nbudgt: 30%\nstrategy: none\n")
    result = call("check", "settings.yaml")
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert all(line.startswith("settings.yaml:") for line in lines)
    assert lines[-1].endswith("unknown key 'budgt'; did you mean 'budget'?")
    assert len(lines) == 1 + first.startswith("scenaro")


def test_a_scenario_with_misspelt_keys_stays_one(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text()
    (folder / "typo.yaml").write_text(text.replace("id:", "di:", 1).replace("tags:", "budget:"))
    result = call("check", "typo.yaml")
    assert result.exit_code == 2
    assert "unknown key 'di' in a scenario" in result.stderr


def test_an_empty_path_is_no_folder(call: Call) -> None:
    result = call("check", "")
    assert (result.exit_code, result.stderr) == (2, "a scenario's path, id or TAG:x is empty\n")


def test_a_missing_path_is_a_fault(call: Call) -> None:
    result = call("check", "absent.yaml")
    assert result.exit_code == 2
    assert "absent.yaml: no such file" in result.stderr


@pytest.mark.parametrize("kind", ["scenario", "config"])
def test_a_schema_is_json(call: Call, kind: str) -> None:
    result = call("schema", kind)
    assert result.exit_code == 0
    assert "properties" in json.loads(result.stdout)


def longer(text: str, *, name: str = "longer") -> str:
    """A scenario like tiny.yaml with talk enough to be compacted, all of it of one wording."""
    talk = "".join(
        f"  - user: And what of part {number} of the {name} plan, is it done or not?\n"
        f"  - assistant: Part {number} of the {name} plan is done, as far as anybody can tell.\n"
        for number in range(20)
    )
    return text.replace("id: tiny", f"id: {name}").replace("probes:", f"{talk}probes:")


def test_a_scenario_that_is_too_short_is_warned_of(call: Call) -> None:
    result = call("check", "tiny.yaml")
    assert result.exit_code == 0
    assert [line.partition(" no request")[0] for line in result.stderr.splitlines()] == [
        "tiny.yaml:1:1: warning: 'tiny': at a budget of 15%"
    ]


def test_a_sound_scenario_of_some_length_has_no_findings(call: Call, folder: Path) -> None:
    (folder / "longer.yaml").write_text(longer((folder / "tiny.yaml").read_text()))
    result = call("check", "longer.yaml")
    assert (result.exit_code, result.stderr) == (0, "")


def test_strict_makes_warnings_faults(call: Call) -> None:
    result = call("check", "--strict", "tiny.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("tiny.yaml:1:1: 'tiny': at a budget of 15% ")


def test_without_the_replay_lengths_are_not_looked_at(call: Call) -> None:
    assert call("check", "--no-replay", "tiny.yaml").stderr == ""


def test_scenarios_on_demand_are_exempt_from_lengths(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text().replace("tags: [short,", "tags: [edge,")
    (folder / "tiny.yaml").write_text(text)
    assert call("check", "tiny.yaml").stderr == ""


def test_two_scenarios_of_one_wording_are_warned_of(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text()
    (folder / "one.yaml").write_text(longer(text, name="one"))
    (folder / "two.yaml").write_text(longer(text, name="one").replace("id: one", "id: two"))
    result = call("check", "one.yaml", "two.yaml")
    assert result.exit_code == 0
    assert result.stderr == (
        "two.yaml:7:5: warning: 100% of the wording of 'two' and 'one' is the same, so they count "
        "one conversation twice; reword one of them\n"
    )


def test_a_control_that_fails_is_a_fault(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loader refuses what it can tell; here it is kept from looking."""
    text = longer((folder / "tiny.yaml").read_text())
    (folder / "longer.yaml").write_text(
        text.replace("p, kind: recall,", "p, kind: recall, accept: x9,")
    )
    assert call("check", "longer.yaml").exit_code == 2
    monkeypatch.setattr("compaction_eval.scenarios.loader.check", lambda *_: [])
    result = call("check", "longer.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "probe 'p': the full history doesn't answer it at 'end'" in result.stderr


@pytest.mark.parametrize("configuration", ["", "budget: 30%\n", "[tool.other]\n"])
def test_without_scenarios_it_is_the_whole_library_and_its_spread(
    call: Call, folder: Path, configuration: str
) -> None:
    name = "pyproject.toml" if configuration.startswith("[") else "compaction-eval.yaml"
    (folder / name).write_text(configuration)
    result = call("check", "--no-replay")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["scenarios", "number", "share"]
    own = "1 configuration file, " if configuration.startswith("budget") else ""
    assert lines[-1].startswith(f"No faults: {own}")
    shipped = len(scenario_files(library_folder()))
    assert f"{shipped} scenarios" in lines[-1]


def test_quiet_prints_neither_spread_nor_warnings(call: Call, folder: Path) -> None:
    (folder / "compaction-eval.yaml").write_text("scenario: tiny.yaml\n")
    assert call("check", "-q").output == ""


def test_the_spread_is_printed_where_it_is_asked_for(call: Call) -> None:
    assert "kind of probe" not in call("check", "tiny.yaml").stdout
    assert "kind of probe" in call("check", "--spread", "tiny.yaml").stdout


def test_the_spread_is_written_as_a_page(call: Call, folder: Path) -> None:
    result = call("check", "-q", "tiny.yaml", "-o", "out/library.md")
    assert (result.exit_code, result.output) == (0, "")
    page = (folder / "out" / "library.md").read_text("utf-8")
    assert "| `tiny` | en | 7 | " in page
    assert "| kind of probe | recall | 1 | 1 | 100% |" in page


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("library.html", "-o library.html: what scenarios cover is written as .md\n"),
        ("folder.md", "-o folder.md: is a folder; name a file\n"),
        ("tiny.yaml/library.md", "-o tiny.yaml/library.md: can't be written: "),
    ],
)
def test_a_page_that_cannot_be_written_is_a_fault(
    call: Call, folder: Path, path: str, message: str
) -> None:
    (folder / "folder.md").mkdir()
    result = call("check", "tiny.yaml", "-o", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)


def test_arguments_that_are_no_object_are_warned_of(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text("utf-8")
    call_it = "  - call: look\n    args: '{host: staging}'\n    result: fine\n"
    asking = f"{call_it}  - assistant: Renamed.\n"
    (folder / "tiny.yaml").write_text(text.replace("  - assistant: Renamed.\n", asking))
    result = call("check", "tiny.yaml")
    assert result.exit_code == 0
    assert (
        "tiny.yaml:11:5: warning: the arguments of 'look' are no JSON object: '{host: staging}'"
        in result.stderr
    )


def test_a_summariser_of_ones_own_that_is_not_there_is_a_fault(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text("utf-8")
    named = "stress: {budget: 60%, holds: [valid], summarizer: ./none.py:Notes}\nturns:"
    (folder / "tiny.yaml").write_text(text.replace("turns:", named))
    result = call("check", "tiny.yaml")
    assert result.exit_code == 2
    assert result.stderr.startswith("tiny.yaml:5:51: ./none.py: no such file")
