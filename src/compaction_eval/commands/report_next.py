"""What a report ends with: the command that goes on from there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compaction_eval.commands.invocation import command_line, path_argument
from compaction_eval.commands.next_step import show_a_kept_loss
from compaction_eval.commands.several_runs import Reported
from compaction_eval.commands.unanimity import check_arguments, own_scenarios
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.store import Run
from compaction_eval.reports.figures import plural
from compaction_eval.reports.marks import Marks
from compaction_eval.reports.unanimous import comparable, unanimous


def next_lines(
    about: Reported, rows: Sequence[SummaryRow], marks: Marks, names: Sequence[str]
) -> list[str]:
    """What to do next: first what probes of one's own leave open, then a loss to follow."""
    if len(about.folders) == 1:
        (folder,) = about.folders
        own = _unanimous(folder, about.run, marks)
        # `show` looks at one run.
        loss = show_a_kept_loss(folder, about.run, rows, marks)
        if loss is not None:
            return [*own, loss]
    else:
        own = []
    if "probe" in names:
        return [*own, f"Follow one probe: {command_line('show', ['--help'])}"]
    folders = map(path_argument, about.folders)
    return [*own, f"Probe by probe: {command_line('report', [*folders, '--by', 'probe'])}"]


def _unanimous(folder: Path, run: Run, marks: Marks) -> list[str]:
    """A line on the probes that say nothing of any strategy, for whoever could mend them."""
    arguments = check_arguments(folder, run)
    own = own_scenarios(run)
    # Neither a shipped scenario nor a transcript is the reader's to mend.
    found = unanimous(run, marks) if own and comparable(run, marks) else ()
    found = [one for one in found if one.scenario in own]
    if not found:
        return []
    passed = sum(one.outcome == "all" for one in found)
    told = plural(len(found), "probe tells", "probes tell")
    split = f"{passed:,} passed by all, {len(found) - passed:,} by none"
    return [f"{told} no strategies apart ({split}): {command_line('check', arguments)}"]
