"""One cell told in the terminal: what each request kept and dropped, and which fact was lost where.

Lines are pairs of text and style, so that they can be printed, tested and counted without a
console. All text that a transcript brings is made printable before it is put into a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import one_line
from compaction_eval.reports.request_story import request_lines
from compaction_eval.reports.verdict_story import Line, probe_lines
from compaction_eval.scenarios.records import Scenario

if TYPE_CHECKING:
    from rich.console import Console


def print_story(
    scenario: Scenario, cell: CellRecord, out: Console, *, probe: str | None = None
) -> None:
    """Print the cell; with `probe`, only that probe and the requests up to it."""
    width = min(out.width, 160)
    for text, style in story(scenario, cell, width, probe=probe):
        for line in _wrapped(text, out):
            out.print(Text(line, style))


def _wrapped(text: str, out: Console) -> Iterator[str]:
    """The line, or as many as the console needs, the later ones indented further."""
    words = text.lstrip()
    indent = len(text) - len(words)
    if cell_len(text) <= out.width:
        yield text
        return
    room = max(out.width - indent - 2, 10)
    for number, piece in enumerate(Text(words).wrap(out, room)):
        yield " " * (indent + 2 * (number > 0)) + piece.plain.rstrip()


def story(
    scenario: Scenario, cell: CellRecord, width: int = 100, *, probe: str | None = None
) -> Iterator[Line]:
    """The lines of a cell: its name, its requests, its probes."""
    yield from _opening(scenario, cell, width)
    if cell.error is not None:
        yield f"error: {one_line(cell.error, width - 7)}", "red"
        return
    probes = [p for p in cell.probes if probe is None or p.probe == probe]
    last = max((p.request for p in probes), default=len(cell.requests) - 1)
    shown = [
        (index, request)
        for index, request in enumerate(cell.requests[: last + 1])
        if probe is None or request.probe in (None, probe)
    ]
    yield "", ""
    yield from request_lines(scenario, cell, shown, width)
    yield "", ""
    # Values that come free are kept by every strategy, and are in no share.
    silent = [p for p in probes if p.free and probe is None]
    for record in probes:
        if record not in silent:
            yield from probe_lines(scenario, cell, record, width)
    if silent:
        count = plural(len(silent), "reuse probe")
        yield f"Not shown: {count} outside all shares (values that come free)", "dim"


def _opening(scenario: Scenario, cell: CellRecord, width: int) -> Iterator[Line]:
    key = cell.key
    yield one_line(f"{scenario.key}: {scenario.title}", width), "bold"
    yield (
        (
            f"{one_line(key.strategy)}, budget {one_line(key.budget)} ({cell.budget_tokens:,} of"
            f" {cell.conversation_tokens:,} tokens), summarizer {one_line(key.summarizer)}"
        ),
        "",
    )
    if cell.apart:
        yield (
            (
                "Apart: in more than half of the requests the system messages and the newest block"
                " alone exceed the budget."
            ),
            "yellow",
        )
    if cell.never_fired:
        yield "The history outgrew the budget, and the strategy never changed anything.", "yellow"
