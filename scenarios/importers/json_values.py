"""JSON values of unknown shape, taken for what a reader hopes they are; empty where they aren't."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def text_or_empty(value: object) -> str:
    """A value if it is a text."""
    return value if isinstance(value, str) else ""


def said_text(value: object) -> str:
    """A value if it is a text with something in it."""
    return value if isinstance(value, str) and value.strip() else ""


def mapping_or_empty(value: object) -> Mapping[str, Any]:
    """A value if it is an object."""
    return value if isinstance(value, Mapping) else {}


def listed(value: object) -> Sequence[Any]:
    """A value if it is a list."""
    return value if isinstance(value, list | tuple) else ()
