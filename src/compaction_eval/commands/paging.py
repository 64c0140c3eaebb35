"""A pager for what is longer than the screen: on a terminal alone, and only where one is wanted."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

_RAW = "-R"
"""Tells `less` to let colours through."""


@contextmanager
def paged(out: Console, *, wanted: bool) -> Iterator[None]:
    """What is printed inside is shown at once, or in the reader's pager where it is too long.

    `PAGER` names the pager, `less` otherwise. Leaving it early is no error.
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
    click.echo_via_pager(text)


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
