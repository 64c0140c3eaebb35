"""Values as JSON that is shown as what it says: in a terminal, an editor, and line by line."""

from __future__ import annotations

import json

from compaction_eval.reports.printable import is_unsafe


def json_text(value: object, indent: int | None = None) -> str:
    """The value's JSON; characters that could steer or end a line are escapes, so all is kept."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if text.isascii() and "\x7f" not in text:
        return text
    return text.translate(_ESCAPES)


class _Escapes(dict[int, str]):
    """What JSON writes for each character, by its code; looked up once."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        # Line feeds are JSON's own: those of a text are escapes by now.
        stays = character == "\n" or not is_unsafe(character)
        self[code] = shown = character if stays else json.dumps(character)[1:-1]
        return shown


_ESCAPES = _Escapes()
