"""JSON that steers nothing, and says what it said."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.reports.json_text import json_text

ODD = '\x7f\x9b\u202e\u2028\u2029\x85\ud800\U000e0041\ufeff\u3164 人 é \\ " \n\t'


def test_what_steers_is_an_escape_and_letters_are_letters() -> None:
    text = json_text({ODD: [ODD]}, indent=1)
    assert json.loads(text) == {ODD: [ODD]}
    assert set("\x7f\x9b\u202e\u2028\u2029\x85\ud800\U000e0041\ufeff\u3164").isdisjoint(text)
    assert "人 é" in text
    assert len(json_text(ODD).splitlines()) == 1


@given(st.text())
def test_any_text_is_read_back(text: str) -> None:
    assert json.loads(json_text({"a": text})) == {"a": text}
