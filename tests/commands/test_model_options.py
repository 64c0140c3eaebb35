"""The options of a command that asks models."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import click
import pytest
from click.testing import CliRunner

from compaction_eval.commands.config_keys import MODEL_OPTION_KEYS
from compaction_eval.commands.model_options import model_options

TAKEN: dict[str, Any] = {}


@click.command()
@model_options
def command(**options: Any) -> None:
    TAKEN.clear()
    TAKEN.update(options)


def test_what_isnt_given_is_none_and_each_option_is_a_key_of_configurations() -> None:
    assert CliRunner().invoke(command, []).exit_code == 0
    assert set(TAKEN.values()) == {None}
    assert [name.replace("_", "-") for name in TAKEN] == list(MODEL_OPTION_KEYS)


def test_an_amount_is_taken_as_exactly_as_it_was_written() -> None:
    assert CliRunner().invoke(command, ["--max-cost", "$0.10"]).exit_code == 0
    assert TAKEN["max_cost"] == Decimal("0.10")


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "ten", "1e999999999", "1e-999"])
def test_what_is_no_amount_is_told(value: str) -> None:
    result = CliRunner().invoke(command, ["--max-cost", value])
    assert result.exit_code == 2
    assert f"'{value}' is no amount in USD, such as 2.50." in result.output


@pytest.mark.parametrize(
    ("option", "value"), [("--concurrency", "0"), ("--concurrency", "257"), ("--max-requests", "0")]
)
def test_a_number_outside_of_its_range_is_told(option: str, value: str) -> None:
    assert CliRunner().invoke(command, [option, value]).exit_code == 2


def test_every_option_says_what_it_does() -> None:
    assert all(isinstance(one, click.Option) and one.help for one in command.params)
