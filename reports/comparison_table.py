"""A comparison in the terminal: flips first, then what changed, row by row, as wide as it is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from compaction_eval.eval.comparison import Difference
from compaction_eval.reports.comparison import (
    CHANGES,
    MEASURES,
    MOST_FLIPS,
    Comparison,
    change,
    effect,
    evidence_text,
    explanations,
    flip_text,
    headline,
    limits,
    unchanged_text,
    unpaired,
    value,
)
from compaction_eval.reports.figures import count
from compaction_eval.reports.printable import cut, name_text

if TYPE_CHECKING:
    from rich.console import Console

MOST_LINES = 60
"""Lines of a section; the smallest changes are left to a result file."""
_NARROWEST = 12
_STYLES = {"lost": "red", "stale": "red", "wrong": "red", "regained": "green"}
_FIGURES = (("", "base"), ("", "new"), ("", "change"), ("95%", "interval"))
_SUPPORT = (("sce-", "narios"), ("", "probes"), ("design", "effect"))


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    cells: tuple[str, ...]
    style: str = ""


def print_comparison(found: Comparison, out: Console) -> None:
    """Print all of it."""
    _print_folded(headline(found), out, "bold")
    for line in unpaired(found):
        _print_folded(line, out)
    _print_flips(found, out)
    for by in found.by:
        _print_section(found, by, out)
    out.print()
    same = unchanged_text(found)
    if same and not found.only_changed:
        _print_folded(same, out)
    for line in explanations(found):
        _print_folded(line, out, "dim")


def _print_flips(found: Comparison, out: Console) -> None:
    for kind, title in CHANGES.items():
        flips = found.of(kind)
        if not flips:
            continue
        out.print()
        out.print(Text(f"{title}: {len(flips):,}", f"bold {_STYLES[kind]}"))
        for flip in flips[:MOST_FLIPS]:
            _print_folded(flip_text(found, flip), out, "", "  ", "      ")
        if len(flips) > MOST_FLIPS:
            more = f"  and {len(flips) - MOST_FLIPS:,} more: a result file (-o FILE.md) has them."
            out.print(Text(more, "dim"))


def _print_folded(
    text: str, out: Console, style: str = "", first: str = "", more: str = ""
) -> None:
    """A text in as many lines as the width asks for; a path is never broken."""
    lines = textwrap.wrap(
        text,
        max(out.width, 20),
        initial_indent=first,
        subsequent_indent=more,
        break_long_words=False,
        break_on_hyphens=False,
    )
    out.print(Text("\n".join(lines), style), soft_wrap=True)


def _print_section(found: Comparison, by: str, out: Console) -> None:
    rows = found.section(by)
    changed = {row: own for row, own in rows.items() if any(one.changed for one in own)}
    candidates = [
        one for own in changed.values() for one in own if one.changed or not found.only_changed
    ]
    shown = _most(candidates)
    whole = by == "strategy"
    lines: list[_Line] = []
    for row, own in changed.items():
        told = [one for one in own if id(one) in shown]
        if told:
            rests = f": {evidence_text(own)}" if whole else ""
            lines.append(_Line(f"{found.row_name(row)}{rests}", (), "bold"))
            lines += [_line(one, whole=whole) for one in told]
    if not lines:
        return
    out.print()
    out.print(Text(f"By {by}", "bold"))
    headings = _FIGURES if whole else (*_FIGURES, *_SUPPORT)
    _print_lines(lines, headings, "measure" if whole else by, out)
    left = len(candidates) - len(shown)
    if left:
        more = f"and {left:,} less founded or smaller: a result file (-o FILE.csv) has them."
        _print_folded(more, out, "dim")


def _most(differences: Sequence[Difference]) -> set[int]:
    """Which of the differences are shown: the best founded and largest, where they are many."""
    ranked = sorted(
        differences, key=lambda one: (not one.changed, one.interval is None, -abs(one.change))
    )
    return {id(one) for one in ranked[:MOST_LINES]}


def _line(one: Difference, *, whole: bool) -> _Line:
    figures = (value(one, one.before), value(one, one.after), change(one), limits(one))
    if whole:
        return _Line(MEASURES[one.measure], figures, "" if one.changed else "dim")
    support = (count(one.scenarios), count(one.probes), effect(one))
    return _Line(name_text(one.group), (*figures, *support), "" if one.changed else "dim")


def _print_lines(
    lines: Iterable[_Line], headings: Sequence[tuple[str, str]], corner: str, out: Console
) -> None:
    told = [*lines]
    if not told:
        return
    widths = [
        max(
            *map(cell_len, heading),
            *(cell_len(line.cells[at]) for line in told if line.cells),
        )
        for at, heading in enumerate(headings)
    ]
    names = max(cell_len(corner), *(cell_len(line.name) for line in told if line.cells))
    room = out.width - 2 - sum(2 + width for width in widths)
    name = min(names, max(room, _NARROWEST))
    for row in range(2):
        first = corner if row else ""
        _print_cells(first, [heading[row] for heading in headings], name, widths, "dim", out)
    for line in told:
        if line.cells:
            _print_cells(cut(line.name, name), line.cells, name, widths, line.style, out)
        else:
            _print_folded(line.name, out, line.style, "", "    ")


def _print_cells(
    name: str,
    cells: Sequence[str],
    width: int,
    widths: Sequence[int],
    style: str,
    out: Console,
) -> None:
    text = "  " + name + " " * (width - cell_len(name))
    for cell, room in zip(cells, widths, strict=True):
        text += "  " + " " * (room - cell_len(cell)) + cell
    out.print(Text(text.rstrip(), style), soft_wrap=True)
