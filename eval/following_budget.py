"""Which strategies a run shows not to follow the budget: their views are the same at each."""

from __future__ import annotations

from collections.abc import Iterable

from compaction_eval.eval.records import CellRecord

Views = tuple[object, ...]


def budget_blind(cells: Iterable[CellRecord]) -> frozenset[str]:
    """The labels of strategies whose every conversation was sent alike at two budgets or more.

    Alike: the same stretches of messages and the same made-up messages at each request. Cells in
    error show nothing; a strategy measured at one budget only is in neither case shown.
    """
    first: dict[tuple[str, str, str, str, int], tuple[str, Views]] = {}
    compared: set[str] = set()
    differing: set[str] = set()
    for cell in cells:
        key = cell.key
        if cell.error is not None or not cell.requests:
            continue
        views = (*(one.view for one in cell.requests), cell.synthetic)
        same = (key.strategy, key.scenario, key.variant, key.summarizer, key.repeat)
        budget, earlier = first.setdefault(same, (key.budget, views))
        if budget != key.budget:
            compared.add(key.strategy)
            if earlier != views:
                differing.add(key.strategy)
    return frozenset(compared - differing)
