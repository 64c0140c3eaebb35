"""The table of the page: the rows as everywhere, and each row's share by tag and kind of probe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from compaction_eval.eval.records import CellRecord, ProbeRecord, SummaryRow
from compaction_eval.eval.row_cells import headline_by_row
from compaction_eval.eval.summary import reused, reused_text, scenario_shares, written
from compaction_eval.eval.verdicts import UNASKED
from compaction_eval.reports.columns import Column, columns_for, groups, label, merged
from compaction_eval.reports.dimensions import REUSE, REUSE_TEXT
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.page.text import shown
from compaction_eval.reports.printable import LONGEST_NAME, cut
from compaction_eval.reports.usability import usability

Plain = dict[str, Any]
Split = dict[str, dict[str, tuple[float, int, int, int]]]
Loss = tuple[str, str, str, int, int, int | None, int | None]
"""Probe, kind, verdict, request, the messages before it, the request that lost it, and the tokens
between what says it and the question."""
EVERY = ""
"""The key of the figure over all tags, or all kinds."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table."""

    name: str
    budget: str
    summarizer: str
    """Empty where no summariser made a difference."""
    strategy: str
    control: bool
    keyed: bool
    why_not: str
    """Why it is no choice; empty where it is usable."""
    unsound: bool
    """Whether that is what it did: refused requests, requests over the budget, or errors."""
    figures: tuple[str, ...]
    about: str = ""
    """What the strategy does and with which settings, in a line."""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of all budgets, each budget's best usable one first, and their columns."""

    columns: tuple[Column, ...]
    captions: tuple[tuple[str, str], ...]
    """Of each budget what its figures rest on."""
    lines: tuple[Line, ...]
    rows: tuple[SummaryRow, ...]
    """The summary rows of the lines."""

    @property
    def has_unsound(self) -> bool:
        """Whether some line is unsound."""
        return any(line.unsound for line in self.lines)

    @property
    def signs(self) -> str:
        """What the signs of lines that are no choice mean, of those that some line has."""
        signs = [
            *(["* a control"] if any(line.control for line in self.lines) else []),
            *(["† sees the answer key"] if any(line.keyed for line in self.lines) else []),
        ]
        no_choice = "neither is a choice" if len(signs) > 1 else "no choice"
        return f"{', '.join(signs)}: {no_choice}." if signs else ""


def table(
    rows: Sequence[SummaryRow], marks: Marks, abouts: Mapping[str, str] | None = None
) -> Table:
    """The table of a run; `abouts` has a line on each strategy, by label."""
    shown_rows = merged(rows)
    columns = tuple(columns_for(shown_rows))
    by_budget = groups(shown_rows, marks)
    ordered = tuple(row for group in by_budget for row in group.rows)
    use = usability(shown_rows, marks)
    return Table(
        columns=columns,
        captions=tuple((shown(group.budget), group.caption) for group in by_budget),
        lines=tuple(
            Line(
                name=cut(shown(label(row, shown_rows)), LONGEST_NAME),
                budget=shown(row.budget),
                summarizer=shown(row.summarizer),
                strategy=shown(row.strategy),
                control=marks.is_control(row),
                keyed=row.sees_answer_key,
                why_not=use.why_not(row),
                unsound=use.is_broken(row),
                figures=tuple(column.value(row) for column in columns),
                about=shown((abouts or {}).get(row.strategy, "")),
            )
            for row in ordered
        ),
        rows=ordered,
    )


def split_figures(
    rows: Sequence[SummaryRow], cells: Sequence[CellRecord], tags: Mapping[str, Sequence[str]]
) -> list[Split]:
    """Of each row by tag, then by kind: its share, the scenarios behind it, and how many verdicts
    there are and say of an answer that it isn't there.

    So the last two add up over kinds (`reuse-text` apart, which is in no other share), while the
    share is a mean over scenarios. Of `abstention` a view can only go wrong: all of its verdicts
    say what it shouldn't have. The share over all kinds is survival of written probes, or reuse
    where there are none. `tags` are those of each scenario, by id.
    """
    by_row = headline_by_row(cells)
    return [
        _by_tag(by_row.get((row.strategy, row.budget, row.summarizer), []), tags) for row in rows
    ]


def _by_tag(cells: Sequence[CellRecord], tags: Mapping[str, Sequence[str]]) -> Split:
    tagged: dict[str, list[CellRecord]] = {EVERY: [*cells]}
    for cell in cells:
        for tag in tags.get(cell.key.scenario, ()):
            tagged.setdefault(shown(tag), []).append(cell)
    return {tag: _by_kind(group) for tag, group in sorted(tagged.items())}


def _by_kind(cells: Sequence[CellRecord]) -> dict[str, tuple[float, int, int, int]]:
    kinds: dict[str, Callable[[CellRecord], list[ProbeRecord]]] = {}
    for kind in sorted({probe.kind for cell in cells for probe in written(cell)}):
        kinds[kind] = partial(_of_kind, kind)
    kinds[REUSE] = reused
    kinds[EVERY] = written if any(written(cell) for cell in cells) else reused
    kinds[REUSE_TEXT] = reused_text
    found = {}
    for kind, chosen in kinds.items():
        shares = scenario_shares(cells, chosen)
        if shares:
            verdicts = [p.verdict for cell in cells for p in chosen(cell)]
            asked = [verdict for verdict in verdicts if verdict not in UNASKED]
            lost = sum(verdict != "correct" for verdict in asked)
            found[kind] = (round(fmean(shares.values()), 6), len(shares), len(asked), lost)
    return found


def _of_kind(kind: str, cell: CellRecord) -> list[ProbeRecord]:
    return [probe for probe in cell.probes if probe.kind == kind]


def counted(cell: CellRecord) -> list[ProbeRecord]:
    """The verdicts that are in a share: of written probes, and of values that don't come free."""
    return [*written(cell), *reused(cell)]


def asked(cell: CellRecord) -> dict[str, int]:
    """How many verdicts of a cell count, by kind of probe; it lost so many of them as `losses`."""
    return dict(sorted(Counter(p.kind for p in counted(cell) if p.verdict not in UNASKED).items()))


def losses(cell: CellRecord) -> list[Loss]:
    """What a cell lost: each verdict that counts and isn't correct."""
    return [
        (
            shown(probe.probe),
            probe.kind,
            probe.verdict,
            probe.request,
            probe.at,
            probe.lost_at,
            probe.age_tokens,
        )
        for probe in counted(cell)
        if probe.verdict != "correct" and probe.verdict not in UNASKED
    ]
