"""A scenario made ready for replay: measured, searched and checked once, for all cells to share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from compaction_eval.eval.checking import Checker
from compaction_eval.eval.message_sizes import MessageSizes, sizes_of
from compaction_eval.eval.questions import Question, questions_of
from compaction_eval.eval.shape import shape_of
from compaction_eval.eval.summaries.planted import Planted, planted_facts
from compaction_eval.eval.validity import PROFILES
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.base import AnswerKey, PlantedFact, ToolCompaction
from compaction_eval.strategies.messages import Message, answered_id, call_ids, is_system, role
from compaction_eval.strategies.tokens import REQUEST_TOKENS, TokenCounter
from compaction_eval.strategies.view import Conversation


@dataclass(frozen=True, slots=True)
class Script:
    """One variant of a scenario, ready for replay. Built by `prepare`; never changed afterwards."""

    scenario: Scenario
    conversation: Conversation
    questions: tuple[Question, ...]
    checkers: tuple[Checker, ...]
    """One for each validity profile, in the order of `PROFILES`."""
    answer_key: AnswerKey
    floor: tuple[int, ...]
    """For each place: tokens of a request with the system messages and the newest block only."""
    system_floor: tuple[int, ...]
    """For each place: tokens of a request with the system messages only."""
    tools_tokens: int
    main_line: tuple[int, ...]
    """Places of the recorded requests: positions of the assistant messages."""
    recorded: tuple[ToolCompaction, ...]
    """What the recorded agent's own tool did."""
    sizes: MessageSizes
    """What a bill is made out from."""
    planted: tuple[Planted, ...] = ()
    """The facts that summaries are looked through for."""

    def history_tokens(self, at: int) -> int:
        """Tokens of a request with the full history at a place."""
        return REQUEST_TOKENS + self.conversation.sums[at]

    @property
    def conversation_tokens(self) -> int:
        """Tokens of a request with the whole conversation: the base of percentage budgets."""
        return self.history_tokens(len(self.conversation.messages))


def prepare(scenario: Scenario, counter: TokenCounter) -> Script:
    """Measure, search and check a scenario."""
    messages = [_own(message) for message in scenario.messages]
    conversation = Conversation(messages, counter)
    shapes = [shape_of(message) for message in messages]
    floor, system_floor = _floors(conversation)
    answer_key = _answer_key(scenario, conversation)
    return Script(
        scenario=scenario,
        conversation=conversation,
        questions=questions_of(scenario, Corpus(messages)),
        checkers=tuple(Checker(conversation, profile, shapes) for profile in PROFILES.values()),
        answer_key=answer_key,
        floor=floor,
        system_floor=system_floor,
        tools_tokens=counter.tools(scenario.tools),
        main_line=tuple(at for at, message in enumerate(messages) if role(message) == "assistant"),
        recorded=tuple(
            ToolCompaction(
                messages[one.at - 1],
                messages[one.kept_from] if one.kept_from < one.at else None,
                one.summary,
            )
            for one in scenario.recorded
        ),
        sizes=sizes_of(messages, counter),
        planted=planted_facts(answer_key, conversation),
    )


def _own(message: Message) -> Message:
    """An object of its own for each message; one that a file repeats is known by its place."""
    return cast("Message", dict(message))


def _floors(conversation: Conversation) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The least that any request at each place can take, with and without its newest block."""
    system = [REQUEST_TOKENS]
    floor = [REQUEST_TOKENS]
    caller: dict[str, int] = {}
    block: list[int] = []
    """Tokens of the block that each message opened, as far as it has been said."""
    for position, message in enumerate(conversation.messages):
        own = conversation.tokens(range(position, position + 1))
        block.append(own)
        opener = position
        if role(message) == "tool":
            opener = caller.get(answered_id(message), position)
            if opener != position:
                block[opener] += own
        for call_id in call_ids(message):
            caller[call_id] = position
        system.append(system[-1] + (own if is_system(message) else 0))
        floor.append(system[-1] + (0 if is_system(message) else block[opener]))
    return tuple(floor), tuple(system)


def _answer_key(scenario: Scenario, conversation: Conversation) -> AnswerKey:
    """What the probes ask for. Facts that no probe asks for are no part of it."""
    messages = conversation.messages
    asked = {probe.fact for probe in scenario.probes}
    said = [statement for statement in scenario.statements if statement.fact in asked]
    facts = [
        PlantedFact(one.fact, one.forms, messages[one.message], one.retraction) for one in said
    ]
    for probe in scenario.probes:
        if probe.fact is None and probe.evidence is not None:
            facts.append(PlantedFact(f"probe:{probe.id}", probe.accept, messages[probe.evidence]))
    sources = [probe.source for probe in scenario.reuse if probe.where != "text"]
    places: Iterable[int] = (conversation.position[id(fact.message)] for fact in facts)
    evidence = sorted({*places, *sources})
    return AnswerKey(
        facts=tuple(sorted(facts, key=lambda fact: conversation.position[id(fact.message)])),
        evidence=tuple(messages[at] for at in evidence),
    )
