"""What a summariser is shown of odd and ordinary messages."""

import json
from typing import Any, cast

import pytest

from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.rendering import is_internal, render, shorten
from compaction_eval.strategies.summary import summary_message


def message(role: str, content: Any = None, **more: Any) -> Message:
    return cast("Message", {"role": role, "content": content, **more})


def call(name: str, arguments: Any) -> Message:
    function = {"name": name, "arguments": arguments}
    return message("assistant", "I look.", tool_calls=[{"id": "c1", "function": function}])


def contents(*messages: Message, **options: Any) -> list[str]:
    return [str(shown["content"]) for shown in render(messages, **options)]


def test_ids_and_structure_are_dropped_and_words_beside_a_call_are_kept() -> None:
    answer = message("tool", "listen: 8443", tool_call_id="c1")
    assert render([call("read_file", '{"path": "a.yaml", "deep": {"x": [1, true]}}'), answer]) == [
        {
            "role": "assistant",
            "content": "I look.\ntool read_file(path=a.yaml, deep={x=[1, true]})",
        },
        {"role": "tool", "content": "listen: 8443"},
    ]


def test_arguments_are_decoded_so_that_an_escape_does_not_touch_a_value() -> None:
    (shown,) = contents(call("write", json.dumps({"text": "port\n8443", "who": "林若溪"})))
    assert "\n8443" in shown
    assert "林若溪" in shown


@pytest.mark.parametrize("arguments", ["not json", "[1, 2]", "", None, '{"a":' * 5000])
def test_arguments_that_are_no_object_stand_as_they_are(arguments: str | None) -> None:
    assert contents(call("f", arguments)) == [f"I look.\ntool f({arguments or ''})"]


@pytest.mark.parametrize(
    ("text", "internal"),
    [
        ("[Judge feedback] Not good enough, try again.", True),
        ("  [judge feedback] lower case", True),
        ("【评审反馈】不够好", True),
        ('["a.txt", "b.txt"]', False),
        ("[docs](https://docs.acme.test) say so", False),
        ("[Judge feedback](https://acme.test/form) is the form", False),
        ("[2026-03-02] ERROR disk full", False),
        ("[x] done", False),
        ("See [Judge feedback] above", False),
    ],
)
def test_only_a_known_tag_makes_a_user_message_internal(text: str, internal: bool) -> None:
    assert is_internal(message("user", text)) is internal
    assert contents(message("user", text)) == ([] if internal else [text])
    assert contents(message("user", text), keep_internal=True) == [text]


def test_a_tag_in_another_role_is_not_internal() -> None:
    assert not is_internal(message("assistant", "[Judge feedback] I was told this."))


def test_the_tags_can_be_chosen() -> None:
    assert contents(message("user", "[bot] hi"), internal_tags=("[bot]",)) == []


def test_summaries_and_wordless_messages_are_left_out() -> None:
    assert contents(summary_message("old"), message("assistant"), message("user", " \n")) == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([{"type": "text", "text": "Look:"}, {"type": "text", "text": "here"}], "Look:\nhere"),
        ([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}], "[image]"),
        (
            [{"type": "image_url", "image_url": {"url": "https://acme.test/a.png"}}],
            "[image: https://acme.test/a.png]",
        ),
        ([{"type": "input_audio", "input_audio": {"data": "AAAA"}}], "[audio]"),
        ([{"type": "refusal", "refusal": "No."}], "No."),
        (["plain", 7, {}], "plain\n7\n[part]"),
        ("see data:image/png;base64,iVBORw0KGgo= there", "see [image/png] there"),
        ({"type": "text", "text": "one part"}, "one part"),
        (75, "75"),
        ("half a pair \ud83d", "half a pair \ud83d"),
    ],
)
def test_any_content_becomes_words(content: Any, expected: str) -> None:
    assert contents(message("user", content)) == [expected]


def test_tool_output_and_arguments_are_cut_and_the_users_words_are_not() -> None:
    shown = contents(
        message("user", "w " * 300),
        call("f", json.dumps({"text": "w " * 300})),
        message("tool", "w " * 300, tool_call_id="c1"),
        arguments=200,
        output=300,
    )
    assert len(shown[0]) == 600
    assert [len(text) // 50 for text in shown[1:]] == [4, 6]


def test_a_number_is_never_cut_in_half() -> None:
    for most in range(1, 40):
        for cut in ("head", "ends"):
            shown = shorten("port 8443 host api.acme.test ok " * 4, most, cut)
            assert set(shown.split()) <= {"port", "8443", "host", "api.acme.test", "ok", "[…]"}


def test_the_cut_at_both_ends_keeps_the_middle_too() -> None:
    text = "first " + "x " * 200 + "middle " + "x " * 200 + "last"
    shown = shorten(text, 90, "ends")
    assert shown.startswith("first")
    assert shown.endswith("last")
    assert "middle" in shown
    assert len(shown) <= 90 + 2 * len(" […] ")


def test_a_text_without_bounds_is_cut_all_the_same() -> None:
    assert shorten("x" * 1000, 100) == "x" * 100 + " […]"
    assert shorten("anything", 0) == "[…]"
    assert shorten("as it is", None) == "as it is"
