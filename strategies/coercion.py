"""From text to a value of the type that a class or function declares for a parameter."""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from compaction_eval.strategies.errors import did_you_mean

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


def coerce(text: str, annotation: Any) -> object:
    """A value of the annotated type. ValueError says what was expected instead.

    Several values (`tuple[str, ...]`, `list[int]`) are separated by `|`. Where nothing is
    annotated, what looks like a number or a truth value is one.
    """
    annotation = plain(annotation)
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


def is_null(text: str) -> bool:
    """Whether the text means no value, for a parameter that may have none."""
    return text.casefold() in _NULL


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
        if not is_null(text):
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


def plain(annotation: Any) -> Any:
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
