"""The edge suite: each conversation says what it is about, and is what it says."""

from functools import cache
from pathlib import Path

import pytest

from compaction_eval.eval.matrix import Budget
from compaction_eval.scenarios.library import library_folder, scenario_files
from compaction_eval.scenarios.loader import load_file
from compaction_eval.scenarios.properties import PROPERTIES
from compaction_eval.scenarios.records import Scenario, Stress
from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.loading import load_summarizer
from compaction_eval.strategies.messages import content_text, reading_text, role
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.tokens import TokenCounter

FOLDER = library_folder().resolve() / "edge"
FILES = scenario_files(FOLDER)
COUNTER = TokenCounter()


@cache
def variants(path: Path) -> tuple[Scenario, ...]:
    return load_file(path)


def named(stem: str) -> Scenario:
    return variants(FOLDER / f"{stem}.yaml")[0]


def stress_of(scenario: Scenario) -> Stress:
    assert scenario.stress is not None, f"{scenario.file} has no `stress`"
    return scenario.stress


def budget_of(scenario: Scenario) -> int:
    return Budget.parse(stress_of(scenario).budget).of(COUNTER.request(scenario.messages))


def requests(scenario: Scenario) -> list[int]:
    """Tokens of the full history at each request; the run asks none before the first message."""
    messages = scenario.messages
    return [
        COUNTER.request(messages[:at])
        for at, message in enumerate(messages)
        if at and role(message) == "assistant"
    ]


each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@each_file
def test_each_conversation_is_tagged_described_and_says_what_it_is_about(path: Path) -> None:
    for scenario in variants(path):
        assert "edge" in scenario.tags
        assert scenario.description
        assert stress_of(scenario).holds
        load_summarizer(parse_spec(stress_of(scenario).summarizer), path.parent)


@each_file
def test_something_has_to_give_unless_it_is_about_leaving_all_as_it_is(path: Path) -> None:
    for scenario in variants(path):
        if "untouched" not in stress_of(scenario).holds:
            assert max(requests(scenario)) > budget_of(scenario)


def test_every_property_is_what_some_conversation_is_about() -> None:
    about = {name for path in FILES for one in variants(path) for name in stress_of(one).holds}
    assert set(PROPERTIES) - about == set()


@pytest.mark.parametrize(
    ("stem", "excess"), [("exactly-at-budget", 0), ("one-token-over-budget", 1)]
)
def test_the_last_request_is_as_large_as_the_title_says(stem: str, excess: int) -> None:
    scenario = named(stem)
    *earlier, last = requests(scenario)
    assert last == budget_of(scenario) + excess
    assert max(earlier) < budget_of(scenario)


@pytest.mark.parametrize(
    ("stem", "kind"), [("oversized-request", "user"), ("oversized-result", "tool")]
)
def test_the_oversized_message_has_two_point_seven_times_the_budget(stem: str, kind: str) -> None:
    scenario = named(stem)
    largest = max(scenario.messages, key=COUNTER.message)
    assert role(largest) == kind
    assert COUNTER.message(largest) / budget_of(scenario) == pytest.approx(2.7, abs=0.05)


def test_the_unbroken_message_has_a_hundred_thousand_tokens_and_no_space() -> None:
    text = max(map(content_text, named("unbroken-hundred-thousand-tokens").messages), key=len)
    assert COUNTER.text(text) >= 100_000
    assert not any(map(str.isspace, text))


def test_a_thousand_messages_are_tiny() -> None:
    sizes = [COUNTER.message(message) for message in named("thousand-tiny-messages").messages]
    assert sum(size < 10 for size in sizes) >= 1000


def test_the_steps_after_the_new_request_exceed_the_budget_alone() -> None:
    scenario = named("request-before-twelve-steps")
    newest = max(at for at, one in enumerate(scenario.messages) if role(one) == "user")
    steps = scenario.messages[newest + 1 : -1]
    assert sum(role(message) == "tool" for message in steps) == 12
    assert COUNTER.request(steps) > budget_of(scenario)


def test_the_system_message_alone_exceeds_the_budget() -> None:
    scenario = named("system-larger-than-budget")
    assert COUNTER.request(scenario.messages[:1]) > budget_of(scenario)


def test_the_inflated_summary_has_six_times_the_budget() -> None:
    scenario = named("summariser-six-times-budget")
    factory = load_summarizer(parse_spec(stress_of(scenario).summarizer), FOLDER)
    assert factory is not None
    summary = factory().summarize(SummaryRequest(scenario.messages))
    assert COUNTER.text(summary) > 6 * budget_of(scenario)


def test_lone_surrogates_stand_in_words_arguments_and_results() -> None:
    hurt = {
        role(message)
        for message in named("lone-surrogates").messages
        if any("\ud800" <= sign <= "\udfff" for sign in reading_text(message))
    }
    assert hurt == {"user", "assistant", "tool"}
