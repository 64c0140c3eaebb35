"""`check --run`: the probes that tell no strategies apart in a run, and why they stay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compaction_eval.commands.invocation import path_argument
from compaction_eval.commands.next_step import is_shipped
from compaction_eval.commands.run_folder import finished_run, gaps
from compaction_eval.commands.running import run_marks
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import one_line, printable
from compaction_eval.reports.unanimous import comparable, line, unanimous
from compaction_eval.scenarios.wording import listed_words
from compaction_eval.strategies.errors import ConfigurationError

if TYPE_CHECKING:
    from compaction_eval.eval.store import Run
    from compaction_eval.scenarios.records import Scenario


def tell_unanimous(given: str, scenarios: Sequence[Scenario], *, quiet: bool) -> int:
    """Print the unanimous probes: those without a reason to stay as warnings, the others after.

    Returns the number of warnings. Raises ConfigurationError where the folder holds no run.
    """
    _, run = finished_run(given)
    marks = run_marks(run.manifest)
    for text in gaps(run)[0]:
        click.echo(text, err=True)
    if not comparable(run, marks):
        click.echo(f"{one_line(given)}: with one strategy, no probe can tell any apart.", err=True)
        return 0
    measured = {cell.key.scenario for cell in run.cells}
    probes = {
        (scenario.id, probe.id): probe
        for scenario in scenarios
        if scenario.id in measured
        for probe in scenario.probes
    }
    if measured.isdisjoint(one.id for one in scenarios):
        raise ConfigurationError(
            f"{one_line(given)} has no figures for any of these scenarios; name the files of those"
            f" that it measured: {_listed(sorted(measured))}"
        )
    _tell_differences(given, run, scenarios)
    found = [
        (one, probes[one.scenario, one.probe])
        for one in unanimous(run, marks)
        if (one.scenario, one.probe) in probes
    ]
    unexplained = [pair for pair in found if not pair[1].kept]
    for one, probe in unexplained:
        click.echo(f"warning: {line(one, probe)}", err=True)
    if not quiet:
        for one, probe in found:
            if probe.kept:
                click.echo(line(one, probe))
        click.echo(
            f"No strategies told apart by {len(found):,} of {plural(len(probes), 'written probe')};"
            f" with a reason to stay: {len(found) - len(unexplained):,}."
        )
        if unexplained:
            click.echo("Ask at another place, or say in `kept` why such a probe stays.")
    return len(unexplained)


def check_arguments(folder: Path, run: Run) -> list[str]:
    """What `check` is to be called with to hear of the probes of one's own in a run."""
    return ["--run", path_argument(folder), *dict.fromkeys(own_scenarios(run).values())]


def own_scenarios(run: Run) -> dict[str, str]:
    """The files of the scenarios that were measured, are no transcripts and aren't shipped."""
    places = run.manifest.get("places", {})
    known = {one: places.get(one, {}) for one in sorted({cell.key.scenario for cell in run.cells})}
    files = {one: place.get("file", "") for one, place in known.items() if "format" not in place}
    return {one: file for one, file in files.items() if file and not is_shipped(one, file)}


def _tell_differences(given: str, run: Run, scenarios: Sequence[Scenario]) -> None:
    """Say which scenarios the run doesn't have, and which it had in another wording."""
    cells = {cell.key.scenario for cell in run.cells}
    measured = {
        one["id"]: one["digest"] for one in run.manifest.get("scenarios", ()) if one["id"] in cells
    }
    known = {one.id: one.digest for one in scenarios}
    absent = [one for one in known if one not in measured]
    changed = [one for one, digest in known.items() if measured.get(one, digest) != digest]
    where = one_line(given)
    if absent:
        click.echo(f"{where} has no figures for {_listed(absent)}", err=True)
    if changed:
        text = f"{_listed(changed)}: changed since {where} was measured"
        click.echo(text, err=True)


def _listed(names: Sequence[str]) -> str:
    return printable(listed_words(names, most=8))
