"""The one conversation that a command is about: found by selector or in transcripts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

if TYPE_CHECKING:
    from compaction_eval.scenarios.records import Scenario

_NUMBERED = re.compile(r"(.+)-(\d{1,4})")


def of_transcripts(files: Sequence[Path], format_name: str, id: str | None) -> list[Scenario]:
    """The conversations of some transcripts, or the one of an id.

    A run numbers one whose id another scenario of that run has; it is found by that id too.
    """
    from compaction_eval.scenarios.importers.in_memory import read_transcripts

    def read(taken: Sequence[str] = ()) -> list[Scenario]:
        told = read_transcripts(files, format_name, taken)
        return [scenario for one in told for scenario in one.scenarios]

    every = read()
    if id is None:
        return every
    known = [scenario.id for scenario in every]
    numbered = _NUMBERED.fullmatch(id)
    if id not in known and numbered is not None and numbered[1] in known:
        before = range(2, int(numbered[2]))
        every = read([numbered[1], *(f"{numbered[1]}-{number}" for number in before)])
    found = [scenario for scenario in every if scenario.id == id]
    if not found:
        hint = did_you_mean(id, known) or f"; there are {_some(known)}"
        raise ConfigurationError(f"the transcript holds no conversation '{id}'{hint}")
    return found


def chosen(found: Sequence[Scenario], selector: str, variant: str | None) -> Scenario:
    """The one scenario that is meant. Raises ConfigurationError where that isn't clear."""
    ids = list(dict.fromkeys(one.id for one in found))
    if len(ids) > 1:
        raise ConfigurationError(f"'{selector}' are {len(ids)} scenarios; name one of {_some(ids)}")
    variants = [one.variant for one in found]
    if variant is None:
        if len(found) > 1:
            click.echo(f"Variant {variants[0]}; --variant takes {_some(variants)}", err=True)
        return found[0]
    if variant not in variants:
        known = f"; there are {_some(variants)}" if any(variants) else "; it has none"
        hint = did_you_mean(variant, variants) or known
        raise ConfigurationError(f"'{ids[0]}' has no variant '{variant}'{hint}")
    return found[variants.index(variant)]


def check_probe(scenario: Scenario, probe: str | None) -> None:
    """Raise ConfigurationError where the scenario has no such probe."""
    known = [*(one.id for one in scenario.probes), *(one.id for one in scenario.reuse)]
    if probe is not None and probe not in known:
        hint = did_you_mean(probe, known) or f"; there are {_some(known)}"
        raise ConfigurationError(f"'{scenario.key}' has no probe '{probe}'{hint}")


def _some(names: Sequence[str]) -> str:
    from compaction_eval.scenarios.wording import listed_words

    return listed_words(names, most=20)
