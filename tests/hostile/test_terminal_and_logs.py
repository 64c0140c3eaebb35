"""What is printed steers no terminal, and starts no command in a CI system's log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len
from tests.hostile.carriers import ODD_NAMES
from tests.hostile.reading import commands, highest, steering

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


@pytest.mark.parametrize("width", [40, 80])
def test_stories_keep_within_the_terminal(width: int, everything: Everything) -> None:
    for name, text in everything.printed.items():
        if name.startswith("show") and name.endswith(f" {width}"):
            assert max(map(cell_len, text.split("\n"))) <= width


def test_no_line_is_wider_than_a_screen_or_two(everything: Everything) -> None:
    wide = {
        name: max(map(cell_len, text.split("\n")))
        for name, text in everything.printed.items()
        if not name.startswith(("check", "stress"))
    }
    assert {name: width for name, width in wide.items() if width > 700} == {}


def test_a_fault_is_one_line_whatever_it_speaks_of(everything: Everything) -> None:
    told = everything.printed["check"].split("\n")[:-1]
    assert len(told) > 100
    assert [line for line in told if not line.startswith("wrong.yaml:")] == []


def test_files_are_told_by_their_escaped_names(everything: Everything) -> None:
    told = everything.printed["import"]
    assert r"\x1b[31m\u202egpj.jsonl: 1 conversation" in told
    assert "\\x3a:error::x\\n=1+1.jsonl: 1 conversation" in told
    assert f"{ODD_NAMES[2]}: 1 conversation" in told
