"""`baseline`: makes a finished run the one that later runs are compared with."""

from __future__ import annotations

from pathlib import Path

import click

from compaction_eval.commands.errors import INCOMPLETE, fail, reports_faults
from compaction_eval.strategies.paths import path_text

SUFFIX = ".jsonl"


@click.command()
@click.argument("run", metavar="RUN")
@click.option("-o", "--output", metavar="FILE", required=True, help="The baseline file, .jsonl.")
@reports_faults
def command(run: str, output: str) -> None:
    """Write a finished run's verdicts and figures to a file that is committed.

    RUN is a run folder. The file is text with a line for each verdict, the same bytes for the same
    figures; `gate` compares later runs with it.

    \b
    Exit codes: 0 good, 2 wrong input, 3 the run is incomplete, and nothing was written.
    """
    from compaction_eval.commands.invocation import command_line
    from compaction_eval.commands.run_folder import found_run, lacking
    from compaction_eval.eval.baseline import write_baseline
    from compaction_eval.eval.evidence import evidence_of
    from compaction_eval.reports.figures import plural
    from compaction_eval.strategies.errors import ConfigurationError

    path = Path(output)
    if not output.strip() or path.is_dir():
        raise ConfigurationError(f"{output}: is no name for a file")
    if path.suffix.lower() != SUFFIX:
        raise ConfigurationError(f"{path_text(path)}: a baseline is JSON Lines: name it {SUFFIX}")
    folder, found = found_run(run)
    evidence = evidence_of(found, str(folder))
    if evidence.incomplete:
        fail(
            [*lacking(found, evidence), f"{path_text(folder)} is incomplete, so no baseline"],
            INCOMPLETE,
        )
    write_baseline(path, evidence)
    verdicts = plural(sum(len(cell.outcomes) for cell in evidence.cells), "verdict")
    scenarios = plural(len({one.id for one in evidence.scenarios}), "scenario")
    check = command_line("gate", [run, "--baseline", output])
    click.echo(
        f"Written: {path_text(path)} ({verdicts} in {scenarios})."
        f" Commit it, and check runs: {check}"
    )
