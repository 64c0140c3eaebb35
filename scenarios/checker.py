"""Probes that can't work: refused before anything is replayed.

A probe measures nothing when its answer can't be known, when it is known without remembering, or
when old and new can't be told apart. Each is a fault with its place and a way out.
"""

from __future__ import annotations

from collections.abc import Iterator

from compaction_eval.scenarios.asked import Asked
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.forms import accepted_forms, text_forms
from compaction_eval.scenarios.patterns import SlowPatternError
from compaction_eval.scenarios.records import Scenario
from compaction_eval.scenarios.said import Said


def check(scenario: Scenario, corpus: Corpus | None = None) -> list[Fault]:
    """Every probe of one variant that can't work, and filler that gives an answer away.

    `corpus` is the search over the scenario's messages, where the caller has it already.
    """
    said = Said(scenario, corpus or Corpus(scenario.messages))
    found = [*_in_filler(said)]
    for probe in scenario.probes:
        for name, place in probe.at:
            try:
                found += Asked.of(said, probe, name, place).faults()
            except SlowPatternError as error:
                found.append(Fault(probe.place, f"probe '{probe.id}': {error}"))
    return list(dict.fromkeys(found))


def _in_filler(said: Said) -> Iterator[Fault]:
    """Generated messages that happen to hold something that is asked for."""
    scenario = said.scenario
    if not scenario.filler:
        return
    for probe in scenario.probes:
        values = [v for one in scenario.statements if one.fact == probe.fact for v in one.forms]
        forms = (*text_forms(values), *accepted_forms(probe.accept, probe.match))
        for form in dict.fromkeys(forms):
            for at in said.positions(form):
                if any(start <= at < stop for start, stop in scenario.filler):
                    variant = f" of {scenario.variant}" if scenario.variant else ""
                    yield Fault(
                        scenario.places[at],
                        f"the filler{variant} happens to hold '{form.text}', which probe "
                        f"'{probe.id}' is about; choose another seed",
                    )
                    break
