"""Facts told: how each ended, at which request it turned, and how it stands when asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from compaction_eval.eval.records import ProbeRecord, RequestRecord
from compaction_eval.reports.printable import cut, one_line
from compaction_eval.reports.standing import Standing, is_there, version_at
from compaction_eval.reports.states import FACTS, FactState, fact_words
from compaction_eval.reports.verdict_story import verdict_style

Plain = dict[str, Any]
_MOST = 15
"""Facts that an overview lists."""
_LONGEST_NAME = 60


def overview_lines(standing: Standing, probes: Sequence[ProbeRecord], width: int) -> Iterator[Text]:
    """How the facts stood at the last request of the main line, the lost ones by name.

    A value that the recorded agent used again is named only where it was missed when it was used.
    """
    yield _answers(probes)
    last = standing.before(len(standing.cell.requests))
    known = [(fact, standing.state(fact, last)) for fact in standing.facts] if last >= 0 else []
    counts = Counter(state for _, state in known if state is not None)
    if not counts:
        return
    line = Text(f"Facts at #{last}, the last request without a question: ")
    for number, state in enumerate(state for state in FACTS if counts[state]):
        line.append(", " if number else "").append(f"{counts[state]:,} ")
        line.append_text(fact_words(state))
    yield line
    missed = _missed(standing, probes)
    gone: list[tuple[Plain, FactState]] = [
        (fact, state)
        for fact, state in known
        if state in ("lost", "stale") and (fact["kind"] != "value" or fact["id"] in missed)
    ]
    gone.sort(key=lambda one: one[0]["id"] not in missed)
    names = [_name(fact, width // 4) for fact, _ in gone[:_MOST]]
    wide = max(map(cell_len, names), default=0)
    for (fact, state), name in zip(gone, names, strict=False):
        padding = " " * (wide - cell_len(name) + 2)
        line = Text.assemble("  ", fact_words(state), " " * (7 - len(state)), name, padding)
        turned = standing.turned_at(fact, last)
        if turned is not None:
            line.append(f"since #{turned} ({deed_words(standing.cell.requests[turned])})")
        asking = [name for name in missed.get(fact["id"], ()) if name != fact["name"]]
        if asking:
            line.append(f", asked by {', '.join(asking)}")
        yield line
    if len(gone) > _MOST:
        yield Text(f"  and {len(gone) - _MOST:,} more, told at the requests", "dim")


def _missed(standing: Standing, probes: Sequence[ProbeRecord]) -> dict[str, list[str]]:
    """The ids of facts that some view lacked when they were asked for, and which probes asked."""
    found: dict[str, list[str]] = {}
    for probe in probes:
        fact = standing.fact_of(probe.probe, probe.place, probe.at)
        if fact is None or probe.free or probe.verdict in ("correct", "not-asked"):
            continue
        names = found.setdefault(fact["id"], [])
        if fact["kind"] != "value" and one_line(probe.probe) not in names:
            names.append(one_line(probe.probe))
    return found


def _answers(probes: Sequence[ProbeRecord]) -> Text:
    counts = Counter(probe.verdict for probe in probes if not probe.free)
    line = Text("Answers that the views held: ")
    for number, (verdict, count) in enumerate(sorted(counts.items(), key=lambda one: -one[1])):
        line.append(", " if number else "").append(f"{count:,} ")
        line.append(verdict, verdict_style(verdict))
    return line if counts else Text("Nothing is asked.")


def story_line(standing: Standing, fact: Plain, until: int) -> Text:
    """The whole story of one fact: `port: ✓ in view #1–9, ✗ lost #10–46`."""
    line = Text(f"{_name(fact)}: ", "bold")
    found = standing.stretches(fact, until)
    for number, one in enumerate(found):
        line.append(", " if number else "")
        line.append_text(fact_words(one.state))
        line.append(f" #{one.first}" if one.first == one.last else f" #{one.first}–{one.last}")
    return line if found else line.append("in no request yet")


def turn_lines(
    standing: Standing, index: int, only: Collection[str] | None = None
) -> Iterator[Text]:
    """A line for each way in which facts turned at a request of the main line; of `only` these."""
    if standing.cell.requests[index].probe is not None:
        return
    previous = standing.before(index)
    turned: dict[FactState, list[str]] = {}
    for fact in standing.facts:
        state = standing.state(fact, index)
        if state is None or (only is not None and fact["id"] not in only):
            continue
        if state != _earlier(standing, fact, index, previous):
            turned.setdefault(state, []).append(_name(fact))
    for state in FACTS:
        if state in turned:
            yield Text.assemble(fact_words(state), f": {', '.join(turned[state])}")


def _earlier(standing: Standing, fact: Plain, index: int, previous: int) -> FactState:
    """The state before a request; where the value is new, it is taken to be in view."""
    requests = standing.cell.requests
    new = previous < 0 or version_at(fact, requests[previous]) is not version_at(
        fact, requests[index]
    )
    version = version_at(fact, requests[index]) or {}
    if new:
        return "taken-back" if "taken" in version else "in-view"
    return standing.state(fact, previous) or "in-view"


def asked_lines(standing: Standing, index: int, only: str | None = None) -> Iterator[Text]:
    """What is asked at a request, with the verdict and how the fact stands there; `only` a probe.

    Of values that the agent uses, only those that it couldn't see.
    """
    for probe in standing.cell.probes:
        if probe.request != index or probe.free or only not in (None, probe.probe):
            continue
        if standing.cell.requests[index].probe is None and probe.verdict == "correct":
            continue
        fact = standing.fact_of(probe.probe, probe.place, probe.at)
        state = None if fact is None else standing.state(fact, index)
        verdict = (probe.verdict, verdict_style(probe.verdict))
        line = Text.assemble(verdict, f" {one_line(probe.probe)}")
        if fact is not None and state is not None:
            # A reuse probe's name says less than its value.
            line.append(f" ({_name(fact)}): " if fact["kind"] == "value" else ": ")
            line.append_text(fact_words(state))
            turned = standing.turned_at(fact, index)
            if not is_there(state) and state != "taken-back" and turned is not None:
                line.append(f" since #{turned}" if turned != index else " at this request")
        yield line


def deed_words(request: RequestRecord) -> str:
    """What a request did: its action."""
    return one_line(request.action) if request.action != "none" else "no compaction"


def _name(fact: Plain, width: int = _LONGEST_NAME) -> str:
    """The name; of a longer one the beginning and the end, since paths differ there."""
    name = one_line(fact["name"])
    if cell_len(name) <= width:
        return name
    tail = name
    while cell_len(tail) > width * 2 // 3:
        tail = tail[1:]
    return cut(name, width - cell_len(tail)) + tail
