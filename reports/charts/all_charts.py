"""Every chart that a run has something to show in."""

from __future__ import annotations

from compaction_eval.reports.charts.ages import ages_charts
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.context_size import context_charts
from compaction_eval.reports.charts.kinds import kinds_charts
from compaction_eval.reports.charts.position_length import position_length_charts
from compaction_eval.reports.charts.sweep import sweep_charts
from compaction_eval.reports.charts.token_flow import token_flow_charts
from compaction_eval.reports.charts.tradeoff import tradeoff_charts
from compaction_eval.reports.columns import merged


def charts_of(material: Material) -> list[Chart]:
    """The charts, the most telling first; what the run has nothing for isn't among them."""
    if not merged(material.rows):
        return []
    return [
        *tradeoff_charts(material),
        *sweep_charts(material),
        *ages_charts(material),
        *kinds_charts(material),
        *token_flow_charts(material),
        *context_charts(material),
        *position_length_charts(material),
    ]
