"""The page on models names every key, parameter, outcome and lack."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

from compaction_eval.commands.config_keys import MODEL_KEYS, MODEL_OPTION_KEYS
from compaction_eval.eval.models.base import Outcome
from compaction_eval.eval.models.capabilities import Capabilities
from compaction_eval.eval.models.naming import ModelName

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text("utf-8")
ROWS = set(re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE))


def test_every_key_and_outcome_has_its_row() -> None:
    parameters = {one.name for one in fields(ModelName)} - {"text", "model"}
    assert {*MODEL_KEYS, *get_args(Outcome), *parameters} <= ROWS


def test_everything_that_an_endpoint_may_lack_is_named() -> None:
    names = {one.name for one in fields(Capabilities)} - {"limit", "schema"}
    names |= {"max_tokens", "max_completion_tokens", "response_format", "developer"}
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_every_option_of_reaching_models_is_named() -> None:
    elsewhere = {"record", "replay", "chaos"}  # they have a page of their own
    assert [one for one in {*MODEL_OPTION_KEYS} - elsewhere if f"--{one}" not in PAGE] == []
