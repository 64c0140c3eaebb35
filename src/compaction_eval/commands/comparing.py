"""What `compare BASE NEW` does: refuse what can't be compared, pair, print, write."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from compaction_eval.commands.compared import (
    Side,
    known,
    known_budgets,
    lacking,
    measured,
    side,
)
from compaction_eval.commands.errors import INCOMPLETE, NOTHING_SELECTED, fail
from compaction_eval.commands.invocation import command_line
from compaction_eval.commands.unwritten import write_all
from compaction_eval.eval.comparable import obstacles
from compaction_eval.eval.comparison import compare
from compaction_eval.eval.pairing import Flip, Paired, flips, pair
from compaction_eval.eval.places import probe_place
from compaction_eval.eval.records import REUSE_KINDS
from compaction_eval.reports.comparison import Comparison, headline
from compaction_eval.reports.comparison_files import WRITERS, write_comparison
from compaction_eval.reports.comparison_groups import BY, by_age, by_kind, by_tag
from compaction_eval.reports.comparison_table import print_comparison
from compaction_eval.reports.results import check_output
from compaction_eval.reports.table import console
from compaction_eval.scenarios.library import library_folder
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.paths import path_text


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options, as given."""

    by: Sequence[str]
    strategies: Sequence[str]
    budgets: Sequence[str]
    outputs: Sequence[str]
    only_changed: bool
    quiet: bool


def compare_runs(base: str, new: str, wanted: Wanted) -> None:
    """Compare; ends with 3 where a side is incomplete or a file can't be written, 5 for nothing."""
    outputs = [Path(text) for text in dict.fromkeys(wanted.outputs)]
    for path in outputs:
        check_output(path, tuple(WRITERS))
    before, after = side(base), side(new)
    reasons = obstacles(before.evidence, after.evidence)
    if reasons:
        raise ConfigurationError("\n".join(f"can't be compared: {reason}" for reason in reasons))
    paired = _chosen(pair(before.evidence, after.evidence), before, after, wanted)
    by, remarks = _by(wanted, before, after)
    found = _comparison(before, after, paired, by, wanted)
    out = console(sys.stdout)
    if wanted.quiet:
        click.echo(headline(found))
    else:
        print_comparison(found, out)
        for line in remarks:
            out.print(line)
    unwritten = write_all(outputs, lambda path: write_comparison(path, found))
    written = [path_text(path) for path in outputs if path not in unwritten]
    if written and not wanted.quiet:
        click.echo(f"Written: {', '.join(written)}")
    gaps = [*lacking(before.evidence), *lacking(after.evidence)]
    if gaps or unwritten:
        fail([*unwritten.values(), *gaps], INCOMPLETE)
    worse = next((flip for flip in found.flips if flip.worse), None)
    if worse is not None and not wanted.quiet:
        click.echo(f"Follow a lost fact: {_show(found, worse, after)}")


def _chosen(paired: Paired, before: Side, after: Side, wanted: Wanted) -> Paired:
    """The pairs that are asked for; ends with 5 where that is none."""
    sides = (before.evidence, after.evidence)
    known("--strategy", wanted.strategies, measured(sides, lambda cell: cell.key.strategy))
    budgets = known_budgets(wanted.budgets, sides)
    pairs = tuple(
        one
        for one in paired.pairs
        if (not wanted.strategies or one.after.key.strategy in wanted.strategies)
        and (not budgets or one.after.key.budget in budgets)
    )
    if not pairs:
        filters = [f"--strategy {one}" for one in wanted.strategies]
        filters += [f"--budget {one}" for one in budgets]
        with_these = f" with {' '.join(filters)}" if filters else ""
        fail([f"Nothing selected: no cell is measured in both{with_these}."], NOTHING_SELECTED)
    return replace(paired, pairs=pairs)


def _by(wanted: Wanted, before: Side, after: Side) -> tuple[tuple[str, ...], list[str]]:
    """What differences are told by, and why not by all that is asked for."""
    by = tuple(dict.fromkeys(wanted.by)) or BY
    if "age" in by and (before.run is None or after.run is None):
        remark = "Not by age: a baseline doesn't tell how old evidence was; two run folders do."
        return tuple(one for one in by if one != "age"), [remark]
    return by, []


def _comparison(
    before: Side, after: Side, paired: Paired, by: tuple[str, ...], wanted: Wanted
) -> Comparison:
    groupings = []
    for name in by:
        if name == "kind":
            groupings.append(by_kind())
        elif name == "tag":
            groupings.append(by_tag(after.evidence))
        elif name == "age" and after.run is not None:
            groupings.append(by_age(after.run))

    def place_of(scenario: str, probe: str) -> tuple[str, int] | None:
        """Where the newer side says that it is, or else the older one."""
        for one in (after, before):
            place = probe_place(one.run.manifest, scenario, probe) if one.run else None
            if place is not None:
                return place
        return None

    return Comparison(
        base=before.evidence.name,
        new=after.evidence.name,
        paired=paired,
        flips=tuple(flips(paired.pairs)),
        differences=tuple(compare(paired.pairs, groupings, rows="strategy" in by)),
        by=by,
        place_of=place_of,
        only_changed=wanted.only_changed,
    )


def _show(found: Comparison, flip: Flip, after: Side) -> str:
    """The command that follows a flip's probe through the newer side's cell."""
    key = flip.key
    place = found.place_of(key.scenario, flip.probe)
    specs = {one.label: one.spec for one in after.evidence.strategies}
    summarizers = {one.label: one.spec for one in after.evidence.summarizers}
    shipped = place and Path(place[0]).resolve().is_relative_to(library_folder().resolve())
    arguments = [place[0] if place is not None and not shipped else key.scenario]
    if key.variant:
        arguments += ["--variant", key.variant]
    arguments += ["--strategy", specs.get(key.strategy, key.strategy), "--budget", key.budget]
    arguments += ["--summarizer", summarizers.get(key.summarizer, key.summarizer)]
    if flip.kind not in REUSE_KINDS:
        arguments += ["--probe", flip.probe]
    for option, usual in (("encoding", "o200k_base"), ("profile", "openai")):
        if after.evidence.circumstances.get(option) != usual:
            arguments += [f"--{option}", str(after.evidence.circumstances.get(option))]
    return command_line("show", arguments)
