"""Markdown, read by a parser of CommonMark and tables: nothing that is data became markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from tests.hostile.reading import cells, commands, highest, steering, tables

if TYPE_CHECKING:
    from markdown_it.token import Token
    from tests.hostile.producing import Everything

OWN_HTML = re.compile(r"<details>\s*<summary>[^<&]*</summary>|</?(?:details|summary)>|<!-- -->")
CALLED = re.compile(r"(?<!\w)@\w|@[\w-]+\.\w|#\d|\bGH-\d|\w://|\bwww\.|:bomb:", re.IGNORECASE)
"""What a forge makes a link, a picture or a call of, within a node of text."""
OWN_BLOCKS = {"heading_open", "paragraph_open", "table_open", "bullet_list_open", "fence",
              "html_block"}  # fmt: skip


def pages(everything: Everything) -> list[tuple[Path, str]]:
    found = [(file, file.read_bytes().decode("utf-8")) for file in everything.files(".md")]
    assert len(found) > 10
    return found


def inline(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield from token.children or ()


def test_no_link_picture_tag_or_call_comes_of_data(everything: Everything) -> None:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for file, text in pages(everything):
        tokens = parser.parse(text)
        for token in inline(tokens):
            assert token.type not in ("link_open", "image", "s_open", "hardbreak"), (file, token)
            if token.type == "html_inline":
                assert OWN_HTML.fullmatch(token.content), (file, token)
            elif token.type == "text":
                assert not CALLED.search(token.content), (file, token.content[:300])
        for token in tokens:
            if token.type == "html_block":
                assert OWN_HTML.sub("", token.content).strip() == "", (file, token.content[:300])


def test_no_block_comes_of_data(everything: Everything) -> None:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for file, text in pages(everything):
        tokens = parser.parse(text)
        top = {token.type for token in tokens if token.level == 0 and token.nesting >= 0}
        assert top <= OWN_BLOCKS, file
        lists = [token for token in tokens if token.type.endswith("list_open")]
        assert {token.level for token in lists} <= {0}, file
        inner = [t.type for t in tokens if t.level > 1 and t.nesting == 1]
        assert not {"heading_open", "blockquote_open"} & set(inner), file
        assert not any(token.type in ("hr", "code_block") for token in tokens), file


def test_every_row_of_a_table_has_the_cells_of_its_heading(everything: Everything) -> None:
    for file, text in pages(everything):
        for lines in tables(text):
            assert len({cells(line) for line in lines}) == 1, file


def test_markdown_steers_no_terminal_and_starts_no_command(everything: Everything) -> None:
    for file, text in pages(everything):
        assert steering(text) == [], file
        assert commands(text) == [], file
        assert highest(text) <= 6
