"""A model's answers have charts of their own: beside the views', in the same look, never mixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

pytest.importorskip("matplotlib")

from tests.reports.charts.answering import ask
from tests.reports.charts.looking import lines_of, words_of

from compaction_eval.eval.joining import joined
from compaction_eval.eval.recall.normalising import normalised_recall
from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.statistics import mean_interval
from compaction_eval.eval.store import Run
from compaction_eval.eval.summary import scenario_shares, summary_rows
from compaction_eval.reports.charts.ages import ages_charts
from compaction_eval.reports.charts.all_charts import charts_of
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.kinds import kinds_charts
from compaction_eval.reports.charts.measures import RECALL
from compaction_eval.reports.charts.sweep import sweep_charts
from compaction_eval.reports.charts.tradeoff import tradeoff_charts
from compaction_eval.reports.marks import marks_of

Measured = Callable[..., Material]


def named(charts: list[Chart], name: str) -> Chart:
    """The chart of that name."""
    return next(chart for chart in charts if chart.name == name)


def records(chart: Chart) -> list[dict[str, object]]:
    """The chart's data, by column."""
    return [dict(zip(chart.columns, row, strict=True)) for row in chart.data]


def test_what_a_model_answered_has_charts_beside_those_of_the_views(
    material: Material, answered: Material
) -> None:
    names = [chart.name for chart in charts_of(answered)]
    assert [name for name in names if "recall" in name] == [
        "tradeoff-recall",
        "budget-sweep-recall",
        "recall-by-age",
        "kinds-recall",
    ]
    views = [chart for chart in charts_of(answered) if "recall" not in chart.name]
    assert [(chart.name, chart.data) for chart in views] == [
        (chart.name, chart.data) for chart in charts_of(material)
    ]


def test_recall_stands_beside_retained_tokens_with_the_figures_of_the_table(
    answered: Material,
) -> None:
    chart = named(tradeoff_charts(answered), "tradeoff-recall")
    drawn = lines_of(chart)
    for row in answered.rows:
        assert (row.retained_tokens, row.recall) in drawn[row.strategy]
        assert row.recall != row.survival or row.recall == 0
    by_row = {(one["strategy"], one["budget"]): one for one in records(chart)}
    for row in answered.rows:
        one = by_row[row.strategy, row.budget]
        assert one["recall"] == row.recall
        assert one["answers"] == row.answers
        assert one["no_answer"] == row.answer_errors


def test_the_note_says_who_answered_and_how_many_questions_have_no_answer(
    answered: Material,
) -> None:
    faults = sum(row.answer_errors or 0 for row in answered.rows)
    assert faults > 10
    for name in ("tradeoff-recall", "budget-sweep-recall", "recall-by-age"):
        note = named(charts_of(answered), name).note
        assert "openai:pocket-7b" in note
        assert f"{faults} questions of all rows without an answer, in no share" in note
        assert "answers a row" in note
    assert "without an answer" not in named(charts_of(answered), "tradeoff-survival").note


def test_recall_is_read_between_the_bare_question_and_the_full_history(
    answered: Material,
) -> None:
    chart = named(tradeoff_charts(answered), "tradeoff-recall")
    cells = {
        name: [c for c in answered.cells if c.key.strategy == name and c.key.budget == "20%"]
        for name in ("rolling-summary", "empty", "none")
    }
    expected = normalised_recall(cells["rolling-summary"], cells["empty"], cells["none"])
    found = {one["strategy"]: one["normalised"] for one in records(chart) if one["budget"] == "20%"}
    assert found["rolling-summary"] == expected
    assert found["empty"] == 0
    assert found["none"] == 1
    large = {one["strategy"]: one["normalised"] for one in records(chart) if one["budget"] == "40%"}
    share = large["rolling-summary"]
    assert isinstance(share, float)
    assert f"rolling-summary (norm. {100 * share:.0f}%)" in words_of(chart)


