"""How the program was called, so that it can say what to type next, exactly."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import click

_ARGS = "compaction_eval.arguments"


class RecordedCommand(click.Command):
    """A command that remembers the arguments it was given, for `same_again`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments before click takes them apart."""
        ctx.meta[_ARGS] = tuple(args)
        return super().parse_args(ctx, args)


def program() -> str:
    """How this program was started, so that it can be started again from this folder.

    `compaction-eval` or `python run_eval.py` where a shell finds this very environment by these
    names, else their paths: `.venv/bin/python run_eval.py`.
    """
    script = sys.argv[0]
    if os.path.basename(script) == "__main__.py":
        return f"{_python()} -m compaction_eval"
    if script.endswith(".py"):
        return f"{_python()} {shlex.quote(script)}"
    name = os.path.splitext(os.path.basename(script))[0]
    return shlex.quote(_command(script)) if name == "compaction-eval" else "compaction-eval"


def _python() -> str:
    names = [name for name in ("python", "python3") if _is_found(name, sys.executable)]
    return names[0] if names else shlex.quote(_shortest(sys.executable or "python"))


def _command(script: str) -> str:
    name = os.path.basename(script)
    return name if _is_found(name, script) else _shortest(script)


def _is_found(name: str, path: str) -> bool:
    """Whether a shell takes the name for the file at a path.

    The folder has to be the same: a virtual environment's Python is a link to another one's.
    """
    found = shutil.which(name)
    return found is not None and (
        os.path.realpath(found) == os.path.realpath(path)
        and os.path.realpath(os.path.dirname(found)) == os.path.realpath(os.path.dirname(path))
    )


def _shortest(path: str) -> str:
    """The path as given, or relative to the working directory where that is shorter."""
    if os.sep not in path:
        return path
    try:
        relative = os.path.relpath(path)
    except ValueError:  # on another drive
        return path
    # A file of this folder needs its `./`: a shell looks for a bare name elsewhere.
    relative = relative if os.sep in relative else os.path.join(os.curdir, relative)
    return min(path, relative, key=len)


def same_again() -> str:
    """The command line that does again what the current command was asked to do."""
    context = click.get_current_context()
    return command_line(context.info_name or "", context.meta.get(_ARGS, ()))


def again_with(more: Sequence[str], *, without: Sequence[str] = ()) -> str:
    """The same command line with more arguments, and without options that take a value."""
    context = click.get_current_context()
    kept: list[str] = []
    rest = iter(context.meta.get(_ARGS, ()))
    for argument in rest:
        if argument in without:
            next(rest, None)
        elif not argument.startswith(tuple(f"{name}=" for name in without)):
            kept.append(argument)
    return command_line(context.info_name or "", [*kept, *more])


def command_line(command: str, arguments: Sequence[str]) -> str:
    """A command line that can be pasted into a shell, and shown in any terminal."""
    return f"{program()} {' '.join(map(_quoted, [command, *arguments]))}".rstrip()


def path_argument(path: Path) -> str:
    """A path where a command expects one, which isn't taken for an option: `./-dash`."""
    text = str(path)
    return os.path.join(os.curdir, text) if text.startswith("-") else text


def _quoted(word: str) -> str:
    """A word as a shell reads it back; what can't be shown as it is, between `$'` and `'`."""
    from compaction_eval.reports.printable import printable

    if "\n" not in word and printable(word) == word:
        return shlex.quote(word)
    return f"$'{''.join(map(_escaped, word))}'"


def _escaped(character: str) -> str:
    """A character between `$'` and `'`; a byte that is no UTF-8 is that byte again."""
    code = ord(character)
    if character.isascii() and character.isprintable() and character not in "\\'#":
        return character
    if code < 0x80 or 0xDC80 <= code < 0xDD00:
        return f"\\x{code & 0xFF:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
