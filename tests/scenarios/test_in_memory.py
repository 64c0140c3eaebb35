"""A transcript taken as it stands is the scenario that an import would write."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.in_memory import files_needed, read_transcripts
from compaction_eval.scenarios.importers.writing import scenario_files
from compaction_eval.scenarios.loader import load_file
from compaction_eval.strategies.errors import ConfigurationError

SESSION = Path(__file__).parents[2] / "examples" / "session.jsonl"
LOCOMO: Any = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ida",
            "speaker_b": "Per",
            "session_1_date_time": "4 May",
            "session_1": [
                {"speaker": "Ida", "dia_id": "D1:1", "text": "I keep bees in Tarm."},
                {"speaker": "Per", "dia_id": "D1:2", "text": "How many?"},
                {"speaker": "Ida", "dia_id": "D1:3", "text": "Nine hives."},
            ],
        },
        "qa": [
            {
                "question": "Where does Ida keep bees?",
                "answer": "Tarm",
                "evidence": ["D1:1"],
                "category": 4,
            },
        ],
    }
]


WORDS: Any = [
    {"role": "user", "content": "The report is in reports/tarm-0417.csv."},
    {"role": "assistant", "content": "Well."},
    {"role": "user", "content": "Where is it?"},
    {"role": "assistant", "content": "In reports/tarm-0417.csv, as you said."},
]
FILES = {"locomo": json.dumps(LOCOMO), "words": json.dumps(WORDS)}


@pytest.mark.parametrize("name", ["session", "locomo", "words"])
def test_it_is_the_scenario_that_is_loaded_after_an_import(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.json"
    path.write_bytes(FILES[name].encode() if name in FILES else SESSION.read_bytes())
    (transcript,) = read_transcripts([path])
    (taken,) = transcript.scenarios
    (conversation,) = import_file(find_formats("auto"), path).conversations
    for file, content in scenario_files(conversation, taken.id).items():
        (tmp_path / file).write_bytes(content)
    (loaded,) = load_file(tmp_path / f"{taken.id}.yaml")
    assert taken.probes or taken.reuse
    elsewhere: Any = {
        "file": loaded.file,
        "places": loaded.places,
        "digest": loaded.digest,
        "format": "",
        "probes": tuple(
            replace(one, place=two.place)
            for one, two in zip(taken.probes, loaded.probes, strict=True)
        ),
    }
    assert replace(taken, **elsewhere) == loaded


def test_recorded_compactions_come_with_it() -> None:
    (transcript,) = read_transcripts([SESSION])
    (scenario,) = transcript.scenarios
    (done,) = scenario.recorded
    assert (done.at, done.kept_from, done.trigger, done.tokens_before) == (27, 27, "auto", 15510)
    assert (scenario.file, scenario.format) == (str(SESSION), "auto")


def test_the_digest_follows_the_content(tmp_path: Path) -> None:
    def digest(text: str) -> str:
        path = tmp_path / "talk.jsonl"
        path.write_text(text)
        return read_transcripts([path])[0].scenarios[0].digest

    text = SESSION.read_text("utf-8")
    assert digest(text) == digest(text)
    assert digest(text) != digest(text.replace("Yes, do that.", "Yes."))
    assert digest(text) != digest(text.replace("Tests pass.", "Tests fail."))


def test_several_files_have_ids_of_their_own(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "talk.jsonl" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes(SESSION.read_bytes())
    read = read_transcripts([*paths, paths[0]], taken=["talk"])
    assert [one.id for each in read for one in each.scenarios] == ["talk-2", "talk-3"]


def test_a_file_that_is_given_twice_in_other_words_counts_once(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    path = tmp_path / "a.json"
    path.write_text('[{"role": "user", "content": "Hi."}]')
    (found,) = read_transcripts([path, tmp_path / "in" / ".." / "a.json", path])
    assert found.path == path


def test_the_mistakes_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("")
    (tmp_path / "b.json").write_text('{"a": 1}')
    with pytest.raises(ConfigurationError) as error:
        read_transcripts([tmp_path / "a.jsonl", SESSION, tmp_path / "b.json"])
    first, second = str(error.value).splitlines()
    assert "a.jsonl:1:1: the file is empty" in first
    assert "b.json: in none of the formats" in second


def test_a_file_is_named_again_with_those_that_share_its_name() -> None:
    files = ["a/talk.json", "b/plan.json", "c/Talk.jsonl", "a/talk.json"]
    assert files_needed("c/Talk.jsonl", files) == ["a/talk.json", "c/Talk.jsonl"]
    assert files_needed("b/plan.json", files) == ["b/plan.json"]


def test_a_file_is_named_again_with_those_whose_conversations_may_take_its_ids(
    tmp_path: Path,
) -> None:
    """`talk.json` holds two conversations, the second of which is called like `talk-2.json`."""
    chat = [{"role": "user", "content": "Hi."}]
    files = [tmp_path / name for name in ("a plan.json", "talk.json", "talk-2.json", "a-plan.json")]
    for path in files:
        path.write_text(json.dumps([{"messages": chat}] * (2 if path.name == "talk.json" else 1)))
    every = [(one.id, one.file) for each in read_transcripts(files) for one in each.scenarios]
    assert ("talk-2-2", str(tmp_path / "talk-2.json")) in every
    for id, file in every:
        needed = map(Path, files_needed(file, list(map(str, files))))
        again = [(one.id, one.file) for each in read_transcripts(needed) for one in each.scenarios]
        assert (id, file) in again
