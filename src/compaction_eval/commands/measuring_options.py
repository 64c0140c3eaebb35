"""The options of every command that measures: where, with how many workers, and how long."""

from __future__ import annotations

import click

from compaction_eval.commands.config_keys import EXECUTORS, LONGEST
from compaction_eval.commands.option_groups import together
from compaction_eval.commands.seconds import Seconds

measuring_options = together(
    click.option(
        "--jobs",
        metavar="N",
        type=click.IntRange(min=1),
        help="Worker processes. Default: all CPUs.",
    ),
    click.option(
        "--executor",
        type=click.Choice(EXECUTORS),
        help="Where cells are measured. Default: auto, which starts processes where that pays.",
    ),
    click.option(
        "--time-limit",
        metavar="SECONDS",
        type=Seconds(min=0, min_open=True, max=LONGEST),
        help="For one call of your own code. Default: 20.",
    ),
)
"""`--jobs`, `--executor` and `--time-limit`; None where they aren't given."""
