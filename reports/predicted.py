"""How well one order of strategies predicts another, in words and as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from compaction_eval.eval.predicting import Prediction
from compaction_eval.eval.ranking import Ranking
from compaction_eval.eval.statistics import FEWEST
from compaction_eval.reports.csv_text import csv_text
from compaction_eval.reports.figures import plural, share
from compaction_eval.reports.json_text import json_text
from compaction_eval.reports.printable import markdown, one_line
from compaction_eval.reports.results import put_text

SCHEMA = "compaction-eval/prediction/1"
EXPLANATION = (
    "Kendall's tau-b: 1 the same order, 0 no relation, -1 the reverse. The 95% interval is over"
    " scenarios, the same ones on both sides. The controls none, empty and evidence-only, whose"
    " place is known beforehand, and what sees the answer key are left out."
)


def prediction_text(one: Prediction) -> str:
    """One budget in a sentence, with what the order is worth."""
    ours, theirs = map(one_line, one.summarizers)
    first, second = one.measures
    head = f"At {one_line(one.budget)}, {first} with {ours} for {second} with {theirs}"
    found = one.ranking
    if found is None:
        return f"{head}: {one.why}."
    over = f"{plural(len(found.strategies), 'strategy', 'strategies')}, " + plural(
        found.scenarios, "scenario"
    )
    if found.interval is None:
        return f"{head}: tau {found.tau:+.2f} over {over}; fewer than {FEWEST}, so no interval."
    low, high = found.interval.low, found.interval.high
    return (
        f"{head}: tau {found.tau:+.2f} (95% interval {low:+.2f} to {high:+.2f}) over {over}:"
        f" {_worth(low, high)}."
    )


def _worth(low: float, high: float) -> str:
    """What may be concluded."""
    if low > 0:
        return "the first order tells something of the second"
    if high < 0:
        return "the first order misleads"
    return "nothing that chance wouldn't do"


def orders(found: Ranking) -> list[tuple[str, float, float]]:
    """The strategies, best in the second figure first, with both figures."""
    every = zip(found.strategies, found.predicted, found.real, strict=True)
    return sorted(every, key=lambda one: (-one[2], -one[1], one[0]))


def as_lines(one: Prediction) -> list[str]:
    """The sentence, and a line for each strategy."""
    lines = [prediction_text(one)]
    if one.ranking is not None:
        width = max(len(one_line(name, 40)) for name in one.ranking.strategies)
        lines += [
            f"  {one_line(name, 40):<{width}}  {one.measures[0]} {share(ours):>6}"
            f"  {one.measures[1]} {share(theirs):>6}"
            for name, ours, theirs in orders(one.ranking)
        ]
    return lines


def _rows(found: Sequence[Prediction]) -> list[dict[str, Any]]:
    return [
        {
            "budget": one.budget,
            "summarizer": one.summarizers[0],
            "real_summarizer": one.summarizers[1],
            "measure": one.measures[0],
            "real_measure": one.measures[1],
            "strategies": len(one.ranking.strategies) if one.ranking else None,
            "scenarios": one.ranking.scenarios if one.ranking else None,
            "tau": one.ranking.tau if one.ranking else None,
            "low": one.ranking.interval.low if one.ranking and one.ranking.interval else None,
            "high": one.ranking.interval.high if one.ranking and one.ranking.interval else None,
            "why": one.why or None,
        }
        for one in found
    ]


def as_csv(found: Sequence[Prediction]) -> str:
    """One budget a line."""
    rows = _rows(found)
    return csv_text(list(rows[0]), (row.values() for row in rows))


def as_json(found: Sequence[Prediction]) -> str:
    """`schema` and `predictions`, each with its strategies' figures."""
    rows = _rows(found)
    for row, one in zip(rows, found, strict=True):
        row["order"] = [
            {"strategy": name, "predicted": ours, "real": theirs}
            for name, ours, theirs in (orders(one.ranking) if one.ranking else ())
        ]
    document = {"schema": SCHEMA, "predictions": rows}
    return json_text(document, indent=1) + "\n"


def as_markdown(found: Sequence[Prediction]) -> str:
    """The sentences, each with its table."""
    lines = ["# How well one order of strategies predicts another", ""]
    for one in found:
        lines += [markdown(prediction_text(one)), ""]
        if one.ranking is not None:
            lines += [f"| strategy | {one.measures[0]} | {one.measures[1]} |", "|---|---:|---:|"]
            lines += [
                f"| {markdown(name)} | {share(ours)} | {share(theirs)} |"
                for name, ours, theirs in orders(one.ranking)
            ]
            lines.append("")
    return "\n".join([*lines, markdown(EXPLANATION)]) + "\n"


WRITERS: Mapping[str, Callable[[Sequence[Prediction]], str]] = {
    ".md": as_markdown,
    ".csv": as_csv,
    ".json": as_json,
}


def write_predictions(path: Path, found: Sequence[Prediction]) -> None:
    """Write the file in its suffix's format. Raises OSError."""
    put_text(path, WRITERS[path.suffix.lower()](found))
