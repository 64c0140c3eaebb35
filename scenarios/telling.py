"""Values in free text that no one writes by chance: names of files, identifiers, exact numbers.

Prose is full of words with a point, a stroke or a digit that come from nowhere. So what counts here
is narrower than among the arguments of a call: what has the shape of something made up once, and
whose shape isn't that of a unit, a version, a round number, a well-known name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from compaction_eval.scenarios.well_known import WELL_KNOWN

LONGEST = 300
"""Characters; what is longer is data, and no name of anything."""
_QUOTED = re.compile(r"`([^`\n]{2,60})`|\"([^\"\n]{2,60})\"|“([^”\n]{2,60})”|「([^」\n]{2,60})」")
_TOKEN = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[A-Za-z0-9_./~@%:#&=+\-\\]+")
_TRIMMED = ".,;:!?()[]{}<>'\"`*_=+-&#\\"
_NUMBER = re.compile(r"[$€£]?[0-9][0-9,]*(\.[0-9]+)?%?")
_YEAR = re.compile("(19|20)[0-9][0-9]")
_UNIT = re.compile(r"[0-9]+(\.[0-9]+)?[a-zA-Z]{1,3}|v?[0-9]+(\.[0-9x]+){1,3}")
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_FILE = re.compile(
    r"[\w.\-]*\w\.(?:"
    "bash|bat|c|cc|cfg|conf|cpp|cs|css|csv|db|diff|docx|eex|env|erl|ex|exs|gif|go|gz|h|heex|hpp|html"
    "|ini|ipynb|java|jpeg|jpg|js|json|jsonl|jsx|kt|lock|log|lua|md|mjs|o|patch|pcap|pdf|pem|php|png"
    "|proto|py|rb|rs|rst|scss|sh|sql|sqlite|svelte|svg|swift|tar|tex|toml|ts|tsv|tsx|txt|vue|wav"
    "|webp|xlsx|xml|yaml|yml|zig|zip)",
    re.IGNORECASE,
)
_NAMED_PATH = re.compile(r"[A-Za-z0-9_./~@\-\\:]+")
_CODE = re.compile(r"(?=[A-Z0-9\-]*[0-9])(?=[A-Z0-9\-]*[A-Z])[A-Z0-9]+(-[A-Z0-9]+)*")
_DIALLED = re.compile("[0-9]+([-:/.][0-9]+)+")
_ENDINGS = frozenset(["at", "by", "id", "ids", "key", "name", "no", "time", "type", "url"])
"""What the names of fields end in everywhere, such as `session_id`."""
_SNAKE = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)+")
_CAMEL = re.compile(r"[a-z][a-z0-9]*([A-Z][a-z0-9]+){2,}")
_MIXED = re.compile(r"(?=[a-z\-]*[0-9])(?=[0-9\-]*[a-z])[a-z0-9\-]+")


def telling_values(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each telling value of a text as written, with the shorter names that give it away."""
    for match in _TOKEN.finditer(text):
        written = match.group().strip(_TRIMMED)
        if is_telling(written):
            yield written, short_names(written)
    for match in _QUOTED.finditer(text):
        quoted = next(part for part in match.groups() if part is not None).strip()
        if _is_phrase(quoted):
            yield quoted, ()


def is_telling(value: str) -> bool:
    """Whether a word has the shape of a path, an address, an identifier or an exact number."""
    if len(value) > LONGEST:
        return False
    if is_number(value):
        return is_exact(value)
    if value.casefold() in WELL_KNOWN or len(value) < 4:
        return False
    if _UNIT.fullmatch(value):
        return False
    if _MAIL.fullmatch(value):
        return True
    if "/" in value:
        return _is_path(value)
    if "." in value and not _FILE.fullmatch(value):
        # `session.model` anyone may write; in `session.modelRegistry` the second name is made up.
        return any(_is_name(part) for part in value.split("."))
    figures = sum(map(str.isdigit, value))
    return bool(
        (_FILE.fullmatch(value) and len(value) >= 8)
        or (_CODE.fullmatch(value) and len(value) >= 5 and figures >= 2)
        or (_DIALLED.fullmatch(value) and figures >= 7)
        or _is_name(value)
        or (_MIXED.fullmatch(value) and len(value) >= 7 and figures >= 3)
    )


def _is_name(value: str) -> bool:
    """Whether a word is made of several, as names in programs are."""
    if len(value) < 12 or value.casefold() in WELL_KNOWN:
        return False
    if _SNAKE.fullmatch(value):
        parts = value.casefold().split("_")
        return len(parts) > 2 or parts[-1] not in _ENDINGS
    return _CAMEL.fullmatch(value) is not None


def is_number(value: str) -> bool:
    """Whether a word is a number, with or without currency, thousands, fraction and per cent."""
    return _NUMBER.fullmatch(value) is not None


def is_exact(number: str) -> bool:
    """Whether a number has four digits or more between the zeros at its ends, and is no year."""
    figures = "".join(filter(str.isdecimal, number))
    return not _YEAR.fullmatch(number) and len(figures.strip("0")) >= 4


def _is_path(value: str) -> bool:
    parts = [part for part in value.split("/") if part not in ("", ".", "..", "~")]
    if not parts or not _NAMED_PATH.fullmatch(value) or sum(map(len, parts)) < 8:
        return False
    if "://" in value:
        return len(parts) >= 3
    rooted = value.startswith(("/", "./", "../", "~/"))
    return (rooted and len(parts) >= 2) or bool(_FILE.fullmatch(parts[-1]) and len(parts) >= 2)


def _is_phrase(quoted: str) -> bool:
    """Whether a quotation is long enough that nobody words it the same by chance."""
    words = quoted.split()
    return len(words) >= 4 and sum(map(len, words)) >= 20


def short_names(value: str) -> tuple[str, ...]:
    """A path's last part: who sees that knows the path, or nearly so."""
    name = value.rstrip("/").rpartition("/")[2] if "/" in value else ""
    return (name,) if len(name) >= 4 else ()
