"""The difficulty tables in the terminal: groups down and strategies across, or the other way round.

Best and worst of each group are signed as well as coloured. Where neither way fits, the table is
printed in blocks, and nothing is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import label
from compaction_eval.reports.difficulty import ALL, Group, Split
from compaction_eval.reports.dimensions import ABSTENTION, REUSE, REUSE_TEXT
from compaction_eval.reports.figures import UNMEASURED, plural, share
from compaction_eval.reports.grid import Grid, Line, print_grid
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import name_text, one_line
from compaction_eval.reports.table import CONTROL_SIGN, KEY_SIGN

if TYPE_CHECKING:
    from rich.console import Console

BEST, WORST = "+", "-"
MOST_ROWS = 30
_NAME = 34
_NO_MARK = " "


def print_split(split: Split, marks: Marks, out: Console) -> None:
    """Print one table with its caption."""
    groups = split.groups[:MOST_ROWS]
    upright, turned = _by_group(split, groups, marks), _by_strategy(split, groups, marks)
    # Many groups across would be as many blocks.
    tall = len(groups) == MOST_ROWS
    grids = [upright] if tall else [upright, turned]
    best = min(grids, key=lambda grid: len(grid.blocks(out.width, _NAME)))
    out.print(
        Text(f"Budget {one_line(split.budget)} by {split.by.name}", "bold"), Text(caption(split))
    )
    print_grid(best, out, _NAME)
    left = len(split.groups) - len(groups)
    if left:
        out.print(
            Text(f"and {left:,} more, easier ones: a result file (-o FILE.csv) has them.", "dim")
        )
    out.print()


def caption(split: Split) -> str:
    """What is shown, and how many verdicts it leaves out."""
    text = f"({split.measure}, {split.by.title}"
    if split.ungrouped:
        text += f"; {plural(split.ungrouped, 'probe')} in no group: {split.by.without}"
    return text + ")"


def signs(found: Sequence[Split], marks: Marks) -> list[str]:
    """What the signs in these tables mean."""
    rows = [row for split in found for row in split.columns]
    told = [f"{BEST} best and {WORST} worst of those compared"]
    if any(map(marks.is_control, rows)):
        told.append(f"{CONTROL_SIGN} control, for comparison")
    if any(row.sees_answer_key for row in rows):
        told.append(f"{KEY_SIGN} sees the answer key")
    groups = [group for split in found for group in split.groups]
    if any(figure.share is None for group in groups for figure in group.figures):
        told.append(f"{UNMEASURED} nothing was asked")
    lines = [
        "   ".join(told),
        "A figure is the mean over scenarios of the scenario's own share within the group;"
        " scenarios and probes: what it rests on (≤: at most, strategies differ by what a view"
        " can only get wrong).",
    ]
    if any(group.name == ABSTENTION for group in groups):
        lines.append(
            f"{ABSTENTION}: asked only where a view says what it shouldn't, so the share is 0% and"
            " the number of probes is the finding."
        )
    if any(
        group.name == REUSE and split.measure != REUSE for split in found for group in split.groups
    ):
        lines.append(f"{REUSE}: values which the recorded agent used again; no part of '{ALL}'.")
    if any(group.name == REUSE_TEXT for group in groups):
        lines.append(f"{REUSE_TEXT}: the same in the agent's own words; no part of '{ALL}'.")
    return lines


def column_name(row: SummaryRow, rows: Iterable[SummaryRow], marks: Marks) -> str:
    """A strategy's name with the signs of controls and of the answer key."""
    mark = CONTROL_SIGN * marks.is_control(row) + KEY_SIGN * row.sees_answer_key
    name = name_text(label(row, rows))
    return f"{name} {mark}" if mark else name


def sign(split: Split, group: Group, at: int) -> str:
    """`+` for a best figure, `-` for a worst one, else nothing."""
    return BEST if at in split.best(group) else WORST if at in split.worst(group) else ""


def support(split: Split, group: Group) -> tuple[str, str]:
    """The scenarios and the probes behind a group's figures, over the columns without errors."""
    whole = [f for f, row in zip(group.figures, split.columns, strict=True) if not row.errors]
    figures = whole or list(group.figures)
    return (
        _most([figure.scenarios for figure in figures]),
        _most([figure.probes for figure in figures]),
    )


def _most(counts: Sequence[int]) -> str:
    return ("≤" if min(counts) < max(counts) else "") + f"{max(counts):,}"


def _by_group(split: Split, groups: Sequence[Group], marks: Marks) -> Grid:
    names = [column_name(row, split.columns, marks) for row in split.columns]
    return Grid(
        split.by.name,
        (*names, "scenarios", "probes"),
        tuple(
            Line(
                name_text(group.name),
                (*_cells(split, group), *(Text(text, "dim") for text in support(split, group))),
                "bold" if group is split.overall else "",
            )
            for group in (*groups, split.overall)
        ),
    )


def _by_strategy(split: Split, groups: Sequence[Group], marks: Marks) -> Grid:
    every = (*groups, split.overall)
    cells = [_cells(split, group) for group in every]
    supports = [support(split, group) for group in every]
    lines = [
        Line(
            column_name(row, split.columns, marks),
            tuple(column[at] for column in cells),
            "dim" if marks.is_control(row) else "",
        )
        for at, row in enumerate(split.columns)
    ]
    lines += [
        Line(name, tuple(Text(pair[at] + _NO_MARK) for pair in supports), "dim")
        for at, name in enumerate(("scenarios", "probes"))
    ]
    return Grid("strategy", tuple(name_text(group.name) for group in every), tuple(lines))


def _cells(split: Split, group: Group) -> list[Text]:
    cells = []
    for at, figure in enumerate(group.figures):
        mark = sign(split, group, at)
        style = {BEST: "green", WORST: "red"}.get(mark, "")
        cells.append(Text(share(figure.share) + (mark or _NO_MARK), style))
    return cells
