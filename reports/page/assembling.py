"""The page put together: one file, which needs nothing else and asks for nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compaction_eval.eval.recovery import Recovered, lacking_lines
from compaction_eval.eval.row_shares import RowShares
from compaction_eval.reports.about_strategies import about_strategies
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.columns import apart_lines
from compaction_eval.reports.cost_finding import cost_finding
from compaction_eval.reports.failures import failure_lines
from compaction_eval.reports.figures import plural
from compaction_eval.reports.gaps import gap_lines
from compaction_eval.reports.joined_words import joined_lines
from compaction_eval.reports.legend import legend
from compaction_eval.reports.page import DEFAULT_SIZE
from compaction_eval.reports.page.blocks import packed
from compaction_eval.reports.page.chart_names import chart_names
from compaction_eval.reports.page.choices import choices
from compaction_eval.reports.page.contents import all_asked, all_losses, contents, run_facts
from compaction_eval.reports.page.packing import left_out, pack, script_json
from compaction_eval.reports.page.pictures import pictures
from compaction_eval.reports.page.table import Table, counted, split_figures, table
from compaction_eval.reports.page.text import shown
from compaction_eval.reports.sentence import beside_lines
from compaction_eval.reports.summarised_by import summarised_by
from compaction_eval.strategies.tokens import TokenCounter

if TYPE_CHECKING:
    from jinja2 import Environment

MEGABYTE = 1_000_000
_FOLDER = Path(__file__).parent
_STYLES = ("style.css", "explorer.css", "narrow.css", "print.css")
_SCRIPTS = (
    "blocks.js",
    "elements.js",
    "standing.js",
    "keeping.js",
    "timeline.js",
    "messages.js",
    "nearest.js",
    "saying.js",
    "telling.js",
    "asking.js",
    "facts.js",
    "reasons.js",
    "story.js",
    "legend.js",
    "revealing.js",
    "explorer.js",
    "choosing.js",
    "linking.js",
    "stepping.js",
    "addresses.js",
    "table.js",
    "losing.js",
    "forgotten.js",
    "start.js",
)
_AROUND = len('<script type="text/plain" id=""></script>\n')


@dataclass(frozen=True, slots=True)
class Page:
    """A finished page."""

    html: str
    notes: tuple[str, ...]
    """What isn't on it, and why."""

    @property
    def data(self) -> bytes:
        """The file's bytes; ASCII but for the names and words on it."""
        return self.html.encode("utf-8", errors="backslashreplace")


def assemble(
    material: Material,
    found: Recovered,
    charts: list[Chart],
    images: Mapping[tuple[str, str], bytes],
    *,
    most: float = DEFAULT_SIZE,
) -> Page:
    """The page of a run, of at most so many megabytes where leaving out views can make it so."""
    counter = TokenCounter(str(material.manifest.get("encoding", "o200k_base")))
    blocks = _blocks(material, found, counter)
    abouts = about_strategies(material.manifest, material.cells)
    lines = table(material.rows, material.marks, abouts)
    tags = {one["id"]: one.get("tags", ()) for one in material.manifest.get("scenarios", ())}
    always = {
        "figures": pack(split_figures(lines.rows, material.cells, tags)),
        "losses": pack(all_losses(material.cells)),
        "asked": pack(all_asked(material.cells)),
    }
    words = _words(material, found, lines)
    words |= {"pictures": pictures(charts, images), "chart_names": chart_names(material)}
    template = _environment().get_template("template.html")
    gaps = gap_lines(material.manifest, material.cells)
    together = [shown(line) for line in (*joined_lines(material.manifest), *gaps)]

    def html(kept: Mapping[str, str], notes: list[str]) -> str:
        index = contents(material, found, lines, kept, limit=round(most * MEGABYTE))
        return template.render(
            **words, notes=[*together, *notes], index=script_json(index), blocks={**always, **kept}
        )

    sizes = {name: len(block) + len(name) + _AROUND for name, block in blocks.items()}
    cells = {name: size for name, size in sizes.items() if name.startswith("c")}
    rest = len(html({}, [_said_out(len(cells), most)]).encode()) + sum(sizes.values())
    dropped = set(left_out(cells, round(most * MEGABYTE) - rest + sum(cells.values())))
    kept = _used(material, {n: block for n, block in blocks.items() if n not in dropped})
    missing = len(material.cells) - sum(name.startswith("c") for name in kept)
    notes = [_said_out(missing, most)] if missing else []
    notes += [f"Not at hand, so no messages are shown: {line}" for line in lacking_lines(found)]
    page = Page(html(kept, notes), tuple(notes))
    if len(page.data) > most * MEGABYTE:
        size = len(page.data) / MEGABYTE
        return Page(page.html, (*notes, f"The page is {size:.1f} MB even so: nothing else can go."))
    return page


def _said_out(cells: int, most: float) -> str:
    return (
        f"The requests of {plural(cells, 'cell')} are left out, the largest first, to keep the page"
        f" within {most:g} MB (--max-size)."
    )


def _blocks(material: Material, found: Recovered, counter: TokenCounter) -> dict[str, str]:
    """Each block by its name: conversations, and cells in the run's order."""
    parts = packed(material.cells, found.scenarios, counter, jobs=os.cpu_count() or 1)
    blocks = {
        f"s{at}": one.conversation for at, one in enumerate(parts.values()) if one.conversation
    }
    own = {which: iter(one.cells) for which, one in parts.items()}
    for at, cell in enumerate(material.cells):
        blocks[f"c{at}"] = next(own[cell.key.scenario, cell.key.variant])
    return blocks


def _used(material: Material, kept: dict[str, str]) -> dict[str, str]:
    """The blocks, without conversations none of whose cells is left."""
    variants: dict[tuple[str, str], int] = {}
    used = set()
    for at, cell in enumerate(material.cells):
        scenario = variants.setdefault((cell.key.scenario, cell.key.variant), len(variants))
        if f"c{at}" in kept:
            used.add(f"s{scenario}")
    return {name: block for name, block in kept.items() if name[0] == "c" or name in used}


def _words(material: Material, found: Recovered, lines: Table) -> dict[str, Any]:
    manifest, cells = material.manifest, material.cells
    shares = RowShares(cells)
    tags = {
        shown(tag)
        for one in manifest.get("scenarios", ())
        for tag in one.get("tags", ())
        if any(cell.key.scenario == one["id"] for cell in cells)
    }
    return {
        "run": run_facts(material),
        "summarised": [shown(line) for line in summarised_by(manifest, material.rows)],
        "verdict": [shown(one) for one in _beside(material, shares)],
        "choices": choices(material.rows, material.marks, shares),
        "table": lines,
        "budgets": [budget for budget, _ in lines.captions],
        "tags": sorted(tags),
        "kinds": sorted({probe.kind for cell in cells for probe in counted(cell)}),
        "legend": legend(lines.columns),
        "apart": [shown(line) for line in apart_lines(lines.rows, material.marks)],
        "failures": failure_lines(cells),
        "styles": [_file(name) for name in _STYLES],
        "scripts": [_file(name) for name in _SCRIPTS],
    }


def _beside(material: Material, shares: RowShares) -> list[str]:
    """What holds beside the budgets' lines: first what keeps most in dollars."""
    rows, marks = material.rows, material.marks
    return [
        *cost_finding(rows, marks, shares, material.costs),
        *beside_lines(rows, marks, shares),
    ]


@lru_cache
def _file(name: str) -> Any:
    from markupsafe import Markup

    return Markup((_FOLDER / name).read_text("utf-8"))


@lru_cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
