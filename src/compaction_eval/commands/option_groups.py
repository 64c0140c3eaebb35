"""Several options as one decorator, for what commands share or what belongs together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def together(*options: Decorator) -> Decorator:
    """One decorator that attaches all these options; `--help` lists them in this order."""

    def attach(command: Callable[..., Any]) -> Callable[..., Any]:
        # A decorator above others applies after them, and its option is listed first.
        for option in reversed(options):
            command = option(command)
        return command

    return attach
