"""What is printed steers no terminal, and starts no command in a CI system's log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len
from tests.hostile.carriers import ODD_NAMES
from tests.hostile.corpus import HOSTILE
from tests.hostile.reading import commands, highest, steering
from tests.reports.conftest import Terminal

from compaction_eval.eval.store import read_run
from compaction_eval.reports.story import print_story
from compaction_eval.reports.table import console
from compaction_eval.scenarios.library import select

if TYPE_CHECKING:
    from tests.hostile.producing import Everything


def test_nothing_printed_steers_a_terminal_or_hides(everything: Everything) -> None:
    assert {
        name: found for name, text in everything.printed.items() if (found := steering(text))
    } == {}
    assert max(map(highest, everything.printed.values())) <= 6


def test_no_line_is_a_command_but_the_annotations_of_a_gate(everything: Everything) -> None:
    printed = dict(everything.printed)
    annotated = commands(printed.pop("annotations"))
    assert {name: found for name, text in printed.items() if (found := commands(text))} == {}
    assert 1 < len(annotated) <= 10
    assert all(
        line.startswith(("::error file=spoken.yaml,line=", "::error title=")) for line in annotated
    )


def test_stories_keep_within_the_terminal(everything: Everything) -> None:
    told = [text for name, text in everything.printed.items() if name.endswith(" 40")]
    assert len(told) == 2
    assert max(cell_len(line) for text in told for line in text.split("\n")) <= 40


def test_a_long_name_tears_no_table(everything: Everything) -> None:
    table = everything.printed["run names"].split("\n\n")[0].split("\n")
    assert len(table) > 2 * len(HOSTILE)
    assert max(map(cell_len, table)) < 220
    assert sum(line.startswith("long-long-") for line in table) == 1


def test_colours_are_all_that_a_terminal_is_sent(everything: Everything) -> None:
    run = read_run(everything.folder / "runs" / "spoken")
    (spoken,) = select([str(everything.folder / "spoken.yaml")])
    for cell in run.cells[:1]:
        stream = Terminal()
        print_story(spoken, cell, console(stream, 100))
        told = stream.getvalue()
        assert "\x1b[" in told
        assert steering(re.sub(r"\x1b\[[0-9;]*m", "", told)) == []


def test_a_fault_is_one_line_whatever_it_speaks_of(everything: Everything) -> None:
    told = everything.printed["check"].split("\n")[:-1]
    assert len(told) > 100
    assert [line for line in told if not line.startswith("wrong.yaml:")] == []


def test_files_are_told_by_their_escaped_names(everything: Everything) -> None:
    told = everything.printed["import"]
    assert r"\x1b[31m\u202egpj.jsonl: 1 conversation" in told
    assert "\\x3a:error::x\\n=1+1.jsonl: 1 conversation" in told
    assert f"{ODD_NAMES[2]}: 1 conversation" in told
