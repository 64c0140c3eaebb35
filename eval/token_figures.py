"""The token figures that are compared, each taken apart into what every scenario adds to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from compaction_eval.eval.evidence import CellEvidence, Totals

Unit = Literal["share", "tokens"]


@dataclass(frozen=True, slots=True)
class Tokens:
    """A sum over cells, or the ratio of two."""

    name: str
    unit: Unit
    part: Callable[[Totals], int]
    whole: Callable[[Totals], int] | None
    """What it is a share of, or a mean over; None for a sum."""
    headline: bool = False
    """Whether cells that stand apart are left out."""

    def by_scenario(self, cells: Sequence[CellEvidence]) -> dict[str, float]:
        """What each scenario adds to the figure; nothing where there is nothing to divide by."""
        parts: dict[str, float] = {}
        whole = 0
        for cell in cells:
            scenario = cell.key.scenario
            parts[scenario] = parts.get(scenario, 0) + self.part(cell.totals)
            whole += self.whole(cell.totals) if self.whole else 0
        if self.whole is None:
            return parts
        return {scenario: part / whole for scenario, part in parts.items()} if whole else {}


TOKENS = (
    Tokens(
        "retained_tokens",
        "tokens",
        lambda one: one.retained_tokens,
        lambda one: one.probed_requests,
        headline=True,
    ),
    Tokens("sent_tokens", "tokens", lambda one: one.sent_tokens, None),
    Tokens(
        "saved_net_share",
        "share",
        lambda one: one.full_tokens - one.sent_tokens - one.summary_tokens,
        lambda one: one.full_tokens,
    ),
)
