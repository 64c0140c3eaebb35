"""What was measured of one strategy: figures to assert on, what was lost, gates and baselines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from compaction_eval.eval.baseline import baseline_text, read_baseline, write_baseline
from compaction_eval.eval.comparable import obstacles
from compaction_eval.eval.evidence import Evidence, evidence_of
from compaction_eval.eval.gates import Rule, check_filters, parse_gates
from compaction_eval.eval.judging import judge
from compaction_eval.eval.pairing import Flip, flips, pair
from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.regression import check_regression
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.lost_probes import LostProbe, lost_probes
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean
from compaction_eval.testing.errors import EvaluationError, WorseError, told_at_its_line
from compaction_eval.testing.figures import CountOf, ShareOf
from compaction_eval.testing.words import gate_lines, name_of, regression_lines

UPDATE = "--compaction-update"


@dataclass(frozen=True, repr=False)
class Evaluation:
    """A strategy measured over scenarios, at one budget or several; all cells have figures."""

    run: Run
    """All that was measured, with the manifest."""
    scenarios: Mapping[tuple[str, str], Scenario]
    """What was replayed, by id and variant."""
    directory: Path = field(default_factory=Path.cwd)
    """What the paths of baselines are relative to."""
    update: bool = False
    """Whether baselines are written instead of compared with."""
    on_read: Callable[[Evaluation], None] = field(default=lambda _: None)
    """Told when a figure or the losses are looked at."""

    survival = ShareOf()
    """Probes whose answer the view still holds, as a mean over scenarios."""
    stale = ShareOf()
    """Probes of which only an old value is in view."""
    mixed = ShareOf()
    """Probes of which an old value has the last word."""
    reuse = ShareOf()
    """Values that the recorded agent used again and could still see."""
    reuse_sure = ShareOf()
    """Of these, those that can't well be there by chance."""
    reuse_recoverable = ShareOf()
    """Of the sure ones, those that a repeated call would have told again."""
    reuse_irreplaceable = ShareOf()
    """Of the sure ones, those that no repeated call would have told again."""
    reuse_text = ShareOf()
    """Values in the recorded agent's own words that it could still see."""
    retained_tokens = ShareOf()
    """Mean tokens of the views at which something was probed."""
    recall = ShareOf()
    """What a model answered rightly from the view. EvaluationError where none was asked."""
    sent_tokens = CountOf()
    full_tokens = CountOf()
    saved_gross = CountOf()
    saved_net = CountOf()
    """Tokens saved against the full history, the summariser's taken off."""
    requests = CountOf()
    invalid_requests = CountOf()
    """Requests that the API would refuse."""
    over_budget_requests = CountOf()
    infeasible_requests = CountOf()
    compactions = CountOf()
    summary_calls = CountOf()
    summary_tokens_in = CountOf()
    summary_tokens_out = CountOf()
    fallbacks = CountOf()
    never_fired = CountOf()
    thrash = CountOf()
    summary_grew = CountOf()
    mutated_input = CountOf()
    poisoned = CountOf()

    def __repr__(self) -> str:
        return f"<evaluation of {self.rows[0].strategy} at {', '.join(self.budgets)}>"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            __tracebackhide__ = True
            known = [one for one in dir(type(self)) if not one.startswith("_")]
            raise AttributeError(f"an evaluation has no '{name}'{did_you_mean(name, known)}")

    @cached_property
    def rows(self) -> tuple[SummaryRow, ...]:
        """The table's rows, one for each budget."""
        return tuple(summary_rows(self.run))

    @property
    def row(self) -> SummaryRow:
        """The one row. EvaluationError where there are several budgets."""
        __tracebackhide__ = True
        if len(self.rows) > 1:
            raise EvaluationError(
                f"there are {len(self.rows)} rows, at the budgets {', '.join(self.budgets)}; "
                f"choose one, as in evaluation.at({self.budgets[0]!r})"
            )
        return self.rows[0]

    @property
    def budgets(self) -> tuple[str, ...]:
        """The budgets, as they are named in the table."""
        return tuple(row.budget for row in self.rows)

    def at(self, budget: str | int) -> Evaluation:
        """What was measured at one of the budgets. Raises EvaluationError."""
        __tracebackhide__ = True
        wanted = str(budget)
        if wanted not in self.budgets:
            hint = did_you_mean(wanted, self.budgets) or f"; there are {', '.join(self.budgets)}"
            raise EvaluationError(f"nothing was measured at the budget {wanted!r}{hint}")
        manifest = {**self.run.manifest, "budgets": [wanted]}
        cells = tuple(cell for cell in self.run.cells if cell.key.budget == wanted)
        return replace(self, run=replace(self.run, manifest=manifest, cells=cells))

    def measured(self, column: str) -> float:
        """A column of the one row. EvaluationError where nothing was measured."""
        __tracebackhide__ = True
        self.on_read(self)
        value = getattr(self.row, column)
        if value is None and column == "recall" and self.run.manifest.get("model") is None:
            raise EvaluationError(
                "recall is what a model answers, and no model was asked; `survival` says whether "
                "the answer was still in the view, and `model=` asks one"
            )
        if value is None:
            apart = self.row.cells_apart
            why = f"; {apart} of {self.row.cells} cells stand apart" if apart else ""
            raise EvaluationError(
                f"{name_of(self.row)}: no {column} was measured: nothing in these scenarios is "
                f"asked that counts in it{why}"
            )
        return float(value)

    @property
    def lost(self) -> tuple[LostProbe, ...]:
        """The probes that count and weren't `correct`: file and line, question, where lost."""
        self.on_read(self)
        return self._lost

    @cached_property
    def _lost(self) -> tuple[LostProbe, ...]:
        return tuple(lost_probes(self.run, self.scenarios))

    @cached_property
    def evidence(self) -> Evidence:
        """What gates and baselines look at."""
        return evidence_of(self.run, "this evaluation")

    @told_at_its_line
    def fail_under(self, *gates: str) -> None:
        """WorseError unless each figure is at least its bound: `survival[kind=update]=0.9`."""
        __tracebackhide__ = True
        self._gate("fail-under", gates)

    @told_at_its_line
    def fail_over(self, *gates: str) -> None:
        """WorseError unless each figure is at most its bound: `invalid_requests=0`."""
        __tracebackhide__ = True
        self._gate("fail-over", gates)

    def _gate(self, rule: Rule, texts: Sequence[str]) -> None:
        __tracebackhide__ = True
        if not texts:
            raise ConfigurationError("no gate is given; write for example survival=0.9")
        gates = [
            # One that is evaluated by itself is meant, even if it is a control.
            replace(gate, filters={"strategy": self.rows[0].strategy, **gate.filters})
            if all(one.is_control for one in self.evidence.strategies)
            else gate
            for gate in parse_gates({rule: texts})
        ]
        check_filters(gates, self.evidence)
        failed = [one for one in judge(gates, self.evidence) if one.judgement != "pass"]
        if failed:
            tags = {(one.id, one.variant): one.tags for one in self.evidence.scenarios}
            raise WorseError("\n".join(gate_lines(failed, self._lost, tags)))

    @told_at_its_line
    def flips(self, baseline: str | PathLike[str]) -> tuple[Flip, ...]:
        """The verdicts that aren't what they were in a baseline file, the worse ones first.

        Raises ConfigurationError where the two can't be compared.
        """
        before = read_baseline(self._path(baseline))
        if reasons := obstacles(before, self.evidence):
            raise ConfigurationError("\n".join(f"can't be compared: {one}" for one in reasons))
        found = flips(pair(before, self.evidence).pairs)
        return tuple(sorted(found, key=lambda flip: not flip.worse))

    @told_at_its_line
    def assert_no_regression(
        self,
        baseline: str | PathLike[str],
        *,
        fail_on_drop: Sequence[str] = (),
        fail_on_rise: Sequence[str] = (),
        allow_flips: int = 0,
        allow_removed: bool = False,
    ) -> None:
        """WorseError when a verdict is worse than in the baseline file, or a change too large.

        With `--compaction-update` the file is written instead. EvaluationError where there is
        none, or the two can't be compared.
        """
        __tracebackhide__ = True
        path = self._path(baseline)
        given = {"fail-on-drop": tuple(fail_on_drop), "fail-on-rise": tuple(fail_on_rise)}
        gates = parse_gates(given)  # before anything is written
        if self.update:
            if not path.is_file() or path.read_text("utf-8", "replace") != baseline_text(
                self.evidence
            ):
                write_baseline(path, self.evidence)
            return
        if not path.is_file():
            raise EvaluationError(f"{path}: there is no baseline; `pytest {UPDATE}` writes it")
        try:
            found = check_regression(
                self.evidence,
                read_baseline(path),
                gates,
                allow_flips=allow_flips,
                allow_removed=allow_removed,
            )
        except ConfigurationError as error:
            raise EvaluationError(f"{error}\n`pytest {UPDATE}` writes {path} anew") from None
        if found.outcome != "pass":
            lines = regression_lines(found, path.name, self._lost, self.run.manifest)
            raise WorseError("\n".join([*lines, f"If it is meant: `pytest {UPDATE}`"]))

    def _path(self, baseline: str | PathLike[str]) -> Path:
        return self.directory / baseline
