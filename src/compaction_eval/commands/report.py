"""`report`: where a finished run lost most, and which strategy does best there."""

from __future__ import annotations

import click

from compaction_eval.commands.errors import reports_faults
from compaction_eval.commands.money import MoneyWanted, money_options
from compaction_eval.reports.dimensions import DIMENSIONS
from compaction_eval.reports.page import DEFAULT_SIZE


@click.command()
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option(
    "--by",
    type=click.Choice(tuple(DIMENSIONS)),
    multiple=True,
    help="What probes are told apart by; repeatable. Default: family, kind,"
    " language, position and age.",
)
@click.option(
    "--budget", metavar="TOKENS|PERCENT", multiple=True, help="Only this one; repeatable."
)
@click.option(
    "--strategy",
    metavar="NAME",
    multiple=True,
    help="Only this one, by its name in the table; repeatable. Default: all but none, empty and"
    " evidence-only.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    multiple=True,
    help="Also write the tables (.md, .csv) or the page (.html) there, by suffix; repeatable.",
)
@click.option(
    "--out",
    metavar="DIR",
    help="Write the page there, all charts (PNG and SVG, light and dark, the data as CSV), and the"
    " tables.",
)
@click.option(
    "--max-size",
    metavar="MB",
    type=click.FloatRange(min=0, min_open=True),
    help="Megabytes that the page may have; the largest cells' requests are left out beyond."
    f" Default: {DEFAULT_SIZE}.",
)
@money_options
@reports_faults
def command(
    runs: tuple[str, ...],
    by: tuple[str, ...],
    budget: tuple[str, ...],
    strategy: tuple[str, ...],
    output: tuple[str, ...],
    out: str | None,
    max_size: float | None,
    price: str | None,
    cache: str | None,
    pause: float | None,
    summary_pause: float | None,
) -> None:
    """Tell where a finished run lost most, with the evidence behind each figure.

    RUN is a run folder. Default: the only one in runs/. Several are put together where
    they're comparable: what isn't the same in each is told apart by the folders' names.
    Nothing is measured.

    \b
    Exit codes: 0 good, 2 wrong input or runs that can't be put together, 3 the run was
    interrupted, cells have no figures, strategies rest on different conversations, or a file
    can't be written. A part that -k selected is no error.
    """
    from compaction_eval.commands.reporting import Wanted, report

    money = MoneyWanted(price, cache, pause, summary_pause)
    report(runs, Wanted(by, budget, strategy, output, out, max_size, money))
