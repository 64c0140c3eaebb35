"""Text in lines that fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len


def wrapped(
    text: str, room: float, most: int, width: Callable[[str], float] = cell_len
) -> Sequence[str]:
    """The text in at most `most` lines of that width; an ellipsis where it's longer.

    Broken between words, or anywhere in a word that is wider than a line.
    """
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}".strip()
        if width(joined) <= room:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for char in word:
            if width(lines[-1] + char) > room:
                lines.append("")
            lines[-1] += char
    if len(lines) > most:
        last = lines[most - 1]
        while width(f"{last}…") > room:
            last = last[:-1]
        lines = [*lines[: most - 1], f"{last.rstrip()}…"]
    return lines
