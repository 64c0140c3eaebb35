"""Growth: ten times the messages, for every strategy whose view is bounded, and in a tool loop."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.conversations import scenario, tool_loop
from benchmarks.measuring import Figure, median_seconds, peak_mebibytes
from benchmarks.replaying import prepared, replayed
from compaction_eval.strategies.loading import DEFAULT_STRATEGIES

UNBOUNDED = ("none", "evidence-only")
"""Their views grow with the conversation, whatever the budget."""
TRUNCATING = ("count-slice", "token-window", "block-truncation")
SMALL, LARGE = 10_000, 100_000


def figures() -> Iterator[Figure]:
    """Ratios of the time for 100,000 messages to the time for 10,000."""
    small, large = prepared(scenario(SMALL, 12)), prepared(scenario(LARGE, 12))
    for strategy in DEFAULT_STRATEGIES:
        if strategy in UNBOUNDED:
            continue
        few = median_seconds(lambda s=strategy: replayed(*small, s, "2000"))
        many = median_seconds(lambda s=strategy: replayed(*large, s, "2000"), runs=1)
        what = f"{strategy}: time for {LARGE:,} messages, times that for {SMALL:,}"
        yield Figure(what, many / few, "x", 12)
    short, long = prepared(tool_loop(SMALL)), prepared(tool_loop(LARGE))
    for strategy in TRUNCATING:
        few = median_seconds(lambda s=strategy: replayed(*short, s, "30%"))
        many = median_seconds(lambda s=strategy: replayed(*long, s, "30%"), runs=1)
        what = f"{strategy} at 30%, one long tool loop: {LARGE:,} to {SMALL:,} messages"
        yield Figure(what, many / few, "x", 12)
    yield Figure(f"peak memory with {LARGE:,} messages", peak_mebibytes(), "MiB", 1024)
