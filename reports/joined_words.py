"""What a report says of runs that were put together: which they are, and what isn't in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compaction_eval.eval.manifest import run_id
from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.printable import one_line
from compaction_eval.scenarios.wording import listed_words

_MOST = 8


def joined_lines(manifest: Mapping[str, Any]) -> list[str]:
    """A line each: the runs, what is told apart by run, what was left out; none for one run."""
    parts = manifest.get("joined", ())
    if not parts:
        return []
    lines = [f"Put together: {', '.join(map(_run, parts))}."]
    for kind, what in (("strategies", ""), ("summarizers", " (summarizers)")):
        apart, once = _shared(parts, kind)
        if apart:
            lines.append(f"Not the same in each, so told apart by run: {_listed(apart)}{what}.")
        if once and not what:
            lines.append(f"The same in more than one, so taken once: {_listed(once)}.")
    for names, scenarios in manifest.get("left_out", {}).items():
        lines.append(
            f"Scenarios only in {one_line(names)}, left out, since not every strategy was measured"
            f" on them: {_listed(scenarios)}."
        )
    return lines


def run_of(manifest: Mapping[str, Any], row: SummaryRow) -> str:
    """The id of the run that a row was measured in, of several with a plus between."""
    if "joined" not in manifest:
        return run_id(manifest) if manifest else ""
    return " + ".join(part["id"] for part in manifest["joined"] if has_row(part, row))


def has_row(part: Mapping[str, Any], row: SummaryRow) -> bool:
    """Whether a run has a row; a merged one has no summarizer, since all made the same of it."""
    return (
        row.strategy in {one["label"] for one in part["strategies"]}
        and row.budget in part["budgets"]
        and row.summarizer in {"", *(one["label"] for one in part["summarizers"])}
    )


def _run(part: Mapping[str, Any]) -> str:
    asked = f", asked {one_line(str(part['model']))}" if "model" in part else ""
    return f"{one_line(part['name'])} (run {part['id']}{asked})"


def _shared(parts: Any, kind: str) -> tuple[list[str], list[str]]:
    """Labels that runs have in common and that were told apart; those that were taken once."""
    apart: dict[str, None] = {}
    times: dict[str, int] = {}
    for part in parts:
        for entry in part[kind]:
            if "was" in entry:
                apart[entry["was"]] = None
            times[entry["label"]] = times.get(entry["label"], 0) + 1
    return list(apart), [label for label, number in times.items() if number > 1]


def _listed(names: list[str]) -> str:
    return listed_words([one_line(name) for name in names], most=_MOST)
