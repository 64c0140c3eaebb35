"""From the text of a spec to a class's or function's arguments, by the types that it declares."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_NULL = frozenset({"none", "null", ""})
_COLLECTIONS: Mapping[Any, Callable[[Iterable[Any]], object]] = {
    tuple: tuple,
    Sequence: tuple,
    Iterable: tuple,
    Collection: tuple,
    list: list,
    set: set,
    frozenset: frozenset,
}


def bind(
    label: str,
    target: Callable[..., object],
    params: Iterable[tuple[str, str]],
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
    hints = _hints(target)
    arguments: dict[str, object] = {}
    for key, text in params:
        if key in taken:
            raise ConfigurationError(f"{label}: '{key}' is given by the run and can't be set")
        if key not in own and not open_ended:
            raise ConfigurationError(_unknown(label, key, own))
        default = own[key].default if key in own else inspect.Parameter.empty
        annotation = hints.get(key, _type_of(default))
        try:
            arguments[key] = coerce(text, annotation)
        except ValueError as error:
            raise ConfigurationError(f"{label}: parameter {key}: {error}") from None
    for key, parameter in own.items():
        if parameter.default is parameter.empty and key not in arguments:
            raise ConfigurationError(f"{label} needs the parameter '{key}': add {key}=VALUE")
    return arguments


def signature_of(target: Callable[..., object]) -> inspect.Signature:
    """The signature; that of `(messages, budget)` where a callable doesn't tell its own."""
    try:
        return inspect.signature(target)
    except (ValueError, TypeError):
        kind = inspect.Parameter.POSITIONAL_ONLY
        return inspect.Signature([inspect.Parameter(n, kind) for n in ("messages", "budget")])


def coerce(text: str, annotation: Any) -> object:
    """A value of the annotated type. ValueError says what was expected instead.

    Several values (`tuple[str, ...]`, `list[int]`) are separated by `|`. Where nothing is
    annotated, what looks like a number or a truth value is one.
    """
    annotation = _plain(annotation)
    origin, options = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        return _one_of_types(text, options)
    if origin is Literal:
        for option in options:
            if str(option).casefold() == text.casefold():
                return option
        known = ", ".join(map(str, options))
        raise ValueError(
            f"'{text}' is none of {known}{did_you_mean(text, [str(option) for option in options])}"
        )
    collection = _COLLECTIONS.get(origin or annotation)
    if collection is not None:
        inner = options[0] if options else str
        # An empty part stays: it may be the point, as an empty answer is for a scripted model.
        return collection(coerce(part.strip(), inner) for part in text.split("|") if text)
    return _scalar(text, annotation)


def _scalar(text: str, annotation: Any) -> object:
    if annotation is bool:
        if text.casefold() not in _TRUE | _FALSE:
            raise ValueError(f"'{text}' is neither true nor false")
        return text.casefold() in _TRUE
    if annotation is int:
        try:
            return int(text)
        except ValueError:
            raise ValueError(f"'{text}' isn't a whole number") from None
    if annotation is float:
        try:
            return float(text)
        except ValueError:
            raise ValueError(f"'{text}' isn't a number") from None
    if annotation is type(None):
        if text.casefold() not in _NULL:
            raise ValueError(f"'{text}' isn't none")
        return None
    if annotation is Path:
        return Path(text)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _member(text, annotation)
    return text if annotation is str else _guess(text)


def _member(text: str, annotation: type[Enum]) -> Enum:
    """The member with this value or name."""
    for member in annotation:
        if text in (str(member.value), member.name):
            return member
    known = [str(member.value) for member in annotation]
    raise ValueError(f"'{text}' is none of {', '.join(known)}{did_you_mean(text, known)}")


def _one_of_types(text: str, options: tuple[Any, ...]) -> object:
    """The first type that takes the text; plain text is tried last, since it takes anything."""
    reasons: list[str] = []
    for option in sorted(options, key=lambda option: (option is str, option is not type(None))):
        try:
            return coerce(text, option)
        except ValueError as error:
            reasons.append(str(error))
    raise ValueError(reasons[-1])


def _guess(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False, "none": None}.get(text.casefold(), text)


def _plain(annotation: Any) -> Any:
    """The annotation without `Annotated`, type aliases and new names for types."""
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        elif hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":  # `type X = …` of Python 3.12
            annotation = annotation.__value__
        else:
            return Any if isinstance(annotation, TypeVar) else annotation


def _type_of(default: object) -> Any:
    """The type that a default value stands for, where nothing is annotated."""
    known = (bool, int, float, str, tuple, list, set, frozenset)
    return type(default) if type(default) in known else Any


def _hints(target: Callable[..., object]) -> dict[str, Any]:
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


def _unknown(label: str, key: str, own: Iterable[str]) -> str:
    names = sorted(own)
    hint = did_you_mean(key, names)
    if not hint:
        hint = f"; it has {', '.join(names)}" if names else "; it takes none"
    return f"{label} has no parameter '{key}'{hint}"
