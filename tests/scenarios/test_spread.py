"""What a library covers is counted from its records, and the shipped one covers what it must."""

from __future__ import annotations

import pytest

from compaction_eval.scenarios.library import library_folder, select
from compaction_eval.scenarios.records import Match, Place, Probe, ProbeKind, Scenario, Statement
from compaction_eval.scenarios.spread import Asked, Lengths, Spread, evidence, spread
from compaction_eval.strategies.tokens import TokenCounter

PLACE = Place("talks/plan.yaml")


@pytest.fixture(scope="module")
def counter() -> TokenCounter:
    return TokenCounter()


@pytest.fixture(scope="module")
def shipped(counter: TokenCounter) -> Spread:
    """The whole shipped library's spread."""
    return spread(select([str(library_folder())]), counter)


def said(fact: str, message: int, *forms: str, retraction: bool = False) -> Statement:
    return Statement(fact, message, forms, retraction, PLACE)


def asked(
    fact: str | None = None,
    *,
    at: int = 10,
    kind: ProbeKind = "recall",
    match: Match = "contains",
    evidence: int | None = None,
) -> Probe:
    return Probe("p", kind, "Which?", (("end", at),), fact=fact, match=match, evidence=evidence)


def scenario(
    *probes: Probe,
    name: str = "plan",
    texts: tuple[str, ...] = ("word",) * 10,
    statements: tuple[Statement, ...] = (),
    tags: tuple[str, ...] = (),
    variant: str = "",
    lang: str = "en",
) -> Scenario:
    return Scenario(
        id=name,
        title="A plan",
        lang=lang,
        messages=tuple({"role": "user", "content": text} for text in texts),
        statements=statements,
        probes=probes,
        tags=tags,
        variant=variant,
        file=f"talks/{name}.yaml",
    )


def test_variants_of_a_scenario_are_counted_once(counter: TokenCounter) -> None:
    found = spread([scenario(asked(), variant="noise=0"), scenario(variant="noise=9")], counter)
    assert (found.scenarios, found.variants, found.probes) == (1, 2, 1)


def test_languages_and_families_are_counted_the_largest_first(counter: TokenCounter) -> None:
    found = spread(
        [
            scenario(name="a", lang="zh", tags=("mixed",)),
            scenario(name="b", lang="zh"),
            scenario(name="c", lang="zh"),
        ],
        counter,
    )
    assert list(found.languages.items()) == [("zh", 2), ("mixed", 1)]
    assert found.families == {"talks": 3}


@pytest.mark.parametrize("tag", ["edge", "long"])
def test_scenarios_on_demand_have_no_part_in_the_shares(counter: TokenCounter, tag: str) -> None:
    found = spread([scenario(name="a"), scenario(asked(), name="b", tags=(tag,))], counter)
    assert (found.scenarios, found.probes, found.on_demand[tag]) == (1, 0, 1)


def test_kinds_and_matches_are_counted_in_probes_and_in_scenarios(counter: TokenCounter) -> None:
    two = scenario(asked(kind="temporal"), asked(kind="temporal", match="set"), name="a")
    found = spread([two, scenario(asked(match="set"), name="b")], counter)
    assert found.kinds["temporal"] == Asked(2, 1)
    assert found.kinds["abstention"] == Asked(0, 0)
    assert found.matches["set"] == Asked(2, 2)


@pytest.mark.parametrize(("calls", "tools", "parallel"), [(0, 0, 0), (1, 1, 0), (2, 1, 1)])
def test_calls_in_one_message_are_parallel(
    counter: TokenCounter, calls: int, tools: int, parallel: int
) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    message = {"role": "assistant", "content": "So.", "tool_calls": [call] * calls}
    one = Scenario("a", "A", "en", (message,), file="talks/a.yaml")  # type: ignore[arg-type]  # a plain dict
    found = spread([one], counter)
    assert (found.tools, found.parallel) == (tools, parallel)


@pytest.mark.parametrize(("message", "part"), [(0, 0), (1, 0), (2, 1), (5, 2), (7, 3), (9, 4)])
def test_evidence_falls_into_a_fifth_of_the_messages(
    counter: TokenCounter, message: int, part: int
) -> None:
    found = spread([scenario(asked("f"), statements=(said("f", message, "word"),))], counter)
    assert [at for at, number in enumerate(found.evidence_by_messages) if number] == [part]


