"""What is wrong with the settings is told in one line before anything is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.eval.models.answering import Endpoint, Told, completion, error
from tests.eval.models.conftest import KEY, QUESTION, Client

from compaction_eval.eval.models.base import LimitReachedError, UnusableModelError
from compaction_eval.eval.models.limits import Limits
from compaction_eval.eval.models.settings import DEFAULT_URL


def refused(client: Client, name: str = "openai:small", **settings: object) -> str:
    """The line that opening ends with."""
    changed = replace(client.settings, **{"retries": 1, **settings})  # type: ignore[arg-type]  # of its fields
    with pytest.raises(UnusableModelError) as stopped:
        client.open(name, settings=changed, check=True)
    line = str(stopped.value)
    assert "\n" not in line
    assert KEY not in line
    return line


def test_a_model_that_is_listed_costs_no_completion(client: Client) -> None:
    client.open("openai:small", "openai:small(temperature=1)", check=True)
    assert [seen.path for seen in client.endpoint.seen] == ["/v1/models"]


def test_a_server_of_a_single_model_answers_to_any_name(client: Client) -> None:
    client.open("openai:any", check=True)
    assert [seen.body["max_tokens"] for seen in client.endpoint.completions] == [1]


def test_a_server_without_a_list_is_asked_one_token(client: Client) -> None:
    client.endpoint.listed = Told(404, "Not here")
    client.endpoint.behaviour = lambda _: completion("Y", finish="length")
    client.open("openai:small", check=True)
    assert len(client.endpoint.completions) == 1


def test_no_key_for_the_real_endpoint_is_told_without_a_request(client: Client) -> None:
    line = refused(client, base_url=DEFAULT_URL, key=None)
    assert line == (
        "openai:small: no key: set the variable OPENAI_API_KEY, or OPENAI_BASE_URL to a server"
        " that wants none"
    )


def test_an_address_where_nobody_listens_is_told(client: Client) -> None:
    with Endpoint() as closed:
        url = closed.url
    line = refused(client, base_url=url)
    assert line.startswith(f"openai:small: {url} can't be reached: the connection broke: ")
    assert line.endswith("set OPENAI_BASE_URL, or models.openai.base-url in the configuration")


def test_an_address_that_speaks_something_else_is_told(client: Client) -> None:
    client.endpoint.listed = Told(404, "<html>Not found</html>", {"Content-Type": "text/html"})
    client.endpoint.behaviour = lambda _: client.endpoint.listed
    line = refused(client, base_url=client.endpoint.url.removesuffix("/v1"))
    assert "has no model 'small', or no /chat/completions; set OPENAI_BASE_URL" in line


def test_a_page_of_a_proxy_is_told(client: Client) -> None:
    page = Told(200, "<html>Log in</html>", {"Content-Type": "text/html"})
    client.endpoint.listed = page
    client.endpoint.behaviour = lambda _: page
    assert "doesn't answer: the reply is no JSON (content type text/html)" in refused(client)


def test_an_unknown_model_is_told_with_the_nearest_known(client: Client) -> None:
    client.endpoint.behaviour = lambda _: error(404, "No such model.", code="model_not_found")
    line = refused(client, "openai:smal")
    assert line.endswith("has no model 'smal'; did you mean 'small'?")
    assert refused(client, "openai:zzz").endswith("has no model 'zzz'; it has small")


@pytest.mark.parametrize("listed", [True, False])
def test_an_expired_key_is_told_with_its_variable(client: Client, listed: bool) -> None:
    wrong = error(401, f"Incorrect API key provided: {KEY}")
    if not listed:
        client.endpoint.listed = wrong
    client.endpoint.behaviour = lambda _: wrong
    line = refused(client, "openai:other", key_variable="TEAM_KEY")
    assert line.endswith(
        "doesn't accept the key in TEAM_KEY; it may be expired or of another account (HTTP 401)"
    )


def test_a_missing_key_of_another_endpoint_is_told(client: Client) -> None:
    client.endpoint.listed = error(401)
    client.endpoint.behaviour = lambda _: error(401)
    assert "wants a key; set the variable OPENAI_API_KEY" in refused(client, key=None)


def test_an_account_without_money_is_told(client: Client) -> None:
    client.endpoint.listed = Told(404)
    client.endpoint.behaviour = lambda _: error(402, "Top up.")
    assert "the account's quota is used up (Top up.)" in refused(client)


def test_a_server_that_is_busy_now_may_be_asked_later(client: Client) -> None:
    client.endpoint.listed = Told(404)
    client.endpoint.behaviour = lambda _: error(429)
    assert client.open("openai:small", check=True).answerer is not None


def test_a_completion_that_tells_counts_towards_the_limits(client: Client) -> None:
    client.endpoint.listed = Told(404, "Not here")
    client.endpoint.behaviour = lambda _: completion("Y", finish="length")
    opened = client.open("openai:small", check=True, limits=Limits(max_requests=1))
    assert (opened.spent.requests, opened.spent.tokens_out > 0) == (1, True)
    assert opened.answerer is not None
    with pytest.raises(LimitReachedError, match="--max-requests 1 is reached"):
        opened.answerer.complete(QUESTION)
