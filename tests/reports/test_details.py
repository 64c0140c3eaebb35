"""Folded blocks in Markdown, read as GitHub reads them."""

from __future__ import annotations

from markdown_it import MarkdownIt

from compaction_eval.reports.details import details, listed


def kinds(lines: list[str]) -> list[str]:
    """What a reader of Markdown takes the lines for, block by block."""
    return [
        token.type for token in MarkdownIt("commonmark").enable("table").parse("\n".join(lines))
    ]


def test_a_table_in_a_block_is_a_table_and_what_follows_is_outside() -> None:
    found = kinds([*details("All", ["| a |", "|---|", "| 1 |"]), "After it."])
    assert found[:2] == ["html_block", "table_open"]
    assert found[found.index("table_close") :] == [
        "table_close",
        "html_block",
        "paragraph_open",
        "inline",
        "paragraph_close",
    ]


def test_a_list_in_a_block_is_a_list() -> None:
    assert "bullet_list_open" in kinds(details("All", listed("Some", ["one", "two"], 3)))


def test_a_summary_is_text_whatever_it_says() -> None:
    told = details("</summary><script>\n\n@octocat & #12", ["x"])
    assert (
        told[1]
        == "<summary>&lt;/summary&gt;&lt;script&gt; @&#8203;octocat &amp; #&#8203;12</summary>"
    )
    assert kinds(told)[0] == "html_block"


def test_where_nothing_is_to_be_told_there_is_no_block() -> None:
    assert details("All", ["", ""]) == []
    assert listed("Some", []) == []
