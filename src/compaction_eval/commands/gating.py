"""What `gate` does: check the run, print and write the report, and end with its exit code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from compaction_eval.commands.again import run_again
from compaction_eval.commands.errors import GATE_FAILED, INCOMPLETE, INCONCLUSIVE
from compaction_eval.commands.first_cause import Cause, first_cause
from compaction_eval.commands.gate_options import GateOptions
from compaction_eval.commands.github import tell_github, tell_github_refusal
from compaction_eval.commands.invocation import command_line, path_argument
from compaction_eval.commands.next_step import show_from_manifest
from compaction_eval.commands.refusal import refuse_other
from compaction_eval.commands.run_folder import found_run, lacking
from compaction_eval.commands.unwritten import write_all
from compaction_eval.eval.baseline import read_baseline
from compaction_eval.eval.evidence import Evidence, evidence_of
from compaction_eval.eval.gates import ON_CHANGE, Gate, Rule, check_filters
from compaction_eval.eval.regression import Outcome, check_regression
from compaction_eval.eval.run_files import MANIFEST
from compaction_eval.reports.gate_files import write_gate
from compaction_eval.reports.gate_report import GateReport, gate_report, headline
from compaction_eval.reports.gate_text import gate_text
from compaction_eval.reports.printable import one_line
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text

EXIT_CODES: Mapping[Outcome, int] = {
    "pass": 0,
    "fail": GATE_FAILED,
    "incomplete": INCOMPLETE,
    "inconclusive": INCONCLUSIVE,
}
_OPPOSITES: Mapping[Rule, Rule] = {
    "fail-under": "fail-over",
    "fail-over": "fail-under",
    "fail-on-drop": "fail-on-rise",
    "fail-on-rise": "fail-on-drop",
}
_KEPT_BY_ALL: Mapping[Rule, int] = {"fail-under": 0, "fail-over": 1}


def gate(given: str | None, options: GateOptions, *, quiet: bool) -> None:
    """Check a run; ends with the exit code of what came of it. Raises ConfigurationError."""
    try:
        report = _checked(given, options)
    except ConfigurationError as error:
        tell_github_refusal(str(error).splitlines())
        raise
    if not quiet:
        for line in _unlikely_gates(options.gates):
            click.echo(one_line(line), err=True)
        for line in gate_text(report):
            click.echo(line)
    unwritten = write_all(options.outputs, lambda path: write_gate(path, report))
    faults = [*unwritten.values(), *tell_github(report)]
    for line in faults:
        click.echo(one_line(line), err=True)
    written = [path_text(path) for path in options.outputs if path not in unwritten]
    if written and not quiet:
        click.echo(f"Written: {', '.join(written)}")
    for line in _last_lines(report):
        click.echo(one_line(line))
    code = EXIT_CODES[report.regression.outcome]
    click.get_current_context().exit(code or (INCOMPLETE if faults else 0))


def _checked(given: str | None, options: GateOptions) -> GateReport:
    folder, run = found_run(given)
    evidence = evidence_of(run, str(folder))
    bless = _bless(folder, options.baseline)
    baseline = None if options.baseline is None else _read(options.baseline, bless)
    check_filters(options.gates, evidence)
    refuse_other(evidence, baseline, run, bless)
    regression = check_regression(
        evidence,
        baseline,
        options.gates,
        allow_flips=options.allow_flips,
        allow_removed=options.allow_removed,
        statistical=options.statistical,
    )
    name = None if options.baseline is None else str(options.baseline)
    problems = lacking(run, evidence) if evidence.incomplete else []
    report = gate_report(regression, run, folder=str(folder), baseline=name, problems=problems)
    if report.losses:
        cause: Cause | None = Cause(report.losses[0].flip.key, report.losses[0].flip.probe)
    else:
        cause = first_cause(regression.results, evidence)
    return replace(
        report,
        bless=bless if _would_bless(report, options) else None,
        follow=show_from_manifest(run.manifest, *cause) if cause else None,
    )


def _unlikely_gates(gates: Sequence[Gate]) -> Iterator[str]:
    """A line for each gate that is rarely meant: it fails for nothing, or for what is better."""
    for gate in gates:
        opposite = _OPPOSITES[gate.rule]
        bad = "lower" if gate.rule in ("fail-under", "fail-on-drop") else "higher"
        if gate.metric.better == bad:
            more = "less" if bad == "lower" else "more"
            name = gate.metric.name
            yield f"{gate} catches no harm; of {name} {more} is better: {opposite} would"
        elif gate.metric.unit == "share" and gate.bound.value == _KEPT_BY_ALL.get(gate.rule):
            yield f"{gate} can't fail: every share keeps that bound"


def _would_bless(report: GateReport, options: GateOptions) -> bool:
    """Whether a new baseline would let pass something that fails: a bound stays as it is."""
    found = report.regression
    if found.outcome != "fail" or found.paired is None:
        return False
    changed = any(one.judgement == "fail" for one in found.results if one.gate.rule in ON_CHANGE)
    gone = found.paired.removed_scenarios or found.paired.removed_rows
    return report.losses_fail or changed or bool(gone and not options.allow_removed)


def _read(baseline: Path, bless: str) -> Evidence:
    """The baseline. ConfigurationError, with the command that makes one, where there is none."""
    if not baseline.exists():
        raise ConfigurationError(
            f"{path_text(baseline)}: there is no such baseline; make this run it: {bless}"
        )
    if (baseline / MANIFEST).is_file():
        kept = command_line("baseline", [str(baseline), "-o", "baseline.jsonl"])
        raise ConfigurationError(
            f"{path_text(baseline)}: is a run folder, no baseline; make it one: {kept}"
        )
    return read_baseline(baseline)


def _bless(folder: Path, baseline: Path | None) -> str:
    file = "baseline.jsonl" if baseline is None else str(baseline)
    return command_line("baseline", [path_argument(folder), "-o", file])


def _last_lines(report: GateReport) -> Iterator[str]:
    """The verdict, and what to type or do next, each command on a line of its own."""
    yield headline(report)
    outcome = report.regression.outcome
    if outcome == "incomplete":
        again = run_again(Path(report.folder), report.run.manifest)
        head = "Once that is mended, measure anew" if report.run.errors else "Measure the rest"
        yield f"{head}, then check again: {again}"
    if outcome in ("fail", "inconclusive") and report.follow:
        yield f"Follow the first: {report.follow}"
    if outcome == "inconclusive":
        yield "More scenarios, or more --repeats in run and baseline, would decide it"
    if report.bless:
        yield f"If it is meant, bless it: {report.bless}"
