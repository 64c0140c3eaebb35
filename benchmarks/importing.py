"""How long `import` takes and what it holds: one long session, folders of many trajectories."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measuring import Figure, process_mebibytes, process_seconds, python

_WORDS = "The build of module {0} wrote build/out-{0}.o and lib/part_{0}/index.ts after {0} ms. "


def figures() -> Iterator[Figure]:
    """Seconds of `import`, reuse probes included, without the program's start-up."""
    start = process_seconds(python("run_eval.py", "import", "--help"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        session = folder / "session.jsonl"
        session.write_text("".join(f"{json.dumps(event)}\n" for event in _session(180)))
        size = session.stat().st_size / 1e6
        seconds = process_seconds(_command(folder, session), runs=3)
        yield Figure(f"a session of {size:.1f} MB", seconds - start, "s", 2)
        seconds = process_seconds(_command(folder, session, "--scrub"), runs=3)
        yield Figure("the same, scrubbed", seconds - start, "s", 4)
        some, many = folder / "some", folder / "many"
        for runs, number in ((some, 200), (many, 2_000)):
            runs.mkdir()
            for seed in range(number):
                (runs / f"run-{seed}.json").write_text(json.dumps(_trajectory(seed)))
        seconds = process_seconds(_command(folder, some), runs=3)
        yield Figure("200 trajectories of 26 messages", seconds - start, "s", 5)
        held = process_mebibytes(_command(folder, many))
        yield Figure("peak memory with 2,000 trajectories", held, "MiB", 300)
        held = process_mebibytes(_command(folder, many, "--scrub", "--sample", "500"))
        yield Figure("the same, 500 of them drawn and scrubbed", held, "MiB", 300)
        check = python("run_eval.py", "check", str(folder / "out"), "--quiet", "--no-replay")
        yield Figure("peak memory of checking them", process_mebibytes(check), "MiB", 300)
        _gigantic(folder / "gigantic.jsonl")
        held = process_mebibytes(_command(folder, folder / "gigantic.jsonl", "--keep-going"))
        yield Figure("peak memory with lines of 100 MB", held, "MiB", 300)


def _command(folder: Path, given: Path, *options: str) -> list[str]:
    out = str(folder / "out")
    return python("run_eval.py", "import", "auto", str(given), "-o", out, "--force", *options)


def _gigantic(path: Path) -> None:
    """A transcript, two lines of which are no messages of a sane size."""
    with path.open("w") as file:
        for message in _trajectory(0):
            file.write(f"{json.dumps(message)}\n")
        for _ in range(2):
            file.write('{"role": "user", "content": "')
            for _ in range(100):
                file.write("x" * 1_000_000)
            file.write('"}\n')


def _session(steps: int) -> Iterator[dict[str, Any]]:
    """Events in the proportions of a real session: most are progress, results are long."""

    def event(kind: str, name: str, **more: Any) -> dict[str, Any]:
        return {"type": kind, "uuid": name, "sessionId": "s", "cwd": "/srv/app", **more}

    yield event("user", "u", message={"role": "user", "content": "Build all modules."})
    for step in range(steps):
        use = {"type": "tool_use", "id": f"c{step}", "name": "Bash"}
        use["input"] = {"command": f"cat build/out-{step // 2}.o lib/part_{step // 3}/index.ts"}  # type: ignore[assignment]  # JSON
        message = {"role": "assistant", "id": f"m{step}", "content": [use]}
        yield event("assistant", f"a{step}", message=message)
        for number in range(7):
            data = {"type": "hook_progress", "command": "notify " * 50}
            yield event("progress", f"p{step}-{number}", data=data)
        text = "".join(_WORDS.format(step * 100 + line) for line in range(60))
        result = {"type": "tool_result", "tool_use_id": f"c{step}", "content": text}
        message = {"role": "user", "content": [result]}
        yield event("user", f"r{step}", message=message, toolUseResult={"stdout": text})


def _trajectory(seed: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "Help the customer."}]
    for turn in range(25):
        text = _WORDS.format(seed * 100 + turn)
        messages.append({"role": ("user", "assistant")[turn % 2], "content": text})
        if turn % 2:
            arguments = json.dumps({"path": f"build/out-{seed * 100 + max(turn - 3, 0)}.o"})
            function = {"name": "read", "arguments": arguments}
            call = {"id": f"c{turn}", "type": "function", "function": function}
            messages[-1]["tool_calls"] = [call]
    return messages
