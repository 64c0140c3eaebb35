"""Values in a text that tell who or where somebody is, or that open something.

Found by their shape or by what stands around them; a value that has neither isn't found.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from compaction_eval.scenarios.importers.credentials import credentials

Kind = Literal["e-mail address", "IP address", "host name", "home folder", "phone number", "key"]
KINDS: tuple[Kind, ...] = (
    "e-mail address",
    "IP address",
    "host name",
    "home folder",
    "phone number",
    "key",
)

_GENERIC = """
admin agent all api app application arguments array assistant backend build cache ci
circleci client code container content data database db debian default dev developer
docker enum error example file frontend function git guest home host id input items
jenkins linux localhost mail main me messages mysql name nobody node null object output
postgres project properties public redis required result role root runner sandbox self
server service shared src staging string system task test text tmp tool tools type ubuntu
url user username users vagrant value vscode web work workspace www you your-name yourname
"""
GENERIC = frozenset(_GENERIC.split())
"""Words that name nobody, also as a home folder or a host; replaced, they'd garble the talk."""


class Found(NamedTuple):
    """A private value; only the part of it from `after` on is replaced."""

    kind: Kind
    text: str
    after: int = 0


def _ascii(pattern: str) -> re.Pattern[str]:
    """A pattern for which only ASCII's letters are some: others stand beside addresses unspaced."""
    return re.compile(pattern, re.ASCII)


# A value may begin after a line end that is written as an escape, as in JSON within a text.
_START = r"(?:(?<![\w.+\-\\])|(?<=\\[nrtbf]))"
# Latin letters with their accents; a writing that sets no spaces could begin beside an address.
_SIGN = "A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_LABEL = rf"[{_SIGN}](?:[{_SIGN}-]*[{_SIGN}])?"
_LABELS = rf"{_LABEL}(?:\.{_LABEL})"
_EMAIL = _ascii(rf"{_START}[{_SIGN}][{_SIGN}_.+-]*(?:@|%40){_LABELS}*\.[A-Za-z]{{2,24}}(?![\w-])")
_IP4 = _ascii(r"\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)")
_IP6 = _ascii(r"(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:|:){2,7}:?[0-9A-Fa-f]{1,4}(?![\w:]|\.\d)")
_PART = r"[^\s/\\\"'`<>|:*?,;()\[\]{}$%~]+"
_WINDOWS = r"[A-Za-z]:(?:\\+|/+)Users(?:\\+|/+)"
_HOME = _ascii(rf"(?:/home/|/Users/|{_WINDOWS})({_PART})")
_SPACED_HOME = _ascii(rf"{_WINDOWS}({_PART}(?: {_PART}){{1,2}})(?=\\)")
_URL = _ascii(rf"://(?:[^\s/@:\"'\\]{{0,200}}(?::([^\s/@\"'\\]{{0,200}}))?@)?({_LABELS}*)")
_PROMPT = _ascii(rf"{_START}([A-Za-z_][\w.-]*)@({_LABELS}*):(?=[~/])")
_ENDS = ("com", "org", "cloud", "internal", "intranet", "corp", "lan", "gov", "edu")
_DOMAIN_ENDS = tuple(f".{end}" for end in _ENDS)
_DOMAIN = _ascii(rf"{_START}{_LABELS}*\.(?:{'|'.join(_ENDS)})(?![\w-]|\.\w|\()")
_RESERVED = _ascii(r"(?:^|\.)(?:example(?:\.(?:com|net|org))?|invalid|localhost)$")
_PHONE_END = r"(?![\w-]|\.\d)"
_PHONES = [
    _ascii(r"\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]?\d{2,4}){1,4}" + _PHONE_END),
    _ascii(r"(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[.-]\d{4}" + _PHONE_END),
    _ascii(r"(?:1[3-9]\d{9}|0\d{2,3}-\d{7,8})" + _PHONE_END),
]
_BEGINS = _ascii(_START)
_COLOURS = _ascii(r"(?:\x1b|\\u001b|\\x1b|\\033|\\e)\[[0-9;?]*[A-Za-z]")


_ESCAPED = _ascii(r"(?<!\\)\\++(?:u([0-9A-Fa-f]{4})|(?=/))|%(2[Ff]|3[Aa])")
"""A letter or stroke as JSON may have it, a stroke or colon as links have it."""


def private_values(text: str) -> Iterator[Found]:
    """All private values of a text, whole ones before those that lie in them."""
    for reading in dict.fromkeys(_readings(text)):
        yield from _values(reading)


def _readings(text: str) -> Iterator[str]:
    """A text without escapes, without colours, and as it stands: once each, and not in turns."""
    for one in (_ESCAPED.sub(_unescaped, text), text):
        yield _COLOURS.sub("", one)
        yield _COLOURS.sub(" ", one)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else ""


def _values(text: str) -> Iterator[Found]:
    if "@" in text or "%40" in text:
        for match in _EMAIL.finditer(text):
            yield Found("e-mail address", match[0])
            local, host = re.split("@|%40", match[0])
            if len(local) > 4 and not local.isalpha():
                yield Found("e-mail address", local)
            yield from _host(host)
        for match in _PROMPT.finditer(text):
            yield from _named(match[1])
            yield from _host(match[2])
    yield from _addresses(text)
    if "://" in text:
        for match in _URL.finditer(text):
            if match[1] and len(match[1]) >= 4 and match[1].lower() not in GENERIC:
                yield Found("key", match[1])
            yield from _host(match[2])
    if any(end in text for end in _DOMAIN_ENDS):
        for match in _DOMAIN.finditer(text):
            yield from _host(match[0])
    if "home" in text or "Users" in text:
        for match in _HOME.finditer(text):
            yield from _named(match[1].rstrip("."), match[0])
        for match in _SPACED_HOME.finditer(text):
            yield from _named(match[1], match[0])
    for pattern in _PHONES:
        for match in pattern.finditer(text):
            if _BEGINS.match(text, match.start()):
                yield Found("phone number", match[0])
    for value, after in credentials(text):
        yield Found("key", value, after)


def _addresses(text: str) -> Iterator[Found]:
    for pattern in (_IP4, _IP6) if "::" in text or text.count(":") > 6 else (_IP4,):
        for match in pattern.finditer(text):
            if not _BEGINS.match(text, match.start()):
                continue
            try:
                address = ipaddress.ip_address(match[0])
            except ValueError:
                continue
            if not (address.is_loopback or address.is_unspecified or match[0].startswith("255.")):
                yield Found("IP address", match[0])


def is_reserved(host: str) -> bool:
    """Whether a host is one of those that are kept for examples, or this machine itself."""
    return _RESERVED.search(host.lower()) is not None


def _host(name: str) -> Iterator[Found]:
    """A host by its name; none for reserved names, plain words, and addresses."""
    name = name.strip(".")
    plain = "." not in name and (name.lower() in GENERIC or len(name) < 3)
    if plain or name.replace(".", "").isdigit() or is_reserved(name):
        return
    yield Found("host name", name)


def _named(name: str, path: str = "") -> Iterator[Found]:
    """A user by the name of their home folder; a very short name only in its path."""
    if name.lower() in GENERIC or not name:
        return
    if len(name) < 3:
        if path:
            whole = path[: path.rindex(name) + len(name)]
            yield Found("home folder", whole, len(whole) - len(name))
        return
    yield Found("home folder", name)
