"""`report RUN1 RUN2 …`: comparable runs in one set of tables, charts and page."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from compaction_eval.commands.several_runs import short_names
from compaction_eval.eval.models.chaos import Chaos
from compaction_eval.eval.models.chaos_server import Endpoint, answering
from compaction_eval.eval.store import read_run

if TYPE_CHECKING:
    from tests.commands.conftest import Call

RUN = ("run", "-q", "--scenario", "tiny.yaml", "--budget", "60%", "--budget", "90%")
BY_KIND = ("--by", "kind")


@pytest.fixture
def measure(call: Call) -> Any:
    """Measures strategies into a folder of that name."""

    def run(out: str, *strategies: str, options: tuple[str, ...] = ()) -> str:
        specs = [text for spec in strategies for text in ("--strategy", spec)]
        result = call(*RUN, *specs, *options, "--out", out)
        assert result.exit_code in (0, 3), result.output
        return out

    return run


def figures(file: str) -> dict[tuple[str, str], tuple[str, str]]:
    """From strategy and budget to the share of recall probes and the run, of a report's CSV."""
    lines = csv.DictReader(Path(file).read_text("utf-8").splitlines())
    return {
        (one["strategy"], one["budget"]): (one["share"], one["run"])
        for one in lines
        if one["group"] == "recall"
    }


def run_ids(*folders: str) -> list[str]:
    """The ids, as the report of each run alone tells them."""
    from compaction_eval.eval.manifest import run_id

    return [run_id(read_run(Path(folder)).manifest) for folder in folders]


def test_strategies_of_the_morning_and_the_afternoon_stand_in_one_table(
    call: Call, measure: Any
) -> None:
    runs = measure("morning", "count-slice(keep=9)"), measure("afternoon", "./mine.py:last_two")
    morning, afternoon = run_ids(*runs)
    result = call("report", *runs, *BY_KIND, "-o", "r.csv", "-o", "r.md")
    assert (result.exit_code, result.stderr) == (0, "")
    first, second, *_ = result.stdout.splitlines()
    assert first == f"Put together: morning (run {morning}), afternoon (run {afternoon})."
    assert second == (
        "The same in more than one, so taken once: none, empty, evidence-only, token-window."
    )
    both = f"{morning} + {afternoon}"
    assert figures("r.csv") == {
        ("count-slice(keep=9)", "60%"): ("1.0", morning),
        ("count-slice(keep=9)", "90%"): ("1.0", morning),
        ("./mine.py:last_two", "60%"): ("0.0", afternoon),
        ("./mine.py:last_two", "90%"): ("0.0", afternoon),
        ("token-window", "60%"): ("0.0", both),
        ("token-window", "90%"): ("0.0", both),
    }
    assert f"- {first}" in Path("r.md").read_text("utf-8")


def test_before_and_after_of_a_strategy_are_told_apart_by_their_folders(
    call: Call, measure: Any
) -> None:
    measure("runs/before", "./mine.py:last_two", "count-slice(keep=9)")
    mine = Path("mine.py")
    mine.write_text(mine.read_text().replace("[-2:]", "[-7:]"))
    measure("runs/after", "./mine.py:last_two", "count-slice(keep=9)")
    result = call("report", "runs/before", "runs/after", *BY_KIND, "-o", "r.csv")
    assert result.exit_code == 0
    told = "Not the same in each, so told apart by run: ./mine.py:last_two."
    assert told in result.stdout.splitlines()
    before, after = run_ids("runs/before", "runs/after")
    found = figures("r.csv")
    assert found["./mine.py:last_two [before]", "60%"] == ("0.0", before)
    assert found["./mine.py:last_two [after]", "60%"] == ("1.0", after)
    assert found["count-slice(keep=9)", "60%"][1] == f"{before} + {after}"


def test_controls_that_were_told_apart_are_controls_still(call: Call, measure: Any) -> None:
    measure("one", "none(name=top)", "evidence-only(name=key)", options=("--no-controls",))
    measure("two", "empty(name=top)", "evidence-only(name=key)", options=("--no-controls",))
    result = call("report", "one", "two", *BY_KIND, "--budget", "60%")
    assert result.exit_code == 0, result.output
    words = result.stdout.split()
    assert words.count("[one]") == 1
    assert words.count("[two]") == 1
    (row,) = (line for line in result.stdout.splitlines() if line.startswith("recall"))
    assert row.split()[1:4] == ["100%", "0%", "100%"]
    assert "* control, for comparison" in result.stdout
    assert "† sees the answer key" in result.stdout


