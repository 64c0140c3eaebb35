"""No format takes another's files for its own, and `auto` finds the right one."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.importers import FORMATS, find_formats, import_file
from compaction_eval.scenarios.importers.documents import read_document
from compaction_eval.strategies.errors import ConfigurationError

CHAT = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
TURN = {"speaker": "Ida", "dia_id": "D1:1", "text": "Hi."}
SAMPLES: dict[str, Any] = {
    "openai": CHAT,
    "tau-bench": [{"traj": CHAT, "reward": 1.0, "task_id": 2, "trial": 0, "info": {}}],
    "swe-agent": {"history": [{**CHAT[0], "agent": "main"}], "trajectory": [], "info": {}},
    "openhands": [{"id": 0, "source": "user", "action": "message", "args": {"content": "Hi."}}],
    "bfcl-memory": [{"id": "memory_prereq_0", "scenario": "shop", "question": [[CHAT[0]]]}],
    "crosswoz": {"7": {"messages": [{"role": "usr", "content": "你好", "dialog_act": []}]}},
    "locomo": [{"conversation": {"session_1": [TURN]}, "qa": []}],
    "longmemeval": [
        {
            "question_id": "q",
            "question_type": "multi-session",
            "question": "Where?",
            "answer": "Hello",
            "haystack_sessions": [CHAT],
        }
    ],
}
ODD = [
    '{"a": {"messages": [{"role": ["usr"], "dialog_act": []}]}}',
    '{"id": "memory_prereq_0", "question": [], "scenario": ["x"]}',
    '{"conversation": {"session_1": [7]}}',
    '[{"traj": 7, "reward": 1}]',
]
"""Nearly in one of the formats."""
MINE = [name for name in SAMPLES if name != "openai"]


def written(folder: Path, name: str) -> Path:
    path = folder / f"{name}.json"
    value = SAMPLES[name]
    lines = value if name == "bfcl-memory" else [value]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("form", MINE)
def test_a_format_recognises_its_own_files_alone(tmp_path: Path, sample: str, form: str) -> None:
    document = read_document(written(tmp_path, sample))
    assert FORMATS[form].recognises(document) is (sample == form)


@pytest.mark.parametrize("sample", MINE)
def test_auto_reads_a_file_as_its_own_format_does(tmp_path: Path, sample: str) -> None:
    path = written(tmp_path, sample)
    assert import_file(find_formats("auto"), path) == import_file(find_formats(sample), path)


@pytest.mark.parametrize("form", MINE)
@pytest.mark.parametrize("text", ["[]", "{}", "[[]]", "7", '["a"]', '{"history": 3}', "[{}]", *ODD])
def test_what_is_none_of_them_is_refused_in_one_line(tmp_path: Path, form: str, text: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=f"no {form} conversation found") as caught:
        import_file(find_formats(form), path)
    assert "\n" not in str(caught.value)


def test_a_file_of_another_format_is_told_as_that(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "Hi."}]')
    with pytest.raises(
        ConfigurationError, match=r"no pi conversation found; it looks like openai$"
    ):
        import_file(find_formats("pi"), path)
    path.write_text('{"a": 1}')
    expected = f"{path}: in none of the formats that are read; it is an object with the keys 'a'"
    with pytest.raises(ConfigurationError) as caught:
        import_file(find_formats("auto"), path)
    assert str(caught.value) == expected


def test_a_list_on_one_line_of_a_jsonl_file_has_that_line_for_its_place(tmp_path: Path) -> None:
    entry = {"haystack_session_ids": ["s"], "haystack_dates": ["2031/05/02"]}
    entry |= {"question_id": "q", "question_type": "single-session-user", "question": "Who leaks?"}
    entry |= {"question_date": "2031/05/04", "answer": "Pump P77", "answer_session_ids": ["s"]}
    session = [{"role": "user", "content": "Pump P77 leaks.", "has_answer": True}]
    path = tmp_path / "all.jsonl"
    path.write_text(json.dumps([{**entry, "haystack_sessions": [session]}] * 2))
    found = import_file(find_formats("longmemeval"), path).conversations
    assert [str(one.place) for one in found] == [f"{path}:1:1"] * 2


PAGE = (Path(__file__).parents[2] / "docs" / "importing.md").read_text("utf-8")
EXAMPLE = r"## ([^\n]+)\n(?:(?!\n#).)*?import ([a-z-]+) (?:(?!\n#).)*?```json\n(.*?)```"


@pytest.mark.parametrize("form", MINE)
def test_the_example_of_the_page_is_read_without_a_loss(tmp_path: Path, form: str) -> None:
    examples = {name: text for _, name, text in re.findall(EXAMPLE, PAGE, re.DOTALL)}
    path = tmp_path / "memory_shop.json"
    path.write_text(examples[form], "utf-8")
    if form == "bfcl-memory":
        names = (path.name, "BFCL_v4_memory.json", "possible_answer.json")
        for name, line in zip(names, examples[form].splitlines(), strict=True):
            (tmp_path / name).write_text(line, "utf-8")
    imported = import_file(find_formats("auto"), path)
    assert imported.account.kept > 0
    assert imported.account.skipped == ()
    asks = form not in ("swe-agent", "openhands", "tau-bench")
    assert bool(imported.conversations[0].questions) is asks


def test_the_example_of_a_newer_stream_is_read_without_a_loss(tmp_path: Path) -> None:
    example = PAGE.split("\n## OpenHands\n")[1].split("```json\n")[2].split("```")[0]
    path = tmp_path / "events.json"
    path.write_text(example, "utf-8")
    imported = import_file(find_formats("auto"), path)
    assert [message["role"] for message in imported.conversations[0].messages] == [
        *("user", "assistant", "tool"),
    ]
    assert imported.account.skipped == imported.account.repaired == ()


def test_each_format_has_an_example_on_the_page() -> None:
    fenced = {form for _, form, _ in re.findall(EXAMPLE, PAGE, re.DOTALL)}
    plain = {form for form in FORMATS if f"\n### {form}\n" in PAGE}
    assert fenced | plain == set(FORMATS)
