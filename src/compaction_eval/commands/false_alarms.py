"""`gate --aa N`: the same thing measured again and again, and how often the gates alarm."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import click

from compaction_eval.commands.configuration import Configuration
from compaction_eval.commands.errors import (
    GATE_FAILED,
    INCOMPLETE,
    INCONCLUSIVE,
    NOTHING_SELECTED,
    fail,
)
from compaction_eval.commands.gate_options import GateOptions
from compaction_eval.commands.planning import Planner
from compaction_eval.commands.run_folder import lacking
from compaction_eval.eval.evidence import Evidence, evidence_of
from compaction_eval.eval.judging import judge
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.rates import wilson
from compaction_eval.eval.regression import check_regression
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.store import Run
from compaction_eval.reports.figures import plural, share
from compaction_eval.reports.gate_report import gate_report, headline
from compaction_eval.reports.printable import one_line
from compaction_eval.strategies.errors import ConfigurationError


def measure_false_alarms(
    number: int,
    given: Mapping[str, Sequence[str]],
    configuration: Configuration,
    options: GateOptions,
    *,
    quiet: bool,
) -> None:
    """Measure 1 + `number` times, each in other circumstances; ends with 1 for any alarm."""
    plan = Planner(given, configuration, Path.cwd()).plan(None)
    if not plan.keys:
        fail(["nothing to measure: no cell is selected"], NOTHING_SELECTED)
    base_run = run_matrix(plan.matrix)
    base = evidence_of(base_run, "the first run")
    if base.incomplete:
        fail([*lacking(base_run, base), "incomplete: nothing to compare"], INCOMPLETE)
    _refuse_failing(base, options)
    alarms = undecided = 0
    for index in range(1, number + 1):
        run = _again(plan.matrix, index)
        regression = check_regression(
            evidence_of(run, f"rerun {index}"),
            base,
            options.gates,
            allow_flips=options.allow_flips,
            statistical=options.statistical,
        )
        alarms += regression.outcome in ("fail", "incomplete")
        undecided += regression.outcome == "inconclusive"
        if not quiet:
            report = gate_report(regression, run, folder=f"rerun {index}", baseline=base.name)
            click.echo(f"Rerun {index}: {one_line(headline(report))}")
    rate = wilson(alarms, number)
    told = f"{share(rate.estimate)}, 95% interval {share(rate.low)} to {share(rate.high)}"
    click.echo(
        f"A/A: {alarms:,} of {plural(number, 'rerun')} alarmed ({told})"
        + (f"; {undecided:,} couldn't be decided" if undecided else "")
    )
    click.get_current_context().exit(
        GATE_FAILED if alarms else INCONCLUSIVE if undecided else 0,
    )


def _refuse_failing(base: Evidence, options: GateOptions) -> None:
    """Raise ConfigurationError where bounds fail by themselves: that would be no false alarm."""
    bounds = [gate for gate in options.gates if gate.rule in ("fail-under", "fail-over")]
    failing = {str(one.gate): None for one in judge(bounds, base) if one.judgement == "fail"}
    if failing:
        raise ConfigurationError(
            "\n".join(
                f"--{gate}: fails already, so no alarm of it would be false" for gate in failing
            )
        )


def _again(matrix: Matrix, index: int) -> Run:
    """The same matrix with its scenarios in another order, on another number of workers."""
    scenarios = list(matrix.scenarios)
    Random(index).shuffle(scenarios)
    jobs = 1 + index % max(os.cpu_count() or 1, 3)
    shuffled = replace(matrix, scenarios=tuple(scenarios))
    return run_matrix(shuffled, jobs=jobs, executor="processes")
