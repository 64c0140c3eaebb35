"""The difficulty report as files: CSV with one figure a line, Markdown for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compaction_eval.eval.records import REUSE_KINDS
from compaction_eval.eval.writing import replace_file
from compaction_eval.reports.best_table import best_table
from compaction_eval.reports.cost_table import CostReport, cost_csv, cost_markdown
from compaction_eval.reports.cost_words import cost_words
from compaction_eval.reports.csv_text import csv_text
from compaction_eval.reports.details import details
from compaction_eval.reports.difficulty import Split
from compaction_eval.reports.difficulty_table import caption, column_name, sign, signs, support
from compaction_eval.reports.difficulty_words import words
from compaction_eval.reports.figures import share
from compaction_eval.reports.joined_words import joined_lines, run_of
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import markdown

COLUMNS = (
    "by",
    "group",
    "strategy",
    "budget",
    "summarizer",
    "sees_answer_key",
    "measure",
    "share",
    "scenarios",
    "probes",
    "run",
)


@dataclass(frozen=True, slots=True)
class Report:
    """What is written: the tables of each dimension, and what it lacks."""

    splits: Sequence[Sequence[Split]]
    """By dimension, then budget."""
    marks: Marks
    remarks: Sequence[str] = ()
    costs: CostReport | None = None
    manifest: Mapping[str, Any] = field(default_factory=dict)
    """Of the run, which is named where it says which it is."""
    gaps: Sequence[str] = ()
    """What the run lacks, a line each."""


def as_csv(report: Report) -> str:
    """One line for each group, strategy, budget and summariser; `all` is a group of its own."""
    return csv_text(COLUMNS, _lines(report))


def _lines(report: Report) -> Iterator[tuple[object, ...]]:
    every = [split for splits in report.splits for split in splits]
    runs = {
        (row.strategy, row.budget, row.summarizer): run_of(report.manifest, row)
        for row in {id(row): row for split in every for row in split.columns}.values()
    }
    for split in every:
        for group in (*split.groups, split.overall):
            for row, figure in zip(split.columns, group.figures, strict=True):
                found = split.by.name == "kind" and group.name in REUSE_KINDS
                yield (
                    split.by.name,
                    group.name,
                    row.strategy,
                    row.budget,
                    row.summarizer,
                    row.sees_answer_key,
                    group.name.replace("-", "_") if found else split.measure,
                    figure.share,
                    figure.scenarios,
                    figure.probes,
                    runs[row.strategy, row.budget, row.summarizer],
                )


def as_markdown(report: Report) -> str:
    """What each dimension shows in words and the best at each budget; the tables are folded."""
    lines = ["# Where compaction loses most", ""]
    lines += [f"- {markdown(line)}" for line in joined_lines(report.manifest)]
    lines += [f"- {markdown(line)}" for line in report.gaps]
    lines += [f"- {markdown(words(found))}" for found in report.splits]
    lines += [f"- {markdown(remark)}" for remark in report.remarks]
    dollars = cost_words(report.costs.groups, report.costs.marks) if report.costs else ""
    lines += [f"- {markdown(dollars)}"] if dollars else []
    lines += [f"- {markdown(line)}" for line in (report.costs.best if report.costs else ())]
    every = [split for found in report.splits for split in found]
    rows = {id(row): row for split in every for row in split.columns}
    lines += ["", *best_table([*rows.values()], report.marks)]
    for found in report.splits:
        tables: list[str] = []
        for split in found:
            tables += [f"### Budget {markdown(split.budget)} by {split.by.name}", ""]
            tables += [markdown(caption(split)), "", *_table(split, report.marks), ""]
        lines += details(f"By {found[0].by.name}" if found else "", tables)
    if report.costs is not None:
        lines += details("Costs", cost_markdown(report.costs))
    lines += details("How to read it", [f"- {markdown(one)}" for one in signs(every, report.marks)])
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(split: Split, marks: Marks) -> Iterable[str]:
    names = [markdown(column_name(row, split.columns, marks)) for row in split.columns]
    yield "| " + " | ".join([split.by.name, *names, "scenarios", "probes"]) + " |"
    yield "|---" + "|---:" * (len(names) + 2) + "|"
    for group in (*split.groups, split.overall):
        figures = [
            f"**{text} {mark}**" if (mark := sign(split, group, at)) else text
            for at, text in enumerate(share(figure.share) for figure in group.figures)
        ]
        yield "| " + " | ".join([markdown(group.name), *figures, *support(split, group)]) + " |"


WRITERS: Mapping[str, Callable[[Report], str]] = {".md": as_markdown, ".csv": as_csv}


def write_report(path: Path, report: Report) -> list[Path]:
    """Write the file in its suffix's format, with its folders where they're missing.

    Costs have columns of their own, so beside `NAME.csv` they get a file, `NAME-costs.csv`. Returns
    what was written. Raises OSError; then what was there before still is.
    """
    texts = {path: WRITERS[path.suffix.lower()](report)}
    if report.costs is not None and path.suffix.lower() == ".csv":
        texts[path.with_name(f"{path.stem}-costs{path.suffix}")] = cost_csv(report.costs)
    path.parent.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        replace_file(file, text.encode("utf-8", errors="backslashreplace"))
    return list(texts)
