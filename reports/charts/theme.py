"""Colours and fonts: light and dark, told apart by colour-blind readers too, and in grey by shape.

Any two of the hues, and each and the grey of the controls, differ for people with normal colour
vision, with deuteranopia and with protanopia, and names written in them can be read on the
background. A test holds them to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ThemeName = Literal["light", "dark"]
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")


@dataclass(frozen=True, slots=True)
class Theme:
    """What things are drawn in; colours as `#rrggbb`."""

    name: ThemeName
    background: str
    ink: str
    muted: str
    """Controls, notes, the full history."""
    grid: str
    hues: tuple[str, ...]
    good: str
    bad: str
    ramp: tuple[str, str]
    """From nothing to everything, for heat maps."""

    def ink_on(self, shade: str) -> str:
        """Of black and white the one that is easier to read on a shade (`#rrggbb`).

        One of them always has a contrast of 4.58 at least; of softer colours neither might.
        """
        return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, shade))


def contrast(one: str, other: str) -> float:
    """How far two colours (`#rrggbb`) are apart in lightness, 1 to 21.

    The contrast ratio of the Web Content Accessibility Guidelines 2.1 (W3C 2018).
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        name="light",
        background="#ffffff",
        ink="#1b1f24",
        muted="#6b7280",
        grid="#e3e6ea",
        hues=(
            "#1273e3",
            "#bf5600",
            "#5d7f4e",
            "#631f68",
            "#723600",
            "#257bb9",
            "#242eba",
            "#613939",
        ),
        good="#0072b2",
        bad="#bf5600",
        ramp=("#f4f6f8", "#0a5c94"),
    ),
    "dark": Theme(
        name="dark",
        background="#14171c",
        ink="#eef1f4",
        muted="#9aa3ad",
        grid="#2c323a",
        hues=(
            "#128cb0",
            "#ec9303",
            "#23e3ab",
            "#d2b6ed",
            "#e2c06a",
            "#0dabfd",
            "#3f82ff",
            "#8c895d",
        ),
        good="#56b4e9",
        bad="#f0884a",
        ramp=("#20252c", "#5cc0f5"),
    ),
}


@dataclass(frozen=True, slots=True)
class Look:
    """How one strategy is drawn, the same in all charts of a run."""

    hue: int
    """Index into a theme's hues; -1 for a control, which is drawn muted."""
    marker: str
    line: str

    def colour(self, theme: Theme) -> str:
        """The colour under a theme."""
        return theme.muted if self.hue < 0 else theme.hues[self.hue]


def looks(strategies: dict[str, bool]) -> dict[str, Look]:
    """A look for each name, in order; the values say whether it is a control.

    After eight strategies the hues come again with dashed lines.
    """
    found: dict[str, Look] = {}
    contenders = controls = 0
    for name, is_control in strategies.items():
        if is_control:
            found[name] = Look(-1, MARKERS[controls % len(MARKERS)], ":")
            controls += 1
        else:
            turn, place = divmod(contenders, len(MARKERS))
            found[name] = Look(place, MARKERS[place], ("-", "--", "-.")[turn % 3])
            contenders += 1
    return found
