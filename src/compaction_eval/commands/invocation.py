"""How the program was called, so that it can say what to type next, exactly."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence

import click

_ARGS = "compaction_eval.arguments"


class RecordedCommand(click.Command):
    """A command that remembers the arguments it was given, for `same_again`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments before click takes them apart."""
        ctx.meta[_ARGS] = tuple(args)
        return super().parse_args(ctx, args)


def program() -> str:
    """How this program was started: `compaction-eval`, or `python run_eval.py`."""
    script = sys.argv[0]
    if os.path.basename(script) == "__main__.py":
        return "python -m compaction_eval"
    if script.endswith(".py"):
        return f"python {shlex.quote(script)}"
    return "compaction-eval"


def same_again() -> str:
    """The command line that does again what the current command was asked to do."""
    context = click.get_current_context()
    return command_line(context.info_name or "", context.meta.get(_ARGS, ()))


def command_line(command: str, arguments: Sequence[str]) -> str:
    """A command line that can be pasted into a shell."""
    return f"{program()} {shlex.join([command, *arguments])}".rstrip()
