"""A comparison is told in the same words everywhere, in as much room as there is."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from compaction_eval.eval.comparison import Difference
from compaction_eval.eval.evidence import CellEvidence, Outcome, Totals
from compaction_eval.eval.matching import Match
from compaction_eval.eval.pairing import Flip, Pair, Paired
from compaction_eval.eval.records import CellKey
from compaction_eval.eval.statistics import Interval
from compaction_eval.reports.comparison import Comparison, flip_text, signed, unchanged_text
from compaction_eval.reports.comparison_files import as_csv, as_markdown
from compaction_eval.reports.comparison_table import MOST_LINES, print_comparison
from compaction_eval.reports.matched import match_text
from compaction_eval.reports.table import console

KEY = CellKey("staging-port", "noise=2", "rolling-summary", "30%", "extractive")
ROW = ("rolling-summary", "30%", "extractive")
FLIP = Flip(KEY, "port", "end", "update", "correct", "stale", "stale")
SURVIVAL = Difference(
    by="strategy",
    group="",
    row=ROW,
    measure="survival",
    unit="share",
    before=0.612,
    after=0.579,
    change=-0.033,
    interval=Interval(-0.033, -0.075, 0.01),
    scenarios=42,
    probes=505,
    design_effect=1.84,
    changed=True,
)
MATCH = Match(
    first="A",
    second="B",
    budget="30%",
    summarizer="extractive",
    measure="survival",
    asked=42,
    scenarios=42,
    retained_tokens=1240.4,
    first_share=0.612,
    second_share=0.579,
    difference=0.033,
    interval=Interval(0.033, -0.01, 0.075),
)


def comparison(*differences: Difference, flips: tuple[Flip, ...] = (), **more: bool) -> Comparison:
    cell = CellEvidence(KEY, Totals(), (Outcome("port", "end", "update", "stale"),))
    return Comparison(
        base="base",
        new="new",
        paired=Paired((Pair(cell, cell),), (), (), (), ()),
        flips=flips,
        differences=differences,
        by=("strategy", "kind"),
        place_of=lambda scenario, probe: ("ports.yaml", 31) if probe == "port" else None,
        **more,
    )


def printed(found: Comparison, width: int = 80) -> list[str]:
    stream = io.StringIO()
    print_comparison(found, console(stream, width))
    return stream.getvalue().splitlines()


@pytest.mark.parametrize(
    ("figure", "unit", "text"),
    [
        (0.033, "share", "+3.3"),
        (-0.01, "share", "−1.0"),
        (0.0, "share", "0.0"),
        (-0.0, "tokens", "0"),
        (-0.0002, "share", "−0.02"),
        (12345.4, "tokens", "+12,345"),
        (-0.4, "tokens", "−0.4"),
        (1e-17, "share", "0.0"),
    ],
)
def test_a_change_has_its_sign_and_is_never_rounded_to_nothing(
    figure: float, unit: str, text: str
) -> None:
    assert signed(figure, unit) == text


def test_a_flip_names_place_probe_strategy_and_verdicts() -> None:
    found = comparison(flips=(FLIP,))
    assert flip_text(found, FLIP) == (
        "ports.yaml:31: staging-port[noise=2] port@end, rolling-summary at 30%: correct -> stale"
    )
    elsewhere = replace(FLIP, probe="host", key=replace(KEY, repeat=2))
    assert flip_text(found, elsewhere) == (
        "staging-port[noise=2] host@end, rolling-summary at 30%, repeat 2: correct -> stale"
    )


def test_the_table_gives_change_and_interval_in_points() -> None:
    lines = printed(comparison(SURVIVAL))
    assert "rolling-summary at 30%: 42 scenarios, 505 probes (design effect 1.8)" in lines
    (line,) = (line for line in lines if line.startswith("  survival"))
    assert line.split() == ["survival", "61.2%", "57.9%", "−3.3", "−7.5", "to", "+1.0"]


def test_twenty_flips_of_a_kind_are_shown_and_the_rest_counted() -> None:
    lines = printed(comparison(flips=(FLIP,) * 23), 200)
    assert "Turned stale: 23" in lines
    assert sum(line.startswith("  ports.yaml:31: ") for line in lines) == 20
    assert any(line.startswith("  and 3 more") for line in lines)


def test_too_few_scenarios_are_said() -> None:
    few = replace(SURVIVAL, interval=None, scenarios=5, design_effect=2.0)
    lines = printed(comparison(few))
    assert "rolling-summary at 30%: 5 scenarios, 505 probes" in lines
    (line,) = (line for line in lines if line.startswith("  survival"))
    assert line.split()[3:] == ["−3.3", "too", "few"]


def test_the_largest_changes_are_kept_where_there_are_too_many() -> None:
    groups = [
        replace(SURVIVAL, by="kind", group=f"group-{at}", change=at / 1000)
        for at in range(1, MOST_LINES + 4)
    ]
    lines = printed(comparison(*groups))
    names = [line.split()[0] for line in lines if line.startswith("  group-")]
    assert names == [f"group-{at}" for at in range(4, MOST_LINES + 4)]
    assert any(line.startswith("and 3 less founded or smaller") for line in lines)


def test_what_is_the_same_takes_one_line_or_none() -> None:
    rows = [("none", "15%", ""), ("none", "30%", ""), ("empty", "15%", ""), ("empty", "30%", "")]
    same = [replace(SURVIVAL, row=row, changed=False, change=0.0) for row in rows]
    assert unchanged_text(comparison(SURVIVAL, *same)) == "The same: none, empty at 15%, 30%."
    assert "The same" not in "\n".join(printed(comparison(*same, only_changed=True)))


@pytest.mark.parametrize("width", [80, 120])
def test_nothing_is_wider_than_the_terminal(width: int) -> None:
    kinds = [
        replace(SURVIVAL, by="kind", group=name, scenarios=1042, probes=20505, interval=interval)
        for name, interval in (
            ("tool-argument", Interval(-0.9, -0.999, -0.777)),
            ("a tag with a name that is far too long to be shown whole", None),
        )
    ]
    tokens = replace(
        SURVIVAL,
        measure="sent_tokens",
        unit="tokens",
        before=12_345_678,
        after=10_345_678,
        change=-2e6,
        interval=Interval(-2e6, -2_345_678, -1_345_678),
    )
    lines = printed(comparison(SURVIVAL, tokens, *kinds, flips=(FLIP,)), width)
    assert max(map(len, lines)) <= width
    assert not any(line.endswith(" ") for line in lines)


def test_files_leave_out_what_is_the_same_only_where_asked() -> None:
    same = replace(SURVIVAL, measure="stale", changed=False, change=0.0)
    assert len(as_csv(comparison(SURVIVAL, same)).splitlines()) == 3
    assert len(as_csv(comparison(SURVIVAL, same, only_changed=True)).splitlines()) == 2
    assert "| stale |" not in as_markdown(comparison(SURVIVAL, same, only_changed=True))


def test_names_can_not_steer_a_page_or_a_spreadsheet() -> None:
    odd = replace(SURVIVAL, row=("=a|b", "30%", "extractive"))
    assert ",'=a|b," in as_csv(comparison(odd))
    assert "=a\\|b" in as_markdown(comparison(odd))


def test_a_match_is_a_sentence() -> None:
    assert match_text(MATCH, [MATCH]) == (
        "A at 30%, at 1,240 retained tokens: A 61.2%, B 57.9%, difference +3.3 points"
        " (−1.0 to +7.5), 42 scenarios."
    )


def test_a_budget_without_a_match_says_why() -> None:
    beyond = Match("A", "B", "50%", "extractive", "survival", 42, 0, larger=40, smaller=1)
    assert match_text(beyond, [beyond]) == (
        "A at 50%: no match; in 40 scenarios its views are larger than all of B's, in 1 scenario"
        " its views are smaller than all of B's; measure B at larger and smaller budgets too."
    )
    small = Match("A", "B", "50%", "extractive", "survival", 2, 0, larger=0, smaller=2)
    assert match_text(small, [small]).endswith("; measure B at smaller budgets too.")
    unasked = Match("A", "B", "50%", "extractive", "survival", 0, 0)
    assert match_text(unasked, [unasked]) == "A at 50%: no match."
