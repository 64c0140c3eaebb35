"""What the view held against what the model answered: the 2×2, row by row, and a judge beside it.

A model that fails on what is in front of it, and a compaction that leaves it nothing to find, end
in the same wrong answer; here they stand apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from compaction_eval.eval.recall.agreement import Agreement
from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import groups, label, merged
from compaction_eval.reports.details import details
from compaction_eval.reports.figures import count, plural, share
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import markdown, one_line

if TYPE_CHECKING:
    from rich.console import Console

HEADINGS = (
    "kept & recalled",
    "kept & not recalled",
    "lost & recalled",
    "lost & not recalled",
)
MEANING = (
    "kept & not recalled: the view held it and the model didn't give it, which is no fault of the"
    " compaction; lost & recalled: guessed, or known from elsewhere. Probes of which a view can't"
    " be right or wrong, and questions without an answer, are in none of the four."
)
LENIENT = (
    "Judges accept wrong answers more often than matchers do, so recall is the matchers' figure and"
    " the judge's stands beside it."
)


def was_asked(rows: Iterable[SummaryRow]) -> bool:
    """Whether a model was asked in some row."""
    return any(row.answers is not None for row in rows)


def print_recalled(rows: Sequence[SummaryRow], marks: Marks, out: Console) -> None:
    """The four counts of each row in the terminal; nothing where no model was asked."""
    rows = merged(rows)
    if not was_asked(rows):
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("budget", no_wrap=True)
    table.add_column("strategy", overflow="fold")
    for heading in HEADINGS:
        table.add_column(heading.replace(" & ", " &\n", 1), justify="right")
    for row in _in_order(rows, marks):
        style = "dim" if marks.is_control(row) else ""
        name = one_line(label(row, rows))
        table.add_row(one_line(row.budget), name, *map(count, _four(row)), style=style)
    out.print(Text("What the view held, and what the model answered", "bold"))
    with out.capture() as captured:
        out.print(table)
    out.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))
    out.print()
    for line in (MEANING, *judge_lines(rows)):
        out.print(Text(line, "dim"))


def recalled_section(rows: Sequence[SummaryRow], marks: Marks) -> list[str]:
    """The same in Markdown, folded; nothing where no model was asked."""
    if not was_asked(rows):
        return []
    lines = ["| budget | strategy | " + " | ".join(HEADINGS) + " |"]
    lines += ["|---|---|" + "---:|" * len(HEADINGS)]
    for row in _in_order(rows, marks):
        name = markdown(label(row, rows))
        lines.append(
            f"| {markdown(row.budget)} | {name} | " + " | ".join(map(count, _four(row))) + " |"
        )
    lines += ["", MEANING, *(markdown(line) for line in judge_lines(rows))]
    return details("What the view held, and what the model answered", lines)


def judge_lines(rows: Iterable[SummaryRow]) -> list[str]:
    """How far the judge agrees with the matchers over all rows, and how lenient judges are."""
    judged = [row for row in rows if row.judged]
    total = sum(row.judged or 0 for row in judged)
    if not total:
        return []
    more = sum(row.judge_more or 0 for row in judged)
    less = sum(row.judge_less or 0 for row in judged)
    both = sum(row.judge_right or 0 for row in judged) - more
    found = Agreement(both, more, less, total - both - more - less)
    kappa = "" if found.kappa is None else f", kappa {found.kappa:.2f}"
    return [
        f"The judge agrees with the matchers on {share(found.share)} of"
        f" {plural(total, 'answer')}{kappa}: {more:,} that it accepts and they don't,"
        f" {less:,} the other way round. {LENIENT}"
    ]


def recall_sentence(rows: Sequence[SummaryRow], manifest: Mapping[str, Any]) -> str:
    """What the model made of the views, in a sentence or two; empty where none was asked."""
    rows = merged(rows)
    if not was_asked(rows):
        return ""
    kept, kept_missed, lost, lost_missed = (
        sum(getattr(row, name) or 0 for row in rows)
        for name in ("kept_recalled", "kept_missed", "lost_recalled", "lost_missed")
    )
    model = one_line(str(manifest.get("model") or "the model"))
    parts = []
    if kept + kept_missed:
        answered = f"{kept:,} of {kept + kept_missed:,} ({share(kept / (kept + kept_missed))})"
        parts.append(f"Of what the views still held, {model} gave {answered} in its answers")
    if lost + lost_missed:
        parts.append(f"of what they had lost, {lost:,} of {lost + lost_missed:,}")
    told = "; ".join(parts)
    faults = sum(row.answer_errors or 0 for row in rows)
    too_long = sum(row.answer_context_errors or 0 for row in rows)
    sentences = [f"{told[:1].upper()}{told[1:]}."] if told else []
    if faults:
        why = (
            f", {too_long:,} of them since the view outgrew the model's window" if too_long else ""
        )
        sentences.append(f"{plural(faults, 'question')} got no answer{why}; they're in no share.")
    return " ".join(sentences)


def _in_order(rows: Sequence[SummaryRow], marks: Marks) -> list[SummaryRow]:
    return [row for group in groups(rows, marks) for row in group.rows if row.answers is not None]


def _four(row: SummaryRow) -> tuple[int | None, int | None, int | None, int | None]:
    return row.kept_recalled, row.kept_missed, row.lost_recalled, row.lost_missed
