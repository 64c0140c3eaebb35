"""Fonts for every script that names may be in, as far as this machine has them.

Looked for only where the drawing library's own font has no glyph: first the families that are made
for such scripts, then whatever is installed. The library's list of fonts is as old as its cache, so
folders are searched anew: a font that was just installed counts at once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.font_manager import FontEntry

LATIN = "DejaVu Sans"
"""Comes with the drawing library."""
_JAPANESE = ("Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans JP", "Yu Gothic", "IPAexGothic")
_WIDE = (
    "Noto Sans CJK SC",
    *_JAPANESE,
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "IPAGothic",
    "Droid Sans Fallback",
)
_EMOJI = ("Noto Emoji", "Symbola", "Noto Sans Symbols2", "Segoe UI Symbol", "Apple Symbols")
_UNDRAWABLE = ("color emoji", "last resort", "blank")
"""In the names of families of pictures, which the library can't draw, and of boxes."""
PACKAGES = ("manimgx_fonts", "manimgx_fonts_cjk")
"""Python packages that consist of Noto's fonts, where they are installed; the first is an extra."""
REGULAR = 400
CJK = "fonts-noto-cjk"


@lru_cache(maxsize=64)
def families(text: str) -> tuple[str, ...]:
    """The font families to try for each character of the text, in order."""
    return (LATIN, *_search(_uncovered(text, LATIN), kana=_has_kana(text))[0])


def missing_glyphs(texts: Iterable[str]) -> str:
    """The characters that no font here can draw, each once, in order; empty if there is none.

    Drawn they would be boxes.
    """
    text = "".join(texts)
    return "".join(_search(_uncovered(text, LATIN), kana=_has_kana(text))[1])


def debian_package(char: str) -> str:
    """The package of Debian that brings a font with a character, as far as one can tell."""
    name = unicodedata.name(char, "")
    if any(word in name for word in ("CJK", "KANA", "HANGUL", "IDEOGRAPHIC", "FULLWIDTH")):
        return CJK
    # Its fonts of symbols in colour can't be drawn.
    return "fonts-symbola" if unicodedata.category(char) in ("So", "Sk") else "fonts-noto-core"


def _uncovered(text: str, family: str) -> tuple[str, ...]:
    """The characters, each once, that have a glyph and that a family lacks."""
    wanted = dict.fromkeys(char for char in text if ord(char) >= 0x250 and _is_drawn(char))
    return tuple(char for char in wanted if ord(char) not in _glyphs(family)) if wanted else ()


def _is_drawn(char: str) -> bool:
    """Whether a character has a shape: controls, joiners and variation selectors have none."""
    return unicodedata.category(char)[0] != "C" and not "\ufe00" <= char <= "\ufe0f"


def _has_kana(text: str) -> bool:
    return any("\u3040" <= char <= "\u30ff" for char in text)


@lru_cache(maxsize=64)
def _search(wanted: tuple[str, ...], *, kana: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The families that have the characters between them, and the characters that none has.

    Chinese characters next to Japanese ones are drawn in their Japanese form.
    """
    chosen: list[str] = []
    rest = list(wanted)
    for name in _installed(kana=kana) if wanted else ():
        known = _glyphs(name)
        left = [char for char in rest if ord(char) not in known]
        if len(left) < len(rest):
            chosen.append(name)
            rest = left
        if not rest:
            break
    return tuple(chosen), tuple(rest)


def _installed(*, kana: bool) -> list[str]:
    """The families on this machine that can be drawn, the fittest first."""
    best: dict[str, int] = {}
    for font in font_list():
        if not any(word in font.name.lower() for word in _UNDRAWABLE):
            best[font.name] = min(_off(font), best.get(font.name, 1000))
    preferred = dict.fromkeys((*(_JAPANESE if kana else ()), *_WIDE, *_EMOJI))
    ranks = {name: rank for rank, name in enumerate(preferred)}

    def fitness(name: str) -> tuple[bool, int, bool, bool, str]:
        low = name.lower()
        # Hairlines can't be read, but better than boxes.
        return best[name] > 200, ranks.get(name, len(ranks)), "serif" in low, "mono" in low, name

    return sorted((name for name in best if name != LATIN), key=fitness)


def _off(font: FontEntry) -> int:
    """How far a font is from the weight that is read best."""
    return abs(int(font.weight) - REGULAR) if str(font.weight).isdigit() else 0


def font_list() -> list[FontEntry]:
    """All fonts that the drawing library can be given, those that its cache lacks included."""
    from matplotlib import font_manager

    manager = font_manager.fontManager
    known = {font.fname for font in manager.ttflist}
    for path in sorted({*font_manager.findSystemFonts(), *_packaged()} - known):
        try:
            manager.addfont(path)
        except (OSError, RuntimeError, ValueError):
            continue  # Not a font that it can read, so it's none here.
    return list(manager.ttflist)


def _packaged() -> list[str]:
    specs = [spec for name in PACKAGES if (spec := find_spec(name)) is not None]
    folders = [Path(place) for spec in specs for place in spec.submodule_search_locations or ()]
    return [str(path) for folder in folders for path in sorted(folder.glob("*.[ot]t[fc]"))]


@lru_cache(maxsize=64)
def _glyphs(family: str) -> frozenset[int]:
    """The code points that a family has glyphs for."""
    from matplotlib import font_manager

    fonts = [font for font in font_list() if font.name == family]
    known: set[int] = set()
    for font in sorted(fonts, key=lambda font: (_off(font), font.fname))[:1]:
        known.update(font_manager.get_font(font.fname).get_charmap())
    return frozenset(known)
