"""What `check` finds in scenarios that are well-formed, and the table of what they cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from compaction_eval.eval.writing import replace_file
from compaction_eval.reports.figures import share
from compaction_eval.scenarios.call_arguments import no_objects
from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.library import ON_DEMAND
from compaction_eval.scenarios.records import Scenario
from compaction_eval.scenarios.spread import Spread, spread
from compaction_eval.scenarios.wording_overlap import overlaps
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.loading import load_summarizer
from compaction_eval.strategies.paths import path_text
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.tokens import TokenCounter

JUDGED_OTHERWISE = "edge"
"""Tag of scenarios that are about code, not memory: many may be variations on one conversation."""


@dataclass(slots=True)
class Examined:
    """What was found, in the scenarios' order."""

    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    spread: Spread | None = None


def examined(
    scenarios: Sequence[Scenario], counter: TokenCounter | None, *, replay: bool
) -> Examined:
    """Everything that is to be found in scenarios.

    With a `counter` also what they cover. `replay`: whether the controls are asked and the sizes
    looked at. Scenarios on demand have no part in that: they may be too long for it, or broken on
    purpose.
    """
    found = Examined()
    if counter is not None:
        found.spread = spread(scenarios, counter)
    if replay:
        from compaction_eval.eval.controls import examine

        usual = [one for one in scenarios if ON_DEMAND.isdisjoint(one.tags)]
        findings = examine(usual, counter)
        found.faults, found.warnings = findings.faults, findings.warnings
    found.faults += dict.fromkeys(fault for one in scenarios for fault in _summarizer_faults(one))
    found.warnings += dict.fromkeys(fault for one in scenarios for fault in no_objects(one))
    compared = [one for one in scenarios if JUDGED_OTHERWISE not in one.tags]
    for pair in overlaps(compared):
        message = (
            f"{share(pair.share)} of the wording of '{pair.one.id}' and '{pair.other.id}' is the "
            "same, so they count one conversation twice; reword one of them"
        )
        found.warnings.append(Fault(pair.place, message))
    return found


def _summarizer_faults(scenario: Scenario) -> Iterator[Fault]:
    """Why `stress` couldn't load a scenario's summariser, which may be code of one's own."""
    if scenario.stress is None:
        return
    try:
        folder = Path(scenario.stress.place.file).parent
        load_summarizer(parse_spec(scenario.stress.summarizer), folder)
    except ConfigurationError as error:
        for line in str(error).splitlines():
            yield Fault(scenario.stress.place, line)


def check_page(path: Path) -> None:
    """Raise ConfigurationError where the page of a library can't be written."""
    if path.suffix.lower() != ".md":
        raise ConfigurationError(f"-o {path_text(path)}: what scenarios cover is written as .md")
    if path.is_dir():
        raise ConfigurationError(f"-o {path_text(path)}: is a folder; name a file")


def write_page(
    path: Path, scenarios: Sequence[Scenario], found: Spread, counter: TokenCounter
) -> None:
    """Write the scenarios and what they cover in Markdown. Raises ConfigurationError."""
    from compaction_eval.reports.library_page import library_page

    usual = [one for one in scenarios if ON_DEMAND.isdisjoint(one.tags)]
    text = library_page(usual, found, counter)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode("utf-8", errors="backslashreplace"))
    except OSError as error:
        raise ConfigurationError(
            f"-o {path_text(path)}: can't be written: {error.strerror}"
        ) from error
