"""Whatever an endpoint does ends as a reply, through real sockets."""

from __future__ import annotations

import logging
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import count

import pytest
from tests.eval.models.answering import Endpoint, Seen, Told, completion, error
from tests.eval.models.conftest import KEY, QUESTION, Client

from compaction_eval.eval.models.base import (
    ChatRequest,
    LimitReachedError,
    Outcome,
    UnusableModelError,
)
from compaction_eval.eval.models.limits import Limits
from compaction_eval.eval.models.secret import Secret
from compaction_eval.eval.models.waiting import Waiting

CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}
LONG = "This model's maximum context length is 4096 tokens."


def test_an_answer_comes_with_the_endpoints_own_counts(client: Client) -> None:
    usage = {
        "prompt_tokens": 900,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 512},
    }
    client.endpoint.behaviour = lambda _: completion("9443", usage=usage)
    reply = client.ask()
    assert (reply.outcome, reply.text) == ("answered", "9443")
    assert (reply.tokens_in, reply.tokens_out, reply.cached_tokens) == (900, 7, 512)


def test_what_is_asked_is_what_the_request_says(client: Client) -> None:
    schema = {"type": "object"}
    tools = ({"type": "function", "function": {"name": "look"}},)
    client.ask(replace(QUESTION, schema=schema, tools=tools, temperature=0.5))
    (seen,) = client.endpoint.completions
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.body == {
        "model": "small",
        "messages": list(QUESTION.messages),
        "temperature": 0.5,
        "seed": 3,
        "max_tokens": 50,
        "tools": list(tools),
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": schema, "strict": True},
        },
    }


def test_parameters_of_the_name_go_before_those_of_the_request(client: Client) -> None:
    model = client.model("openai:small(temperature=0.7, max_tokens=9, seed=8, top_p=0.5)")
    model.complete(QUESTION)
    body = client.endpoint.completions[0].body
    sent = [body[key] for key in ("temperature", "max_tokens", "seed", "top_p")]
    assert sent == [0.7, 9, 8, 0.5]


@pytest.mark.parametrize(
    ("told", "outcome", "text"),
    [
        (completion("I can't help with that."), "answered", "I can't help with that."),
        (completion(message={"content": None, "refusal": "No."}), "answered", "No."),
        (completion(message={"content": [{"type": "text", "text": "94"}]}), "answered", "94"),
        (completion("<think>Hm.</think>9443"), "answered", "<think>Hm.</think>9443"),
        (completion("It is", finish="length"), "cut", "It is"),
        (completion(None, finish="content_filter"), "filtered", ""),
        (completion("", finish="stop"), "empty", ""),
        (completion(message={}), "empty", ""),
        (Told(body={"choices": []}), "empty", ""),
        (error(400, LONG), "context-length", ""),
        (error(400, "Too long.", code="context_length_exceeded"), "context-length", ""),
        (error(500, "the request exceeds the available context size"), "context-length", ""),
        (error(400, "Blocked.", code="content_filter"), "filtered", ""),
        (error(400, "Messages are odd."), "refused", ""),
        (Told(413, "<html>Too large</html>"), "refused", ""),
    ],
)
def test_a_reply_that_asking_again_wouldnt_change_is_taken(
    client: Client, told: Told, outcome: Outcome, text: str
) -> None:
    client.endpoint.behaviour = lambda _: told
    reply = client.ask()
    assert (reply.outcome, reply.text) == (outcome, text)
    assert bool(reply.reason) == (outcome != "answered")
    assert len(client.endpoint.completions) == 1


def test_calls_instead_of_a_text_are_told_with_their_arguments(client: Client) -> None:
    message = {"content": None, "tool_calls": [CALL]}
    client.endpoint.behaviour = lambda _: completion(message=message, finish="tool_calls")
    reply = client.ask()
    assert (reply.outcome, reply.tool_calls) == ("tool-calls", (("look", '{"at": 1}'),))


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        (error(408), "timeout"),
        (error(409), "refused"),
        (error(429), "rate-limited"),
        (error(500), "server-error"),
        (Told(503, "<html>Busy</html>", {"Content-Type": "text/html"}), "server-error"),
        (Told(body={"error": {"message": "Upstream failed.", "code": 502}}), "server-error"),
        (Told(body="<html>Log in</html>", headers={"Content-Type": "text/html"}), "malformed"),
        (Told(body='{"choices": [{"mess'), "malformed"),
        (Told(body='"text"'), "malformed"),
        (Told(body={"choices": [{"text": "old"}]}), "malformed"),
        (Told(body=b""), "malformed"),
        (Told(body="[" * 200_000), "malformed"),
        (Told(body=b"x" * 10_000_000), "malformed"),
        (replace(completion(), cut_at=30), "connection"),
        (replace(completion(), cut_at=0, headers={"Content-Length": "9"}), "connection"),
    ],
)
def test_a_passing_fault_is_tried_again_and_told_at_last(
    client: Client, told: Told, outcome: Outcome
) -> None:
    client.endpoint.behaviour = lambda seen: told if seen.number < 3 else completion()
    assert client.ask().outcome == "answered"
    assert len(client.endpoint.completions) == 3
    client.endpoint.behaviour = lambda _: told
    reply = client.ask(retries=1)
    assert reply.outcome == outcome
    assert "2 attempts" in reply.reason
    assert len(client.endpoint.completions) == 5


