"""Everything that is planted and everything harmless, judged, and the tables of it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from tests.defects.cuts import CUTS
from tests.defects.harmless import HARMLESS, Harmless, run
from tests.defects.imports import IMPORTS
from tests.defects.limits import LIMITS
from tests.defects.measuring import SCENARIOS, Bench, Finding, default_gates, find_imported
from tests.defects.summaries import SUMMARIES

from compaction_eval.eval.regression import check_regression
from compaction_eval.scenarios.library import select
from compaction_eval.strategies.errors import ConfigurationError

if TYPE_CHECKING:
    from tests.defects.planting import Defect

REPLAYED = (*CUTS, *LIMITS, *SUMMARIES)
DEFECTS = (*REPLAYED, *IMPORTS)
BY_NAME = {defect.name: defect for defect in DEFECTS}
WHY_NOT = {
    "summary-in-front-of-recent": "The same facts at the same cost: nothing in view is worse.",
}
"""Why a defect gets through."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the gate said of a harmless change."""

    name: str
    outcome: str
    """`pass`, `fail`, or `refused` with the reason."""


def groups() -> list[tuple[str, ...]]:
    """Names of the replayed defects, those together that share a sound measurement."""

    def key(defect: Defect) -> tuple[str, str]:
        return defect.strategy, defect.summarizer

    return [
        tuple(one.name for one in group) for _, group in groupby(sorted(REPLAYED, key=key), key=key)
    ]


def find_all(names: Sequence[str]) -> list[Finding]:
    """Findings over the default library and the suite's own scenarios."""
    bench = Bench.over([*select(), *select([str(SCENARIOS)])])
    return [bench.find(BY_NAME[name]) for name in names]


def find_imports() -> list[Finding]:
    """Findings on what the importers make."""
    with tempfile.TemporaryDirectory() as folder:
        return [find_imported(defect, Path(folder, defect.name)) for defect in IMPORTS]


def judge_harmless(harmless: Sequence[int]) -> list[Judged]:
    """What the gate says of harmless changes, by their number."""
    with tempfile.TemporaryDirectory() as folder:
        base = run(Path(folder))
        return [judged(HARMLESS[n], base, Path(folder, str(n))) for n in harmless]


def judged(change: Harmless, base: object, folder: Path) -> Judged:
    """What the gate says of one."""
    try:
        outcome = check_regression(change.measure(folder), base, default_gates(base)).outcome  # type: ignore[arg-type]  # evidence
    except ConfigurationError as error:
        return Judged(change.name, f"refused: {str(error).splitlines()[0]}")
    return Judged(change.name, outcome)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in the order of the defects."""
    known = {finding.name: finding for finding in findings}
    return [known[defect.name] for defect in DEFECTS if defect.name in known]


def share(findings: Sequence[Finding]) -> tuple[int, int]:
    """How many were caught, of how many; what an importer made is in neither.

    There a comment is refused just the same. Of a replay a refusal says that a budget or a count is
    another on scenarios that are the same, which no harmless change does.
    """
    compared = [finding for finding in findings if BY_NAME[finding.name] not in IMPORTS]
    return sum(finding.caught != "no" for finding in compared), len(compared)


def evidence(finding: Finding) -> str:
    """The first flip, or the gates, or why there is nothing."""
    if finding.caught == "flip":
        more = f" ({len(finding.flips)} in all)" if len(finding.flips) > 1 else ""
        return f"{finding.flips[0]}{more}"
    if finding.caught == "gate":
        return ", ".join(finding.guards)
    if finding.caught == "refused":
        return finding.refused.splitlines()[0].removeprefix("can't be compared: ")
    return WHY_NOT.get(finding.name, "not explained")


def needed(findings: Sequence[Finding]) -> dict[str, int]:
    """Of each gate, how many defects no flip catches and it does."""
    caught = Counter(guard for one in findings if not one.flips for guard in one.guards)
    return dict(sorted(caught.items(), key=lambda item: (-item[1], item[0])))


def table(findings: Sequence[Finding]) -> str:
    """The table, in Markdown."""
    lines = ["| defect | what is broken | in | caught by | first flip, or gates |"]
    lines.append("|---|---|---|---|---|")
    for one in findings:
        defect = BY_NAME[one.name]
        cells = (f"`{defect.name}`", defect.about, defect.strategy, one.caught, evidence(one))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def totals(findings: Sequence[Finding], harmless: Sequence[Judged]) -> str:
    """The closing lines, the share last."""
    kinds = Counter(one.caught for one in findings)
    alarms = [
        one.name for one in harmless if one.outcome != "pass" and "refused" not in one.outcome
    ]
    refused = [one for one in harmless if "refused" in one.outcome]
    caught, compared = share(findings)
    imports = sum(BY_NAME[one.name] in IMPORTS for one in findings)
    lines = [
        f"Harmless changes: {len(harmless)}, of which alarmed: {len(alarms)}"
        + "".join(f"\n  alarmed: {name}" for name in alarms),
        f"Harmless changes that the gate refused to judge: {len(refused)}"
        + "".join(f"\n  {one.name}: {one.outcome}" for one in refused),
        f"Only by a gate: {', '.join(f'{name} {n}' for name, n in needed(findings).items())}",
        f"Other transcripts, refused and in no share: {imports}; by a flip: {kinds['flip']}; "
        f"by a refusal, since the yardstick moved: {kinds['refused'] - imports}; "
        f"by a gate alone: {kinds['gate']}; not caught: {kinds['no']}",
        f"{caught} of {compared} caught ({100 * caught / compared:.1f}%)",
    ]
    return "\n".join(lines)
