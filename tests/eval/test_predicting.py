"""Which orders are set against each other, and who has a place in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compaction_eval.eval.evidence import CellEvidence, Evidence, Named
from compaction_eval.eval.predicting import predictions

ByHand = Callable[..., Evidence]
BEST_FIRST = ("window", "gate", "slice")


def evidence(by_hand: ByHand, shares: dict[str, str], scenarios: int = 8) -> Evidence:
    """Each strategy with the same verdicts in every scenario."""
    parts = [
        by_hand({f"s{n}": verdicts for n in range(scenarios)}, strategies=(name,))
        for name, verdicts in shares.items()
    ]
    return replace(
        parts[0],
        strategies=tuple(one for part in parts for one in part.strategies),
        cells=tuple(cell for part in parts for cell in part.cells),
    )


def with_answers(found: Evidence, right: dict[str, int]) -> Evidence:
    """The same, with answers to a strategy's first probes right and to its others wrong."""

    def told(cell: CellEvidence) -> CellEvidence:
        outcomes = [
            replace(one, recall="correct" if at < right[cell.key.strategy] else "wrong")
            for at, one in enumerate(cell.outcomes)
        ]
        return replace(cell, outcomes=tuple(outcomes))

    return replace(found, cells=tuple(map(told, found.cells)))


def test_survival_is_set_against_what_a_model_recalled(by_hand: ByHand) -> None:
    offline = evidence(by_hand, {"window": "++++", "gate": "++--", "slice": "----"})
    live = with_answers(
        evidence(by_hand, {"slice": "----", "gate": "++--", "window": "+++-"}),
        {"window": 3, "gate": 2, "slice": 0},
    )
    (found,) = predictions(offline, live)
    assert (found.budget, found.measures) == ("30%", ("survival", "recall"))
    assert found.ranking is not None
    assert found.ranking.strategies == BEST_FIRST
    assert found.ranking.real == (0.75, 0.5, 0.0)
    assert found.ranking.tau == 1.0
    assert found.ranking.interval is not None


def test_one_run_predicts_its_own_recall(by_hand: ByHand) -> None:
    views = evidence(by_hand, {"window": "++++", "gate": "++--", "slice": "----"})
    live = with_answers(views, {"window": 0, "gate": 2, "slice": 3})
    (found,) = predictions(live, live)
    assert found.ranking is not None
    assert found.ranking.tau == -1.0


def test_without_a_model_survival_is_set_against_survival(by_hand: ByHand) -> None:
    one = evidence(by_hand, {"window": "++", "gate": "+-", "slice": "--"})
    (found,) = predictions(one, replace(one))
    assert found.measures == ("survival", "survival")


def test_controls_whose_place_is_known_and_what_sees_the_answers_are_left_out(
    by_hand: ByHand,
) -> None:
    shares = {"window": "+++-", "gate": "++--", "slice": "+---", "none": "++++", "empty": "----"}
    found = evidence(by_hand, {**shares, "cheat": "++++"})
    seeing = tuple(
        replace(one, sees_answer_key=True) if one.label == "cheat" else one
        for one in found.strategies
    )
    (told,) = predictions(replace(found, strategies=seeing), found)
    assert told.ranking is not None
    assert set(told.ranking.strategies) == set(BEST_FIRST)


def test_a_summariser_that_sees_the_answers_orders_nothing(by_hand: ByHand) -> None:
    found = evidence(by_hand, {"window": "++", "gate": "+-", "slice": "--"})
    oracle = replace(found, summarizers=(Named("none", "oracle", sees_answer_key=True),))
    (told,) = predictions(oracle, found)
    assert told.ranking is None
    assert "0 strategies" in told.why


def test_two_strategies_make_no_order(by_hand: ByHand) -> None:
    found = evidence(by_hand, {"window": "++", "gate": "+-"})
    (told,) = predictions(found, found)
    assert told.ranking is None
    assert told.why == "only 2 strategies on both sides have figures; an order needs three"
