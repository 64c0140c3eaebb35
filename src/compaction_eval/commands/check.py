"""`check`: validates scenarios and configuration, and asks whether scenarios measure anything."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compaction_eval.commands.errors import WRONG_INPUT, fail, reports_faults

if TYPE_CHECKING:
    from compaction_eval.scenarios.errors import Fault
    from compaction_eval.scenarios.records import Scenario


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--strict", is_flag=True, help="Take warnings as faults.")
@click.option("--no-replay", is_flag=True, help="Leave out the controls and the lengths.")
@click.option(
    "--spread", is_flag=True, help="Print what the scenarios cover; without PATH it always is."
)
@click.option(
    "-o",
    "--output",
    metavar="FILE.md",
    type=click.Path(path_type=Path),
    help="Write the list of the scenarios and what they cover there.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print faults only.")
@click.option(
    "--run",
    metavar="RUN",
    help="Also list the probes that tell no strategies apart in this finished run.",
)
@reports_faults
def command(
    paths: tuple[str, ...],
    strict: bool,
    no_replay: bool,
    spread: bool,
    output: Path | None,
    quiet: bool,
    run: str | None,
) -> None:
    """Validate scenario files, folders of them, and configuration files.

    Without PATH: the configuration of this folder and what it names, or else the whole shipped
    library. Each fault takes one line; any makes exit code 2.

    Of sound scenarios the controls are asked: the full history must answer every probe, the
    question alone none, the evidence alone all. Warnings tell of scenarios in which nothing is
    compacted, of two with the same wording, and of calls whose arguments are no JSON object.
    """
    from compaction_eval.commands.examining import check_page, examined, write_page
    from compaction_eval.strategies.errors import ConfigurationError
    from compaction_eval.strategies.tokens import TokenCounter

    if output is not None:
        check_page(output)
    scenarios, configurations = _read(paths)
    tabled = spread or (not paths and not quiet)
    counter = TokenCounter() if tabled or output is not None else None
    found = examined(scenarios, counter, replay=not no_replay)
    faults = found.faults + found.warnings * strict
    if faults:
        raise ConfigurationError("\n".join(dict.fromkeys(map(str, faults))))
    if counter is not None and found.spread is not None:
        if output is not None:
            write_page(output, scenarios, found.spread, counter)
        if tabled:
            from compaction_eval.reports.spread import print_spread
            from compaction_eval.reports.table import console

            print_spread(found.spread, console(sys.stdout))
            click.echo()
    if not quiet:
        _tell(scenarios, configurations, found.warnings)
    if run is not None:
        from compaction_eval.commands.unanimity import tell_unanimous

        if tell_unanimous(run, scenarios, quiet=quiet) and strict:
            fail([], WRONG_INPUT)


def _read(paths: Sequence[str]) -> tuple[list[Scenario], int]:
    """The scenarios that are meant, and how many configuration files were read for them.

    Raises ConfigurationError with the faults of all files.
    """
    from compaction_eval.commands.configuration import find_configuration, is_configuration
    from compaction_eval.commands.planning import Planner
    from compaction_eval.scenarios.library import library_folder, select
    from compaction_eval.strategies.errors import ConfigurationError

    here = Path.cwd()
    library = str(library_folder())
    settings = [path for path in paths if is_configuration(Path(path))]
    others = [path for path in paths if path not in settings]
    scenarios: list[Scenario] = []
    faults: list[str] = []
    checked: list[Path] = []
    files: list[Path | None] = [Path(path) for path in settings]
    for named in files or ([] if paths else [None]):
        try:
            configuration = find_configuration(named, here)
            if not configuration.values and not paths:
                others.append(library)
                continue
            names_some = paths or "scenario" in configuration.values
            options = {} if names_some else {"scenario": [library]}
            scenarios += Planner(options, configuration, here).plan(None).matrix.scenarios
        except ConfigurationError as error:
            faults += str(error).splitlines()
        else:
            checked += [configuration.file] if configuration.file else []
    if others:
        try:
            scenarios += select(others)
        except ConfigurationError as error:
            faults += str(error).splitlines()
    if faults:
        raise ConfigurationError("\n".join(dict.fromkeys(faults)))
    # A file may be named by a configuration and by its path.
    return list({(one.file, one.variant): one for one in scenarios}.values()), len(checked)


def _tell(scenarios: Sequence[Scenario], configurations: int, warnings: Sequence[Fault]) -> None:
    from compaction_eval.reports.figures import plural
    from compaction_eval.reports.printable import printable

    for warning in warnings:
        click.echo(printable(f"{warning.place}: warning: {warning.message}"), err=True)
    counts = [
        *([plural(configurations, "configuration file")] if configurations else []),
        plural(len({one.file for one in scenarios}), "scenario"),
        plural(len(scenarios), "variant"),
        plural(sum(len(one.messages) for one in scenarios), "message"),
        plural(sum(len(one.probes) + len(one.reuse) for one in scenarios), "probe"),
    ]
    also = f", {plural(len(warnings), 'warning')}" if warnings else ""
    click.echo(f"No faults{also}: {', '.join(counts)}")
