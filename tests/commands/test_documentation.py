"""The pages on the command line and on results are whole, and their help texts are the real ones.

`UPDATE_DOCS=1 pytest tests/commands/test_documentation.py` writes the help texts anew.
"""

from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from compaction_eval.cli import COMMANDS, cli
from compaction_eval.commands.config_keys import KEYS
from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.results import WRITERS
from compaction_eval.reports.verdict_rows import VerdictRow

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "command-line.md"
RESULTS = DOCS / "results.md"
HELP = re.compile(r"<!-- help: ([\w-]*) -->\n```\n.*?```\n", re.DOTALL)


def help_text(name: str) -> str:
    """A command's `--help` at 80 columns; the program's own for the empty name."""
    arguments = [name, "--help"] if name else ["--help"]
    runner = CliRunner(env={"COLUMNS": "80"})
    return runner.invoke(cli, arguments, prog_name="compaction-eval").output.rstrip()


def with_help(text: str) -> str:
    return HELP.sub(lambda m: f"<!-- help: {m[1]} -->\n```\n{help_text(m[1])}\n```\n", text)


def test_every_command_is_on_the_page_with_the_help_that_it_prints() -> None:
    text = PAGE.read_text("utf-8")
    assert [name for name in HELP.findall(text) if name] == list(COMMANDS)
    fresh = with_help(text)
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(fresh, "utf-8")
    assert PAGE.read_text("utf-8") == fresh


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help or parameter.show_default, parameter.name


def test_every_key_of_a_configuration_is_on_the_page() -> None:
    text = PAGE.read_text("utf-8")
    assert [key for key in KEYS if f"| `{key}` |" not in text] == []


def test_every_column_and_format_of_results_is_explained() -> None:
    text = RESULTS.read_text("utf-8")
    names = [field.name for field in fields(SummaryRow)]
    names += VerdictRow._fields
    names += WRITERS
    assert [name for name in names if f"| `{name}`" not in text] == []
