"""Where models are reached, and with which key: from the environment and the configuration.

Of the address, the environment's goes before the configuration's. Keys are only ever read from
the environment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from compaction_eval.eval.models.base import UnusableModelError
from compaction_eval.eval.models.secret import Secret, looks_like_key
from compaction_eval.strategies.errors import ConfigurationError

DEFAULT_URL = "https://api.openai.com/v1"
URL_VARIABLE = "OPENAI_BASE_URL"
KEY_VARIABLE = "OPENAI_API_KEY"
URL_SETTING = "models.openai.base-url"
TIMEOUT, DEADLINE, RETRIES = 60.0, 600.0, 5
MOST_RETRIES = 100
SMALLEST_WINDOW = 1_000
"""Tokens below which no summary is worth asking for."""
CONCURRENCY, MOST_CONCURRENCY = 8, 256
"""Requests in flight: the default, and more than an endpoint takes from one client."""
FROM_VARIABLE = "env:"
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SECRET_HEADER = re.compile(r"auth|key|token|secret|cookie|password|credential", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How to reach an OpenAI-compatible endpoint. Its text shows no key and no header's value."""

    base_url: str = DEFAULT_URL
    key: Secret | None = None
    key_variable: str = KEY_VARIABLE
    """The environment variable that holds the key; for messages."""
    headers: Mapping[str, Secret] = field(default_factory=dict)
    """Sent with every request."""
    unset: Mapping[str, str] = field(default_factory=dict)
    """Headers whose variable isn't set, with that variable: no fault until something is sent."""
    tagged: bool = False
    """Whether a request tells who asks, as a digest: for the server of `--chaos`, to which two
    questions in the same words are two."""
    timeout: float = TIMEOUT
    """Seconds that one attempt may take."""
    deadline: float = DEADLINE
    """Seconds that a request may take with all its retries."""
    retries: int = RETRIES
    context_tokens: int | None = None
    """The models' window, for summaries of long material; None where it isn't known."""

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """All that must not be shown."""
        return (*self.headers.values(), *((self.key,) if self.key else ()))

    def check_key(self, model: str) -> None:
        """Raises UnusableModelError where a key is surely wanted and there is none, or a header."""
        for name, variable in self.unset.items():
            raise UnusableModelError(
                f"{model}: the header {name} takes its value from {variable}, which isn't set"
            )
        if self.key is None and not self.headers and self.base_url == DEFAULT_URL:
            raise UnusableModelError(
                f"{model}: no key: set the variable {self.key_variable}, or {URL_VARIABLE} to a"
                " server that wants none"
            )


def model_settings(
    environ: Mapping[str, str],
    section: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> ModelSettings:
    """The settings that hold: `section` has the configuration's keys, which were checked as such.

    Raises ConfigurationError, a line per fault.
    """
    given = section or {}
    faults: list[str] = []
    url = environ.get(URL_VARIABLE, "").strip()
    named = URL_VARIABLE if url else URL_SETTING
    url = url or given.get("base-url", DEFAULT_URL)
    if wrong := wrong_url(url):
        faults.append(f"{named}: {wrong}")
    variable = given.get("key-variable", KEY_VARIABLE)
    key = environ.get(variable, "").strip()
    if wrong := _unsendable(key):
        faults.append(f"the value of {variable} {wrong}")
    values: dict[str, Secret] = {}
    unset: dict[str, str] = {}
    for name, text in (headers or {}).items():
        variable_of = text.removeprefix(FROM_VARIABLE) if text.startswith(FROM_VARIABLE) else ""
        value = environ.get(variable_of, "").strip() if variable_of else text
        if wrong := _unsendable(value):
            faults.append(f"header {name}: its value {wrong}")
        elif value:
            values[name] = Secret(value)
        else:
            unset[name] = variable_of
    if faults:
        raise ConfigurationError("\n".join(faults))
    return ModelSettings(
        base_url=url.rstrip("/"),
        key=Secret(key) if key else None,
        key_variable=variable,
        headers=values,
        unset=unset,
        timeout=float(given.get("timeout", TIMEOUT)),
        deadline=float(given.get("deadline", DEADLINE)),
        retries=int(given.get("retries", RETRIES)),
        context_tokens=int(given["context-tokens"]) if "context-tokens" in given else None,
    )


def wrong_url(text: str) -> str | None:
    """What is wrong with an endpoint's address, or None. A password in it isn't repeated."""
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        return "it is no address such as http://127.0.0.1:8080/v1"
    if url.username is not None or url.password is not None or "@" in url.netloc:
        return "an address holds no password; use models.openai.headers with env:VARIABLE"
    if url.scheme not in ("http", "https") or not url.hostname or port == 0:
        # A key that was set in the address's place isn't repeated.
        plain = _unsendable(text) is None and not looks_like_key(text)
        shown = f"'{text}' is" if plain else "it is"
        return f"{shown} no address such as http://127.0.0.1:8080/v1"
    if url.query or url.fragment:
        return "an address ends before any '?' or '#'"
    if any(character.isspace() or not character.isprintable() for character in text):
        return "an address has no spaces"
    return None


def wrong_header(name: str, value: str) -> str | None:
    """What is wrong with a header of a configuration, or None. The value isn't repeated."""
    if not _HEADER.fullmatch(name):
        return f"'{name}' is no name of a header"
    if value.startswith(FROM_VARIABLE):
        variable = value.removeprefix(FROM_VARIABLE)
        return None if _VARIABLE.fullmatch(variable) else "write env:VARIABLE"
    if _SECRET_HEADER.search(name) or looks_like_key(value):
        return f"'{name}' looks like a secret, which no file should hold; write env:VARIABLE"
    return None


def wrong_setting(name: str, text: str, headers: Mapping[str, str]) -> list[str]:
    """What is wrong with a value of a configuration, beyond its shape."""
    found: list[str | None] = [wrong_header(*one) for one in headers.items()]
    if name == "base-url":
        found.append(wrong_url(text))
    if name == "context-tokens" and int(text) < SMALLEST_WINDOW:
        found.append(f"no summary fits into fewer than {SMALLEST_WINDOW:,} tokens")
    if name == "key-variable":
        found.append(_wrong_variable(text))
    return [one for one in found if one is not None]


def _wrong_variable(text: str) -> str | None:
    """What is wrong with the name of an environment variable, or None.

    A key that was pasted in its place isn't repeated.
    """
    return None if _VARIABLE.fullmatch(text) else "it is the name of an environment variable"


def _unsendable(value: str) -> str | None:
    # HTTP's headers are ASCII on one line; a pasted key with a curly quote fails far from here.
    if value.isascii() and value.isprintable():
        return None
    return "has characters that no header can hold; was it pasted whole?"
