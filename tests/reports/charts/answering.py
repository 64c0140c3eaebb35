"""A measured run as if a model had been asked, or its strategies had other names."""

from __future__ import annotations

from dataclasses import replace

from compaction_eval.eval.records import REUSE_KINDS, AnswerRecord, CellRecord, ProbeRecord
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.charts.chart import Material


def ask(material: Material) -> Material:
    """The same run as if a model had answered.

    It answers every third question wrongly, doesn't answer every 17th, and gives back what the view
    holds otherwise; of what a view lacks it guesses every tenth.
    """

    def answer(number: int, probe: ProbeRecord) -> AnswerRecord:
        if number % 17 == 16:
            return AnswerRecord("error", outcome="timeout")
        kept = probe.verdict == "correct" and number % 3 != 2
        return AnswerRecord("correct" if kept or number % 10 == 9 else "wrong")

    def asked(cell: CellRecord) -> CellRecord:
        probes = (
            probe if probe.kind in REUSE_KINDS else replace(probe, answer=answer(number, probe))
            for number, probe in enumerate(cell.probes)
        )
        return replace(cell, probes=tuple(probes))

    cells = tuple(map(asked, material.cells))
    manifest = {**material.manifest, "model": "openai:pocket-7b"}
    rows = summary_rows(Run(manifest, cells))
    return replace(material, manifest=manifest, rows=rows, cells=cells)


def renamed(material: Material, names: tuple[str, ...]) -> Material:
    """The same figures under other names."""
    known = dict.fromkeys(row.strategy for row in material.rows)
    other = dict(zip(known, (*names, *list(known)[len(names) :]), strict=False))
    return replace(
        material,
        rows=[replace(row, strategy=other[row.strategy]) for row in material.rows],
        cells=[
            replace(cell, key=replace(cell.key, strategy=other[cell.key.strategy]))
            for cell in material.cells
        ],
    )
