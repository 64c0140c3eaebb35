"""All models of a run, opened together: what they share is one account, one bound, one check."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from compaction_eval.eval.models.base import ChatModel, ChatRequest, Reply
from compaction_eval.eval.models.capabilities import Capabilities, Discovery
from compaction_eval.eval.models.client import OpenAIModel
from compaction_eval.eval.models.connection import Connection
from compaction_eval.eval.models.limits import Account, Limits, Spent
from compaction_eval.eval.models.naming import parse_model
from compaction_eval.eval.models.preflight import check_model
from compaction_eval.eval.models.prices import Price, price_of
from compaction_eval.eval.models.settings import CONCURRENCY, ModelSettings
from compaction_eval.eval.models.waiting import Waiting


@dataclass(frozen=True, slots=True)
class ModelNames:
    """The models that a run asks, as the user named them."""

    answerer: str | None = None
    judge: str | None = None
    summarizers: tuple[str, ...] = ()

    @property
    def distinct(self) -> tuple[str, ...]:
        """Each name once."""
        given = (self.answerer, self.judge, *self.summarizers)
        return tuple(dict.fromkeys(name for name in given if name is not None))


@dataclass(frozen=True, slots=True)
class Models:
    """Open models; the same name is the same model, whatever it is asked for."""

    answerer: ChatModel | None
    judge: ChatModel | None
    by_name: Mapping[str, ChatModel]
    """By the name as it was given."""
    account: Account
    waiting: Waiting
    clients: Mapping[str, OpenAIModel] = field(default_factory=dict)

    def summarizer(self, name: str) -> ChatModel:
        """The model of that name, which is one of `ModelNames.summarizers`."""
        return self.by_name[name]

    def stop(self) -> None:
        """Let no further request out, and end all waiting: every `complete` that isn't in flight
        raises LimitReachedError. For a thread that ends a run while others still ask."""
        self.waiting.stopping.set()

    @property
    def spent(self) -> Spent:
        """What the run has used of its endpoints."""
        return self.account.spent

    @property
    def capabilities(self) -> Mapping[str, Capabilities]:
        """What each endpoint turned out to be able to do, by the model's name."""
        return {name: client.capabilities for name, client in self.clients.items()}


class BoundedModel:
    """A model that shares a bound of requests in flight with others."""

    def __init__(self, inner: ChatModel, slots: threading.Semaphore) -> None:
        self._inner, self._slots = inner, slots

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self._inner.name

    def complete(self, request: ChatRequest) -> Reply:
        """Wait for a free slot, and ask."""
        with self._slots:
            return self._inner.complete(request)


@contextmanager
def open_models(
    names: ModelNames,
    settings: ModelSettings,
    *,
    limits: Limits | None = None,
    concurrency: int = CONCURRENCY,
    wrap: Callable[[ChatModel], ChatModel] | None = None,
    check: bool = True,
    waiting: Waiting | None = None,
    price: Callable[[str, str], Price] = price_of,
) -> Iterator[Models]:
    """Open, and at the end close, all models of a run.

    From the inside out: the endpoint, with what it was found to lack and with retries; the account,
    which every HTTP request passes; the bound of requests in flight; and `wrap`, such as a store,
    whose replies therefore cost nothing and wait for nobody. With `check` each model is asked for
    a sign of life first. Raises ConfigurationError for a name, UnusableModelError for the rest.
    """
    parsed = {name: parse_model(name) for name in names.distinct}
    limits, waiting = limits or Limits(), waiting or Waiting()
    account = Account(limits)
    slots = threading.Semaphore(concurrency)
    with ExitStack() as stack:
        clients: dict[str, OpenAIModel] = {}
        discoveries: dict[str, Discovery] = {}
        if parsed:
            for name in parsed.values():
                settings.check_key(name.text)
            connection = Connection(settings, concurrency)
            stack.callback(connection.close)
            stack.callback(waiting.stopping.set)
            for name in parsed.values():
                clients[name.text] = OpenAIModel(
                    name,
                    connection,
                    discoveries.setdefault(name.model, Discovery()),
                    account,
                    waiting,
                    None if limits.max_cost is None else price(name.model, settings.base_url),
                )
            if check:
                for client in {client.model: client for client in clients.values()}.values():
                    check_model(client, connection)
        wrapped = {text: _composed(client, slots, wrap) for text, client in clients.items()}
        by_name = {given: wrapped[name.text] for given, name in parsed.items()}
        yield Models(
            answerer=_named(by_name, names.answerer),
            judge=_named(by_name, names.judge),
            by_name=by_name,
            account=account,
            waiting=waiting,
            clients=clients,
        )


def _composed(
    client: OpenAIModel,
    slots: threading.Semaphore,
    wrap: Callable[[ChatModel], ChatModel] | None,
) -> ChatModel:
    bounded = BoundedModel(client, slots)
    return bounded if wrap is None else wrap(bounded)


def _named(by_name: Mapping[str, ChatModel], name: str | None) -> ChatModel | None:
    return None if name is None else by_name[name]
