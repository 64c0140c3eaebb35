"""`compare`: what changed between two runs, or between two strategies of one run."""

from __future__ import annotations

import click

from compaction_eval.commands.errors import reports_faults


@click.command()
@click.argument("base", metavar="BASE")
@click.argument("new", metavar="[NEW]", required=False)
@click.option(
    "--between",
    metavar="A B",
    nargs=2,
    help="Two strategies of the one run BASE, by their names in its table, at matched retained"
    " tokens.",
)
@click.option(
    "--ranking",
    is_flag=True,
    help="How well BASE's order of strategies predicts NEW's: survival there, recall here where a"
    " model was asked. With one run: its survival for its recall.",
)
@click.option(
    "--by",
    type=click.Choice(("strategy", "kind", "age", "tag")),
    multiple=True,
    help="What differences are told by; repeatable. Default: all.",
)
@click.option(
    "--strategy",
    metavar="NAME",
    multiple=True,
    help="Only this one, by its name in the table; repeatable.",
)
@click.option(
    "--budget",
    metavar="TOKENS|PERCENT",
    multiple=True,
    help="Only this one (with --between: of A); repeatable.",
)
@click.option("--only-changed", is_flag=True, help="Leave out what is the same.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    multiple=True,
    help="Also write it there, by suffix: .md, .csv, .json; repeatable.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print the flips' numbers and errors only.")
@reports_faults
def command(
    base: str,
    new: str | None,
    between: tuple[str, str] | None,
    ranking: bool,
    by: tuple[str, ...],
    strategy: tuple[str, ...],
    budget: tuple[str, ...],
    only_changed: bool,
    output: tuple[str, ...],
    quiet: bool,
) -> None:
    """Compare two runs probe by probe: what was lost or regained, then how much changed.

    BASE and NEW are run folders or baseline files. Nothing is measured. Differences don't change
    the exit code.

    \b
    Exit codes: 0 good, 2 wrong input or what can't be compared, 3 a run is incomplete or a
    file can't be written, 5 nothing selected.
    """
    from compaction_eval.commands.comparing import Wanted, compare_runs
    from compaction_eval.commands.matching import compare_strategies

    if ranking:
        from compaction_eval.commands.predicting import compare_orders

        if between or by or strategy or only_changed:
            raise click.UsageError("--ranking goes with --budget, -o and -q alone.")
        compare_orders(base, new, budget, output, quiet=quiet)
        return
    if (new is None) == (between is None):
        raise click.UsageError("Give BASE and NEW, or one RUN with --between A B.")
    if new is not None:
        compare_runs(base, new, Wanted(by, strategy, budget, output, only_changed, quiet))
        return
    if by or strategy or only_changed:
        raise click.UsageError("--between goes with --budget, -o and -q alone.")
    assert between is not None
    compare_strategies(base, *between, budget, output, quiet=quiet)
