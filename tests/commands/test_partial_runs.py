"""Runs of which a part is there: selected by -k, interrupted, or failed and mended since."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

from click.testing import Result
from tests.commands.conftest import TINY, again

from compaction_eval.commands.run_folder import finished_run

Call = Callable[..., Result]
RUN = ("run", "--scenario", "tiny.yaml", "--scenario", "other.yaml", "--budget", "60%")
OTHER = TINY.replace("id: tiny", "id: other")
OWN = (*RUN, "--no-controls", "--strategy", "./mine.py:last_two")


def test_a_selected_part_that_is_whole_is_no_interruption(call: Call, folder: Path) -> None:
    (folder / "other.yaml").write_text(OTHER)
    call(*OWN, "-q", "-k", "tiny", "--out", "part")
    result = call("report", "part", "-o", "part.md")
    told = "This run holds 1 of 2 cells: these were selected; figures rest on these."
    assert (result.exit_code, result.stderr) == (0, told + "\n")
    assert told in Path("part.md").read_text()
    call(*OWN, "-q", "--out", "part")
    call(*OWN, "-q", "--out", "whole")
    assert Path("part/manifest.json").read_text() == Path("whole/manifest.json").read_text()


def test_a_selected_part_that_lacks_a_cell_was_interrupted(call: Call, folder: Path) -> None:
    (folder / "other.yaml").write_text(OTHER)
    call(*RUN, "-q", "-k", "tiny", "--out", "part")
    cells = Path("part/cells.jsonl")
    cells.write_text("".join(cells.read_text().splitlines(keepends=True)[:-1]))
    result = call("report", "part")
    assert result.exit_code == 3
    assert ": it was interrupted; figures rest on these." in result.stderr


def test_rows_on_different_conversations_are_named_by_run_and_its_files(
    call: Call, folder: Path
) -> None:
    (folder / "other.yaml").write_text(OTHER)
    result = call(*RUN, "-k", "tiny or none", "--out", "part", "-o", "part.md", "-o", "part.html")
    told = (
        "Strategies rest on different conversations, so their figures can't be compared:"
        " none on 2 conversations (other, tiny); "
    )
    assert result.exit_code == 0
    assert told in result.stdout
    assert " on 1 conversation (tiny)." in result.stdout
    assert "none on 2 conversations (other, tiny); " in Path("part.html").read_text()
    assert "so their figures can't be compared" in Path("part.md").read_text()
    assert told in call("report", "part").stderr


def test_the_printed_command_measures_a_mended_strategy_anew_and_no_other(
    call: Call, folder: Path
) -> None:
    (folder / "other.yaml").write_text(OTHER)
    mine = folder / "mine.py"
    mine.write_text(
        "def boom(messages, budget):\n"
        "    if 'Added' in str(messages): raise RuntimeError('no luck')\n"
        "    return messages[-1:]\n"
    )
    (folder / "other.yaml").write_text(OTHER.replace("Added", "Written"))
    failed = call(*RUN, "--no-controls", "--strategy", "./mine.py:boom", "--strategy", "none",
                  "--out", "bad")  # fmt: skip
    assert failed.exit_code == 3
    mine.write_text("def boom(messages, budget):\n    return messages[-2:]\n")
    mended = call(*again(failed))
    assert mended.exit_code == 0, mended.output
    call(*RUN, "--no-controls", "--strategy", "./mine.py:boom", "--strategy", "none", "-q",
         "--out", "new")  # fmt: skip
    for name in ("manifest.json", "cells.jsonl"):
        assert Path("bad", name).read_text() == Path("new", name).read_text()
    _, run = finished_run("bad")
    assert not run.errors


def test_a_changed_strategy_that_had_not_failed_is_refused_and_named(
    call: Call, folder: Path
) -> None:
    (folder / "other.yaml").write_text(OTHER)
    call(*OWN, "-q", "--out", "kept")
    before = Path("kept/cells.jsonl").read_text()
    (folder / "mine.py").write_text("def last_two(messages, budget):\n    return messages[-1:]\n")
    result = call(*OWN, "--out", "kept")
    assert result.exit_code == 2
    assert (
        "kept: holds a run with other strategies (the file of ./mine.py:last_two has changed);"
        " choose another --out"
    ) in result.stderr
    assert Path("kept/cells.jsonl").read_text() == before


def test_a_run_of_no_finished_cell_says_how_to_go_on(call: Call, folder: Path) -> None:
    (folder / "other.yaml").write_text(OTHER)
    call(*OWN, "-q", "--out", "none")
    Path("none/cells.jsonl").write_text("")
    refused = call("report", "none")
    assert refused.exit_code == 2
    words = shlex.split(refused.stderr.split("go on: ")[1])
    assert call(*words[words.index("run") :]).exit_code == 0
    assert call("report", "none").exit_code == 0


def test_where_nothing_fits_no_fact_is_called_kept(call: Call) -> None:
    result = call("run", "--scenario", "tiny.yaml", "--budget", "1", "--strategy",
                  "./mine.py:last_two", "--out", "one")  # fmt: skip
    assert "No fact was lost" not in result.stdout
    last = result.stdout.splitlines()[-2:]
    assert any(one.startswith("Nothing could be measured at this budget") for one in last)
    assert "Infeasible: 1 of 1 replay by each strategy at 1. Left out of" in result.stdout


def test_a_folder_like_an_option_is_given_as_a_path(call: Call) -> None:
    call("run", "-q", "--scenario", "tiny.yaml", "--strategy", "count-slice(keep=9)", "--strategy",
         "./mine.py:last_two", "--budget", "60%", "--out", "-dash")  # fmt: skip
    last = call("report", "--by", "kind", "--", "-dash").stdout.splitlines()[-1]
    assert last.endswith(" --run ./-dash")


def test_both_versions_of_a_strategy_are_meant_by_its_name(call: Call, folder: Path) -> None:
    own = ("run", "-q", "--scenario", "tiny.yaml", "--strategy", "./mine.py:last_two", "--budget",
           "60%", "--out")  # fmt: skip
    call(*own, "before")
    (folder / "mine.py").write_text("def last_two(messages, budget):\n    return messages[:3]\n")
    call(*own, "after")
    result = call("report", "before", "after", "--strategy", "./mine.py:last_two", "--by", "kind")
    assert result.exit_code == 0, result.stderr
    assert "[before]" in result.stdout
    assert "[after]" in result.stdout
    copied = ("show", "tiny.yaml", "--strategy", "./mine.py:last_two [after]", "--budget", "60%")
    assert call(*copied, "--run", "after").exit_code == 0
    assert "is of another run than before" in call(*copied, "--run", "before").stderr
    assert "--run DIR --strategy './mine.py:last_two'" in call(*copied).stderr


def test_a_manifest_tells_a_selection_by_numbers_of_cells(call: Call, folder: Path) -> None:
    (folder / "other.yaml").write_text(OTHER)
    call(*OWN, "-q", "-k", "other", "--out", "part")
    assert json.loads(Path("part/manifest.json").read_text())["selected"] == [[0, 0]]
