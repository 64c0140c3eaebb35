"""JSON of values that are nested deeper than the interpreter's own writer can follow."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def json_text(value: object) -> str:
    """`json.dumps(value, ensure_ascii=False)`, for any depth.

    Raises what it raises: TypeError for what has no JSON, ValueError for a value inside itself.
    """
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "".join(_pieces(value))


def _pieces(value: object) -> Iterator[str]:
    """The text in pieces; the lists and mappings that are open wait on a stack of their own."""
    opened: list[tuple[Iterator[tuple[str, object]], str, int]] = []
    inside: set[int] = set()
    label, current = "", value
    while True:
        yield label
        if isinstance(current, dict | list | tuple):
            if id(current) in inside:
                raise ValueError("Circular reference detected")
            inside.add(id(current))
            opening, closing = "{}" if isinstance(current, dict) else "[]"
            yield opening
            opened.append((_labelled(current), closing, id(current)))
        else:
            yield json.dumps(current, ensure_ascii=False)
        while opened:
            entry = next(opened[-1][0], None)
            if entry is not None:
                label, current = entry
                break
            _, closing, which = opened.pop()
            inside.remove(which)
            yield closing
        else:
            return


def _labelled(
    holder: Mapping[Any, object] | list[Any] | tuple[Any, ...],
) -> Iterator[tuple[str, object]]:
    """What a list or mapping holds, each with the text that stands before it."""
    if not isinstance(holder, Mapping):
        for number, inner in enumerate(holder):
            yield ", " if number else "", inner
        return
    for number, (key, inner) in enumerate(holder.items()):
        named = json.dumps({key: 0}, ensure_ascii=False)[1:-2]
        yield f"{', ' if number else ''}{named}", inner


def leaves(value: object) -> Iterator[object]:
    """Each scalar of a JSON value in reading order; keys are no values and are left out.

    Raises ValueError for a value that holds itself.
    """
    opened: list[tuple[Iterator[object], int]] = [(iter((value,)), 0)]
    inside: set[int] = set()
    while opened:
        for inner in opened[-1][0]:
            if isinstance(inner, Mapping | list | tuple):
                if id(inner) in inside:
                    raise ValueError("Circular reference detected")
                inside.add(id(inner))
                entries = inner.values() if isinstance(inner, Mapping) else inner
                opened.append((iter(entries), id(inner)))
                break
            if inner is not None:
                yield inner
        else:
            inside.discard(opened.pop()[1])
