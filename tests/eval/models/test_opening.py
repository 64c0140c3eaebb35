"""Models of a run are opened together and share what has to be shared."""

from __future__ import annotations

import builtins
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.eval.models.answering import Seen, Told, completion, until
from tests.eval.models.conftest import QUESTION, Client

from compaction_eval.eval.models.base import ChatModel, ChatRequest, Reply, UnusableModelError
from compaction_eval.eval.models.opening import ModelNames, open_models
from compaction_eval.eval.models.settings import ModelSettings
from compaction_eval.strategies.errors import ConfigurationError


class Kept:
    """A store of one reply."""

    def __init__(self, inner: ChatModel) -> None:
        self.inner = inner
        self.reply: Reply | None = None

    @property
    def name(self) -> str:
        return self.inner.name

    def complete(self, request: ChatRequest) -> Reply:
        self.reply = self.reply or self.inner.complete(request)
        return self.reply


def test_no_more_requests_are_in_flight_than_wanted(client: Client) -> None:
    together = threading.Event()

    def behaviour(seen: Seen) -> Told:
        # The first alone finds out what the endpoint lacks; then all slots fill up.
        if seen.number > 1 and until(lambda: client.endpoint.most_in_flight == 5, 1):
            together.set()
        return completion()

    client.endpoint.behaviour = behaviour
    models = client.open("openai:small", "openai:other", concurrency=5)
    assert models.answerer is not None
    assert models.judge is not None
    with ThreadPoolExecutor(20) as pool:
        for model in (models.answerer, models.judge) * 20:
            pool.submit(model.complete, QUESTION)
    assert together.is_set()
    assert client.endpoint.most_in_flight == 5


def test_what_a_store_answers_reaches_no_endpoint(client: Client) -> None:
    models = client.open("openai:small", wrap=Kept)
    assert isinstance(models.answerer, Kept)
    assert [models.answerer.complete(QUESTION).text for _ in range(3)] == ["9443"] * 3
    assert models.spent.requests == 1


def test_the_same_name_is_the_same_model_however_it_is_spelt(client: Client) -> None:
    names = ModelNames("openai:m(seed=1)", "openai:m( seed = 1 )", ("openai:m(seed=1)", "openai:n"))
    with open_models(names, client.settings, check=False) as models:
        assert models.answerer is models.judge
        assert models.answerer is models.summarizer("openai:m(seed=1)")
        assert models.summarizer("openai:n").name == "openai:n"


def test_without_names_nothing_is_opened() -> None:
    with open_models(ModelNames(), ModelSettings()) as models:
        assert (models.answerer, models.judge, dict(models.by_name)) == (None, None, {})


def test_a_wrong_name_is_told_before_anything_is_asked(client: Client) -> None:
    with (
        pytest.raises(ConfigurationError, match="did you mean 'openai:small'"),
        open_models(ModelNames("opnai:small"), client.settings),
    ):
        pass
    assert client.endpoint.seen == []


def test_a_missing_package_is_told_with_the_command_that_installs_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without_openai(name: str, *arguments: Any) -> Any:
        if name == "openai":
            raise ModuleNotFoundError(name)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without_openai)
    with pytest.raises(UnusableModelError, match=r"pip install 'compaction-eval\[openai\]'"):
        client.open("openai:small")
