"""Generated conversations of any length: an agent that reads, edits and reports, from a seed."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from compaction_eval.scenarios.records import Place, Probe, Scenario, Statement

_WORDS = (
    "ledger",
    "invoice",
    "retry",
    "queue",
    "worker",
    "cache",
    "header",
    "token",
    "session",
    "cursor",
    "index",
    "shard",
    "replica",
    "batch",
    "schema",
    "driver",
    "socket",
    "buffer",
    "parser",
    "backoff",
    "bucket",
    "digest",
)


def _prose(random: Random, words: int) -> str:
    return " ".join(
        f"{random.choice(_WORDS)}{random.choice(('', '', ',', '.', f'_{random.randrange(999)}'))}"
        for _ in range(words)
    )


def messages(count: int, words: int, seed: int = 1) -> list[dict[str, Any]]:
    """About `count` messages with tool results of about `words` words; every text distinct."""
    random = Random(seed)
    said: list[dict[str, Any]] = [{"role": "system", "content": "You keep a billing service."}]
    while len(said) < count:
        number = len(said)
        call = {"path": f"src/{random.choice(_WORDS)}_{number}.py", "note": _prose(random, 4)}
        function = {"name": "read_file", "arguments": json.dumps(call)}
        said += [
            {"role": "user", "content": f"{number}: {_prose(random, max(words // 4, 6))}"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
            },
            {
                "role": "tool",
                "tool_call_id": f"c{number}",
                "content": f"{number}: {_prose(random, words)}",
            },
            {"role": "assistant", "content": f"{number}: {_prose(random, max(words // 3, 6))}"},
        ]
    return said


def tool_loop(count: int) -> Scenario:
    """A scenario of one request and about `count` messages of calls and answers."""
    said: list[dict[str, Any]] = [
        {"role": "system", "content": "You keep a billing service."},
        {"role": "user", "content": "Please go through the whole repository and mend it."},
    ]
    while len(said) < count:
        number = len(said)
        function = {"name": "read_file", "arguments": json.dumps({"path": f"src/{number}.py"})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        said += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"file {number} " * 6},
        ]
    return Scenario(
        id=f"tool-loop-{count}",
        title="One request, a long loop",
        lang="en",
        messages=tuple(said),  # type: ignore[arg-type]  # plain dicts of the right shape
    )


def scenario(count: int, words: int, probes: int = 10, seed: int = 1) -> Scenario:
    """A scenario over such a conversation, with facts spread over its length, asked at the end."""
    said = messages(count, words, seed)
    users = [at for at, message in enumerate(said) if message["role"] == "user"]
    statements = []
    asked = []
    for number in range(probes):
        at = users[number * len(users) // probes]
        value = f"node-{seed}-{number}x{at}"
        said[at]["content"] += f" It runs on {value} now."
        statements.append(Statement(f"f{number}", at, (value,), False, Place("generated")))
        asked.append(
            Probe(
                f"p{number}",
                "recall",
                f"Which machine was named in place {number}?",
                (("end", len(said)),),
                fact=f"f{number}",
            )
        )
    return Scenario(
        id=f"generated-{count}-{words}",
        title="Generated",
        lang="en",
        messages=tuple(said),  # type: ignore[arg-type]  # plain dicts of the right shape
        statements=tuple(statements),
        probes=tuple(asked),
    )
