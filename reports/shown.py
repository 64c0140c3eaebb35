"""What summarisers were shown of the facts that left the view, and what their summaries kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.columns import groups, label, merged
from compaction_eval.reports.details import details
from compaction_eval.reports.figures import count, plural, ratio, share
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.printable import markdown, one_line

MEANING = (
    "left: statements of facts that a probe asks for, which still held when their message left the"
    " view; shown: of those, the ones in messages that the summariser was given, so that what is"
    " missing was lost by the strategy's selection; kept: of the shown, the ones in the summary."
)


def shown_lines(rows: Sequence[SummaryRow], manifest: Mapping[str, Any]) -> list[str]:
    """A line for each model that summarised; none where none did."""
    lines = []
    for one in manifest.get("summarizers", ()):
        own = [row for row in rows if row.summarizer == one["label"] and row.facts_dropped]
        if not one.get("live") or not own:
            continue
        dropped, shown, kept = (
            sum(getattr(row, name) or 0 for row in own)
            for name in ("facts_dropped", "facts_shown", "facts_kept")
        )
        share_kept = f" ({share(kept / shown)})" if shown else ""
        lines.append(
            f"Of {plural(dropped, 'fact')} that left the view, {one_line(one['label'])} was shown"
            f" {shown:,} ({share(shown / dropped)}) and kept {kept:,} of these{share_kept} in its"
            " summaries."
        )
    return lines


def shown_section(rows: Sequence[SummaryRow], marks: Marks) -> list[str]:
    """The three numbers of each row in Markdown, folded; nothing where no summary was asked for."""
    rows = merged(rows)
    if all(row.facts_dropped is None for row in rows):
        return []
    lines = ["| budget | strategy | left | shown | kept | kept of the shown |"]
    lines += ["|---|---|---:|---:|---:|---:|"]
    for group in groups(rows, marks):
        for row in group.rows:
            if row.facts_dropped is None:
                continue
            numbers = (row.facts_dropped, row.facts_shown, row.facts_kept)
            cells = [*map(count, numbers), share(ratio(row.facts_kept, row.facts_shown))]
            name = markdown(label(row, rows))
            lines.append(f"| {markdown(row.budget)} | {name} | {' | '.join(cells)} |")
    return details("What summarisers were shown, and what they kept", [*lines, "", MEANING])
