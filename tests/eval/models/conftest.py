"""An endpoint, and models that reach it without really waiting between attempts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.eval.models.answering import Endpoint, serving

from compaction_eval.eval.models.base import ChatModel, ChatRequest, Reply
from compaction_eval.eval.models.opening import ModelNames, Models, open_models
from compaction_eval.eval.models.secret import Secret
from compaction_eval.eval.models.settings import ModelSettings
from compaction_eval.eval.models.waiting import Waiting

KEY = "sk-test-abcdefghijkl"
QUESTION = ChatRequest(
    messages=(
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": "Which port?"},
    ),
    purpose="answer",
    max_tokens=50,
    seed=3,
)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as server:
        yield server


@dataclass
class Client:
    """Opens models at the endpoint; `waits` has the seconds between attempts."""

    endpoint: Endpoint
    stack: ExitStack
    waits: list[float]
    settings: ModelSettings

    def open(self, *names: str, **options: Any) -> Models:
        """The first name answers, the second judges."""
        answerer, judge = (*names, None)[:2]
        options = {"check": False, "waiting": self.waiting(), **options}
        settings = options.pop("settings", self.settings)
        opening = open_models(ModelNames(answerer, judge), settings, **options)
        return self.stack.enter_context(opening)

    def model(self, name: str = "openai:small", **options: Any) -> ChatModel:
        model = self.open(name, **options).answerer
        assert model is not None
        return model

    def ask(self, request: ChatRequest = QUESTION, **settings: Any) -> Reply:
        """The reply to one request."""
        return self.model(settings=replace(self.settings, **settings)).complete(request)

    def waiting(self, clock: Callable[[], float] = lambda: 0.0) -> Waiting:
        return Waiting(clock=clock, chance=lambda: 1.0, sleep=self.waits.append)


@pytest.fixture
def client(endpoint: Endpoint) -> Iterator[Client]:
    settings = ModelSettings(base_url=endpoint.url, key=Secret(KEY), timeout=5)
    with ExitStack() as stack:
        yield Client(endpoint, stack, [], settings)
