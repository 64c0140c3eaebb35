"""Blocks that a reader of Markdown opens: what is long stands there, so that the page is short."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from compaction_eval.reports.printable import harmless, markdown, one_line


def details(summary: str, lines: Iterable[str]) -> list[str]:
    """The lines of Markdown folded under a summary, with the empty lines that GitHub needs.

    Nothing where there are no lines. The summary is plain text: no Markdown is read in it.
    """
    inside = _trimmed([*lines])
    if not inside:
        return []
    head = harmless(html.escape(one_line(summary), quote=False))
    return ["<details>", f"<summary>{head}</summary>", "", *inside, "", "</details>", ""]


def listed(heading: str, facts: Iterable[str], level: int = 2) -> list[str]:
    """A heading and a list of plain texts, with an empty line below; nothing without any."""
    told = [f"- {markdown(fact)}" for fact in facts]
    return [f"{'#' * level} {heading}", "", *told, ""] if told else []


def _trimmed(lines: Sequence[str]) -> Sequence[str]:
    """The lines without empty ones at the end."""
    end = len(lines)
    while end and not lines[end - 1]:
        end -= 1
    return lines[:end]
