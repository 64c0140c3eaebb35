"""From the text of a spec to a class's or function's arguments, by the types that it declares.

A parameter annotated `Path` points at a file, and one annotated `Summarizer` is the spec of another
summariser: what such text stands for depends on more than itself, so the loader resolves it.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from compaction_eval.strategies.base import Summarizer
from compaction_eval.strategies.coercion import coerce, is_null, plain
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

Reference = Literal["file", "summarizer"]
Resolve = Callable[[Reference, str], object]
"""Makes an argument of what a parameter points at. May raise ConfigurationError."""


def bind(
    label: str,
    target: Callable[..., object],
    params: Iterable[tuple[str, str]],
    resolve: Resolve,
    taken: frozenset[str] = frozenset(),
) -> dict[str, object]:
    """Keyword arguments for a class or function, from text.

    `label` names it in errors, such as `strategy 'count-slice'`; `taken` are parameters that are
    given by the run. Raises ConfigurationError for an unknown parameter, a bad value, and a
    parameter without a default that got none.
    """
    signature = signature_of(target)
    own = {
        parameter.name: parameter
        for parameter in signature.parameters.values()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        and parameter.name not in taken
    }
    open_ended = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    hints = annotations_of(target)
    arguments: dict[str, object] = {}
    for key, text in params:
        if key in taken:
            raise ConfigurationError(f"{label}: '{key}' is given by the run and can't be set")
        if key not in own and not open_ended:
            raise ConfigurationError(_unknown(label, key, own))
        default = own[key].default if key in own else inspect.Parameter.empty
        annotation = hints.get(key, _type_of(default))
        reference = reference_of(text, annotation)
        try:
            arguments[key] = resolve(reference, text) if reference else coerce(text, annotation)
        except (ConfigurationError, ValueError) as error:
            raise ConfigurationError(f"{label}: parameter {key}: {error}") from None
    for key, parameter in own.items():
        if parameter.default is parameter.empty and key not in arguments:
            raise ConfigurationError(f"{label} needs the parameter '{key}': add {key}=VALUE")
    return arguments


def reference_of(text: str, annotation: Any) -> Reference | None:
    """What the text of a parameter points at, where it does: an optional one may be null."""
    annotation = plain(annotation)
    union = get_origin(annotation) in (Union, types.UnionType)
    options = get_args(annotation) if union else (annotation,)
    if type(None) in options and is_null(text):
        return None
    if Summarizer in options:
        return "summarizer"
    return "file" if Path in options else None


def signature_of(target: Callable[..., object]) -> inspect.Signature:
    """The signature; that of `(messages, budget)` where a callable doesn't tell its own."""
    try:
        return inspect.signature(target)
    except (ValueError, TypeError):
        kind = inspect.Parameter.POSITIONAL_ONLY
        return inspect.Signature([inspect.Parameter(n, kind) for n in ("messages", "budget")])


def annotations_of(target: Callable[..., object]) -> dict[str, Any]:
    """Annotations by parameter; none where they can't be resolved (names only types need)."""
    while hasattr(target, "func"):  # functools.partial
        target = target.func
    if inspect.isclass(target):
        sources: list[Any] = [target, target.__init__]
    elif inspect.isroutine(target):
        sources = [target]
    else:
        sources = [type(target).__call__]
    found: dict[str, Any] = {}
    for source in sources:
        try:
            found.update(get_type_hints(source, include_extras=True))
        except Exception:  # noqa: BLE001  # evaluating foreign annotations can raise anything
            continue
    return found


def _type_of(default: object) -> Any:
    """The type that a default value stands for, where nothing is annotated."""
    known = (bool, int, float, str, tuple, list, set, frozenset)
    return type(default) if type(default) in known else Any


def _unknown(label: str, key: str, own: Iterable[str]) -> str:
    names = sorted(own)
    hint = did_you_mean(key, names)
    if not hint:
        hint = f"; it has {', '.join(names)}" if names else "; it takes none"
    return f"{label} has no parameter '{key}'{hint}"
