"""A scenario on a recorded conversation: one JSON message a line, pinned by its checksum."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from compaction_eval.scenarios.records import Scenario

Load = Callable[..., tuple[Scenario, ...]]
Faults = Callable[..., list[str]]

LINES = [
    {"role": "user", "content": "Please open gate-K47."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "x9",
                "type": "function",
                "function": {"name": "open", "arguments": '{"gate": "gate-K47"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "x9", "content": "open"},
]


@pytest.fixture
def recorded(tmp_path: Path, load: Load) -> Callable[[bytes], str]:
    """Writes a transcript and gives the text of a scenario on it."""

    def recorded(data: bytes) -> str:
        (tmp_path / "talk.jsonl").write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        return (
            "id: plan\ntitle: Recorded\nlang: en\nreuse: true\n"
            f"transcript: {{path: talk.jsonl, sha256: {digest}}}\n"
        )

    return recorded


def lines(*messages: object) -> bytes:
    return "".join(json.dumps(message) + "\n" for message in messages).encode()


def test_a_transcript_is_taken_as_it_stands(load: Load, recorded: Callable[[bytes], str]) -> None:
    data = lines(*LINES)
    text = recorded(data)
    scenario = load(text)[0]
    assert list(scenario.messages) == LINES
    assert [str(place) for place in scenario.places] == [
        f"talk.jsonl:{line}:1" for line in (1, 2, 3)
    ]
    assert [probe.value for probe in scenario.reuse] == ["gate-K47"]
    assert scenario.digest == hashlib.sha256(text.encode() + data).hexdigest()


def test_probes_can_be_asked_at_its_end(load: Load, recorded: Callable[[bytes], str]) -> None:
    text = recorded(lines(*LINES)) + (
        "probes:\n  - {id: gate, kind: recall, ask: Which gate?, accept: [gate-K47]}\n"
    )
    probe = load(text)[0].probes[0]
    assert (probe.at, probe.evidence) == ((("end", 3),), 0)


def test_a_changed_transcript_is_refused(
    faults_of: Faults, recorded: Callable[[bytes], str]
) -> None:
    text = recorded(lines(*LINES))
    digest = text.rstrip("}\n").split("sha256: ")[1]
    assert faults_of(text.replace(digest, "0" * 64)) == [
        f"plan.yaml:5:40: talk.jsonl has changed: its sha256 is {digest}"
    ]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b'{"role": "user"}\n{"role": \n', "talk.jsonl:2:10: not JSON: Expecting value"),
        (b"\xff\n", "talk.jsonl:1:1: not UTF-8"),
        (b"[1]\n", "talk.jsonl:1:1: a message is a mapping with `role` and `content`"),
        (
            b'{"role": "usr", "content": "Hi"}\n',
            "talk.jsonl:1:1: unknown role 'usr'; did you mean 'user'?; one of assistant, "
            "developer, function, system, tool, user",
        ),
        (
            lines({"role": "user", "content": 3}),
            "talk.jsonl:1:1: a message's content is a text, a list of parts, or null",
        ),
        (
            lines({"role": "assistant", "tool_calls": [{"id": "a"}]}),
            "talk.jsonl:1:1: a call needs `function` with `name` and `arguments`,"
            " or `custom` with `name` and `input`",
        ),
        (
            lines({"role": "assistant", "tool_calls": [{"function": {"name": "查"}}]}),
            "talk.jsonl:1:1: the tool name '查' isn't ASCII; the API would refuse it",
        ),
        (b"\n", "plan.yaml:5:20: talk.jsonl holds no messages"),
        (
            b'{"role": "user", "content": "Hi", "n": ' + b"1" * 5_000 + b"}\n",
            "talk.jsonl:1:1: a number has too many digits to be read",
        ),
    ],
)
def test_a_bad_line_is_told_with_its_file_and_line(
    faults_of: Faults, recorded: Callable[[bytes], str], data: bytes, fault: str
) -> None:
    assert faults_of(recorded(data)) == [fault]


def test_a_missing_transcript_is_told(faults_of: Faults, recorded: Callable[[bytes], str]) -> None:
    text = recorded(b"").replace("talk.jsonl", "tale.jsonl")
    assert faults_of(text) == ["plan.yaml:5:20: can't read tale.jsonl: No such file or directory"]


def test_turns_and_transcript_exclude_each_other(
    faults_of: Faults, recorded: Callable[[bytes], str]
) -> None:
    text = recorded(lines(*LINES))
    both = text + "turns:\n  - user: Hello.\n"
    assert "plan.yaml:5:13: a scenario has `turns`, or a `transcript`, not both" in faults_of(both)
    neither = "id: plan\ntitle: Nothing\nlang: en\n"
    assert faults_of(neither) == ["plan.yaml:1:1: a scenario has `turns`, or a `transcript`"]
