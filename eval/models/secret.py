"""Values that may be used but never shown, and texts from outside made safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

LONGEST = 300
"""Characters of an endpoint's own words that a message repeats."""
_SHORTEST = 6
"""Characters below which a value is too common a text to be hidden wherever it stands."""
# Endpoints repeat keys in parts (`sk-ab***yz`), which aren't found by the key itself.
_KEY_LIKE = re.compile(r"\b(?:sk|pk|gsk|hf|xai)[-_][\w*.…-]{4,}|\b[Bb]earer\s+\S+")
_HIDDEN = "***"
_UNMISTAKABLE = 16
"""Characters from which a value in an answer can only be the secret: local servers are given keys
such as `ollama`, which an answer may well mention."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class Secret:
    """A value of an environment variable; shown, logged and formatted as `***`."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value, for the one place that sends it."""
        return self._value

    def __repr__(self) -> str:
        return _HIDDEN

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> str:
        raise TypeError("a secret stays in the process that read it")


def showable(text: str, secrets: Iterable[Secret] = ()) -> str:
    """A text from outside on one line, shortened, and without anything like a key."""
    line = " ".join(encodable(text).split())
    for secret in secrets:
        value = secret.reveal()
        # The value may stand behind a word: `Bearer x`.
        for part in (value, *value.split()):
            if len(part) >= _SHORTEST:
                line = line.replace(part, _HIDDEN)
    line = _KEY_LIKE.sub(_HIDDEN, line)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def looks_like_key(text: str) -> bool:
    """Whether a text holds something of the form of a key."""
    return _KEY_LIKE.search(text) is not None


def without_secrets(body: bytes, secrets: Iterable[Secret]) -> bytes:
    """A reply's body in which no long secret stands; some gateways repeat what they were sent."""
    for secret in secrets:
        for pattern in _patterns(secret):
            body = pattern.sub(_HIDDEN.encode(), body)
    return body


@lru_cache
def _patterns(secret: Secret) -> tuple[re.Pattern[bytes], ...]:
    """The secret's long words as a body may have them: as they are, or as any JSON escapes them."""
    long = [part for part in secret.reveal().split() if len(part) >= _UNMISTAKABLE]
    return tuple(re.compile("".join(map(_escaped_or_not, part)).encode()) for part in long)


def _escaped_or_not(character: str) -> str:
    code = "".join(f"[{one}{one.upper()}]" for one in f"{ord(character):04x}")
    slash = r"\\?" if character in '"\\/' else ""
    return rf"(?:{slash}{re.escape(character)}|\\u{code})"


def encodable(text: str) -> str:
    """The text with half characters, which no file can hold, replaced by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)
