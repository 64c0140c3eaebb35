"""Anthropic's messages: blocks become messages, calls and tool messages; nothing goes unsaid."""

import json
from pathlib import Path
from typing import Any

from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.records import Conversation, Imported

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def use(call_id: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "weather", "input": arguments}


def result(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def read(folder: Path, value: Any, name: str = "chat.json") -> Imported:
    path = folder / name
    values = value if name.endswith("l") else [value]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in values))
    return import_file(find_formats("anthropic"), path)


def only(imported: Imported) -> Conversation:
    (conversation,) = imported.conversations
    return conversation


def test_parallel_results_in_one_message_become_tool_messages_before_its_words(
    tmp_path: Path,
) -> None:
    imported = read(
        tmp_path,
        {
            "id": "trip",
            "system": [text("Be brief.", cache_control={"type": "ephemeral"})],
            "tools": [
                {"name": "weather", "description": "Looks.", "input_schema": SCHEMA},
                {"type": "web_search_20250305", "name": "web_search"},
            ],
            "messages": [
                user("Rome or Oslo?"),
                assistant(
                    {"type": "thinking", "thinking": "Two."},
                    use("a", city="Rome"),
                    use("b", city="Oslo"),
                ),
                user([text("And Bern?"), result("b", [text("9"), text("wet")]), result("a", "31")]),
                assistant(text("Rome.")),
            ],
        },
    )
    conversation = only(imported)
    calls = [
        {"id": "a", "type": "function", "function": {"name": "weather", "arguments": given}}
        for given in ['{"city": "Rome"}']
    ] + [
        {
            "id": "b",
            "type": "function",
            "function": {"name": "weather", "arguments": '{"city": "Oslo"}'},
        }
    ]
    assert list(conversation.messages) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Rome or Oslo?"},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "a", "content": "31"},
        {"role": "tool", "tool_call_id": "b", "content": "9\nwet"},
        {"role": "user", "content": "And Bern?"},
        {"role": "assistant", "content": "Rome."},
    ]
    function = {"name": "weather", "description": "Looks.", "parameters": SCHEMA}
    assert conversation.tools == (
        {"type": "function", "function": function},
        {"type": "web_search_20250305", "name": "web_search"},
    )
    assert conversation.name == "chat-trip"
    assert imported.account.skipped == (("thinking block", 1),)
    assert imported.account.repaired == ()


def test_results_of_a_servers_own_tool_stand_between_the_words_around_them(tmp_path: Path) -> None:
    imported = read(
        tmp_path,
        [
            user("Search."),
            assistant(
                text("Searching."),
                {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": "x"}},
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "s",
                    "content": [{"type": "web_search_result", "title": "X"}],
                },
                text("Found."),
            ),
        ],
    )
    assert [(each["role"], each["content"]) for each in only(imported).messages] == [
        ("user", "Search."),
        ("assistant", "Searching."),
        ("tool", '{"type": "web_search_result", "title": "X"}'),
        ("assistant", "Found."),
    ]


def test_pictures_are_addresses_or_placeholders(tmp_path: Path) -> None:
    address = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
    data = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iV"}}
    paper = {"type": "document", "source": {"type": "text", "data": "Dear Ada,"}}
    scan = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf"}}
    imported = read(
        tmp_path,
        [
            user([address, text("What is it?")]),
            assistant(use("a")),
            user([result("a", [data, address])]),
            user([data, paper, scan]),
        ],
    )
    assert [each["content"] for each in only(imported).messages] == [
        [
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            {"type": "text", "text": "What is it?"},
        ],
        None,
        "[image: image/png]\n[image: https://example.org/a.png]",
        "[image: image/png]\nDear Ada,\n[document: application/pdf]",
    ]
    assert dict(imported.account.repaired) == {
        "image data replaced by a placeholder": 2,
        "document data replaced by a placeholder": 1,
    }


def test_odd_messages_are_skipped_by_reason(tmp_path: Path) -> None:
    imported = read(
        tmp_path,
        [
            user("Hi."),
            7,
            {"role": "narrator", "content": "x"},
            user([]),
            user([result("nowhere", "lost")]),
            assistant(),
            assistant(text(" "), use("a")),
            user([result("a", "one"), result("a", "two")]),
            user([{"type": "smell"}, {"odd": 1}, 5]),
        ],
    )
    assert [each["content"] for each in only(imported).messages] == [
        "Hi.",
        None,
        "one",
        '{"odd": 1}\n5',
    ]
    assert dict(imported.account.skipped) == {
        "not an object": 1,
        "no role, or an unknown one": 1,
        "empty": 1,
        "tool result without its call": 1,
        "assistant message without content": 1,
        "blank text block": 1,
        "second result of a call": 1,
        "content block 'smell'": 1,
    }
    assert dict(imported.account.repaired) == {"content block without a type made text": 1}


def test_logged_requests_that_go_on_are_one_conversation(tmp_path: Path) -> None:
    def logged(messages: list[Any], reply: dict[str, Any]) -> dict[str, Any]:
        usage = {"input_tokens": 5, "cache_read_input_tokens": 10, "output_tokens": 2}
        response = {"id": "msg_1", "type": "message", **reply, "usage": usage}
        return {"request": {"system": "Be brief.", "messages": messages}, "response": response}

    first = [user([text("Rome?", cache_control={"type": "ephemeral"})])]
    asked = assistant({"type": "thinking", "thinking": "Hm."}, use("a", city="Rome"))
    second = [user("Rome?"), assistant(use("a", city="Rome")), user([result("a", "31")])]
    imported = read(
        tmp_path,
        [
            logged(first, asked),
            logged([user("Oslo?")], assistant(text("9"))),
            logged(second, assistant(text("31"))),
        ],
        "log.jsonl",
    )
    said = [[each["content"] for each in one.messages] for one in imported.conversations]
    assert said == [["Be brief.", "Rome?", None, "31", "31"], ["Be brief.", "Oslo?", "9"]]
    assert imported.account.repaired == (("request joined to the one that it continues", 1),)
    assert imported.conversations[0].description == (
        "Recorded usage: 2 requests, 30 input tokens (20 read from the cache, 0 written to it), "
        "4 output tokens."
    )


def test_calls_and_results_without_ids_are_paired_in_order(tmp_path: Path) -> None:
    nameless = {"type": "tool_use", "name": "weather", "input": {}}
    results = [{"type": "tool_result", "content": words} for words in ("one", "two")]
    imported = read(tmp_path, [user("Hi."), assistant(nameless, nameless), user(results)])
    assert [each.get("tool_call_id") for each in only(imported).messages[2:]] == [
        "call_1",
        "call_2",
    ]
    assert [each["content"] for each in only(imported).messages[2:]] == ["one", "two"]
    assert dict(imported.account.repaired) == {
        "id of a call added": 2,
        "id of a tool result added": 2,
    }
