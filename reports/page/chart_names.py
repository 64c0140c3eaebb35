"""The charts' names with their colours and shapes, for windows that are narrower than a chart."""

from __future__ import annotations

from dataclasses import dataclass

from compaction_eval.reports.charts.chart import Material
from compaction_eval.reports.charts.naming import looks_of
from compaction_eval.reports.charts.theme import MARKERS, THEMES
from compaction_eval.reports.page.text import shown

_SIGNS = dict(zip(MARKERS, "●■▲◆▼✚✖⬟", strict=True))


@dataclass(frozen=True, slots=True)
class ChartName:
    """A strategy as the charts draw it; colours as `#rrggbb`."""

    name: str
    sign: str
    light: str
    dark: str


def chart_names(material: Material) -> list[ChartName]:
    """Every strategy of a run, in the charts' order."""
    light, dark = THEMES["light"], THEMES["dark"]
    return [
        ChartName(shown(name), _SIGNS[look.marker], look.colour(light), look.colour(dark))
        for name, look in looks_of(material).items()
    ]
