"""`gate`: fails where a run forgets more, or pays more, than its baseline or a bound allows."""

from __future__ import annotations

from pathlib import Path

import click

from compaction_eval.commands.errors import reports_faults
from compaction_eval.commands.option_groups import together

_BOUNDS = {
    "fail-under": ("METRIC=VALUE", "Fail below it, as survival[kind=constraint]=0.95; repeatable."),
    "fail-over": ("METRIC=VALUE", "Fail above it, as invalid_requests=0; repeatable."),
    "fail-on-drop": (
        "METRIC=2pp|5%",
        "Fail where it fell by more since the baseline; repeatable.",
    ),
    "fail-on-rise": (
        "METRIC=2pp|5%",
        "Fail where it rose by more since the baseline; repeatable.",
    ),
}


_bounds = together(
    *(
        click.option(f"--{rule}", metavar=metavar, multiple=True, help=text)
        for rule, (metavar, text) in _BOUNDS.items()
    )
)


@click.command()
@click.argument("run", metavar="[RUN]", required=False)
@click.option("--baseline", metavar="FILE", help="What `baseline` wrote of an earlier run.")
@_bounds
@click.option(
    "--allow-flips",
    metavar="N",
    type=click.IntRange(min=0),
    help="So many verdicts may get worse. Default: 0.",
)
@click.option(
    "--allow-removed",
    is_flag=True,
    default=None,
    help="Scenarios and rows of the baseline may be gone.",
)
@click.option(
    "--statistical/--deterministic",
    default=None,
    help="Whether statistics decide, or single verdicts. Default: statistics where a model took"
    " part.",
)
@click.option(
    "--aa",
    metavar="N",
    type=click.IntRange(min=1, max=1000),
    help="Measure one thing 1 + N times instead, and tell how often the gates alarm for nothing.",
)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Configuration; compaction-eval.yaml or pyproject.toml of this folder if not given.",
)
@click.option("--scenario", metavar="PATH|ID|TAG:x", multiple=True, help="With --aa, as for run.")
@click.option("--strategy", metavar="SPEC", multiple=True, help="With --aa, as for run.")
@click.option("--budget", metavar="TOKENS|PERCENT", multiple=True, help="With --aa, as for run.")
@click.option("--summarizer", metavar="SPEC", multiple=True, help="With --aa, as for run.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    multiple=True,
    help="Also write the report there, by suffix: .xml (JUnit), .md, .json, .sarif; repeatable.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print the verdict and what to do next only.")
@reports_faults
def command(
    run: str | None,
    baseline: str | None,
    allow_flips: int | None,
    allow_removed: bool | None,
    statistical: bool | None,
    aa: int | None,
    config: Path | None,
    output: tuple[str, ...],
    quiet: bool,
    **texts: tuple[str, ...],
) -> None:
    """Check a finished run against a baseline and bounds; each gate holds for each row.

    RUN is a run folder. Default: the only one in runs/. Gates of the configuration's section
    `gates` hold as well. Under GitHub Actions the verdict is annotated, and put into the step's
    summary.

    \b
    Exit codes: 0 all gates pass, 1 one failed, 2 wrong input, or what can't be compared,
    3 the run is incomplete or a file can't be written, 4 none failed and one can't be
    decided, 5 nothing selected (--aa).
    """
    from compaction_eval.commands.configuration import find_configuration
    from compaction_eval.commands.gate_options import gate_options, matrix_options
    from compaction_eval.commands.gating import gate
    from compaction_eval.commands.github import tell_github_refusal
    from compaction_eval.strategies.errors import ConfigurationError

    here = Path.cwd()
    try:
        configuration = find_configuration(config, here)
        options = gate_options(
            {rule: texts[rule.replace("-", "_")] for rule in _BOUNDS},
            configuration,
            here,
            baseline=baseline,
            allow_flips=allow_flips,
            allow_removed=allow_removed,
            statistical=statistical,
            outputs=output,
        )
    except ConfigurationError as error:
        tell_github_refusal(str(error).splitlines())
        raise
    matrix = matrix_options(texts)
    if aa is None:
        if matrix:
            raise ConfigurationError(
                f"--{next(iter(matrix))} goes with --aa; RUN says what was run"
            )
        gate(run, options, quiet=quiet)
        return
    from compaction_eval.commands.false_alarms import measure_false_alarms

    if run is not None or baseline is not None or output:
        what = "RUN" if run is not None else "--baseline" if baseline is not None else "-o"
        raise ConfigurationError(f"--aa measures its own runs, so it takes no {what}")
    measure_false_alarms(aa, matrix, configuration, options, quiet=quiet)
