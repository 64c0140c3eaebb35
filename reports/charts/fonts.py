"""Fonts for every script that names may be in, as far as this machine has them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

LATIN = "DejaVu Sans"
"""Comes with the drawing library."""
_WIDE = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "Yu Gothic",
    "IPAexGothic",
    "IPAGothic",
    "Droid Sans Fallback",
)
_EMOJI = ("Noto Emoji", "Symbola", "Segoe UI Symbol", "Apple Symbols")


@lru_cache(maxsize=1)
def families() -> tuple[str, ...]:
    """The font families to try for each character, in order; those that are installed."""
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return (LATIN, *(name for name in (*_WIDE, *_EMOJI) if name in installed))


def missing_glyphs(texts: Iterable[str]) -> str:
    """The characters that no installed font can draw, each once, in order; empty if there is none.

    Drawn they would be boxes.
    """
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    wanted = dict.fromkeys(
        char for text in texts for char in text if not unicodedata.category(char).startswith("C")
    )
    if all(ord(char) < 0x250 for char in wanted):
        return ""
    known: set[int] = set()
    for name in families():
        path = font_manager.findfont(name, fallback_to_default=False)
        known |= FT2Font(path).get_charmap().keys()
    return "".join(char for char in wanted if ord(char) not in known)
