"""What can be read by whom: contrast of text on its ground, in both themes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import compaction_eval.reports.page

STYLE = (Path(compaction_eval.reports.page.__file__).parent / "style.css").read_text("utf-8")
LEAST = 4.5
"""WCAG 2.2, success criterion 1.4.3 (AA), text of usual size."""
PAIRS = [
    *((ink, ground) for ink in ("ink", "muted", "link") for ground in ("paper", "raised")),
    *((state, ground) for state in ("view", "summary", "stale", "lost") for ground in ("paper",)),
    *((state, f"{state}-paper") for state in ("view", "summary", "stale", "lost")),
    *(("ink", f"{state}-paper") for state in ("view", "summary", "stale", "lost")),
    *(("muted", f"{state}-paper") for state in ("summary", "stale", "lost")),
    ("lost", "raised"),
]


def themes() -> list[dict[str, str]]:
    """The colours of each theme by name, light first; dark ones replace light ones."""
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    )
    return [light, light | dark]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_stands_out_from_its_ground(ink: str, ground: str) -> None:
    for theme in themes():
        dark, bright = sorted(luminance(theme[name]) for name in (ink, ground))
        assert (bright + 0.05) / (dark + 0.05) >= LEAST, theme


def test_the_formula_gives_what_the_standard_says_of_black_and_white() -> None:
    assert (luminance("#ffffff") + 0.05) / (luminance("#000000") + 0.05) == pytest.approx(21)
