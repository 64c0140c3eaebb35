"""Text of unknown origin for the page: what could steer a reader's eye is shown as an escape."""

from __future__ import annotations

from compaction_eval.reports.printable import visible

LONGEST = 20_000
"""Characters of a message that the page holds; the rest is counted."""
LONGEST_REMARK = 600


def shown(text: str) -> str:
    """The text with invisible and direction-changing characters as escapes.

    Line feeds and tabs stay; a carriage return before a line feed goes.
    """
    if text.isascii() and text.isprintable():
        return text
    return "\t".join(visible(part) for part in text.replace("\r\n", "\n").split("\t"))


def clipped(text: str, longest: int = LONGEST) -> tuple[str, int]:
    """The text as shown, cut at so many characters, and how many were left out."""
    return shown(text[:longest]), max(len(text) - longest, 0)
