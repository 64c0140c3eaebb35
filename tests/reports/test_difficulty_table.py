"""The difficulty tables in a terminal, in Markdown and in CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.text import Text

from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.difficulty import Split, splits
from compaction_eval.reports.difficulty_files import COLUMNS, Report, as_csv, as_markdown
from compaction_eval.reports.difficulty_table import MOST_ROWS, print_split, signs
from compaction_eval.reports.dimensions import DIMENSIONS
from compaction_eval.reports.grid import Grid, Line, folded, print_grid
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.table import console

Told = Callable[..., CellRecord]
FAMILIES = [f"family-{at}" for at in range(9)]
MANIFEST = {"places": {name: {"family": name} for name in FAMILIES}}
STRATEGIES = [f"strategy-number-{at}" for at in range(7)]


def found(by: str, *cells: CellRecord) -> Split:
    run = Run(MANIFEST, cells)
    return splits(run, summary_rows(run), DIMENSIONS[by], Marks())[0]


@pytest.fixture
def wide(told: Told) -> Split:
    """Nine families and seven strategies, of which the first two differ."""
    return found(
        "family",
        *(
            told(family, "correct", "missing" if at == 1 else "correct", strategy=strategy)
            for at, strategy in enumerate(STRATEGIES)
            for family in FAMILIES
        ),
    )


def printed(split: Split, width: int) -> list[str]:
    stream = io.StringIO()
    print_split(split, Marks(), console(stream, width))
    return stream.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 80, 120])
def test_every_figure_is_shown_at_any_width(wide: Split, width: int) -> None:
    lines = printed(wide, width)
    assert max(map(len, lines)) <= width
    cells = sum(line.count("%") for line in lines[1:])
    assert cells == len(STRATEGIES) * (len(FAMILIES) + 1)
    for name in FAMILIES:
        assert any(name.removeprefix("family-") in line for line in lines)


def test_groups_go_down_where_the_strategies_fit(wide: Split) -> None:
    lines = printed(wide, 120)
    assert any(line.startswith("family-0 ") for line in lines)
    assert lines[-2].startswith("all ")
    assert lines[-2].split()[-2:] == ["9", "18"]


def test_strategies_go_down_where_only_the_groups_fit(told: Told) -> None:
    cells = [told("family-0", "correct", strategy=strategy) for strategy in STRATEGIES]
    lines = printed(found("family", *cells), 60)
    assert any(line.startswith("strategy-number-0 ") for line in lines)
    assert [line.split()[0] for line in lines[-3:-1]] == ["scenarios", "probes"]


def test_best_and_worst_are_told_without_colour(told: Told) -> None:
    cells = (told("family-0", "correct", "missing", strategy="poor"),)
    cells += (told("family-0", "correct", "correct", strategy="good"),)
    lines = printed(found("family", *cells), 80)
    assert "50.0%-" in lines[3]
    assert "100%+" in lines[3]


def test_a_number_that_differs_between_strategies_is_a_bound(told: Told) -> None:
    cells = (
        told("family-0", "correct", "wrong"),
        told("family-0", "correct", "not-asked", strategy="b"),
    )
    assert printed(found("family", *cells), 80)[3].split()[-2:] == ["1", "≤2"]


def test_of_many_probes_the_hardest_are_shown(told: Told) -> None:
    verdicts = ["correct"] * MOST_ROWS + ["missing"] * 2
    lines = printed(found("probe", told("a", *verdicts)), 80)
    assert [line.split()[1] for line in lines[3:5]] == [f"p{MOST_ROWS}", f"p{MOST_ROWS + 1}"]
    assert lines[-2].startswith("and 2 more, easier ones")


def test_what_is_in_no_group_is_told_in_the_caption(told: Told) -> None:
    lines = printed(found("age", told("a", "correct"), told("b", "wrong", age=None)), 200)
    assert "1 probe in no group: no evidence in the conversation)" in lines[0]


def test_abstention_and_reuse_are_explained_where_they_stand(told: Told) -> None:
    kinds = found(
        "kind", told("a", "correct", "wrong", "correct", kinds=("recall", "abstention", "reuse"))
    )
    assert [line.split(":")[0] for line in signs([kinds], Marks())[2:]] == ["abstention", "reuse"]
    plain = found("kind", told("a", "correct"))
    assert len(signs([plain], Marks())) == 2


@pytest.mark.parametrize(
    ("heading", "lines"),
    [
        ("recall", ["recall"]),
        ("keep-recent-summary", ["keep-", "recent-", "summary"]),
        ("abstention", ["absten-", "tion"]),
        ("count-slice(keep=10)", ["count-", "slice(", "keep=10)"]),
        ("80-100%", ["80-100%"]),
    ],
)
def test_headings_are_folded_at_their_joints(heading: str, lines: list[str]) -> None:
    assert folded(heading).split("\n") == lines


def test_a_grid_that_is_too_wide_comes_in_blocks_with_the_names_in_each() -> None:
    cells = tuple(Text(text) for text in ("one", "two", "three"))
    grid = Grid("x", ("a", "b", "c"), (Line("row", cells),))
    assert grid.blocks(14, 20) == [range(2), range(2, 3)]
    assert grid.blocks(1, 20) == [range(1), range(1, 2), range(2, 3)]
    stream = io.StringIO()
    print_grid(grid, console(stream, 14), 20)
    assert stream.getvalue().splitlines() == [
        "x      a    b",
        "row  one  two",
        "x        c",
        "row  three",
    ]


def test_csv_has_one_line_for_each_figure_and_nothing_where_nothing_was_asked(told: Told) -> None:
    asked = told("a", "correct", "wrong", kinds=("recall", "abstention"))
    silent = told("a", "correct", "not-asked", kinds=("recall", "abstention"), strategy="b")
    text = as_csv(Report([[found("kind", asked, silent)]], Marks()))
    lines = list(csv.DictReader(io.StringIO(text)))
    assert tuple(lines[0]) == COLUMNS
    told_apart = {(line["group"], line["strategy"]): line for line in lines}
    assert len(lines) == len(told_apart) == 6
    assert told_apart["abstention", "b"]["share"] == ""
    assert told_apart["abstention", "b"]["probes"] == "0"
    assert told_apart["abstention", "rolling-summary"]["share"] == "0.0"


def test_csv_names_the_measure_of_each_figure(told: Told) -> None:
    cell = told("a", "correct", "correct", kinds=("recall", "reuse"))
    text = as_csv(Report([[found("kind", cell)]], Marks()))
    measures = {line["group"]: line["measure"] for line in csv.DictReader(io.StringIO(text))}
    assert measures == {"recall": "survival", "reuse": "reuse", "all": "survival"}


def test_markdown_opens_with_the_words_and_has_a_table_for_each_budget(told: Told) -> None:
    cells = (told("family-0", "correct"), told("family-0", "missing", budget="50%", strategy="b|c"))
    run = Run(MANIFEST, cells)
    every = splits(run, summary_rows(run), DIMENSIONS["family"], Marks())
    text = as_markdown(Report([every], Marks(), ["This run doesn't say more."]))
    assert text.startswith("# Where compaction loses most\n\n- By family, budget 50%: ")
    assert "- This run doesn't say more.\n" in text
    assert "## Budget 30% by family" in text
    assert "| family | b\\|c | scenarios | probes |\n|---|---:|---:|---:|\n" in text


def test_cells_in_error_leave_the_numbers_to_the_others(told: Told) -> None:
    failed = replace(told("family-1", "correct", strategy="b"), error="raised")
    cells = (told("family-0", "correct"), told("family-1", "correct"))
    lines = printed(found("family", *cells, told("family-0", "correct", strategy="b"), failed), 80)
    assert lines[-2].split()[-2:] == ["2", "2"]
