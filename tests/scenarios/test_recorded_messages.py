"""A transcript's messages are read when they are asked for, and are the same as before."""

import hashlib
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.scenarios import recorded_messages
from compaction_eval.scenarios.library import select
from compaction_eval.scenarios.loader import file_tags, load_file
from compaction_eval.scenarios.recorded_messages import RecordedMessages, shortened
from compaction_eval.scenarios.records import Place
from compaction_eval.strategies.errors import ConfigurationError

MESSAGES: list[Any] = [
    {"role": "user", "content": "Pump P-77 leaks."},
    {"role": "assistant", "content": "I see."},
    {"role": "user", "content": "So?"},
]


def write(folder: Path, id: str = "talk", between: str = "\n") -> Path:
    data = between.join(map(json.dumps, MESSAGES)).encode()
    (folder / f"{id}.jsonl").write_bytes(data)
    path = folder / f"{id}.yaml"
    path.write_text(
        f"id: {id}\ntitle: A talk\nlang: en\ntags: [imported]\ntranscript:\n"
        f"  path: {id}.jsonl\n  sha256: {hashlib.sha256(data).hexdigest()}\nreuse: true\n"
    )
    return path


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_messages_and_places_are_those_of_the_file(tmp_path: Path, between: str) -> None:
    path = write(tmp_path, between=between)
    (scenario,) = load_file(path)
    step = len(between)
    file = str(tmp_path / "talk.jsonl")
    assert isinstance(scenario.messages, RecordedMessages)
    assert scenario.messages == tuple(MESSAGES)
    assert tuple(MESSAGES) == scenario.messages
    assert (scenario.messages[1], scenario.messages[-1]) == (MESSAGES[1], MESSAGES[2])
    assert scenario.messages[1:] == tuple(MESSAGES[1:])
    assert scenario.places == tuple(Place(file, 1 + step * at) for at in range(3))
    assert scenario.places[1:] == (Place(file, 1 + step), Place(file, 1 + 2 * step))
    assert scenario.messages != tuple(MESSAGES[:2])
    assert load_file(path) == (scenario,)


def test_a_scenario_is_handed_on_without_its_messages(tmp_path: Path) -> None:
    (scenario,) = load_file(write(tmp_path))
    handed = pickle.dumps(scenario)
    assert b"leaks" not in handed
    assert pickle.loads(handed) == scenario


def test_only_the_newest_transcripts_are_held(tmp_path: Path) -> None:
    for number in range(6):
        write(tmp_path, f"talk-{number}")
    scenarios = select([str(tmp_path)])
    recorded_messages._read.cache_clear()
    assert [len(list(one.messages)) for one in scenarios] == [3] * 6
    assert recorded_messages._read.cache_info().currsize == recorded_messages._HELD < 6


def test_tags_are_read_without_the_transcript(tmp_path: Path) -> None:
    path = write(tmp_path)
    (tmp_path / "talk.jsonl").unlink()
    assert file_tags(path) == ("imported",)
    assert load_file(path, frozenset({"imported"})) == ()


@pytest.mark.parametrize("change", ["gone", "other"])
def test_a_transcript_that_changes_meanwhile_is_told(tmp_path: Path, change: str) -> None:
    (scenario,) = load_file(write(tmp_path))
    file = tmp_path / "talk.jsonl"
    file.unlink() if change == "gone" else file.write_text("{}")
    recorded_messages._read.cache_clear()
    with pytest.raises(ConfigurationError, match=r"talk\.jsonl: (can't be read|has changed)"):
        list(scenario.messages)


def test_places_apart_from_each_other_stay_as_they_are() -> None:
    places = [Place("a", 1), Place("a", 3)]
    assert shortened(places) == tuple(places)
    assert shortened([]) == ()
