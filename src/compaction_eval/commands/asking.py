"""What `run` does about models: opens them, and tells what they cost and what they left open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from compaction_eval.eval.manifest import manifest_of
from compaction_eval.eval.models.limits import Spent
from compaction_eval.eval.records import CellKey
from compaction_eval.eval.store import Run, RunFolder
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import one_line
from compaction_eval.strategies.loading import CONTROLS
from compaction_eval.strategies.messages import role

if TYPE_CHECKING:
    from compaction_eval.commands.planning import Plan
    from compaction_eval.eval.recall.recalling import Asked

_ATTEMPTED = "attempted"
"""In a run folder's manifest: attempts at each question that is still open, under faults."""


def finished_before(plan: Plan, folder: Path) -> list[CellKey]:
    """The plan's cells that a run folder holds already. Raises ConfigurationError."""
    if plan.models is None:
        return []
    done = RunFolder(folder).finished(manifest_of(plan.matrix))
    return [key for key in plan.keys if key in done]


@contextmanager
def opened_models(
    plan: Plan, finished: Collection[CellKey], folder: Path
) -> Iterator[tuple[Asked | None, Callable[[], Spent]]]:
    """Who is asked and what they have used; nobody where no model is named, or all is finished.

    A recording takes in what finished cells asked, too.
    """
    nothing_left = len(finished) == len(plan.keys)
    if plan.models is None or (nothing_left and plan.models.record is None):
        yield None, Spent
        return
    from compaction_eval.eval.recall.opening import asked_by

    attempted = RunFolder(folder).noted(_ATTEMPTED) or 0
    with asked_by(replace(plan.models, attempted=attempted)) as opened:
        yield opened


def note_attempts(plan: Plan, run: Run, folder: Path) -> None:
    """Have the next command's faults go on where this one's ended, if it left anything open."""
    if plan.models is None or plan.models.chaos is None or not (run.unanswered or run.errors):
        return
    made = (RunFolder(folder).noted(_ATTEMPTED) or 0) + plan.models.settings.retries + 1
    RunFolder(folder).note({_ATTEMPTED: made})


def would_ask(plan: Plan) -> list[str]:
    """A line on how much would be asked of each; none where no model is named."""
    if plan.models is None:
        return []
    lines = _would_summarise(plan)
    if plan.models.answerer is None:
        return lines
    asked = {
        (one.id, one.variant): sum(len(probe.at) for probe in one.probes)
        for one in plan.matrix.scenarios
    }
    questions = sum(asked[key.scenario, key.variant] for key in plan.keys)
    judge = f", {plan.models.judge} to judge the answers" if plan.models.judge else ""
    asked_of = f"model: {plan.models.answerer} to be asked {plural(questions, 'question')}{judge}"
    return [asked_of, *lines]


def _would_summarise(plan: Plan) -> list[str]:
    """How many summaries would be asked for, if each request made one."""
    from compaction_eval.eval.summaries.selecting import asking_cells

    asking = asking_cells(plan.matrix, plan.keys)
    if not asking.keys or plan.models is None:
        return []
    requests = {
        (one.id, one.variant): sum(role(message) == "assistant" for message in one.messages)
        + sum(len(probe.at) for probe in one.probes)
        for one in plan.matrix.scenarios
    }
    controls = {spec.label for spec in plan.matrix.strategies if spec.use in CONTROLS}
    most = sum(
        requests[key.scenario, key.variant] for key in asking.keys if key.strategy not in controls
    )
    names = dict.fromkeys(map(plan.models.model_of, asking.models))
    many = plural(most, "summary", "summaries")
    return [f"summaries: {', '.join(names)} to be asked for at most {many}, parts apart"]


def told_use(spent: Spent) -> str:
    """What answers and summaries took."""
    if not spent.requests:
        return "No model had to be asked anew."
    cost = f", {spent.cost:.4f} USD" if spent.cost is not None else ""
    return (
        f"Models: {plural(spent.requests, 'request')}, {spent.tokens_in:,} tokens in,"
        f" {spent.tokens_out:,} out{cost}."
    )


def unanswered(run: Run) -> list[str]:
    """How many questions got no answer for reasons that may pass, by reason."""
    asked = sum(probe.answer is not None for cell in run.cells for probe in cell.probes)
    reasons = Counter(
        f"{probe.answer.outcome}: {one_line(probe.answer.reason)}"
        for probe in run.unanswered
        if probe.answer is not None
    )
    if not reasons:
        return []
    most = [f"{plural(n, 'question')}: {reason}" for reason, n in reasons.most_common(5)]
    rest = len(reasons) - len(most)
    more = [f"and {plural(rest, 'more reason')}"] if rest > 0 else []
    total = f"{reasons.total():,} of {plural(asked, 'question')} without an answer."
    return [*most, *more, total]
