"""Blocks and what may be left out."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.reports.page.packing import left_out, pack, script_json, unpack

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_a_block_is_unpacked_to_what_was_packed(value: object) -> None:
    assert unpack(pack(value)) == value


def test_a_block_is_plain_text_that_no_parser_can_take_for_markup() -> None:
    block = pack(["</script><!--"] * 50)
    assert block.isascii()
    assert not set(block) & set("<>&'\"\\ \n")


class Scripts(HTMLParser):
    """Collects what scripts hold, and counts the tags around them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.lists(st.sampled_from(["</script>", "<!--", "<script>", "]]>", "&lt;", "\u2028", "x"])))
def test_json_in_a_script_element_ends_where_the_element_ends(texts: list[str]) -> None:
    parser = Scripts()
    parser.feed(f"<script>{script_json(texts)}</script><p>")
    parser.close()
    assert parser.tags == ["script", "p"]
    assert json.loads(parser.text) == texts


def test_the_largest_blocks_are_left_out_until_the_rest_fits() -> None:
    sizes = {"c0": 10, "c1": 40, "c2": 30, "c3": 40}
    assert left_out(sizes, 120) == []
    assert left_out(sizes, 80) == ["c1"]
    assert left_out(sizes, 79) == ["c1", "c3"]
    assert left_out(sizes, 0) == ["c1", "c3", "c2", "c0"]
