"""What became, in a recorded session, of the values that were known before its own tool compacted.

The agent went on and used some of them. One that was neither in the tool's view after the
compaction nor said again is *lost*: whatever the agent knew it from then, it wasn't the view. One
that was said again first is *regained*: it cost a call, or the user's patience.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from compaction_eval.eval.records import CellRecord, ProbeRecord
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.records import RecordedCompaction, ReuseProbe, Scenario
from compaction_eval.strategies.cutting import leading
from compaction_eval.strategies.mentions import mentions, normalise

Fate = Literal["kept", "regained", "lost"]


@dataclass(frozen=True, slots=True)
class Carried:
    """A value said before a compaction, at its first use after it."""

    probe: ReuseProbe
    compaction: int
    """Index of the newest compaction before the use."""
    said: int
    """Position of the newest message before that compaction that says it."""
    fate: Fate
    again: int | None = None
    """Of a regained one: position of the first message that says it again."""
    age_tokens: int | None = None
    """Tokens between the newest message that says it and the use."""


@dataclass(frozen=True, slots=True)
class OwnTool:
    """What a session's own tool did to the values that its agent used later."""

    scenario: Scenario
    carried: tuple[Carried, ...]
    """By use; each value once for each compaction."""

    def of(self, fate: Fate) -> list[Carried]:
        """Those that fared so."""
        return [one for one in self.carried if one.fate == fate]


def own_tool(scenario: Scenario, cell: CellRecord) -> OwnTool:
    """What the recorded compactions of a scenario did, by the cell that replayed them."""
    return OwnTool(scenario, tuple(_carried(scenario, cell)))


def _carried(scenario: Scenario, cell: CellRecord) -> Iterator[Carried]:
    corpus = Corpus(scenario.messages)
    front = leading(scenario.messages)
    verdicts = {one.probe: one for one in cell.probes if one.kind == "reuse"}
    seen: set[tuple[str, int]] = set()
    summaries = [normalise(one.summary) for one in scenario.recorded]
    for probe in scenario.reuse:
        index = _newest(scenario.recorded, probe.request)
        verdict = verdicts.get(probe.id)
        if index is None or verdict is None or probe.free or probe.chance:
            continue
        value = normalise(probe.value)
        compaction = scenario.recorded[index]
        said = corpus.newest(value, compaction.at)
        if said is None or (value, index) in seen:
            continue
        seen.add((value, index))
        holders = corpus.holders(value)
        stayed = said >= compaction.kept_from or (bool(holders) and holders[0] < front)
        kept = stayed or mentions(summaries[index], value)
        yield _fared(probe, verdict, index, said, holders, kept=kept, since=compaction.at)


def _newest(compactions: Sequence[RecordedCompaction], request: int) -> int | None:
    """Index of the newest compaction before a request."""
    done = [index for index, one in enumerate(compactions) if one.at <= request]
    return done[-1] if done else None


def _fared(
    probe: ReuseProbe,
    verdict: ProbeRecord,
    index: int,
    said: int,
    holders: Sequence[int],
    *,
    kept: bool,
    since: int,
) -> Carried:
    if kept:
        return Carried(probe, index, said, "kept", age_tokens=verdict.age_tokens)
    after = bisect_left(holders, since)
    again = holders[after] if after < len(holders) else probe.request
    if again < probe.request:
        return Carried(probe, index, said, "regained", again, verdict.age_tokens)
    return Carried(probe, index, said, "lost", age_tokens=verdict.age_tokens)
