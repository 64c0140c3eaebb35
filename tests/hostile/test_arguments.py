"""Arguments that a shell made of files' names: refused in words that steer nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import CliRunner
from tests.hostile.corpus import HOSTILE
from tests.hostile.reading import commands, steering

from compaction_eval.cli import cli

if TYPE_CHECKING:
    import pytest


def test_a_file_that_is_called_like_an_option_is_told_without_steering(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for one in HOSTILE:
        text = one.text.encode("utf-8", "ignore").decode()
        for arguments in (
            ("run", f"--{text}"),
            ("run", "-o", "r.json", text),
            ("report", "--by", text),
            ("report", text),
            ("compare", "--between", text, text, text),
            ("show", text, "--strategy", text),
            (text,),
        ):
            told = CliRunner().invoke(cli, arguments)
            fault = told.exception
            assert fault is None or isinstance(fault, SystemExit), (one.name, arguments)
            assert (one.name, steering(told.output), commands(told.output)) == (one.name, [], [])
