"""Limits are kept exactly, by however many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from decimal import Decimal

import pytest
from tests.eval.models.answering import Told, completion, error
from tests.eval.models.conftest import QUESTION, Client

from compaction_eval.eval.models.base import (
    ChatModel,
    ChatRequest,
    LimitReachedError,
    UnusableModelError,
)
from compaction_eval.eval.models.limits import Limits, Spent
from compaction_eval.eval.models.prices import price_of

USAGE = {"prompt_tokens": 90, "completion_tokens": 10}


def ask_often(
    model: ChatModel, times: int, request: ChatRequest = QUESTION
) -> tuple[int, set[str]]:
    """How many were answered, and what the others were told."""
    with ThreadPoolExecutor(16) as pool:
        futures = [pool.submit(model.complete, request) for _ in range(times)]
        wait(futures)
    told = {str(future.exception()) for future in futures if future.exception()}
    assert {type(one.exception()) for one in futures} <= {type(None), LimitReachedError}
    return sum(1 for future in futures if not future.exception()), told


def test_never_more_requests_are_sent_than_allowed(client: Client) -> None:
    client.endpoint.behaviour = lambda _: Told(**{**vars(completion()), "wait": 0.01})
    model = client.model(limits=Limits(max_requests=20), concurrency=16)
    answered, told = ask_often(model, 60)
    assert (answered, told) == (20, {"--max-requests 20 is reached"})
    assert len(client.endpoint.completions) == 20


def test_requests_that_are_sent_again_count(client: Client) -> None:
    client.endpoint.behaviour = lambda _: error(500)
    with pytest.raises(LimitReachedError, match="--max-requests 3"):
        client.model(limits=Limits(max_requests=3)).complete(QUESTION)
    assert len(client.endpoint.completions) == 3


def test_answerer_and_judge_share_the_limit(client: Client) -> None:
    models = client.open("openai:small", "openai:other", limits=Limits(max_requests=1))
    assert models.answerer is not None
    assert models.judge is not None
    models.answerer.complete(QUESTION)
    with pytest.raises(LimitReachedError):
        models.judge.complete(QUESTION)


def test_tokens_stop_at_the_limit_and_in_flight_ones_are_reckoned_with(client: Client) -> None:
    client.endpoint.behaviour = lambda _: completion(usage=USAGE)
    models = client.open("openai:small", limits=Limits(max_tokens_total=1_000), concurrency=16)
    assert models.answerer is not None
    answered, told = ask_often(models.answerer, 60)
    assert answered == 10
    assert told == {"--max-tokens-total 1,000 is reached: 1,000 tokens were used"}
    assert models.spent == Spent(answered, answered * 90, answered * 10)


def test_an_endpoint_that_counts_nothing_is_counted_here(client: Client) -> None:
    client.endpoint.behaviour = lambda _: completion("9443", usage=None)
    models = client.open("openai:small", limits=Limits(max_tokens_total=60))
    assert models.answerer is not None
    answered, _ = ask_often(models.answerer, 10)
    spent = models.spent
    assert 60 <= spent.tokens_in + spent.tokens_out < 90
    assert answered == spent.requests


def test_money_stops_at_the_limit(client: Client) -> None:
    client.endpoint.behaviour = lambda _: completion(usage=USAGE)
    models = client.open(
        "openai:small",
        limits=Limits(max_cost=Decimal("0.05")),
        price=lambda model, url: lambda taken, cached, given: Decimal(taken + given) / 10_000,
    )
    assert models.answerer is not None
    answered, told = ask_often(models.answerer, 20)
    assert (answered, told) == (5, {"--max-cost 0.05 is reached: 0.0500 USD were spent"})
    assert models.spent.cost == Decimal("0.05")


def test_what_was_refused_costs_nothing(client: Client) -> None:
    client.endpoint.behaviour = lambda _: error(400)
    models = client.open("openai:small", limits=Limits(max_tokens_total=10))
    assert models.answerer is not None
    models.answerer.complete(QUESTION)
    assert models.spent == Spent(requests=1)


def test_a_known_price_has_cached_tokens_at_their_own_rate() -> None:
    pytest.importorskip("genai_prices")
    price = price_of("gpt-4o-mini", "https://api.openai.com/v1")
    assert price(1_000_000, 0, 1_000_000) == Decimal("0.75")
    assert price(1_000_000, 1_000_000, 0) == Decimal("0.075")


def test_an_unknown_price_is_told(client: Client) -> None:
    pytest.importorskip("genai_prices")
    with pytest.raises(UnusableModelError, match="no price is known of 'small' at http"):
        client.model(limits=Limits(max_cost=Decimal(1)))


def test_a_connection_that_breaks_after_the_question_was_sent_counts_as_that(
    client: Client,
) -> None:
    client.endpoint.behaviour = lambda _: Told(body=completion().body, cut_at=10)
    models = client.open("openai:small", limits=Limits(max_tokens_total=1_000_000))
    assert models.answerer is not None
    assert models.answerer.complete(QUESTION).outcome == "connection"
    assert models.spent.tokens_in >= 6 * 4  # attempts, each of at least as many words


def test_where_nobody_listens_nothing_is_used(client: Client) -> None:
    settings = replace(client.settings, base_url="http://127.0.0.1:9/v1")
    models = client.open(
        "openai:small", limits=Limits(max_tokens_total=1_000_000), settings=settings
    )
    assert models.answerer is not None
    assert models.answerer.complete(QUESTION).outcome == "connection"
    assert models.spent.tokens_in == 0