def test_evidence_falls_into_a_fifth_of_the_tokens(counter: TokenCounter) -> None:
    """The second of ten messages is the last fifth where the first takes nearly all tokens."""
    texts = ("word " * 900, *("word",) * 9)
    found = spread([scenario(asked("f"), texts=texts, statements=(said("f", 1, "word"),))], counter)
    assert found.evidence_by_tokens == (0, 0, 0, 0, 1)
    assert found.evidence_by_messages == (1, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("probe", "position"),
    [
        pytest.param(asked("f"), 6, id="the last statement of a fact"),
        pytest.param(asked("f", at=5), 2, id="the last one before it is asked"),
        pytest.param(asked(evidence=4), 4, id="the evidence of a probe without a fact"),
        pytest.param(asked(kind="abstention"), None, id="none of what was never said"),
    ],
)
def test_the_evidence_of_a_probe_is_what_it_is_about(probe: Probe, position: int | None) -> None:
    statements = (said("f", 2, "one"), said("f", 6, "two"))
    assert evidence(scenario(probe, statements=statements), probe) == position


@pytest.mark.parametrize(
    ("statements", "updates", "twice", "retracted"),
    [
        pytest.param((said("f", 1, "a"),), 0, 0, 0, id="said once"),
        pytest.param((said("f", 1, "a"), said("f", 2, "A")), 0, 0, 0, id="said again"),
        pytest.param((said("f", 1, "a"), said("f", 2, "b")), 1, 0, 0, id="updated"),
        pytest.param(
            (said("f", 1, "a"), said("f", 2, "b"), said("f", 3, "a")), 2, 1, 0, id="twice"
        ),
        pytest.param((said("f", 1, "a"), said("f", 2, retraction=True)), 0, 0, 1, id="retracted"),
        pytest.param((said("g", 1, "a"), said("g", 2, "b")), 0, 0, 0, id="not asked for"),
    ],
)
def test_updates_are_other_values_of_facts_that_are_asked_for(
    counter: TokenCounter,
    statements: tuple[Statement, ...],
    updates: int,
    twice: int,
    retracted: int,
) -> None:
    found = spread([scenario(asked("f"), statements=statements)], counter)
    assert (found.updates, found.updated_twice, found.retracted) == (updates, twice, retracted)


def test_lengths_are_those_of_requests_with_everything(counter: TokenCounter) -> None:
    every = [scenario(name=name, texts=("word",) * n) for name, n in (("a", 2), ("b", 9), ("c", 4))]
    found = spread(every, counter)
    assert found.messages == Lengths(2, 4, 9)
    assert found.tokens == Lengths(3 + 2 * 5, 3 + 4 * 5, 3 + 9 * 5)


def test_nothing_is_counted_in_an_empty_library(counter: TokenCounter) -> None:
    found = spread([], counter)
    assert (found.scenarios, found.probes, found.tokens) == (0, 0, Lengths(0, 0, 0))


# The shipped library


def test_the_library_has_enough_of_everything(shipped: Spread) -> None:
    least = {
        "scenarios": (shipped.scenarios, 40),
        "families": (len(shipped.families), 10),
        "probes": (shipped.probes, 400),
        "scenarios with tools": (shipped.tools, shipped.scenarios / 3),
        "scenarios with parallel calls": (shipped.parallel, 10),
        "updates": (shipped.updates, 60),
        "facts updated twice": (shipped.updated_twice, 10),
        "facts retracted": (shipped.retracted, 5),
    }
    assert {what: pair for what, pair in least.items() if pair[0] < pair[1]} == {}


@pytest.mark.parametrize(
    ("language", "least"), [("en", 22), ("zh", 12), ("ja", 2), ("de", 2), ("mixed", 2)]
)
def test_the_library_has_enough_scenarios_in(shipped: Spread, language: str, least: int) -> None:
    assert shipped.languages[language] >= least


def test_each_kind_of_probe_is_asked_in_five_scenarios(shipped: Spread) -> None:
    assert {kind: one for kind, one in shipped.kinds.items() if one.scenarios < 5} == {}


def test_each_kind_of_match_is_used(shipped: Spread) -> None:
    assert [match for match, one in shipped.matches.items() if not one.probes] == []


def test_each_fifth_of_the_conversations_holds_its_share_of_the_evidence(shipped: Spread) -> None:
    for parts in (shipped.evidence_by_tokens, shipped.evidence_by_messages):
        shares = [number / sum(parts) for number in parts]
        assert [f"{share:.1%}" for share in shares if share < 0.15] == []


def test_sets_are_asked_for_in_five_artifact_probes() -> None:
    asked_for = {
        (one.id, probe.id)
        for one in select(())
        for probe in one.probes
        if probe.match == "set" and probe.kind == "artifact"
    }
    assert len(asked_for) >= 5
