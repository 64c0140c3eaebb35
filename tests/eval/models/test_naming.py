"""How models are named."""

from __future__ import annotations

import pytest

from compaction_eval.eval.models.naming import ModelName, parse_model
from compaction_eval.strategies.errors import ConfigurationError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("openai:gpt-4o", ModelName("openai:gpt-4o", "gpt-4o")),
        ("openai:qwen2.5:7b", ModelName("openai:qwen2.5:7b", "qwen2.5:7b")),
        ("openai:org/Big-7B", ModelName("openai:org/Big-7B", "org/Big-7B")),
        (
            " openai:a/b:c( temperature = 0.2,max-tokens=400 )",
            ModelName(
                "openai:a/b:c(temperature=0.2, max_tokens=400)",
                "a/b:c",
                temperature=0.2,
                max_tokens=400,
            ),
        ),
        (
            "openai:m(top_p=1, seed=0, reasoning_effort=low)",
            ModelName(
                "openai:m(top_p=1, seed=0, reasoning_effort=low)",
                "m",
                top_p=1.0,
                seed=0,
                reasoning_effort="low",
            ),
        ),
    ],
)
def test_a_name_may_hold_colons_slashes_and_parameters(text: str, expected: ModelName) -> None:
    assert parse_model(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gpt-4o", "says nothing of how it is reached; did you mean 'openai:gpt-4o'?"),
        ("opnai:gpt-4o", "unknown prefix 'opnai'; did you mean 'openai:gpt-4o'?"),
        ("qwen2.5:7b", "unknown prefix 'qwen2.5'; did you mean 'openai:qwen2.5:7b'?"),
        ("openai:", "has no name: write openai:NAME"),
        ("openai:m(temprature=1)", "unknown parameter 'temprature'; did you mean 'temperature'?"),
        ("openai:m(name=mine)", "unknown parameter 'name'; there are temperature, top_p"),
        ("openai:m(temperature=3)", "temperature=3: it is a number from 0 to 2"),
        ("openai:m(temperature=nan)", "temperature=nan: it is a number from 0 to 2"),
        ("openai:m(max_tokens=0)", "max_tokens=0: it is a whole number from 1"),
        ("openai:m(reasoning_effort=lo)", "did you mean 'low'?"),
        ("openai:m(seed=1", "a closing ')' is missing"),
    ],
)
def test_a_wrong_name_is_told(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_model(text)
    assert message in str(refused.value)
