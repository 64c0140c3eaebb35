"""Proxies of the environment: not for this machine, and told in one line where they can't be."""

from __future__ import annotations

import pytest

from compaction_eval.eval.models.base import ChatRequest, UnusableModelError
from compaction_eval.eval.models.chaos import Chaos, parse_chaos
from compaction_eval.eval.models.chaos_server import answering, standing_before
from compaction_eval.eval.models.opening import ModelNames, open_models
from compaction_eval.eval.models.proxies import is_loopback
from compaction_eval.eval.models.settings import ModelSettings

QUESTION = ChatRequest(({"role": "user", "content": "Well?"},), "answer")
NOWHERE = "http://me:pa55word@127.0.0.1:9"


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, NOWHERE)
    for name in ("no_proxy", "NO_PROXY", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.8.7", "localhost", "Localhost.", "[::1]"])
def test_this_machine_is_known_by_any_of_its_names(host: str) -> None:
    assert is_loopback(f"http://{host}:8080/v1")


@pytest.mark.parametrize("host", ["10.0.0.1", "localhost.example", "api.openai.com", "[fe80::1]"])
def test_other_machines_arent_this_one(host: str) -> None:
    assert not is_loopback(f"https://{host}/v1")


def test_an_endpoint_on_this_machine_is_reached_past_a_proxy(proxied: pytest.MonkeyPatch) -> None:
    with (
        answering(Chaos(), lambda _: "It is 9443.") as endpoint,
        open_models(ModelNames("openai:small"), ModelSettings(endpoint.url)) as models,
    ):
        assert models.answerer is not None
        assert models.answerer.complete(QUESTION).text == "It is 9443."


def test_faults_before_an_endpoint_on_this_machine_are_met_past_a_proxy(
    proxied: pytest.MonkeyPatch,
) -> None:
    with (
        answering(Chaos(), lambda _: "It is 9443.") as endpoint,
        standing_before(parse_chaos("ok"), endpoint.url) as before,
        open_models(ModelNames("openai:small"), ModelSettings(before.url, retries=0)) as models,
    ):
        assert models.answerer is not None
        assert models.answerer.complete(QUESTION).text == "It is 9443."


@pytest.mark.parametrize(
    ("proxy", "reason"),
    [
        ("ftp://me:pa55word@proxy.example:21", "has no address such as"),
        ("http://me:pa55word/x@proxy.example", "has no address such as"),
        ("socks5://me:pa55word@127.0.0.1:9", "pip install socksio"),
    ],
)
def test_a_proxy_that_cant_be_is_one_line_without_its_password(
    proxied: pytest.MonkeyPatch, proxy: str, reason: str
) -> None:
    proxied.setenv("https_proxy", proxy)
    proxied.setenv("HTTPS_PROXY", proxy)
    settings = ModelSettings("https://models.example/v1")
    with (
        pytest.raises(UnusableModelError, match=reason) as caught,
        open_models(ModelNames("openai:small"), settings),
    ):
        pass
    assert "pa55word" not in f"{caught.value} {caught.value.__cause__!r}"
    assert "\n" not in str(caught.value)


def test_certificates_that_arent_there_are_one_line(proxied: pytest.MonkeyPatch) -> None:
    proxied.setenv("SSL_CERT_FILE", "/nowhere/certificates.pem")
    settings = ModelSettings("https://models.example/v1")
    with (
        pytest.raises(UnusableModelError, match="SSL_CERT_FILE"),
        open_models(ModelNames("openai:small"), settings),
    ):
        pass
