"""Text of unknown origin made safe to show."""

import pytest
from rich.cells import cell_len

from compaction_eval.reports.printable import (
    cut,
    excerpt,
    markdown,
    one_line,
    printable,
    shown_path,
    visible,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("人均消费75元", "人均消费75元"),
        ("two\nlines", "two\nlines"),
        ("\x1b[2J\x1b]0;owned\x07", "\\x1b[2J\\x1b]0;owned\\x07"),
        ("back\b\b\b", "back\\x08\\x08\\x08"),
        ("\r overwritten", "\\x0d overwritten"),
        ("\x9b31m C1 control", "\\x9b31m C1 control"),
        ("abc\u202egnp.exe", "abc\\u202egnp.exe"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("half \ud83d pair", "half \\ud83d pair"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("نمی\u200cخواهم", "نمی\u200cخواهم"),
        ("❤\ufe0f\u200d🔥 1\ufe0f\u20e3", "❤\ufe0f\u200d🔥 1\ufe0f\u20e3"),
        ("葛\U000e0100飾", "葛\U000e0100飾"),
        ("שָּׁ֔ ཧཱུྃ ế", "שָּׁ֔ ཧཱུྃ ế"),
        ("hid\u200dden", "hid\\u200dden"),
        ("א\u200c\u200d\u200cב", "א\u200c\\u200d\\u200cב"),
        ("a\U000e0101\U000e0102", "a\\U000e0101\\U000e0102"),
        ("filled\u3164\u115f", "filled\\u3164\\u115f"),
        ("z" + "\u0301" * 8, "z" + "\u0301" * 6 + "\\u0301" * 2),
    ],
)
def test_what_could_steer_a_terminal_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_line_has_no_line_break_and_no_tab_left() -> None:
    assert one_line(" a\n\n\tb\u2028c ") == "a b c"


@pytest.mark.parametrize("width", [1, 2, 3, 7, 10, 40])
def test_a_cut_line_never_takes_more_cells_than_allowed(width: int) -> None:
    for line in ("ascii only text here", "暂存环境的端口是八四四三", "mixed 端口 8443"):
        assert cell_len(cut(line, width)) <= width


def test_a_line_that_fits_is_not_cut() -> None:
    assert cut("端口", 4) == "端口"
    assert cut("端口号", 4) == "端…"


def test_an_excerpt_shows_the_words_that_were_looked_for() -> None:
    text = "noise " * 50 + "the HOST is api.test, and " + "more " * 50
    shown = excerpt(text, ("absent", "API.TEST"), 40)
    assert "api.test" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert cell_len(shown) <= 40


def test_an_excerpt_without_a_match_is_the_beginning() -> None:
    assert excerpt("abc " * 30, ("zzz",), 12) == "abc abc abc…"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error file=a::x", r"\x3a:error file=a::x"),
        ("say ::Set-Output name=a::b", r"say \x3a:Set-Output name=a::b"),
        ("\n ::stop-commands::x", "\n \\x3a:stop-commands::x"),
        ("a ##[group]b", r"a \x23#[group]b"),
        ("##vso[task.complete]", r"\x23#vso[task.complete]"),
        ("std::error::Error, ::std::fs, # a ## b", "std::error::Error, ::std::fs, # a ## b"),
    ],
)
def test_commands_of_a_ci_system_are_broken_in_a_log_and_shown_on_a_page(
    text: str, shown: str
) -> None:
    assert printable(text) == shown
    assert visible(text) == text


def test_a_path_stays_on_one_line_and_keeps_its_spaces() -> None:
    assert shown_path("a  b\n::error::c\u2028") == r"a  b\n::error::c\u2028"
    assert shown_path("::error::c.json") == r"\x3a:error::c.json"


def test_a_line_of_megabytes_is_cut_like_its_beginning() -> None:
    long = "端口 8443 " * 100_000
    assert one_line(long, 20) == one_line(long[:100], 20) == cut(long, 20)
    assert cut("\u0301" * 10_000, 5).endswith("…")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b [x](y) <img>\n*", "a\\|b \\[x\\](y) &lt;img&gt; \\*"),
        ("@octocat a@b.test p0@end", "@<!-- -->octocat a@<!-- -->b.test p0@end"),
        ("fixes #12, GH-3, # 4", r"fixes \#<!-- -->12, GH-<!-- -->3, \# 4"),
        ("http://y www.y", "http:<!-- -->//y www<!-- -->.y"),
        ("$x$ :bomb: 6:45:30", r"\$x\$ :<!-- -->bomb: 6:45:30"),
        ("- a", r"\- a"),
        ("12. a", r"12\. a"),
        ("./mine.py:f at 12.5 (a-b)", "./mine.py:f at 12.5 (a-b)"),
    ],
)
def test_markdown_of_a_label_can_build_no_link_tag_cell_block_or_call(
    text: str, shown: str
) -> None:
    assert markdown(text) == shown
