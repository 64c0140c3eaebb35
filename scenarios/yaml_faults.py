"""Why a file is no YAML, in the words of someone who writes scenarios."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Place

if TYPE_CHECKING:
    import yaml

_FULL_WIDTH_KEY = re.compile(r"\s*(?:- +)*[\"']?([A-Za-z_][\w-]*)[\"']?\s*：", re.ASCII)

FULL_WIDTH = "a full-width colon `：` makes no key; write `{key}: ` with an ASCII colon and a space"


def not_utf8(data: bytes, error: UnicodeDecodeError, file: str) -> Fault:
    """The place of the first byte that isn't UTF-8."""
    # "utf-8-sig" reports offsets behind a byte order mark, if there is one.
    before = data[: error.start]
    line = before.count(b"\n") + 1
    column = len(before) - (before.rfind(b"\n") + 1) + 1
    byte = error.object[error.start]
    return Fault(
        Place(file, line, column), f"byte 0x{byte:02x} isn't UTF-8; save the file as UTF-8"
    )


def explain(error: yaml.MarkedYAMLError, lines: list[str], file: str) -> Fault:
    """A syntax error in the words of someone who writes scenarios."""
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return Fault(Place(file), str(error.problem))
    for number in range(mark.line, max(mark.line - 3, -1), -1):
        full_width = _FULL_WIDTH_KEY.match(lines[number]) if number < len(lines) else None
        if full_width:
            place = Place(file, number + 1, full_width.end())
            return Fault(place, FULL_WIDTH.format(key=full_width[1]))
    line = lines[mark.line] if mark.line < len(lines) else ""
    place = Place(file, mark.line + 1, mark.column + 1)
    problem = str(error.problem)
    indent = line[: len(line) - len(line.lstrip())]
    if "\t" in indent:
        message = "a tab indents this line; use spaces"
        if error.context == "while scanning a block scalar":
            message += ", and where the block itself begins with a tab, open it with `|2`"
        return Fault(Place(file, place.line, indent.index("\t") + 1), message)
    above = lines[mark.line - 1] if mark.line else ""
    if "mapping values are not allowed" in problem:
        return Fault(
            place, "`: ` inside an unquoted text; quote the text, or check the indentation"
        )
    if "undefined alias" in problem:
        return Fault(place, "a text that begins with `*` must be quoted")
    if "cannot start any token" in problem:
        return Fault(
            place, f"a text that begins with `{line[mark.column : mark.column + 1]}` must be quoted"
        )
    if "another document" in problem:
        return Fault(place, "`---` starts a second document; one file holds one scenario")
    if "end of stream" in problem and error.context_mark is not None:
        opened = error.context_mark
        return Fault(Place(file, opened.line + 1, opened.column + 1), "this quote is never closed")
    if " #" in above and "expected" in problem:
        return Fault(
            Place(file, mark.line, above.index(" #") + 2),
            "` #` starts a comment and ends the text; quote the text, or use a `|` block",
        )
    if "',' or" in problem:
        return Fault(place, f"{problem}; quote a text that holds `,`, `[`, `]`, `{{` or `}}`")
    return Fault(place, f"{problem}; check the indentation and the quotes")
