"""The one place where a fault of the user's becomes lines on stderr and exit code 2."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from functools import wraps
from typing import NoReturn, ParamSpec, TypeVar

import click

GATE_FAILED, WRONG_INPUT, INCOMPLETE, INCONCLUSIVE, NOTHING_SELECTED = 1, 2, 3, 4, 5
INTERRUPTED = 130
LONGEST_NAME = 100
"""Characters that are shown of a file's name that is too long to be one."""

P = ParamSpec("P")
R = TypeVar("R")


def reports_faults(command: Callable[P, R]) -> Callable[P, R]:
    """A command's function that prints a ConfigurationError, one line per fault, and exits with 2.

    It also makes what can't be shown in the terminal's encoding an escape instead of a crash.
    """

    @wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        from compaction_eval.strategies.errors import ConfigurationError

        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        try:
            return command(*args, **kwargs)
        except ConfigurationError as error:
            fail(str(error).splitlines(), WRONG_INPUT)
        except OSError as error:
            # No file system has such a name, so looking for it fails in its own way.
            if error.errno != errno.ENAMETOOLONG:
                raise
            name = str(error.filename)[:LONGEST_NAME]
            fail([f"{name}…: no such file or folder: {error.strerror}"], WRONG_INPUT)

    return guarded


def fail(lines: list[str], code: int) -> NoReturn:
    """Print the lines to stderr, made safe to show, and end with an exit code."""
    from compaction_eval.reports.printable import printable

    for line in lines:
        click.echo(printable(line), err=True)
    click.get_current_context().exit(code)
