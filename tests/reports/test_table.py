"""The table in the terminal."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.cells import cell_len

from compaction_eval.eval.records import SummaryRow
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.table import console, print_table

Row = Callable[..., SummaryRow]


def draw(rows: list[SummaryRow], width: int | None = None) -> str:
    stream = io.StringIO()
    print_table(rows, Marks(), console(stream, width))
    return stream.getvalue()


def line_of(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(start))


def test_each_budget_has_its_block_with_contenders_best_first(rows: list[SummaryRow]) -> None:
    text = draw(rows)
    assert text.index("Budget 15%") < text.index("Budget 30%")
    block = text[text.index("Budget 30%") :]
    order = ["rolling-summary", "block-truncation", "count-slice", "none *"]
    assert [block.index(name) for name in order] == sorted(block.index(name) for name in order)


def test_survival_stands_beside_stale_mixed_and_tokens(rows: list[SummaryRow]) -> None:
    values = line_of(draw(rows), "rolling-summary").split()
    assert values[1:7] == ["70.0%", "2.0%", "1.0%", "1,300", "30.0%", "25.0%"]


def test_what_was_not_measured_is_a_dash_and_never_a_zero(row: Row) -> None:
    text = draw([row("a", survival=0.5), row("b", survival=None, stale=None, retained_tokens=None)])
    values = line_of(text, "b ").split()
    assert values[1] == "–"
    assert "0%" not in values
    assert "– not measured" in text


def test_a_row_whose_cells_all_failed_has_no_figure_but_its_errors(
    row: Row, failed: SummaryRow
) -> None:
    text = draw([row("a"), failed])
    assert set(line_of(text, "failed ").split()[1:]) == {"!", "–", "3"}
    assert line_of(text, "failed ").split()[-1] == "3"
    assert draw([failed]).startswith("Budget 30% (nothing measured)\n")


def test_the_caption_speaks_of_the_probes_asked_in_every_row(row: Row, failed: SummaryRow) -> None:
    """A probe that a view can only get wrong is asked where one did."""
    rows = [row("a", probes=596), row("b", probes=599), row("c", probes=40, errors=2), failed]
    assert draw(rows).startswith(
        "Budget 30% (14 conversations, 596 to 599 probes, 900 requests, full history 1,000,000"
        " tokens)"
    )


def test_cells_apart_are_told_before_the_rows_are_read(row: Row) -> None:
    text = draw([row("a", cells_apart=26, cells=40)])
    assert text.splitlines()[0].endswith(
        "full history 1,000,000 tokens; 26 of 40 replays infeasible)"
    )


def test_controls_and_whatever_sees_the_answer_key_are_marked(row: Row) -> None:
    text = draw(
        [
            row("none"),
            row("evidence-only", sees_answer_key=True),
            row("token-window(pairs=keep)"),
            row("rolling-summary", sees_answer_key=True),
            row("block-truncation"),
        ]
    )
    for name in ("none *", "evidence-only *†", "token-window(pairs=keep) *", "rolling-summary †"):
        assert line_of(text, f"{name} ")
    assert "†" not in line_of(text, "block-truncation")
    assert "* control" in text
    assert "† sees the answer key" in text


def test_summarizers_are_named_where_there_are_several(row: Row) -> None:
    text = draw([row("a", summarizer="oracle"), row("a", summarizer="extractive", survival=0.1)])
    assert "a + oracle" in text
    assert "a + extractive" in text


def test_what_no_summarizer_makes_a_difference_to_has_one_row_without_it(row: Row) -> None:
    text = draw(
        [
            row("none", summarizer="oracle"),
            row("none", summarizer="extractive"),
            row("a", summarizer="oracle", summary_calls=2),
            row("a", summarizer="extractive", summary_calls=2),
        ]
    )
    assert text.count("none") == 1
    assert line_of(text, "none *")
    assert line_of(text, "a + oracle")


def test_reuse_and_errors_have_a_column_only_where_there_are_any(row: Row) -> None:
    without = draw([row("a")])
    assert "reuse" not in without
    assert "errors" not in without
    with_both = draw([row("a", reuse=0.25, errors=2)])
    assert "reuse" in with_both
    assert line_of(with_both, "a ").split()[-1] == "2"
    assert "25.0%" in with_both


def test_transcripts_without_written_probes_show_no_empty_survival_details(row: Row) -> None:
    text = draw([row("a", survival=None, stale=None, mixed=None, reuse=0.5)])
    assert "stale " not in text.split("survival:")[0]


def test_without_a_terminal_it_is_plain_text_at_natural_width(rows: list[SummaryRow]) -> None:
    text = draw(rows)
    assert "\x1b" not in text
    assert not set("│┃─━┏╭|") & set(text)
    assert "Left out for width" not in text


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_no_line_is_wider_than_the_terminal(rows: list[SummaryRow], width: int) -> None:
    assert max(map(cell_len, draw(rows, width).splitlines())) <= width


def test_all_columns_fit_into_120(rows: list[SummaryRow]) -> None:
    assert "Left out for width" not in draw(rows, 120)


def test_at_80_the_least_important_columns_go_and_are_named(rows: list[SummaryRow]) -> None:
    text = draw(rows, 80)
    left_out = text[text.index("Left out for width: ") :]
    assert "fallbacks" in left_out
    assert "survival" not in left_out.split(".")[0]
    assert line_of(text, "rolling-summary").split()[1] == "70.0%"


def test_a_long_name_is_folded_and_stays_whole(row: Row) -> None:
    name = "keep-recent-summary(keep_recent=12,summary_role=assistant,summary_place=end)"
    lines = draw([row(name)], 100).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("keep-recent"))
    folded = lines[first].split()[0] + lines[first + 1].split()[0]
    while not folded.endswith(")"):
        first += 1
        folded += lines[first + 1].split()[0]
    assert folded == name


def test_wide_characters_keep_the_columns_aligned(row: Row) -> None:
    text = draw([row("滑动窗口", survival=0.5), row("window", survival=0.5)])
    ends = {
        cell_len(line[: line.index("50.0%")])
        for line in text.splitlines()
        if line.startswith(("滑动窗口", "window"))
    }
    assert len(ends) == 1


def test_a_hostile_label_reaches_the_terminal_as_escapes(row: Row) -> None:
    text = draw([row("\x1b[2Jevil\nname")])
    assert "\x1b" not in text
    assert "\\x1b[2Jevil name" in text


def test_cells_apart_have_a_line_of_their_own(row: Row) -> None:
    text = draw([row("a", cells_apart=26, cells=40), row("b", cells_apart=26, cells=40)])
    assert (
        text.count("Infeasible: 26 of 40 replays by each strategy at 30%. Left out of the shares")
        == 1
    )


def test_budgets_at_which_nothing_or_little_is_scored_are_told_in_one_line(row: Row) -> None:
    nothing = {"survival": None, "scenarios": 0, "probes": 0}
    rows = [
        row("a", "15%", cells_apart=40, cells=40, **nothing),
        row("a", cells_apart=26, cells=40),
    ]
    text = draw(rows)
    assert "Budget 15% (not scored: 40 of 40 replays infeasible)" in text
    assert (
        "Infeasible: 40 of 40 replays by each strategy at 15%, 26 of 40 replays by each strategy at"
        " 30%." in (text)
    )


def test_what_is_not_usable_has_a_sign_that_is_explained(row: Row) -> None:
    rows = [row("a", survival=0.9, invalid_requests=3), row("b", survival=0.2), row("none")]
    text = draw(rows)
    assert text.index("\nb ") < text.index("\na !") < text.index("\nnone *")
    assert "! not usable: invalid requests, over budget, or errors" in text
    assert "! not usable" not in draw(rows[1:])


def test_the_interval_is_told_by_its_farther_end(row: Row) -> None:
    rows = [row("a", survival=0.637, survival_low=0.607, survival_high=0.664), row("b")]
    text = draw(rows)
    assert line_of(text, "a ").split()[1:3] == ["63.7%", "±3.0"]
    assert line_of(text, "b ").split()[1:3] == ["50.0%", "–"]
    assert "95%" not in draw(rows[1:]).splitlines()[2]


def test_where_only_reuse_is_measured_the_interval_is_that_of_reuse(row: Row) -> None:
    reused = {"survival": None, "stale": None, "mixed": None, "reuse": 0.5}
    text = draw([row("a", **reused, reuse_low=0.1, reuse_high=0.7), row("b", **reused)])
    assert line_of(text, "a ").split()[1:3] == ["50.0%", "±40.0"]
    assert "survival" not in text


def test_colours_are_for_terminals_without_no_color(
    rows: list[SummaryRow], terminal: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    print_table(rows, Marks(), console(terminal, 120))
    assert "\x1b[" in terminal.getvalue()
    terminal.truncate(0)
    monkeypatch.setenv("NO_COLOR", "1")
    print_table(rows, Marks(), console(terminal, 120))
    assert "\x1b" not in terminal.getvalue()


def test_failed_rows_of_several_summarizers_are_counted_each(failed: SummaryRow) -> None:
    text = draw([replace(failed, summarizer="oracle"), replace(failed, summarizer="extractive")])
    assert line_of(text, "failed + oracle")
    assert line_of(text, "failed + extractive")
