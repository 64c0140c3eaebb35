"""The difficulty report as files: CSV with one figure a line, Markdown for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from compaction_eval.eval.records import REUSE_KINDS
from compaction_eval.eval.writing import replace_file
from compaction_eval.reports.best_table import best_table
from compaction_eval.reports.csv_text import csv_text
from compaction_eval.reports.details import details
from compaction_eval.reports.difficulty import Split
from compaction_eval.reports.difficulty_table import caption, column_name, sign, signs, support
from compaction_eval.reports.difficulty_words import words
from compaction_eval.reports.figures import share
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
)


@dataclass(frozen=True, slots=True)
class Report:
    """What is written: the tables of each dimension, and what it lacks."""

    splits: Sequence[Sequence[Split]]
    """By dimension, then budget."""
    marks: Marks
    remarks: Sequence[str] = ()


def as_csv(report: Report) -> str:
    """One line for each group, strategy, budget and summariser; `all` is a group of its own."""
    return csv_text(COLUMNS, _lines(report))


def _lines(report: Report) -> Iterator[tuple[object, ...]]:
    for split in (split for splits in report.splits for split in splits):
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
                )


def as_markdown(report: Report) -> str:
    """What each dimension shows in words and the best at each budget; the tables are folded."""
    lines = ["# Where compaction loses most", ""]
    lines += [f"- {markdown(words(found))}" for found in report.splits]
    lines += [f"- {markdown(remark)}" for remark in report.remarks]
    every = [split for found in report.splits for split in found]
    rows = {id(row): row for split in every for row in split.columns}
    lines += ["", *best_table([*rows.values()], report.marks)]
    for found in report.splits:
        tables: list[str] = []
        for split in found:
            tables += [f"### Budget {markdown(split.budget)} by {split.by.name}", ""]
            tables += [markdown(caption(split)), "", *_table(split, report.marks), ""]
        lines += details(f"By {found[0].by.name}" if found else "", tables)
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


def write_report(path: Path, report: Report) -> None:
    """Write the file in its suffix's format, with its folders where they're missing.

    Raises OSError; then what was there before still is.
    """
    text = WRITERS[path.suffix.lower()](report)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, text.encode("utf-8", errors="backslashreplace"))
