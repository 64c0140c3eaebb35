"""How soon `--help` answers, against the interpreter and the argument parser alone."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measuring import Figure, process_seconds, python


def figures() -> Iterator[Figure]:
    """The ratio of `--help` to a bare interpreter that imports the argument parser's library."""
    bare = process_seconds(python("-c", "import click"))
    helped = process_seconds(python("run_eval.py", "--help"))
    yield Figure("--help, times a bare interpreter with click", helped / bare, "x", 2.5)
