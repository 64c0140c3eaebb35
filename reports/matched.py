"""Two strategies at matched retained tokens, in words and as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from compaction_eval.eval.matching import Match
from compaction_eval.eval.statistics import FEWEST
from compaction_eval.reports.comparison import interval_text, signed
from compaction_eval.reports.csv_text import csv_text
from compaction_eval.reports.figures import plural, share, tokens
from compaction_eval.reports.json_text import json_text
from compaction_eval.reports.printable import markdown, name_text, one_line
from compaction_eval.reports.results import put_text

SCHEMA = "compaction-eval/matched/1"
EXPLANATION = (
    "Matched: for each conversation the second's {measure} at the first's retained tokens, on the"
    " straight line between the two of its budgets around that, never beyond them. Means over"
    " scenarios; the 95% interval is over scenarios, paired."
)


def match_text(match: Match, matches: Sequence[Match]) -> str:
    """One budget in a sentence."""
    several = len({one.summarizer for one in matches}) > 1
    more = f" with {one_line(match.summarizer)}" if several else ""
    first, second = name_text(match.first), name_text(match.second)
    head = f"{first} at {one_line(match.budget)}{more}"
    beyond = _beyond(match, second)
    if match.difference is None:
        sizes = ["larger"] * bool(match.larger) + ["smaller"] * bool(match.smaller)
        more = f"; measure {second} at {' and '.join(sizes)} budgets too" if sizes else ""
        return f"{head}: no match{f'; {beyond}' if beyond else ''}{more}."
    if match.interval is None:
        interval = f"fewer than {FEWEST} scenarios, too few for an interval"
    else:
        interval = interval_text(match.interval, "share")
    whole = match.scenarios == match.asked
    over = f"{match.scenarios:,}" if whole else f"{match.scenarios:,} of {match.asked:,}"
    noun = "scenario" if match.asked == 1 else "scenarios"
    return (
        f"{head}, at {tokens(match.retained_tokens)} retained tokens: {first}"
        f" {share(match.first_share)}, {second} {share(match.second_share)}, difference"
        f" {signed(match.difference, 'share')} points ({interval}), {over} {noun}"
        + (f"; {beyond}" if beyond else "")
        + "."
    )


def _beyond(match: Match, second: str) -> str:
    parts = [
        f"in {plural(number, 'scenario')} its views are {word} than all of {second}'s"
        for number, word in ((match.larger, "larger"), (match.smaller, "smaller"))
        if number
    ]
    return ", ".join(parts)


def explanation(matches: Sequence[Match]) -> str:
    """How the figures came about."""
    return EXPLANATION.format(measure=matches[0].measure)


def _rows(matches: Sequence[Match]) -> list[dict[str, Any]]:
    rows = []
    for match in matches:
        row = asdict(match)
        interval = row.pop("interval")
        row["low"] = interval["low"] if interval else None
        row["high"] = interval["high"] if interval else None
        rows.append(row)
    return rows


def as_csv(matches: Sequence[Match]) -> str:
    """One budget a line."""
    rows = _rows(matches)
    return csv_text(list(rows[0]), (row.values() for row in rows))


def as_json(matches: Sequence[Match]) -> str:
    """`schema` and `matches`."""
    document = {"schema": SCHEMA, "matches": _rows(matches)}
    return json_text(document, indent=1) + "\n"


def as_markdown(matches: Sequence[Match]) -> str:
    """The sentences as a list."""
    first, second = markdown(matches[0].first), markdown(matches[0].second)
    lines = [f"# {first} and {second} at matched retained tokens", ""]
    lines += [f"- {markdown(match_text(match, matches))}" for match in matches]
    return "\n".join([*lines, "", markdown(explanation(matches))]) + "\n"


WRITERS: Mapping[str, Callable[[Sequence[Match]], str]] = {
    ".md": as_markdown,
    ".csv": as_csv,
    ".json": as_json,
}


def write_matches(path: Path, matches: Sequence[Match]) -> None:
    """Write the file in its suffix's format. Raises OSError."""
    put_text(path, WRITERS[path.suffix.lower()](matches))
