"""A strategy or summariser that the caller holds in the hand: a class, a function or an object.

It stands where a spec stands and is loaded as one is, but its text can't be loaded again: only the
process that holds the object can measure it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from compaction_eval.strategies.specs import Spec


@dataclass(frozen=True, slots=True)
class Given(Spec):
    """A spec that comes with what it names; `use` is `module:name`, so never a registered name."""

    target: Any = field(default=None, compare=False, repr=False)
    """The class, function or object itself. Not compared: it may have no hash."""


def given(target: object, name: str | None = None) -> Given:
    """The spec of an object, labelled with its own name where none is given."""
    named: Any = target
    while hasattr(named, "func"):  # functools.partial
        named = named.func
    if not hasattr(named, "__qualname__"):
        named = type(named)
    qualified = str(named.__qualname__)
    label = name or qualified.rpartition("<locals>.")[2]
    return Given(f"{named.__module__}:{qualified}", name=label, target=target)
