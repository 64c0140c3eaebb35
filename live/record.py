"""Measure with a real model on this machine, and record all that it says: `make live`.

`python live/record.py [--model FILE.gguf] [--threads N] [--port N]` starts live/serve.py on
127.0.0.1, runs this folder's configurations against it, and ends it. All goes to runs/live-NAME;
without --model the recording is then also put here, where it is committed and CI replays it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

LIVE = Path(__file__).resolve().parent
ROOT = LIVE.parent
RECORDING = LIVE / "recording.jsonl.gz"
NAME = "smollm2-135m-instruct"
"""As the configuration calls the model that is recorded for CI."""


@contextmanager
def served(*options: str) -> Iterator[str]:
    """The address of a server that lives as long as the context. Raises SystemExit for none."""
    command = [sys.executable, str(LIVE / "serve.py"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            if not address:
                sys.exit(server.wait() or 1)
            yield f"{address}/v1"
        finally:
            server.terminate()


def main() -> int:
    """The exit code of the first run that fails, or 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", type=Path, metavar="FILE.gguf")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--port", type=int, default=8917)
    asked = parser.parse_args()
    name = asked.model.stem.lower() if asked.model else NAME
    out = ROOT / "runs" / f"live-{name}"
    out.mkdir(parents=True, exist_ok=True)
    recording = out / RECORDING.name
    # The store keeps every reply; begun anew, the recording has none that nobody asks for any more.
    for old in (recording, recording.with_name(f"{recording.name}.unfinished")):
        old.unlink(missing_ok=True)
    for configuration in LIVE.glob("*.yaml"):
        shutil.rmtree(out / configuration.stem, ignore_errors=True)
    options = [f"--threads={asked.threads}", f"--port={asked.port}"]
    options += [f"--model={asked.model.resolve()}"] if asked.model else []
    with served(*options) as address:
        for configuration in sorted(LIVE.glob("*.yaml")):
            code = measure(configuration, recording, address, name)
            if code:
                return code
    if asked.model is None:
        shutil.copyfile(recording, RECORDING)
    return 0


def measure(configuration: Path, recording: Path, address: str, model: str) -> int:
    """Run a configuration, with another model in place of its own, and add to the recording."""
    folder = recording.parent
    command = [sys.executable, str(ROOT / "run_eval.py"), "run", "--config", str(configuration)]
    command += ["--model", f"openai:{model}(max_tokens=48)"]
    if "openai:" in str(yaml.safe_load(configuration.read_text("utf-8"))["summarizer"]):
        command += ["--summarizer", f"openai:{model}(max_tokens=96)"]
    command += ["--record", str(recording), "--concurrency", "1"]
    command += ["--out", str(folder / configuration.stem)]
    # In a folder of its own, so that the store of replies is this model's alone.
    environment = {**os.environ, "OPENAI_BASE_URL": address}
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
