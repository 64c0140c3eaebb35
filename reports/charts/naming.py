"""Names, looks and notes that all charts of a run share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from rich.cells import cell_len

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.charts.measures import Measure
from compaction_eval.reports.charts.theme import Look, looks
from compaction_eval.reports.columns import label, label_of, merged
from compaction_eval.reports.evidence_words import asked, scored_scenarios
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import cut, one_line

LONGEST_NAME = 34
"""Terminal columns of a name beside a line."""
_LONGEST_MODEL = 48
_TAIL = 14
"""Of those, the ones that a longer name's end has: names of one family differ there."""


Key = tuple[str, str]
"""Strategy and summariser of a row."""


def row_name(row: SummaryRow, rows: Sequence[SummaryRow]) -> str:
    """The row's name among these, short enough to stand beside a line; no two share one."""
    keys = tuple(dict.fromkeys((other.strategy, other.summarizer) for other in rows))
    return _names(keys)[row.strategy, row.summarizer]


def full_name(row: SummaryRow, rows: Sequence[SummaryRow]) -> str:
    """The row's name as it is, on one line, for data."""
    return one_line(label(row, rows))


@lru_cache(maxsize=8)
def _names(keys: tuple[Key, ...]) -> Mapping[Key, str]:
    """A name for each: its label, or that one's beginning and end, told apart by a number."""
    found: dict[Key, str] = {}
    taken: set[str] = set()
    for key in keys:
        line = one_line(label_of(*key, (summarizer for _, summarizer in keys)))
        name, number = _middle_cut(line, LONGEST_NAME), 1
        while name in taken:
            number += 1
            mark = f" #{number}"
            name = _middle_cut(line, LONGEST_NAME - len(mark)) + mark
        taken.add(name)
        found[key] = name
    return found


def _middle_cut(line: str, width: int) -> str:
    """The line in so many terminal columns, an ellipsis in place of its middle."""
    if cell_len(line) <= width:
        return line
    tail = line[-_TAIL:]
    while cell_len(tail) > _TAIL:
        tail = tail[1:]
    return cut(line, width - cell_len(tail)) + tail


def looks_of(material: Material) -> dict[str, Look]:
    """A look for each row's name, the same in every chart of the run."""
    rows = merged(material.rows)
    return looks({row_name(row, rows): material.marks.is_control(row) for row in rows})


def evidence_note(
    material: Material, rows: Sequence[SummaryRow], measure: Measure | None = None
) -> str:
    """What the figures rest on: scenarios, probes or answers, and which run it was."""
    parts = [scored_scenarios(rows)]
    if measure is not None and measure.of_answers:
        parts += answers_notes(material, rows)
    else:
        scored = [row for row in rows if row.probes]
        parts.append(f"{' and '.join(asked(scored)) if scored else '0 probes'} a row")
    parts.append(f"run {material.run_id}")
    every = merged(material.rows)
    keyed = dict.fromkeys(row_name(row, every) for row in rows if row.sees_answer_key)
    if keyed:
        parts.append(f"reads the answer key: {', '.join(keyed)}")
    return " · ".join(parts)


def answers_notes(material: Material, rows: Sequence[SummaryRow]) -> list[str]:
    """Who answered, how many questions of a row, and how many got no answer."""
    answers = max((row.answers or 0 for row in rows), default=0)
    faults = sum(row.answer_errors or 0 for row in rows)
    model = one_line(str(material.manifest.get("model") or "a model"), _LONGEST_MODEL)
    told = [f"{plural(answers, 'answer')} a row by {model}"]
    if faults:
        told.append(f"{plural(faults, 'question')} of all rows without an answer, in no share")
    return told
