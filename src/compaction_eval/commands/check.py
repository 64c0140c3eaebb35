"""`check`: validates scenarios and configuration; nothing is run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compaction_eval.commands.errors import reports_faults

if TYPE_CHECKING:
    from compaction_eval.scenarios.records import Scenario


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("-q", "--quiet", is_flag=True, help="Print faults only.")
@click.option(
    "--run",
    metavar="RUN",
    help="Also list the probes that tell no strategies apart in this finished run.",
)
@reports_faults
def command(paths: tuple[str, ...], quiet: bool, run: str | None) -> None:
    """Validate scenario files, folders of them, and configuration files; run nothing.

    Without PATH: the configuration of this folder and what it names, or else the shipped library.
    Each fault takes one line; any makes exit code 2.
    """
    from compaction_eval.commands.configuration import find_configuration, is_configuration
    from compaction_eval.commands.planning import Planner
    from compaction_eval.reports.figures import plural
    from compaction_eval.scenarios.library import select
    from compaction_eval.strategies.errors import ConfigurationError

    here = Path.cwd()
    settings = [path for path in paths if is_configuration(Path(path))]
    scenarios: list[Scenario] = []
    faults: list[str] = []
    checked: list[Path] = []
    files: list[Path | None] = [Path(p) for p in settings]
    for named in files or ([] if paths else [None]):
        try:
            configuration = find_configuration(named, here)
            plan = Planner({}, configuration, here).plan(None)
        except ConfigurationError as error:
            faults += str(error).splitlines()
        else:
            scenarios += plan.matrix.scenarios
            checked += [configuration.file] if configuration.file else []
    others = [p for p in paths if p not in settings]
    if others:
        try:
            scenarios += select(others)
        except ConfigurationError as error:
            faults += str(error).splitlines()
    if faults:
        raise ConfigurationError("\n".join(dict.fromkeys(faults)))
    if not quiet:
        counts = [plural(len(checked), "configuration file")] if checked else []
        click.echo(f"No faults: {', '.join([*counts, *_counts(scenarios)])}")
    if run is not None:
        from compaction_eval.commands.unanimity import tell_unanimous

        tell_unanimous(run, scenarios, quiet=quiet)


def _counts(scenarios: Sequence[Scenario]) -> list[str]:
    from compaction_eval.reports.figures import plural

    return [
        plural(len({one.file for one in scenarios}), "scenario"),
        plural(len(scenarios), "variant"),
        plural(sum(len(one.messages) for one in scenarios), "message"),
        plural(sum(len(one.probes) + len(one.reuse) for one in scenarios), "probe"),
    ]
