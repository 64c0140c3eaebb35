"""What is compared: a run folder or a baseline file, what it lacks, and files written of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from compaction_eval.commands.run_folder import finished_run
from compaction_eval.eval.baseline import read_baseline
from compaction_eval.eval.evidence import Evidence, evidence_of
from compaction_eval.eval.matrix import Budget
from compaction_eval.eval.store import Run
from compaction_eval.reports.figures import plural
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean


@dataclass(frozen=True, slots=True)
class Side:
    """Evidence, and the run that it is from."""

    evidence: Evidence
    run: Run | None
    """None for a baseline, which knows neither places nor ages."""


def side(given: str) -> Side:
    """What a path holds. ConfigurationError where that is neither a run nor a baseline."""
    path = Path(given)
    if path.is_file():
        return Side(read_baseline(path), None)
    if not path.exists():
        raise ConfigurationError(f"{given}: is neither a run folder nor a baseline file")
    _, run = finished_run(given)
    return Side(evidence_of(run, given), run)


def lacking(evidence: Evidence) -> list[str]:
    """A line on what an incomplete run has no figures for."""
    parts = [
        f"{plural(number, noun)} {what}"
        for number, noun, what in (
            (evidence.missing, "cell", "not measured"),
            (evidence.errors, "cell", "without figures"),
            (evidence.unanswered, "question", "without an answer"),
        )
        if number
    ]
    if not parts:
        return []
    return [f"{evidence.name} is incomplete ({', '.join(parts)}); figures rest on the others."]


def known(what: str, given: Iterable[str], names: Sequence[str]) -> None:
    """Raise ConfigurationError for each name that no side has."""
    faults = [
        f"{what}: there is no '{one}'"
        + (did_you_mean(one, names) or f"; there are {', '.join(names)}")
        for one in given
        if one not in names
    ]
    if faults:
        raise ConfigurationError("\n".join(faults))


def known_budgets(given: Iterable[str], evidence: Sequence[Evidence]) -> list[str]:
    """The budgets as they are called in tables, each of them measured."""
    labels = [Budget.parse(text).label for text in given]
    known("--budget", labels, measured(evidence, lambda cell: cell.key.budget))
    return labels


def measured(evidence: Sequence[Evidence], part: Callable[..., str]) -> list[str]:
    """The names that one part of the cells' keys has."""
    return list(dict.fromkeys(part(cell) for one in evidence for cell in one.cells))
