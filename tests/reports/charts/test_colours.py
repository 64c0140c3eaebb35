"""Colours can be read and told apart, by colour-blind readers too."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from compaction_eval.reports.charts.theme import THEMES, Theme, contrast

# Simulations of full severity: G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A
# Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009).
VISIONS = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
APART = 15.0
"""Distance in CIELAB; some 2 are just noticed side by side."""


def seen(colour: str, vision: str) -> tuple[float, float, float]:
    """A colour in CIELAB, as it is seen."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    changed = [min(max(value, 0.0), 1.0) for value in times(VISIONS[vision], linear)]
    white = (0.9505, 1.0, 1.089)
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (a / b for a, b in zip(times(TO_XYZ, changed), white, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    """A matrix times a column."""
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("vision", VISIONS)
def test_no_two_strategies_look_alike_nor_like_a_control(theme: Theme, vision: str) -> None:
    for one, other in combinations((*theme.hues, theme.muted), 2):
        assert math.dist(seen(one, vision), seen(other, vision)) >= APART, (one, other)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_what_is_written_can_be_read(theme: Theme) -> None:
    for colour in (theme.ink, theme.muted, *theme.hues):
        assert contrast(colour, theme.background) >= 4.5, colour
    for shade in (*theme.ramp, *theme.hues, theme.bad, theme.grid):
        assert contrast(theme.ink_on(shade), shade) >= 4.5, shade


def test_contrast_is_the_ratio_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast("#123456", "#123456") == 1


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_figures_can_be_read_on_every_shade_of_a_heat_map(theme: Theme) -> None:
    ends = [[int(end[at : at + 2], 16) for at in (1, 3, 5)] for end in theme.ramp]
    for step in range(101):
        parts = [round(a + step / 100 * (b - a)) for a, b in zip(*ends, strict=True)]
        shade = "#" + "".join(f"{part:02x}" for part in parts)
        assert contrast(theme.ink_on(shade), shade) >= 4.5, shade
