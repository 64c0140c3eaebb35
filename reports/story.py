"""One cell told in the terminal: what each request kept and dropped, and which fact was lost where.

Lines are styled texts, so that they can be printed, paged, tested and counted. All text that a
transcript brings is made printable before it is put into a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from compaction_eval.eval.records import CellRecord
from compaction_eval.reports.fact_story import overview_lines, story_line
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import one_line
from compaction_eval.reports.request_story import Requests
from compaction_eval.reports.standing import Standing, standing_of
from compaction_eval.reports.verdict_story import probe_lines
from compaction_eval.scenarios.records import Scenario

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 2_000
"""Cells of a line where no terminal gives a width."""


def print_story(
    scenario: Scenario, cell: CellRecord, out: Console, *, probe: str | None = None
) -> Standing | None:
    """Print the cell; with `probe`, only that probe and the requests up to it.

    Returns what it was told from; None for a cell that ended in an error.
    """
    standing = None if cell.error is not None else standing_of(scenario, cell)
    for line in story(scenario, cell, min(out.width, WIDEST), probe=probe, standing=standing):
        for piece in _wrapped(line, out):
            out.print(piece)
    return standing


def _wrapped(line: Text, out: Console) -> Iterator[Text]:
    """The line, or as many as the console needs, the later ones indented further."""
    if line.cell_len <= out.width:
        yield line
        return
    indent = len(line.plain) - len(line.plain.lstrip())
    room = max(out.width - indent - 2, 10)
    for number, piece in enumerate(line[indent:].wrap(out, room)):
        piece.rstrip()
        yield Text.assemble(" " * (indent + 2 * (number > 0)), piece)


def story(
    scenario: Scenario,
    cell: CellRecord,
    width: int = 100,
    *,
    probe: str | None = None,
    standing: Standing | None = None,
) -> Iterator[Text]:
    """The lines of a cell: its name, what became of its facts, its requests, its probes."""
    yield from _opening(scenario, cell, width)
    if cell.error is not None:
        yield Text(f"error: {one_line(cell.error, max(width - 7, WIDEST))}", "red")
        return
    standing = standing or standing_of(scenario, cell)
    probes = [p for p in cell.probes if probe is None or p.probe == probe]
    last = max((p.request for p in probes), default=len(cell.requests) - 1)
    shown = [
        index
        for index, request in enumerate(cell.requests[: last + 1])
        if probe is None or request.probe in (None, probe)
    ]
    own = [] if probe is None else [standing.fact_of(p.probe, p.place, p.at) for p in probes]
    followed = {fact["id"]: fact for fact in own if fact is not None}
    yield Text()
    if probe is None:
        yield from overview_lines(standing, probes, width)
    else:
        # As on the page, which has all of the story at each question.
        end = len(cell.requests) - 1
        yield from (story_line(standing, fact, end) for fact in followed.values())
    yield Text()
    alone = None if probe is None else frozenset(followed)
    yield from Requests(scenario, standing, shown, probe, alone).lines(width)
    yield Text()
    # Values that come free are kept by every strategy, and are in no share.
    silent = [p for p in probes if p.free and probe is None]
    for record in probes:
        if record not in silent:
            for text, style in probe_lines(scenario, cell, record, width):
                yield Text(text, style)
    if silent:
        count = plural(len(silent), "reuse probe")
        yield Text(f"Not shown: {count} outside all shares (values that come free)", "dim")


def _opening(scenario: Scenario, cell: CellRecord, width: int) -> Iterator[Text]:
    key = cell.key
    yield Text(one_line(f"{scenario.key}: {scenario.title}", max(width, WIDEST)), "bold")
    yield Text(
        f"{one_line(key.strategy)}, budget {one_line(key.budget)} ({cell.budget_tokens:,} of"
        f" {cell.conversation_tokens:,} tokens), summarizer {one_line(key.summarizer)}"
    )
    if cell.apart:
        yield Text(
            "Apart: in more than half of the requests the system messages and the newest block"
            " alone exceed the budget.",
            "yellow",
        )
    if cell.never_fired:
        yield Text(
            "The history outgrew the budget, and the strategy never changed anything.", "yellow"
        )