def test_a_hang_ends_as_a_timeout(client: Client) -> None:
    client.endpoint.behaviour = lambda _: Told(wait=5)
    reply = client.ask(timeout=0.1, retries=0)
    assert (reply.outcome, reply.reason) == ("timeout", "no whole reply within 0.1 s")


def test_a_body_that_trickles_in_ends_as_a_timeout(client: Client) -> None:
    # Each byte comes in time; all of them would take seven seconds.
    client.endpoint.behaviour = lambda _: replace(completion(), trickle=0.04)
    assert client.ask(timeout=0.3, retries=0).outcome == "timeout"


@pytest.mark.parametrize("piece", [b"X", b"HTTP/1.1 102 Processing\r\n\r\n"])
def test_headers_that_trickle_in_or_never_come_end_as_a_timeout(
    client: Client, piece: bytes
) -> None:
    ended = threading.Event()

    def trickle(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            connection.recv(65_536)
            for _ in range(100):
                connection.sendall(piece)
                if ended.wait(0.05):
                    return
        ended.set()  # nobody went away

    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        pool.submit(trickle, listener)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        reply = client.ask(base_url=url, timeout=0.4, retries=0)
        assert reply.outcome == "timeout"
        assert not ended.is_set()
        ended.set()


def test_nobody_listening_ends_as_a_broken_connection(client: Client) -> None:
    with Endpoint() as closed:
        url = closed.url
    reply = client.ask(base_url=url, retries=2)
    assert (reply.outcome, client.waits) == ("connection", [0.5, 1.0])


def test_waits_double_and_what_the_endpoint_asks_for_goes_before(client: Client) -> None:
    asked = {2: {"Retry-After": "7"}, 3: {"Retry-After": "300"}}
    client.endpoint.behaviour = lambda seen: error(429, headers=asked.get(seen.number, {}))
    client.ask(retries=4)
    assert client.waits == [0.5, 7.5, 300.5, 4.0]


def test_an_endpoint_that_asks_for_more_than_the_deadline_isnt_asked_before(client: Client) -> None:
    client.endpoint.behaviour = lambda _: error(429, headers={"Retry-After": "86400"})
    reply = client.ask()
    assert (reply.outcome, client.waits) == ("rate-limited", [])
    assert "no time for another in 600 s" in reply.reason
    assert len(client.endpoint.completions) == 1


def test_no_attempt_starts_that_would_wait_beyond_the_deadline(client: Client) -> None:
    client.endpoint.behaviour = lambda _: error(503)
    ticks = count(0, 40)
    settings = replace(client.settings, deadline=100)
    model = client.model(settings=settings, waiting=client.waiting(lambda: next(ticks)))
    reply = model.complete(QUESTION)
    assert reply.outcome == "server-error"
    assert "attempt 3; no time for another in 100 s" in reply.reason
    assert len(client.endpoint.completions) == 3


def test_a_key_that_stops_being_accepted_stops_the_run(client: Client) -> None:
    model = client.model()
    assert model.complete(QUESTION).outcome == "answered"
    client.endpoint.behaviour = lambda seen: error(401, f"Incorrect key {KEY[:9]}")
    with pytest.raises(UnusableModelError, match="OPENAI_API_KEY; it may be expired") as stopped:
        model.complete(QUESTION)
    assert KEY[:9] not in str(stopped.value)


def test_a_quota_that_is_used_up_stops_the_run_without_another_attempt(client: Client) -> None:
    client.endpoint.behaviour = lambda _: error(429, "Pay.", code="insufficient_quota")
    with pytest.raises(LimitReachedError, match=r"quota is used up \(Pay.\)"):
        client.ask()
    assert len(client.endpoint.completions) == 1


def test_a_single_request_that_is_forbidden_stops_nothing(client: Client) -> None:
    client.endpoint.behaviour = lambda seen: (
        error(403, "Blocked by a firewall.") if seen.number == 2 else completion()
    )
    model = client.model()
    outcomes = [model.complete(QUESTION).outcome for _ in range(3)]
    assert outcomes == ["answered", "refused", "answered"]


def test_a_key_isnt_carried_to_where_a_redirect_leads(client: Client, endpoint: Endpoint) -> None:
    away = Told(307, b"", {"Location": endpoint.url.replace("127.0.0.1", "localhost")})
    endpoint.behaviour = lambda _: away
    with pytest.raises(UnusableModelError, match="set OPENAI_BASE_URL"):
        client.ask()
    assert len(endpoint.seen) == 1


@pytest.mark.parametrize("status", [400, 429, 500])
def test_no_secret_is_in_a_reply_a_log_or_a_representation(
    client: Client, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hidden = "team-secret-value"
    settings = replace(client.settings, headers={"X-Team": Secret(f"Bearer {hidden}")}, retries=0)

    def echo(seen: Seen) -> Told:
        return error(status, f"You sent {dict(seen.headers)}")

    client.endpoint.behaviour = echo
    models = client.open("openai:small", settings=settings)
    assert models.answerer is not None
    reply = models.answerer.complete(QUESTION)
    (seen,) = client.endpoint.completions
    assert (seen.headers["authorization"], seen.headers["x-team"]) == (
        f"Bearer {KEY}",
        f"Bearer {hidden}",
    )
    assert reply.reason.startswith(f"HTTP {status}: You sent")
    for text in (
        repr(reply),
        caplog.text,
        repr(settings),
        repr(models),
        str(vars(models.answerer)),
    ):
        assert KEY not in text
        assert hidden not in text


def test_without_a_key_no_authorization_is_sent(client: Client) -> None:
    client.ask(key=None)
    assert "authorization" not in client.endpoint.completions[0].headers


def test_half_characters_are_sent_and_taken_as_replacement_characters(client: Client) -> None:
    client.endpoint.behaviour = lambda _: Told(
        body=b'{"choices": [{"message": {"content": "\\ud83d 9443"}, "finish_reason": "stop"}]}'
    )
    request = ChatRequest(messages=({"role": "user", "content": "half \ud83d"},), purpose="answer")
    reply = client.ask(request)
    assert client.endpoint.completions[0].body["messages"][0]["content"] == "half \ufffd"
    assert (reply.text, reply.tokens_in) == ("\ufffd 9443", None)


def test_32_threads_share_one_model_and_each_gets_its_own_answer(client: Client) -> None:
    client.endpoint.behaviour = lambda seen: completion(seen.body["messages"][0]["content"])
    model = client.model(concurrency=32)

    def ask(number: int) -> str:
        words = {"role": "user", "content": f"number {number}"}
        return model.complete(ChatRequest(messages=(words,), purpose="answer")).text  # type: ignore[arg-type]  # a user message

    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(ask, range(200))) == [f"number {n}" for n in range(200)]


def test_stopping_ends_a_long_wait_between_attempts(client: Client) -> None:
    client.endpoint.behaviour = lambda _: error(429, headers={"Retry-After": "60"})
    asked = threading.Event()

    def now_waiting() -> float:
        asked.set()
        return 1.0

    models = client.open("openai:small", waiting=Waiting(chance=now_waiting))
    assert models.answerer is not None
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(models.answerer.complete, QUESTION)
        assert asked.wait(5)
        models.stop()
        with pytest.raises(LimitReachedError, match="the run was stopped"):
            future.result(10)


def test_a_request_that_waits_for_the_others_bills_isnt_sent_once_the_run_is_stopped(
    client: Client,
) -> None:
    came, goes = threading.Event(), threading.Event()

    def behaviour(seen: Seen) -> Told:
        if seen.number == 2:
            came.set()
            goes.wait(5)
        return completion(usage={"prompt_tokens": 1, "completion_tokens": 1})

    client.endpoint.behaviour = behaviour
    models = client.open("openai:small", limits=Limits(max_tokens_total=45))
    asked = replace(QUESTION, max_tokens=10)
    assert models.answerer is not None
    models.answerer.complete(asked)
    with ThreadPoolExecutor(2) as pool:
        pool.submit(models.answerer.complete, asked)
        assert came.wait(5)
        waiting = pool.submit(models.answerer.complete, asked)
        time.sleep(0.2)
        models.stop()
        goes.set()
        with pytest.raises(LimitReachedError, match="the run was stopped"):
            waiting.result(10)
    assert len(client.endpoint.completions) == 2
