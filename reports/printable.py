"""Text of unknown origin made safe to show: what a transcript says can't steer the reader's screen.

Every report passes scenario text, labels and error messages through `printable` or `one_line`;
what is read on a page rather than in a terminal or a log, through `visible`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size

from compaction_eval.strategies import paths

# Joiners are part of words (Persian, emoji) and steer nothing.
_HARMLESS = frozenset("\u200c\u200d")
# Letters by their category, yet nobody can see them.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Where they aren't part of a word or a sign, joiners and selectors can only hide something.
_LOOSE = re.compile(
    "(?<![^\\x00-\\x7f])[\u200c\u200d]|(?<=[\u200c\u200d])[\u200c\u200d]"
    "|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\ufe00-\ufe0d\U000e0100-\U000e01ef]"
    "|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
_HIGHEST = 6
"""Marks that a letter may carry; no language needs more, and a tower covers the lines above it."""
_PILED = re.compile(rf"[^\w\s\x00-\x7f]{{{_HIGHEST + 1},}}")
# What CI systems take for a command in a log: at the beginning of a line, or anywhere in it.
_COMMANDS = re.compile(
    r"(?<!\S):(?=:(?:add-mask|add-matcher|add-path|debug|echo|endgroup|error|group|notice"
    r"|remove-matcher|save-state|set-env|set-output|stop-commands|warning)[ :])"
    r"|\#(?=\#(?:\[|vso\[|teamcity\[))",
    re.IGNORECASE,
)
LONGEST_NAME = 100
"""Terminal cells of a name in a table."""
_WEIGHTLESS = 10
"""Characters of shown text to a terminal cell, at most."""


def visible(text: str) -> str:
    """The text with control, hidden, direction-changing and unpaired characters as their escapes.

    Line feeds stay; ESC becomes the four characters `\\x1b`, a right-to-left override `\\u202e`;
    so do marks beyond the sixth on one letter.
    """
    if text.isascii() and text.isprintable():
        return text
    if not text.isascii():
        text = _LOOSE.sub(lambda match: escape(match[0]), text)
        text = _PILED.sub(lambda match: _lowered(match[0]), text)
    return text.translate(_SHOWN)


def printable(text: str) -> str:
    """What is visible of a text, with the commands in it that a CI system finds in a log broken."""
    text = visible(text)
    if "::" not in text and "##" not in text:
        return text
    return _COMMANDS.sub(lambda match: escape(match[0]), text)


def is_unsafe(character: str) -> bool:
    """Whether a character can steer whatever shows it, or can't be seen."""
    if character in _HARMLESS:
        return False
    return character in _FILLERS or unicodedata.category(character) in _UNSAFE


def escape(character: str) -> str:
    """A character as `\\x1b`, `\\u202e` or `\\U000e0041`."""
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class _Escapes(dict[int, str]):
    """What each character is shown as, by its code; looked up once."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        stays = character == "\n" or not is_unsafe(character)
        self[code] = shown = character if stays else escape(character)
        return shown


_SHOWN = _Escapes()


def _lowered(run: str) -> str:
    """A run of signs in which no more marks stand on each other than a letter may carry."""
    shown, marks = [], 0
    for character in run:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        shown.append(character if marks <= _HIGHEST else escape(character))
    return "".join(shown)


def shown_path(path: object) -> str:
    """A file's path on one line; a line feed in its name is an escape, too."""
    return printable(paths.path_text(path))


def one_line(text: str, width: int | None = None) -> str:
    """The text on one line, each run of white space a space, cut to `width` terminal cells."""
    line = " ".join(text.split())
    if width is None:
        return printable(line)
    # A line may have megabytes, of which a cut shows nothing.
    return cut(printable(line[: _WEIGHTLESS * (width + 1)]), width)


def name_text(name: str) -> str:
    """A name in a table or a sentence: one line that no table is torn by; a file has all of it."""
    return one_line(name, LONGEST_NAME)


def cut(line: str, width: int) -> str:
    """A line of at most `width` terminal cells; one that is longer ends in `…`."""
    if _fits(line, width):
        return line
    start = line[: _WEIGHTLESS * (width + 1)]
    return set_cell_size(start, max(width - 1, 0)).rstrip() + "…"


def _fits(line: str, width: int) -> bool:
    """Whether a shown line takes at most `width` cells; a long one isn't measured to its end."""
    return len(line) <= _WEIGHTLESS * (width + 1) and cell_len(line) <= width


def excerpt(text: str, forms: Iterable[str], width: int) -> str:
    """One line of at most `width` cells around the first of the forms that the text holds.

    Forms are compared without regard to case and white space; where none is found, it is the
    text's beginning.
    """
    line = one_line(text)
    if _fits(line, width):
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


_SPLIT = re.compile(
    r"(?<!\w)@(?=\w)|@(?=[\w-]+\.\w)|\#(?=\d)|\bGH-(?=\d)|:(?=//)|\bwww(?=\.)"
    r"|:(?=(?:[a-z+-][\w+-]*|100|1234):)",
    re.IGNORECASE,
)
_BEGINS_BLOCK = re.compile(r"^(?=[-+](?:\s|$)|-+\s*$|=+\s*$)|^\d+(?=[.)](?:\s|$))")
"""A list's item, a rule or the line below a heading; `-3.5%` is none."""


def markdown(text: str) -> str:
    """The text as one line of Markdown that shows exactly these characters, also in a table.

    Names that a forge would call, numbers that it would link and addresses are split by an empty
    comment, the only thing that it doesn't look through.
    """
    escaped = (
        _marked(one_line(text)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    )
    escaped = "".join("\\" + c if c in "\\`*_{}[]#!|~$" else c for c in escaped)
    return _BEGINS_BLOCK.sub(r"\g<0>\\", escaped).replace("\0", "<!-- -->")


def harmless(text: str) -> str:
    """Markdown or HTML of our own, with the names, numbers and addresses in it split like that."""
    return _marked(text).replace("\0", "<!-- -->")


def _marked(text: str) -> str:
    """The text with a mark wherever a forge would find more than text."""
    return _SPLIT.sub(r"\g<0>\0", text)