def test_of_two_models_put_together_each_is_read_between_its_own_controls(
    answered: Material,
) -> None:
    def guessing(cell: CellRecord) -> CellRecord:
        """What a model would have answered that also guesses every fourth of what it lacks."""
        better = [
            replace(probe, answer=replace(probe.answer, verdict="correct"))
            if probe.answer and probe.answer.verdict == "wrong" and number % 4 == 0
            else probe
            for number, probe in enumerate(cell.probes)
        ]
        return replace(cell, probes=tuple(better))

    other = replace(
        answered,
        manifest={**answered.manifest, "model": "openai:guesser"},
        cells=tuple(map(guessing, answered.cells)),
    )
    runs = {"one": answered, "two": other}
    run = joined({name: Run(m.manifest, tuple(m.cells)) for name, m in runs.items()})
    both = replace(answered, manifest=run.manifest, cells=run.cells, rows=summary_rows(run))
    found = {
        (one["strategy"], one["budget"]): one["normalised"]
        for one in records(named(tradeoff_charts(marked(both)), "tradeoff-recall"))
    }
    for name, alone in runs.items():
        alone = replace(alone, rows=summary_rows(Run(alone.manifest, tuple(alone.cells))))
        for one in records(named(tradeoff_charts(alone), "tradeoff-recall")):
            assert found[f"{one['strategy']} [{name}]", one["budget"]] == one["normalised"]
    assert found["rolling-summary [one]", "40%"] != found["rolling-summary [two]", "40%"]


def marked(material: Material) -> Material:
    """The same with the marks of its manifest's strategies."""
    specs = [one["spec"] for one in material.manifest["strategies"]]
    return replace(material, marks=marks_of(specs))


def test_without_both_controls_nothing_is_normalised_and_the_note_says_so(
    answered: Material,
) -> None:
    cells = tuple(cell for cell in answered.cells if cell.key.strategy != "none")
    lacking = replace(answered, cells=cells, rows=summary_rows(Run(answered.manifest, cells)))
    chart = named(tradeoff_charts(lacking), "tradeoff-recall")
    assert {one["normalised"] for one in records(chart)} == {None}
    assert "not normalised" in chart.note


def test_each_chart_has_the_frontier_of_its_own_measure(answered: Material) -> None:
    def best(chart: Chart) -> set[tuple[object, object]]:
        return {(one["strategy"], one["budget"]) for one in records(chart) if one["frontier"]}

    for name in ("survival", "recall"):
        chart = named(tradeoff_charts(answered), f"tradeoff-{name}")
        for one in records(chart):
            if (one["strategy"], one["budget"]) in best(chart):
                assert not any(
                    other["frontier"]
                    and other["budget"] == one["budget"]
                    and other[name] > one[name]  # type: ignore[operator]  # numbers
                    and other["retained_tokens"] <= one["retained_tokens"]  # type: ignore[operator]  # numbers
                    for other in records(chart)
                )
    other_rows = [
        replace(row, recall=0.9 if row.strategy == "count-slice(keep=6)" else 0.1)
        if row.strategy in ("count-slice(keep=6)", "rolling-summary")
        else row
        for row in answered.rows
    ]
    sound = [replace(row, invalid_requests=0, over_budget_requests=0) for row in other_rows]
    chart = named(tradeoff_charts(replace(answered, rows=sound)), "tradeoff-recall")
    assert ("count-slice(keep=6)", "40%") in best(chart)
    assert chart.title == (
        "At 40%, the usable strategies let the model recall 10.0% to 90.0% of the questions and"
        " can't be told apart (2 conversations)"
    )


def test_intervals_of_recall_are_over_scenarios(measured: Measured) -> None:
    scenarios = (
        "blank-summary-accepted",
        "empty-results",
        "harness-note-is-newest",
        "marker-quoted-by-user",
        "nothing-new-wipes-the-digest",
        "zh-dry-run-first",
    )
    run = ask(measured(scenarios, budgets=("50%",), strategies=("rolling-summary", "none")))
    chart = named(tradeoff_charts(run), "tradeoff-recall")
    own = [cell for cell in run.cells if cell.key.strategy == "rolling-summary"]
    interval = mean_interval(list(scenario_shares(own, RECALL.chosen).values()))
    (one,) = (one for one in records(chart) if one["strategy"] == "rolling-summary")
    assert (one["low"], one["high"]) == (interval.low, interval.high)
    assert "95% intervals over scenarios" in chart.note


def test_sweep_ages_and_kinds_of_answers_have_their_own_figures_and_words(
    answered: Material,
) -> None:
    sweep = named(sweep_charts(answered), "budget-sweep-recall")
    expected = {(row.strategy, row.budget): row.recall for row in answered.rows}
    assert {(one["strategy"], one["budget"]): one["recall"] for one in records(sweep)} == expected
    assert "recall" in sweep.title
    kinds = named(kinds_charts(answered), "kinds-recall")
    full = {one["share"] for one in records(kinds) if one["strategy"] == "none"}
    assert full != {1.0}
    assert "recalled on average" in kinds.title
    ages = named(ages_charts(answered), "recall-by-age")
    assert "share of questions that the model answered rightly" in words_of(ages)
    assert "half of the questions" in ages.title
