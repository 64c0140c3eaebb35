"""What a recording tells of its own cost: compactions done by its tool, tokens that were paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compaction_eval.scenarios.records import RecordedCompaction


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them, over some requests; the kinds are disjoint."""

    requests: int = 0
    uncached: int = 0
    cache_read: int = 0
    cache_written: int = 0
    output: int = 0

    @property
    def sent(self) -> int:
        """All input tokens."""
        return self.uncached + self.cache_read + self.cache_written

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.uncached + other.uncached,
            self.cache_read + other.cache_read,
            self.cache_written + other.cache_written,
            self.output + other.output,
        )

    @classmethod
    def read(cls, usage: object, keys: tuple[str, str, str, str]) -> Usage:
        """One request's usage, under the keys for uncached, read, written and output tokens."""
        found: Mapping[str, Any] = usage if isinstance(usage, Mapping) else {}
        return cls(1, *(_count(found.get(key)) or 0 for key in keys))


def count_or_none(value: object) -> int | None:
    """A number of tokens, where a value is one."""
    return _count(value)


def describe(compactions: Sequence[RecordedCompaction], usage: Usage) -> str:
    """Sentences for a scenario's description; empty where nothing is recorded."""
    lines = [_compaction(each) for each in compactions]
    if usage.sent:
        lines.append(
            f"Recorded usage: {_counted(usage.requests, 'request')}, {usage.sent} input tokens "
            f"({usage.cache_read} read from the cache, {usage.cache_written} written to it), "
            f"{usage.output} output tokens."
        )
    return " ".join(lines)


def _compaction(compaction: RecordedCompaction) -> str:
    trigger = f" ({compaction.trigger})" if compaction.trigger else ""
    line = f"Compacted by its own tool{trigger} after {_counted(compaction.at, 'message')}"
    if compaction.kept_from < compaction.at:
        line += f", of which the last {compaction.at - compaction.kept_from} stayed"
    if compaction.tokens_before is not None:
        line += f", at {compaction.tokens_before} tokens"
    if compaction.tokens_after is not None:
        line += f"; the next request had {compaction.tokens_after}"
        line += f", {compaction.cached_after} of them from the cache"
    return f"{line}."


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