@pytest.fixture
def endpoint(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    def answer(request: Mapping[str, Any]) -> str:
        sees = "8443" in json.dumps(request["messages"][:-1])
        return "8443" if sees and request["model"] == "able" else "I don't know."

    with answering(Chaos(), answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        yield server


def recalls(run: str, *others: str) -> dict[str, tuple[float | None, float | None]]:
    """From strategy to survival and recall at 90%, of runs put together."""
    from compaction_eval.commands.several_runs import reported
    from compaction_eval.eval.summary import summary_rows

    rows = summary_rows(reported((run, *others)).run)
    return {row.strategy: (row.survival, row.recall) for row in rows if row.budget == "90%"}


def test_what_two_models_answered_stays_with_the_run_of_each(
    call: Call, measure: Any, endpoint: Endpoint
) -> None:
    for name in ("able", "weak"):
        measure(name, "count-slice(keep=9)", options=("--model", f"openai:{name}"))
    result = call("report", "able", "weak", *BY_KIND)
    assert result.exit_code == 0, result.output
    assert "asked openai:able), weak (run " in result.stdout
    found = recalls("able", "weak")
    assert found["count-slice(keep=9) [able]"] == (1.0, 1.0)
    assert found["count-slice(keep=9) [weak]"] == (1.0, 0.0)
    assert found["none [able]"] == (1.0, 1.0)
    assert found["none [weak]"] == (1.0, 0.0)


def test_controls_that_a_model_was_asked_about_in_one_run_alone_are_taken_once(
    measure: Any, endpoint: Endpoint
) -> None:
    measure("bare", "./mine.py:last_two")
    measure("asked", "count-slice(keep=9)", options=("--model", "openai:able"))
    found = recalls("bare", "asked")
    assert found["./mine.py:last_two"] == (0.0, None)
    assert found["count-slice(keep=9)"] == (1.0, 1.0)
    assert found["none"] == (1.0, 1.0)


def test_charts_page_and_tables_name_both_runs(call: Call, measure: Any) -> None:
    pytest.importorskip("matplotlib")
    runs = measure("a", "count-slice(keep=9)"), measure("b", "./mine.py:last_two")
    both = " + ".join(run_ids(*runs))
    ids = dict(zip(("count-slice(keep=9)", "./mine.py:last_two"), both.split(" + "), strict=True))
    result = call("report", *runs, *BY_KIND, "--out", "out")
    assert result.exit_code == 0, result.output
    out = Path("out")
    for data in set(out.glob("*.csv")) - {out / "report.csv"}:
        for one in csv.DictReader(data.read_text().splitlines()):
            own = ids.get(one["strategy"], both) if "budget" in one else both
            assert one["run"] == own, (data.name, one["strategy"])
        assert both in (out / f"{data.stem}.svg").read_text("utf-8")
    page = (out / "page.html").read_text("utf-8")
    assert f"Compaction: run {both}" in page
    assert f"Put together: a (run {both.split()[0]})" in page
    assert "./mine.py:last_two" in page
    assert "count-slice(keep=9)" in page
    assert result.stdout.count("Put together") == 1


def test_the_order_of_the_runs_decides_and_nothing_else(call: Call, measure: Any) -> None:
    pytest.importorskip("matplotlib")
    runs = measure("a", "count-slice(keep=9)"), measure("b", "./mine.py:last_two")
    first, again, _ = (
        call("report", *given, *BY_KIND, "-o", f"{name}.html", "-o", f"{name}.csv")
        for name, given in (("1", runs), ("2", runs), ("3", runs[::-1]))
    )
    assert first.stdout.replace("1.", "2.") == again.stdout.replace("1.", "2.")
    for suffix in ("html", "csv"):
        one, other, reverse = (Path(f"{name}.{suffix}").read_bytes() for name in "123")
        assert one == other
        assert one != reverse
    names = [
        list(
            dict.fromkeys(
                one["strategy"] for one in csv.DictReader(Path(file).read_text().splitlines())
            )
        )
        for file in ("1.csv", "3.csv")
    ]
    assert names == [
        ["count-slice(keep=9)", "token-window", "./mine.py:last_two"],
        ["./mine.py:last_two", "token-window", "count-slice(keep=9)"],
    ]


def test_conversations_that_only_some_strategies_have_are_left_out_and_told(
    call: Call, measure: Any
) -> None:
    tiny = Path("tiny.yaml").read_text("utf-8")
    Path("more.yaml").write_text(tiny.replace("id: tiny", "id: more"), "utf-8")
    measure("one", "count-slice(keep=9)", options=("--scenario", "more.yaml"))
    measure("two", "./mine.py:last_two")
    result = call("report", "one", "two", *BY_KIND, "-o", "r.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        "Scenarios only in one, left out, since not every strategy was measured on them: more."
    ) in result.stdout
    lines = csv.DictReader(Path("r.csv").read_text().splitlines())
    assert {one["scenarios"] for one in lines} == {"1"}


def test_parts_of_one_matrix_that_were_measured_apart_make_one_run(
    call: Call, measure: Any
) -> None:
    tiny = Path("tiny.yaml").read_text("utf-8")
    for number in range(4):
        text = tiny.replace("id: tiny", f"id: part-{number}")
        Path(f"part-{number}.yaml").write_text(text, "utf-8")
    only = [one for one in RUN if one not in ("--scenario", "tiny.yaml")]
    folders = []
    for number in range(4):
        folders.append(f"shard-{number}")
        scenario = ("--scenario", f"part-{number}.yaml", "--out", folders[-1])
        assert call(*only, "--strategy", "count-slice(keep=9)", *scenario).exit_code == 0
    folders.append(measure("shard-4", "count-slice(keep=9)"))
    result = call("report", *folders, *BY_KIND, "-o", "r.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = csv.DictReader(Path("r.csv").read_text().splitlines())
    assert {one["scenarios"] for one in lines} == {"5"}
    assert "[shard" not in result.stdout


def test_strategies_that_share_no_conversation_are_refused(call: Call, measure: Any) -> None:
    measure("one", "count-slice(keep=9)", options=("--no-controls",))
    tiny = Path("tiny.yaml")
    tiny.write_text(tiny.read_text("utf-8").replace("id: tiny", "id: other"), "utf-8")
    tiny.rename("other.yaml")
    only = [one if one != "tiny.yaml" else "other.yaml" for one in RUN]
    call(*only, "--no-controls", "--strategy", "count-slice(keep=2)", "--out", "two")
    result = call("report", "one", "two")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "can't be put together: one and two have no scenario in common: tiny in one, other in two\n"
    )


def test_another_yardstick_or_changed_conversation_is_refused_with_every_reason(
    call: Call, measure: Any
) -> None:
    measure("one", "count-slice(keep=9)")
    tiny = Path("tiny.yaml")
    tiny.write_text(tiny.read_text().replace("Renamed.", "It is renamed."), "utf-8")
    measure("two", "./mine.py:last_two", options=("--encoding", "cl100k_base"))
    result = call("report", "one", "two", "-o", "r.csv")
    assert (result.exit_code, result.stdout) == (2, "")
    encoding, scenario = result.stderr.splitlines()
    assert encoding == ("can't be put together: encoding: o200k_base in one, cl100k_base in two")
    assert scenario == "can't be put together: changed since one: scenario tiny"
    assert not Path("r.csv").exists()


def test_budgets_that_were_counted_otherwise_are_refused_though_no_strategy_is_in_both(
    call: Call, measure: Any
) -> None:
    measure("one", "count-slice(keep=9)", options=("--no-controls",))
    measure("two", "./mine.py:last_two", options=("--no-controls",))
    cells = Path("two/cells.jsonl")
    lines = [json.loads(line) for line in cells.read_text().splitlines()]
    for line in lines:
        line["budget_tokens"] += 1
    cells.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = call("report", "one", "two")
    assert result.exit_code == 2
    assert "can't be put together: tokens of the budget 60%: " in result.stderr


def test_errors_of_one_run_are_told_and_end_with_3(call: Call, measure: Any) -> None:
    measure("one", "count-slice(keep=9)")
    measure("two", "./mine.py:boom")
    result = call("report", "one", "two", *BY_KIND)
    assert result.exit_code == 3
    assert "2 of 12 cells without figures." in result.stderr


def test_an_interrupted_run_among_them_is_told_and_ends_with_3(call: Call, measure: Any) -> None:
    measure("one", "count-slice(keep=9)", options=("--no-controls",))
    measure("two", "./mine.py:last_two", options=("--no-controls",))
    cells = Path("two/cells.jsonl")
    cells.write_text(cells.read_text().splitlines(keepends=True)[0])
    result = call("report", "one", "two", *BY_KIND)
    assert result.exit_code == 3
    assert result.stderr.splitlines()[0] == (
        "These runs hold 3 of 4 cells: one was interrupted; figures rest on these."
    )


def test_a_finished_run_makes_up_for_an_interrupted_one_of_the_same(
    call: Call, measure: Any
) -> None:
    measure("one", "count-slice(keep=9)")
    measure("two", "count-slice(keep=9)")
    cells = Path("one/cells.jsonl")
    cells.write_text("".join(cells.read_text().splitlines(keepends=True)[:3]))
    result = call("report", "one", "two", *BY_KIND)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("again", ["one", "./one/"])
def test_a_folder_that_is_named_twice_is_taken_once(call: Call, measure: Any, again: str) -> None:
    measure("one", "count-slice(keep=9)")
    result = call("report", "one", again, *BY_KIND)
    assert result.exit_code == 0
    assert result.stderr == f"{again}: is named twice, and taken once.\n"
    alone = call("report", "one", *BY_KIND).stdout.splitlines()
    assert result.stdout.splitlines()[:-1] == alone[:-1]


def test_whatever_a_folder_is_called_its_strategies_are_told_apart(
    call: Call, measure: Any
) -> None:
    odd = 'a, "b) [c]'
    measure(odd, "count-slice(keep=9, name=mine)")
    measure("=cmd()", "count-slice(keep=2, name=mine)")
    result = call("report", odd, "=cmd()", *BY_KIND, "-o", "r.csv")
    assert result.exit_code == 0, result.output
    found = figures("r.csv")
    assert found[f"mine [{odd}]", "60%"][0] == "1.0"
    assert found["mine [=cmd()]", "60%"][0] == "0.0"


def test_the_next_step_is_a_command_about_the_same_runs(call: Call, measure: Any) -> None:
    runs = measure("one", "count-slice(keep=9)"), measure("two", "./mine.py:last_two")
    words = shlex.split(call("report", *runs, *BY_KIND).stdout.splitlines()[-1])
    result = call(*words[words.index("report") :])
    assert result.exit_code == 0
    assert "\ntiny p " in result.stdout


def test_the_example_of_the_page_gives_one_frame_of_both_runs(measure: Any) -> None:
    pytest.importorskip("pandas")
    measure("runs/morning", "count-slice(keep=9)")
    measure("runs/afternoon", "./mine.py:last_two")
    page = Path(__file__).resolve().parents[2] / "docs" / "reading-a-report.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "both.py", "exec"), {})
    names = {line.split()[0] for line in printed.getvalue().splitlines()}
    assert {"count-slice(keep=9)", "./mine.py:last_two", "none"} <= names


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (("one", "absent"), "absent: there is no such folder; make it: "),
        (("one", "."), ".: holds runs, and is none; name one of one"),
        (("base.jsonl",), "base.jsonl: is a file; a report is made of run folders"),
        (("one", "base.jsonl"), "base.jsonl: is a file; a report is made of run folders"),
    ],
)
def test_what_is_no_run_is_told_in_one_line(
    call: Call, measure: Any, given: tuple[str, ...], reason: str
) -> None:
    measure("one", "count-slice(keep=9)")
    assert call("baseline", "one", "-o", "base.jsonl").exit_code == 0
    result = call("report", *given)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(reason)


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        (("/r/before", "/r/after"), ["before", "after"]),
        (("/r/a/out", "/r/b/out"), ["a/out", "b/out"]),
        (("/r/out", "/out"), ["r/out", "/out"]),
        (("/r/2026-11-30-morning-run", "/r/2026-11-30-evening-run"), ["morning", "evening"]),
        (("/r/prompt-of-november", "/r/prompt-of-november-2"), ["november", "november-2"]),
        (("/r/" + "x" * 20 + "a", "/r/" + "x" * 20 + "b"), ["x" * 20 + "a", "x" * 20 + "b"]),
        (("/r/提示词修改记录-早上", "/r/提示词修改记录-晚上"), ["早上", "晚上"]),
        (("/r/a\x1b[1m", "/r/b"), ["a\\x1b[1m", "b"]),
    ],
)
def test_runs_have_short_names_each_another(folders: tuple[str, ...], names: list[str]) -> None:
    assert short_names([Path(folder) for folder in folders]) == names
