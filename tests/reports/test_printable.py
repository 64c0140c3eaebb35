"""Text of unknown origin made safe to show."""

import pytest
from rich.cells import cell_len

from compaction_eval.reports.printable import cut, excerpt, markdown, one_line, printable


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


def test_markdown_of_a_label_can_build_no_link_tag_or_cell() -> None:
    assert markdown("a|b [x](http://y) <img>\n*") == (
        "a\\|b \\[x\\](http:&#8203;//y) &lt;img&gt; \\*"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@octocat", "@&#8203;octocat"),
        ("see #12", "see \\#&#8203;12"),
        ("gh-12", "gh-&#8203;12"),
        ("www.example.test", "www&#8203;.example.test"),
        ("port@end, a & b # c", "port@end, a &amp; b \\# c"),
    ],
)
def test_markdown_of_a_label_mentions_nobody_and_refers_to_nothing(text: str, shown: str) -> None:
    assert markdown(text) == shown
