"""What `gate` does: check the run, print and write the report, and end with its exit code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from compaction_eval.commands.errors import GATE_FAILED, INCOMPLETE, INCONCLUSIVE
from compaction_eval.commands.gate_options import GateOptions
from compaction_eval.commands.github import tell_github, tell_github_refusal
from compaction_eval.commands.invocation import command_line
from compaction_eval.commands.next_step import show_from_manifest
from compaction_eval.commands.run_folder import found_run, lacking
from compaction_eval.eval.baseline import read_baseline
from compaction_eval.eval.comparable import obstacles
from compaction_eval.eval.evidence import Evidence, evidence_of
from compaction_eval.eval.regression import Outcome, check_regression
from compaction_eval.reports.gate_files import write_gate
from compaction_eval.reports.gate_report import GateReport, gate_report, headline
from compaction_eval.reports.gate_text import gate_text
from compaction_eval.reports.printable import one_line
from compaction_eval.strategies.errors import ConfigurationError

EXIT_CODES: Mapping[Outcome, int] = {
    "pass": 0,
    "fail": GATE_FAILED,
    "incomplete": INCOMPLETE,
    "inconclusive": INCONCLUSIVE,
}


def gate(given: str | None, options: GateOptions, *, quiet: bool) -> None:
    """Check a run; ends with the exit code of what came of it. Raises ConfigurationError."""
    try:
        report = _checked(given, options)
    except ConfigurationError as error:
        tell_github_refusal(str(error).splitlines())
        raise
    if not quiet:
        for line in gate_text(report):
            click.echo(line)
    unwritten = _write(options, report)
    unwritten += tell_github(report)
    for line in unwritten:
        click.echo(one_line(line), err=True)
    if not quiet and options.outputs:
        click.echo(f"Written: {', '.join(map(str, options.outputs))}")
    click.echo(_last_line(report))
    code = EXIT_CODES[report.regression.outcome]
    click.get_current_context().exit(code or (INCOMPLETE if unwritten else 0))


def _checked(given: str | None, options: GateOptions) -> GateReport:
    baseline = None if options.baseline is None else read_baseline(options.baseline)
    folder, run = found_run(given)
    evidence = evidence_of(run, str(folder))
    bless = _bless(folder, options.baseline)
    _refuse_other(evidence, baseline, bless)
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
    follow = None
    if report.losses:
        first = report.losses[0].flip
        follow = show_from_manifest(run.manifest, first.key, first.probe)
    changed = regression.paired is not None and regression.outcome != "pass"
    return replace(report, bless=bless if changed else None, follow=follow)


def _refuse_other(evidence: Evidence, baseline: Evidence | None, bless: str) -> None:
    """Raise ConfigurationError for what can't be compared, with the command that mends it."""
    reasons = obstacles(baseline, evidence) if baseline is not None else []
    if reasons and not evidence.incomplete:
        lines = [f"can't be compared: {reason}" for reason in reasons]
        raise ConfigurationError("\n".join([*lines, f"If that is meant, bless this run: {bless}"]))


def _bless(folder: Path, baseline: Path | None) -> str:
    file = "baseline.jsonl" if baseline is None else str(baseline)
    return command_line("baseline", [str(folder), "-o", file])


def _write(options: GateOptions, report: GateReport) -> list[str]:
    """Write the files; a line for each that can't be written."""
    unwritten = []
    for path in options.outputs:
        try:
            write_gate(path, report)
        except OSError as error:
            unwritten.append(f"{path}: can't be written: {error.strerror or error}")
    return unwritten


def _last_line(report: GateReport) -> str:
    parts = [one_line(headline(report))]
    if report.regression.outcome == "incomplete":
        parts.append("measure the rest by the same `run`, then check again")
    elif report.follow and report.regression.outcome != "pass":
        parts.append(f"follow the first: {one_line(report.follow)}")
    if report.bless:
        parts.append(f"bless it, if it is meant: {one_line(report.bless)}")
    return ". ".join(part[:1].upper() + part[1:] for part in parts)
