"""A library in Markdown: a page, a line for each scenario, and a sentence on how much there is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compaction_eval.reports.figures import count, plural
from compaction_eval.reports.printable import markdown
from compaction_eval.reports.spread import spread_table
from compaction_eval.scenarios.records import Scenario
from compaction_eval.scenarios.spread import Spread
from compaction_eval.strategies.tokens import TokenCounter

_LANGUAGES = {
    "en": "English",
    "zh": "Chinese",
    "ja": "Japanese",
    "de": "German",
    "mixed": "Chinese mixed with English code",
}


def library_page(scenarios: Sequence[Scenario], found: Spread, counter: TokenCounter) -> str:
    """The whole page, with a newline at its end."""
    return (
        f"# Scenarios\n\n{summary_sentence(found)}\n\n{scenario_table(scenarios, counter)}\n"
        f"## What they cover\n\n{spread_table(found)}"
    )


def summary_sentence(found: Spread) -> str:
    """How much there is, and in which languages."""
    languages = ", ".join(
        f"{number} in {_LANGUAGES.get(code, code)}" for code, number in found.languages.items()
    )
    return (
        f"{plural(found.scenarios, 'scenario')} in "
        f"{plural(len(found.families), 'family', 'families')} with "
        f"{plural(found.probes, 'probe')}: {languages}."
    )


def scenario_table(scenarios: Sequence[Scenario], counter: TokenCounter) -> str:
    """A line for each scenario: its size, variant by variant, and what makes it hard."""
    variants: dict[tuple[str, str], list[Scenario]] = {}
    for one in scenarios:
        variants.setdefault((one.file, one.id), []).append(one)
    rows = [
        "| family | id | language | messages | tokens | probes | what makes it hard |",
        "|---|---|---|---:|---:|---:|---|",
    ]
    for group in variants.values():
        first = group[0]
        cells = (
            markdown(Path(first.file).parent.name),
            f"`{first.id}`",
            first.lang,
            " / ".join(count(len(one.messages)) for one in group),
            " / ".join(count(counter.request(one.messages)) for one in group),
            count(len(first.probes)),
            markdown(first.description or first.title),
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"
