"""What a strategy that comes with the project does, in the first words of its own description."""

from __future__ import annotations

from typing import Any

from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.importing import dotted_target
from compaction_eval.strategies.loading import BUILT_IN
from compaction_eval.strategies.parameters import signature_of
from compaction_eval.strategies.specs import parse_spec


def first_words(target: Any) -> str:
    """The first paragraph of the description of a class or function, on one line."""
    return " ".join((target.__doc__ or "").strip().partition("\n\n")[0].split())


def about_spec(text: str) -> str:
    """What the strategy of a spec does, its numbers, and the spec where it gives parameters.

    Of one's own the spec alone: code from outside is not imported for this.
    """
    try:
        spec = parse_spec(text)
    except ConfigurationError:
        return text
    name = spec.use
    if name not in BUILT_IN["strategies"]:
        return text
    target = dotted_target(BUILT_IN["strategies"][name], from_working_directory=False)
    numbers = [
        f"{one}={parameter.default:g}"
        for one, parameter in signature_of(target).parameters.items()
        if isinstance(parameter.default, int | float)
        and not isinstance(parameter.default, bool)
        and parameter.default
        and one not in dict(spec.params)
    ]
    told = first_words(target)
    if numbers:
        told += f" Settings: {', '.join(numbers)}."
    return told + (f" Given as: {text}" if text != name else "")
