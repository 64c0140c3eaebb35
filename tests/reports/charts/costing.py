"""What a small run costs by prices that nobody asks for."""

from __future__ import annotations

from tests.eval.cost.conversation import prices

from compaction_eval.eval.cost.caches import Cache, PrefixCache
from compaction_eval.eval.cost.figures import Costs, costs_of
from compaction_eval.eval.cost.ledger import Clock
from compaction_eval.eval.store import Run
from compaction_eval.reports.charts.chart import Material


def costs_by_hand(material: Material, cache: Cache | None = None) -> Costs:
    """The costs of a run's rows; by default with a cache of what requests have in common."""
    run = Run(material.manifest, tuple(material.cells))
    return costs_of(run, prices(write="2", output="16"), cache or PrefixCache(), Clock())
