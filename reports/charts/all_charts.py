"""Every chart that a run has something to show in."""

from __future__ import annotations

from compaction_eval.reports.charts.ages import ages_chart
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.context_size import context_chart
from compaction_eval.reports.charts.kinds import kinds_chart
from compaction_eval.reports.charts.money import money_chart
from compaction_eval.reports.charts.position_length import position_length_chart
from compaction_eval.reports.charts.sweep import sweep_chart
from compaction_eval.reports.charts.token_flow import token_flow_chart
from compaction_eval.reports.charts.tradeoff import tradeoff_charts


def charts_of(material: Material) -> list[Chart]:
    """The charts, the most telling first."""
    others = (
        sweep_chart(material),
        ages_chart(material),
        kinds_chart(material),
        token_flow_chart(material),
        money_chart(material),
        context_chart(material),
        position_length_chart(material),
    )
    return [*tradeoff_charts(material), *(chart for chart in others if chart is not None)]
