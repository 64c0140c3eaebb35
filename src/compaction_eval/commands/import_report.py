"""What an import says when it is done: files, reasons, probes, and the next command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from compaction_eval.commands.invocation import command_line
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import printable
from compaction_eval.strategies.paths import path_text

if TYPE_CHECKING:
    from compaction_eval.scenarios.importers.pipeline import Choice, Outcome
    from compaction_eval.scenarios.importers.records import Account

_MOST = 20
"""Lines of one sort."""


def warnings(outcome: Outcome) -> Iterator[str]:
    """What was left out, and conversations that nothing can be measured with."""
    for line in outcome.mistakes:
        yield printable(f"left out: {line}")
    silent = [
        f"{place}: '{title}' has nothing to measure; it needs probes of its own"
        for place, title in outcome.silent
    ]
    yield from map(printable, _shortened(silent, "conversations"))


def told(outcome: Outcome, choice: Choice, folder: Path) -> Iterator[str]:
    """The account, with the command that measures the scenarios at its end."""
    files = [
        f"{path_text(path)}: {plural(number, 'conversation')}, {_balance(account)}"
        for path, number, account in outcome.files
    ]
    yield from _shortened(files, "files")
    yield from _passed(outcome)
    if choice.sample is not None:
        conversations, number = outcome.drawn_from
        yield (
            f"Sample: {outcome.conversations:,} of {plural(conversations, 'conversation')} in "
            f"{plural(number, 'file')} (seed {choice.seed})"
        )
    yield from _totals(outcome)
    if choice.scrub:
        yield from _scrubbed(outcome)
    yield (
        f"{plural(outcome.reuse, 'reuse probe')}, of which {outcome.free:,} free and "
        f"{outcome.own:,} own"
    )
    yield f"  {outcome.sure:,} counted and sure, of which {outcome.recoverable:,} recoverable"
    if outcome.words:
        free = f"{outcome.words_free:,} free"
        yield f"{outcome.words:,} more in the agent's own words, of which {free}"
    run = command_line("run", ["--scenario", str(folder)])
    if len(outcome.silent) == outcome.conversations:
        run = f"write probes, a run has nothing to measure until then; after that: {run}"
    yield f"Next: {run}"


def _totals(outcome: Outcome) -> Iterator[str]:
    from compaction_eval.scenarios.importers.records import Account

    account = Account.total(account for *_, account in outcome.files)
    yield f"Total: {plural(outcome.conversations, 'conversation')}, {_balance(account)}"
    for what, reasons in (("skipped", account.skipped), ("repaired", account.repaired)):
        yield from (f"  {what}, {reason}: {number:,}" for reason, number in reasons)
    if outcome.compactions:
        yield f"{plural(outcome.compactions, 'recorded compaction')} (see the descriptions)"
    left_out = [plural(outcome.unread, "file")] * bool(outcome.unread)
    left_out += [plural(outcome.left_out, "entry", "entries")] * bool(outcome.left_out)
    if left_out:
        yield f"{' and '.join(left_out)} left out"
    if outcome.questions:
        yield plural(outcome.questions, "written probe")


def _passed(outcome: Outcome) -> Iterator[str]:
    """Files of folders that are no transcripts, by reason."""
    for reason, number in sorted(Counter(outcome.passed.values()).items()):
        named = (path.name for path, why in outcome.passed.items() if why == reason)
        names = list(dict.fromkeys(named))
        more = ", …" if len(names) > 3 else ""
        shown = printable(", ".join(names[:3]))
        yield f"Passed over, {reason}: {plural(number, 'file')} ({shown}{more})"


def _scrubbed(outcome: Outcome) -> Iterator[str]:
    for kind, (values, places) in outcome.scrubbed.items():
        yield f"  scrubbed, {kind}: {plural(values, 'value')} at {plural(places, 'place')}"
    if not outcome.scrubbed:
        yield "  scrubbed: nothing that looks private was found"


def _balance(account: Account) -> str:
    skipped, repaired = (sum(dict(of).values()) for of in (account.skipped, account.repaired))
    return f"{plural(account.kept, 'message')} kept, {skipped:,} skipped, {repaired:,} repaired"


def _shortened(lines: list[str], what: str) -> list[str]:
    if len(lines) <= _MOST:
        return lines
    return [*lines[:_MOST], f"… and {len(lines) - _MOST:,} more {what}"]
