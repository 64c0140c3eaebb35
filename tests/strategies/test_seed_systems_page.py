"""The page that maps behaviour to tests names tests that exist."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "seed-systems.md").read_text("utf-8")
NAMED = re.findall(r"`((?:[a-z_]+/)*test_[a-z_]+\.py)::(test_\w+)`", PAGE)


def names_in(file: str) -> set[str]:
    """The names of the tests in a file of this room, or of another one if its folder is given."""
    path = ROOT / "tests" / (file if "/" in file else f"strategies/{file}")
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_test_named_on_the_page_exists() -> None:
    missing = [f"{file}::{name}" for file, name in NAMED if name not in names_in(file)]
    assert missing == []
    assert len(NAMED) == PAGE.count("::")


def test_every_row_names_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    heads = ("| behaviour |", "| fault |", "| trap |", "| name |")
    bare = [row for row in rows if "::" not in row and not row.startswith(heads)]
    assert bare == []
