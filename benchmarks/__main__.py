"""Run all benchmarks or those named: `python -m benchmarks [NAME…]`; exits 1 for a bound off."""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = (
    "help_start",
    "tokenising",
    "throughput",
    "growth",
    "default_run",
    "check",
    "gate",
    "compare",
    "importing",
    "model_requests",
    "replaying_models",
    "page",
)


def main(names: list[str]) -> int:
    """Print one line per figure; the exit code tells whether all bounds are kept."""
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    kept = True
    for name in names or NAMES:
        for figure in import_module(f"benchmarks.{name}").figures():
            print(figure, flush=True)
            kept = kept and figure.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
