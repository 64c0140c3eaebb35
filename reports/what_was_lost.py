"""What a lost verdict was about, in the scenario's words: the question, and its answer by then."""

from __future__ import annotations

from compaction_eval.scenarios.records import Probe, ReuseProbe, Scenario
from compaction_eval.scenarios.timeline import standing

LONGEST = 200
"""Characters of a question or an answer that are told."""
_FORMS = 3


def what_was_asked(scenario: Scenario, probe: str, at: int) -> str:
    """`Which port does it use now? (8443)`, or `GX-4484, used by Bash`; empty for no such probe.

    `at`: messages said before it was asked.
    """
    for one in scenario.probes:
        if one.id == probe:
            return f"{_short(one.ask)}{_answer(scenario, one, at)}"
    for reused in scenario.reuse:
        if reused.id == probe:
            return _use(reused)
    return ""


def _answer(scenario: Scenario, probe: Probe, at: int) -> str:
    stands = None if probe.fact is None else standing(scenario.statements, probe.fact, at)
    forms = probe.accept or (stands.current if stands is not None else ())
    if not forms:
        return " (no value holds there)"
    told = f" {'and' if probe.match in ('all_of', 'set') else 'or'} ".join(forms[:_FORMS])
    return f" ({_short(told)})"


def _use(probe: ReuseProbe) -> str:
    by = f"used by {probe.tool}" if probe.tool else "used in words"
    return f"{_short(probe.value)}, {by}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
