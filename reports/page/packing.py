"""Blocks of the page: JSON, deflated and in base64, which the browser unpacks when it needs one."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

_LEVEL = 9


def compact_json(value: object) -> str:
    """A value as JSON in ASCII without spaces."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def script_json(value: object) -> str:
    """The same, so that it can stand in a script element: nothing in it can end or open one."""
    text = compact_json(value)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def pack(value: object) -> str:
    """A value as a block: what `DecompressionStream("deflate-raw")` and JSON make a value again."""
    squeezed = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = squeezed.compress(compact_json(value).encode()) + squeezed.flush()
    return base64.b64encode(data).decode()


def unpack(block: str) -> Any:
    """The value of a block."""
    return json.loads(zlib.decompress(base64.b64decode(block), -zlib.MAX_WBITS))


def left_out(sizes: Mapping[str, int], room: int) -> list[str]:
    """The names to leave out, largest first, so that the others together fit into so many bytes."""
    total = sum(sizes.values())
    dropped: list[str] = []
    for name in largest_first(sizes):
        if total <= room:
            break
        total -= sizes[name]
        dropped.append(name)
    return dropped


def largest_first(sizes: Mapping[str, int]) -> Iterable[str]:
    """Names by size, those of one size as they came."""
    return sorted(sizes, key=lambda name: -sizes[name])
