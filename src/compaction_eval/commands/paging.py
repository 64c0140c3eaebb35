"""A pager for what is longer than the screen: on a terminal alone, and only where one is wanted."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from compaction_eval.reports.printable import one_line

if TYPE_CHECKING:
    from rich.console import Console

_RAW = "-R"
"""Tells `less` to let colours through."""


@contextmanager
def paged(out: Console, *, wanted: bool) -> Iterator[None]:
    """What is printed inside is shown at once, or in the reader's pager where it is too long.

    `PAGER` names the pager, `less` otherwise. Leaving it early is no error; where the pager itself
    fails, that is told, and the text shown without it.
    """
    if not (wanted and _can_page()):
        yield
        return
    with out.capture() as captured:
        yield
    text = captured.get()
    # One line for the prompt, and one for what is told below.
    if text.count("\n") + 2 <= out.size.height:
        out.file.write(text)
        return
    given = os.environ.get("LESS", "")
    joined = f"{_RAW}{given}" if given and not given.startswith("-") else f"{_RAW} {given}"
    os.environ["LESS"] = joined.rstrip()
    pager = os.environ.get("PAGER", "").strip() or "less"
    code = _piped(text, shlex.split(pager))
    if code:
        click.echo(f"The pager {one_line(pager)} ended with {code}; without it:", err=True)
        out.file.write(text)


def _piped(text: str, pager: Sequence[str]) -> int:
    """Show a text in a pager; returns its exit code."""
    # What is no text in this encoding is shown as an escape, as without a pager.
    data = text.encode(sys.stdout.encoding or "utf-8", errors="backslashreplace")
    with subprocess.Popen(pager, stdin=subprocess.PIPE) as running:
        while True:
            try:
                running.communicate(data)
                break
            except KeyboardInterrupt:  # the pager's own, as to stop a search
                data = b""
    return running.returncode


def _can_page() -> bool:
    if os.environ.get("CI") or os.environ.get("TERM") in (None, "dumb", "emacs", "unknown"):
        return False
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        words = shlex.split(os.environ.get("PAGER", ""))
    except ValueError:
        return False
    return shutil.which(words[0] if words else "less") is not None
