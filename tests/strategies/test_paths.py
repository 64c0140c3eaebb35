"""Paths in messages."""

from __future__ import annotations

import pytest

from compaction_eval.strategies.paths import path_text


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("runs/mine", "runs/mine"),
        ("ordner/größe 1　票据.md", "ordner/größe 1　票据.md"),
        ("a\nb\x1b[31m.md", "a\\nb\\x1b[31m.md"),
        ("a\u202eb\u2028c", "a\\u202eb\\u2028c"),
        ("not-utf8-\udcff", "not-utf8-\\udcff"),
    ],
)
def test_a_path_is_shown_on_one_line(path: str, shown: str) -> None:
    assert path_text(path) == shown
