"""Specs: how a strategy or summariser is named, with its parameters, on one line or in YAML.

    token-window
    count-slice(keep=10, name=last-ten)
    scripted(answers="first, with a comma|second")
    faulty(inner=scripted(answers=a|b), every=2)
    ./mine.py:compact(limit=3)
    package.module:Name

Values are text here; whoever has the class or function turns them into what it expects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

_FORM = "write NAME, or NAME(key=value, key2=value2)"
# The one place for parentheses outside of parameters: a folder's or file's name.
_PATH = re.compile(r"(?:\.{0,2}[/\\]|~|[A-Za-z]:[/\\]).*?\.py:")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_ALMOST = re.compile(r"([\w-]+)[\s:,]\s*([A-Za-z_]\w*\s*=.*)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Spec:
    """A name with parameters. Its text can be parsed again, so it is what workers are sent."""

    use: str
    """A registered name, `package.module:Name`, `./file.py:Name`, or an entry point's name."""
    params: tuple[tuple[str, str], ...] = ()
    """Keys and values, in the order given."""
    name: str | None = None
    """The label that tables show instead of the spec."""

    @property
    def label(self) -> str:
        """What tables show: the name given, else the spec, such as `count-slice(keep=10)`."""
        return self.name or _spec_text(self.use, self.params)

    @property
    def given(self) -> tuple[tuple[str, str], ...]:
        """The parameters, a name too: for what has no labels."""
        return self.params if self.name is None else (*self.params, ("name", self.name))

    def __str__(self) -> str:
        return _spec_text(self.use, self.given)


def parse_spec(text: str) -> Spec:
    """Read a spec; ConfigurationError when it isn't one."""
    whole = text.strip()
    path = _PATH.match(whole)
    opening = whole.find("(", path.end() if path else 0)
    use = whole if opening < 0 else whole[:opening].rstrip()
    if not use:
        raise ConfigurationError(f"spec '{whole}' names nothing: {_FORM}")
    if opening < 0:
        if not path and (almost := _ALMOST.fullmatch(whole)):
            hint = f"{almost[1]}({almost[2]})"
            raise ConfigurationError(f"spec '{whole}' isn't a name; did you mean '{hint}'?")
        return Spec(use)
    if not whole.endswith(")"):
        missing = "a closing ')' is missing" if ")" not in whole[opening:] else "text after the ')'"
        raise ConfigurationError(f"spec '{whole}': {missing}")
    return _spec(use, _pairs(whole[opening + 1 : -1], whole), whole)


def parse_option(option: str, text: str) -> Spec:
    """The spec that an option of the command line gives; ConfigurationError names the option."""
    try:
        return parse_spec(text)
    except ConfigurationError as error:
        raise ConfigurationError(f"{option}: {error}") from None


def spec_from_mapping(mapping: Mapping[str, str]) -> Spec:
    """The spec that YAML gives as `{use: count-slice, keep: 10, name: last-ten}`."""
    if "use" not in mapping:
        hint = did_you_mean("use", mapping)
        raise ConfigurationError(f"a spec needs the key 'use' (the name to load){hint}")
    base = parse_spec(str(mapping["use"]))
    own = () if base.name is None else (("name", base.name),)
    given = ((key, str(value)) for key, value in mapping.items() if key != "use")
    return _spec(base.use, (*base.params, *own, *given), str(mapping["use"]))


def _spec(use: str, pairs: Iterable[tuple[str, str]], whole: str) -> Spec:
    """A spec of the pairs, `name` among them taken as the label."""
    params: dict[str, str] = {}
    for key, value in pairs:
        # Options on a command line have hyphens, so people write keep-recent here as well.
        word = key.replace("-", "_")
        if word in params:
            raise ConfigurationError(f"spec '{whole}': {key} is given twice")
        params[word] = value
    label = params.pop("name", None)
    if label == "":
        raise ConfigurationError(f"spec '{whole}': the name is empty")
    return replace(Spec(use, tuple(params.items())), name=label)


def _pairs(text: str, whole: str) -> Iterator[tuple[str, str]]:
    """Keys and values of what stands between the parentheses."""
    pieces = _split(text, whole)
    if not pieces[-1].strip():  # no parameters, or a trailing comma
        pieces.pop()
    for piece in pieces:
        key, equals, value = (part.strip() for part in piece.partition("="))
        if not equals or not _KEY.fullmatch(key):
            word, _, rest = piece.strip().partition(":")
            hint = (
                f"; did you mean '{word}={rest.strip()}'?" if _KEY.fullmatch(word) and rest else ""
            )
            raise ConfigurationError(
                f"spec '{whole}': expected key=value, found '{piece.strip()}'{hint}"
            )
        yield key, _unquoted(value, whole) if value.startswith('"') else value


def _split(text: str, whole: str) -> list[str]:
    """The text cut at its commas, those in quotes or in parentheses apart."""
    pieces: list[str] = []
    start = depth = at = 0
    quoted = False
    while at < len(text):
        character = text[at]
        if quoted:
            if character == "\\":
                at += 1
            quoted = character != '"'
        elif character == '"':
            quoted = True
        elif character == "," and depth == 0:
            pieces.append(text[start:at])
            start = at + 1
        else:
            depth += (character == "(") - (character == ")")
            if depth < 0:
                raise ConfigurationError(f"spec '{whole}': a ')' too many")
        at += 1
    if quoted or depth:
        missing = "'\"'" if quoted else "')'"
        raise ConfigurationError(f"spec '{whole}': a closing {missing} is missing")
    return [*pieces, text[start:]]


def _unquoted(value: str, whole: str) -> str:
    """The text of a quoted value; a backslash before another character than `n r t " \\` stays."""
    inner = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', value, re.DOTALL)
    if inner is None:
        raise ConfigurationError(f"spec '{whole}': text after a closing quote: {value}")
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), inner[1], flags=re.DOTALL)


def _spec_text(use: str, pairs: Iterable[tuple[str, str]]) -> str:
    inner = ", ".join(f"{key}={_quoted(value)}" for key, value in pairs)
    return f"{use}({inner})" if inner else use


def _quoted(value: str) -> str:
    """The value as it is written in a spec: in quotes only where it would be read otherwise."""
    if value.isprintable() and value and value == value.strip() and not value.startswith('"'):
        try:
            if _split(value, value) == [value]:
                return value
        except ConfigurationError:
            pass
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    for letter, character in (("n", "\n"), ("r", "\r"), ("t", "\t")):
        escaped = escaped.replace(character, f"\\{letter}")
    return f'"{escaped}"'
