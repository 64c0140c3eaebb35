"""Data flows one way: a room imports only from the rooms to its left."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("strategies", "scenarios", "eval", "reports")
PACKAGE = "compaction_eval"


def imported(file: Path) -> Iterator[str]:
    """The parts of the package that a file imports: `eval`, `reports`, `commands`, …"""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            package, _, rest = name.partition(".")
            if package == PACKAGE and rest:
                yield rest.split(".")[0]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_the_rooms_to_its_left(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    known = {"strategies", *ROOMS[: ROOMS.index(room) + 1]}
    seen = {(str(file.relative_to(ROOT)), name) for file in files for name in imported(file)}
    assert seen
    assert {one for one in seen if one[1] not in known} == set()


def test_nothing_imports_the_commands_but_the_command_line() -> None:
    folders = (*ROOMS, "src/compaction_eval/testing")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    assert files
    assert [file for file in files if "commands" in imported(file)] == []
