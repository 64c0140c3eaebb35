"""A secret is found in whatever an endpoint makes of it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.eval.models.answering import Told, completion
from tests.eval.models.conftest import QUESTION, Client

from compaction_eval.eval.models.secret import Secret, without_secrets

KEY = 'tok/en-abcd"efgh\\ijk+lm=='


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(KEY),
        json.dumps(KEY).replace("/", "\\/"),  # as PHP does
        json.dumps(KEY).replace("+", "\\u002B").replace("=", "\\u003d"),  # as .NET does
        '"' + "".join(f"\\u{ord(one):04x}" for one in KEY) + '"',
    ],
)
def test_a_secret_is_hidden_however_json_writes_it(written: str) -> None:
    assert json.loads(written) == KEY
    hidden = without_secrets(f'{{"said": {written}}}'.encode(), [Secret(KEY)])
    assert json.loads(hidden) == {"said": "***"}


def test_words_that_are_no_secret_stay() -> None:
    body = json.dumps({"said": "tok/en-abcd\"efgh is long, 'ollama' is short"}).encode()
    assert without_secrets(body, [Secret(KEY), Secret("ollama")]) == body


def test_an_answer_or_a_header_that_repeats_the_key_is_kept_without_it(client: Client) -> None:
    key = "abc/def/ghi/jkl/mno"
    escaped = json.dumps(completion(f"Your key is {key}.").body).replace("/", "\\/")
    client.endpoint.behaviour = lambda seen: (
        Told(body=escaped) if seen.number == 1 else Told(body="x", headers={"Content-Type": key})
    )
    model = client.open("openai:small", settings=replace(client.settings, key=Secret(key))).answerer
    assert model is not None
    assert model.complete(QUESTION).text == "Your key is ***."
    assert "***" in (reason := model.complete(QUESTION).reason)
    assert key not in reason
