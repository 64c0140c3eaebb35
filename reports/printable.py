"""Text of unknown origin made safe to show: what a transcript says can't steer the reader's screen.

Every report passes scenario text, labels and error messages through `printable` or `one_line`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size

# Joiners are part of words (Persian, emoji) and steer nothing.
_HARMLESS = frozenset("\u200c\u200d")
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def printable(text: str) -> str:
    """The text with control, direction-changing and unpaired characters as their escapes.

    Line feeds stay; ESC becomes the four characters `\\x1b`, a right-to-left override `\\u202e`.
    """
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_SHOWN)


class _Escapes(dict[int, str]):
    """What each character is shown as, by its code; looked up once."""

    def __missing__(self, code: int) -> str:
        self[code] = shown = _shown(chr(code))
        return shown


_SHOWN = _Escapes()


def _shown(character: str) -> str:
    if character == "\n" or character in _HARMLESS:
        return character
    if unicodedata.category(character) not in _UNSAFE:
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def one_line(text: str, width: int | None = None) -> str:
    """The text on one line, each run of white space a space, cut to `width` terminal cells."""
    line = printable(" ".join(text.split()))
    return line if width is None else cut(line, width)


def cut(line: str, width: int) -> str:
    """A line of at most `width` terminal cells; one that is longer ends in `…`."""
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, max(width - 1, 0)).rstrip() + "…"


def excerpt(text: str, forms: Iterable[str], width: int) -> str:
    """One line of at most `width` cells around the first of the forms that the text holds.

    Forms are compared without regard to case and white space; where none is found, it is the
    text's beginning.
    """
    line = one_line(text)
    if cell_len(line) <= width:
        return line
    folded = line.casefold()
    # A casefold that changes the length (ß) would put the cut elsewhere; compare as it stands then.
    searched = folded if len(folded) == len(line) else line
    for form in forms:
        wanted = one_line(form)
        at = searched.find(wanted.casefold() if searched is folded else wanted)
        if at < 0 or not wanted:
            continue
        lead = max((width - cell_len(wanted)) // 3, 0)
        start = at
        while start > 0 and cell_len(line[start - 1 : at]) <= lead:
            start -= 1
        return cut(line[start:] if start == 0 else "…" + line[start:], width)
    return cut(line, width)


def markdown(text: str) -> str:
    """The text as one line of Markdown that shows these characters, also in a table.

    On GitHub nobody is mentioned, no issue is referred to and no address becomes a link.
    """
    escaped = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return harmless("".join("\\" + c if c in "\\`*_{}[]#!|~" else c for c in escaped))


def harmless(text: str) -> str:
    """Markdown or HTML in which `@name`, `#12`, `GH-12` and addresses are nothing but text.

    GitHub looks for them in what is displayed, so that an escape is no help: a space without width
    parts their characters.
    """
    return _ACTING.sub(r"\g<0>&#8203;", text)


_ACTING = re.compile(
    r"(?<![A-Za-z0-9_])@(?=\w)|(?<!&)#(?=\d)|\bGH-(?=\d)|\w:(?=//)|\bwww(?=\.)", re.IGNORECASE
)
