"""Sentence bounds in four languages, and what only looks like one."""

import pytest

from compaction_eval.strategies.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use port 8443. Then go!", ["Use port 8443.", "Then go!"]),
        ("See v1.2.3 in app.yaml today", ["See v1.2.3 in app.yaml today"]),
        ("Ask J. Doe or Dr. Mora. Soon.", ["Ask J. Doe or Dr. Mora.", "Soon."]),
        ("Colours, e.g. red. Fine.", ["Colours, e.g. red.", "Fine."]),
        ("Am 12. März um 9. Danach nicht.", ["Am 12. März um 9. Danach nicht."]),
        ("改到周四。地点不变！好吗？", ["改到周四。", "地点不变！", "好吗？"]),
        ("他说：“不行。”然后走了", ["他说：“不行。”", "然后走了"]),
        ("金曜日です。よろしく", ["金曜日です。", "よろしく"]),
        ("one\n\n  two  \n", ["one", "two"]),
        (" \n ", []),
    ],
)
def test_sentences_end_at_marks_and_at_line_ends(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected
