"""Models that need no endpoint: they answer by a function of the request."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.models.base import ChatRequest, Reply
from compaction_eval.scenarios.records import Place, Probe, Scenario, Statement
from compaction_eval.strategies.specs import parse_spec

Answer = Callable[[ChatRequest], Reply | str]


class Scripted:
    """A model that answers by a function, and remembers what it was asked."""

    def __init__(self, answer: Answer, name: str = "openai:scripted") -> None:
        self._answer = answer
        self._lock = threading.Lock()
        self.name = name
        self.asked: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> Reply:
        with self._lock:
            self.asked.append(request)
        found = self._answer(request)
        return Reply("answered", found) if isinstance(found, str) else found


def question(request: ChatRequest) -> str:
    """What a request asks, the last message's text."""
    return str(request.messages[-1].get("content"))


def reading(request: ChatRequest) -> str:
    """An answer as a model gives it that reads what is before it: the newest port, or nothing."""
    said = " ".join(str(message.get("content")) for message in request.messages[:-1])
    for port in ("9443", "8443"):
        if port in said:
            return f"It is {port}."
    return "I don't know."


def talk(number: int = 0) -> Scenario:
    """A port that moves, a value that is taken back, and a question that nobody can answer."""
    words = "and some more words about nothing in particular " * 6
    messages: Any = [
        {"role": "system", "content": "You help."},
        {"role": "user", "content": f"Talk {number}: staging listens on 8443. Ask Tom for a lift."},
        {"role": "assistant", "content": words},
        {"role": "user", "content": f"It moved to 9443 now. Forget the lift. {words}"},
        {"role": "assistant", "content": f"Noted. {words}"},
        {"role": "user", "content": "And sort the imports."},
        {"role": "assistant", "content": f"Sorted. {words}"},
    ]
    place = Place("talk.yaml", 3)
    statements = (
        Statement("port", 1, ("8443",), False, place),
        Statement("driver", 1, ("Tom",), False, place),
        Statement("port", 3, ("9443",), False, place),
        Statement("driver", 3, ("Forget the lift",), True, place),
    )
    end = (("end", len(messages)),)
    probes = (
        Probe("port", "update", "Which port?", (("early", 3), *end), fact="port"),
        Probe("driver", "update", "Who drives?", end, fact="driver"),
        Probe("redis", "abstention", "Which Redis port?", end, reject=("6379",)),
    )
    return Scenario(
        f"talk{number}",
        "",
        "en",
        tuple(messages),
        statements=statements,
        probes=probes,
        tools=({"name": "look"},),
    )


def matrix(*strategies: str, scenarios: int = 2, **more: Any) -> Matrix:
    return Matrix(
        tuple(map(talk, range(scenarios))),
        tuple(map(parse_spec, strategies or ("none", "empty", "token-window"))),
        (Budget.parse("40%"),),
        (parse_spec("none"),),
        **more,
    )


@pytest.fixture
def reader() -> Scripted:
    """A model that reads what it is shown."""
    return Scripted(reading)
