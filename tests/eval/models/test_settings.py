"""Settings come from the environment and a configuration, and keys stay unseen."""

from __future__ import annotations

import copy
import pickle

import pytest

from compaction_eval.eval.models.base import UnusableModelError
from compaction_eval.eval.models.secret import LONGEST, Secret, showable
from compaction_eval.eval.models.settings import (
    DEFAULT_URL,
    ModelSettings,
    model_settings,
    wrong_header,
    wrong_setting,
    wrong_url,
)
from compaction_eval.strategies.errors import ConfigurationError

KEY = "sk-abcdefghijkl"


def test_without_anything_openai_itself_is_meant() -> None:
    assert model_settings({}) == ModelSettings(base_url=DEFAULT_URL)


def test_the_environment_goes_before_the_configuration() -> None:
    section = {"base-url": "http://two/v1", "key-variable": "TEAM", "timeout": "9", "retries": "0"}
    environ = {"OPENAI_BASE_URL": "http://one/v1/", "TEAM": KEY, "OPENAI_API_KEY": "other"}
    settings = model_settings(environ, section, {"X-A": "plain", "X-B": "env:B"} | {"X-B": "b"})
    assert (settings.base_url, settings.timeout, settings.retries) == ("http://one/v1", 9, 0)
    assert settings.key == Secret(KEY)
    assert settings.headers == {"X-A": Secret("plain"), "X-B": Secret("b")}


def test_a_header_takes_its_value_from_a_variable_which_has_to_be_set() -> None:
    settings = model_settings({"B": "value"}, {}, {"X-B": "env:B"})
    assert settings.headers["X-B"].reveal() == "value"
    without = model_settings({"OPENAI_API_KEY": KEY}, {}, {"X-B": "env:B"})
    # A replay sends nothing, so it's no fault before something is to be sent.
    with pytest.raises(UnusableModelError, match="header X-B takes its value from B, which isn't"):
        without.check_key("openai:m")


@pytest.mark.parametrize("value", ["sk-“quoted”", "two\nlines"])
def test_a_key_that_no_header_can_hold_is_told_without_showing_it(value: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        model_settings({"OPENAI_API_KEY": value})
    assert "OPENAI_API_KEY has characters that no header can hold" in str(refused.value)
    assert value not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://127.0.0.1:8080/v1", None),
        ("https://host", None),
        ("127.0.0.1:8080", "'127.0.0.1:8080' is no address such as http://127.0.0.1:8080/v1"),
        ("ftp://host/v1", "'ftp://host/v1' is no address such as http://127.0.0.1:8080/v1"),
        ("http://", "'http://' is no address such as http://127.0.0.1:8080/v1"),
        ("http://host:99999/v1", "it is no address such as http://127.0.0.1:8080/v1"),
        ("http://[::1/v1", "it is no address such as http://127.0.0.1:8080/v1"),
        (
            f"https://me:{KEY}@host/v1",
            "an address holds no password; use models.openai.headers with env:VARIABLE",
        ),
        (f"https://host/v1?key={KEY}", "an address ends before any '?' or '#'"),
        ("http://ho st/v1", "an address has no spaces"),
    ],
)
def test_an_address_is_checked_and_no_secret_in_it_repeated(url: str, message: str | None) -> None:
    assert wrong_url(url) == message
    if message is not None:
        with pytest.raises(ConfigurationError, match="OPENAI_BASE_URL: "):
            model_settings({"OPENAI_BASE_URL": url})


def test_a_secret_belongs_in_no_file() -> None:
    assert wrong_header("X-Team", "search") is None
    assert wrong_header("Authorization", "env:TEAM_KEY") is None
    for name in ("Authorization", "api-key", "X-Auth-Token", "Cookie"):
        message = wrong_header(name, f"Bearer {KEY}")
        assert message is not None
        assert "write env:VARIABLE" in message
        assert KEY not in message
    (message,) = wrong_setting("key-variable", KEY, {})
    assert message == "it is the name of an environment variable"


def test_secrets_are_never_shown_and_never_leave_the_process() -> None:
    settings = ModelSettings(key=Secret(KEY), headers={"X-A": Secret("hidden-value")})
    assert KEY not in f"{settings} {settings!r} {Secret(KEY)} {[Secret(KEY)]}"
    assert "hidden-value" not in repr(settings)
    with pytest.raises(TypeError):
        pickle.dumps(settings)
    with pytest.raises(TypeError):
        copy.deepcopy(settings)


def test_words_from_outside_are_made_safe_to_show() -> None:
    words = f"Key {KEY}\nor sk-ab***yz, or Bearer abc.def was   wrong " + "x" * 400
    shown = showable(words, [Secret(f"Token {KEY}")])
    assert shown.startswith("Key *** or ***, or *** was wrong xx")
    assert len(shown) == LONGEST


@pytest.mark.parametrize("key", ["sk-not-to-be-shown", "Bearer not-to-be-shown"])
def test_a_key_in_the_place_of_an_address_isnt_repeated(key: str) -> None:
    with pytest.raises(ConfigurationError, match=r"OPENAI_BASE_URL: .*no address such as") as told:
        model_settings({"OPENAI_BASE_URL": key})
    assert "not-to-be-shown" not in str(told.value)


def test_a_header_whose_value_looks_like_a_key_is_refused_whatever_its_name() -> None:
    told = wrong_header("X-Team", "sk-not-to-be-shown")
    assert told is not None
    assert "write env:VARIABLE" in told
    assert "not-to-be-shown" not in told
    assert wrong_header("X-Team", "search and task-force") is None
