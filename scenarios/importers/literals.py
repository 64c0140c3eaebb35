"""One pattern for thousands of literal texts, which share their beginnings in it."""

from __future__ import annotations

import re
from collections.abc import Iterable

_Branches = dict[str, "_Branches"]
_END = ""


def any_of(texts: Iterable[str]) -> str:
    """A regular expression that matches the longest of some texts at a place."""
    root: _Branches = {}
    for text in sorted(texts):
        node = root
        for sign in text:
            node = node.setdefault(sign, {})
        node[_END] = {}
    return _expression(root)


def _expression(node: _Branches) -> str:
    """What may follow: straight where there is one way on, without a recursion for each sign."""
    written: list[str] = []
    while len(node) == 1 and _END not in node:
        ((sign, node),) = node.items()
        written.append(re.escape(sign))
    ways = [re.escape(sign) + _expression(after) for sign, after in node.items() if sign != _END]
    if ways:
        written.append(f"(?:{'|'.join(ways)}){'?' if _END in node else ''}")
    return "".join(written)
