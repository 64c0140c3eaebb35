"""What holds for every built-in strategy, over generated valid conversations.

Each conversation is replayed as a run does it: before each assistant message the strategy sees the
view so far, and what it returns is the view from there on. Lists and measured views go in step.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compaction_eval.strategies.base import (
    AnswerKey,
    Context,
    Strategy,
    SummaryRequest,
    ToolCompaction,
)
from compaction_eval.strategies.blocks import newest_block
from compaction_eval.strategies.loading import BUILT_IN, load_strategy
from compaction_eval.strategies.messages import Message, call_ids, content_text, is_system, role
from compaction_eval.strategies.rendering import is_internal
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.summarizers.extractive import Extractive
from compaction_eval.strategies.summary import is_summary
from compaction_eval.strategies.tokens import TokenCounter
from compaction_eval.strategies.view import Conversation

COUNTER = TokenCounter()
BLOCK_AWARE = (
    "block-truncation",
    "block-truncation(request=keep, oversized=reduce, reserve_tokens=20)",
    "rolling-summary",
    "rolling-summary(summary_place=end, summary_role=auto, reserve_tokens=30)",
    "rolling-summary(summary_role=system, oversized=keep)",
    "rolling-summary(system=drop)",
    "threshold-gate",
    "threshold-gate(keep_recent=2, min_tokens=10, summary_place=end)",
    "window-summary",
    "window-summary(reserve_tokens=40, target=0.5)",
    "window-summary(oversized=keep, request=window)",
)
WHOLE_PAIRS = (
    "count-slice(keep=3, pairs=keep)",
    "token-window(pairs=keep)",
    "count-summary(pairs=keep)",
    "token-summary(max_tokens=60%, keep_recent_tokens=30%, pairs=keep)",
    "keep-recent-summary(pairs=keep, keep_recent=2)",
)
NAIVE = (
    "none",
    "recorded",
    "empty",
    "evidence-only",
    "count-slice(keep=3)",
    "count-slice(keep=3, system=drop)",
    "token-window",
    "count-summary",
    "count-summary(summary_role=system, summary_place=front)",
    "token-summary",
    "token-summary(summary_role=auto)",
    "keep-recent-summary",
)
WORDS = (
    "deploy",
    "the",
    "port 8443",
    "Mei Lindqvist",
    "北京的酒店",
    "人均消费75元",
    "config/app.yaml",
    "",
    "must not",
    "retry 3 times",
    "\n",
    "[1, 2]",
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A text of no to some eighty words, in two languages."""
    words = draw(st.lists(st.sampled_from(WORDS), max_size=8))
    return " ".join(words * draw(st.sampled_from((1, 1, 1, 4, 10))))


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    """A valid conversation: users, assistants, parallel calls answered in any order, systems."""
    messages: list[Message] = []
    if draw(st.booleans()):
        messages.append({"role": "system", "content": draw(texts())})
    reused = draw(st.booleans())
    kinds = draw(st.lists(st.sampled_from("uuaatttssi"), min_size=1, max_size=14))
    for number, kind in enumerate(kinds):
        if kind == "u":
            text = draw(texts())
            parts = [{"type": "text", "text": text}, {"type": "text", "text": "and so on"}]
            messages.append({"role": "user", "content": parts if draw(st.booleans()) else text})
        elif kind == "i":
            messages.append({"role": "user", "content": "[Judge feedback] " + draw(texts())})
        elif kind == "s":
            if draw(st.integers(0, 3)) == 0:
                messages.append({"role": "system", "content": draw(texts())})
        elif kind == "a":
            messages.append({"role": "assistant", "content": draw(texts())})
        else:
            messages.extend(draw(tool_blocks("c" if reused else f"c{number}-")))
    return messages or [{"role": "user", "content": "hello"}]


@st.composite
def tool_blocks(draw: st.DrawFn, prefix: str) -> list[Message]:
    """An assistant message with one to three calls, and its answers in any order."""
    ids = [f"{prefix}{index}" for index in range(draw(st.integers(1, 3)))]
    calls = [
        {"id": i, "type": "function", "function": {"name": "look", "arguments": '{"q": "x"}'}}
        for i in ids
    ]
    words = draw(st.sampled_from((None, "", "I'll look.")))
    call: Message = {"role": "assistant", "content": words, "tool_calls": calls}
    order = draw(st.permutations(ids))
    return [call, *({"role": "tool", "tool_call_id": i, "content": draw(texts())} for i in order)]


@dataclass
class Fixed:
    """Answers each request with the same thing, or raises it."""

    answer: object
    calls: int = 0
    name: str = "fixed"

    def summarize(self, request: SummaryRequest) -> str:
        self.calls += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]  # wrong types are among the faults


class Counted:
    """The offline summariser, with its calls counted."""

    name = "counted"

    def __init__(self) -> None:
        self.inner = Extractive()
        self.calls = 0

    def summarize(self, request: SummaryRequest) -> str:
        self.calls += 1
        return self.inner.summarize(request)


SUMMARIZERS: tuple[Callable[[], Fixed | Counted | None], ...] = (
    lambda: None,
    Counted,
    lambda: Fixed("Port 8443 is set; Mei Lindqvist owns it; deploys must not run at night."),
    lambda: Fixed(ValueError("no luck")),
    lambda: Fixed(TimeoutError()),
    lambda: Fixed(""),
    lambda: Fixed(None),
    lambda: Fixed("word of the summary, " * 1500),
    lambda: Fixed("I'm sorry, but I can't help with summarising this conversation."),
)


def is_valid(messages: Sequence[Message]) -> bool:
    """Whether each call is answered right behind it, and each answer has its call."""
    pending: set[str] = set()
    for message in messages:
        if role(message) == "tool":
            if message["tool_call_id"] not in pending:
                return False
            pending.discard(message["tool_call_id"])
        else:
            if pending:
                return False
            pending = set(call_ids(message))
    return not pending


def requests(messages: list[Message]) -> list[int]:
    """Places at which the agent asks its model: before assistant messages, and at the end."""
    at = [i for i, message in enumerate(messages) if i > 0 and role(message) == "assistant"]
    return [*at, len(messages)]


class Step:
    """One compaction: what went in and what came out."""

    def __init__(self, strategy: Strategy, view: Sequence[Message], context: Context) -> None:
        self.before = list(view)
        frozen = copy.deepcopy(self.before)
        self.result = strategy.compact(view, context)
        self.after = list(self.result.view)
        assert self.before == frozen, "what a strategy is given isn't changed"
        self.budget = context.budget

    def room(self, keep_system: bool = True) -> int:
        """Tokens that the newest block and the system messages leave; below 0, none can fit."""
        own = [m for m in self.before if not is_summary(m)]
        system = [m for m in own if keep_system and is_system(m)]
        others = [m for m in own if not (keep_system and is_system(m))]
        newest = [others[place] for place in newest_block(others)]
        return self.budget - COUNTER.request([*system, *newest])

    def check(self, may_reduce: bool) -> None:
        """What holds for all strategies."""
        assert self.after, "a view is never empty"
        assert sum(map(is_summary, self.after)) <= 1
        gone: list[Message] = []
        at = 0
        before = [message for message in self.before if not is_summary(message)]
        for message in self.after:
            if is_summary(message):
                continue
            while not self._same(before[at], message, may_reduce):
                gone.append(before[at])
                at += 1
            if before[at] is not message:
                gone.append(before[at])
            at += 1
        gone.extend(before[at:])
        assert [id(m) for m in gone] == [id(m) for m in self.result.dropped], "dropped is all of it"

    @staticmethod
    def _same(old: Message, new: Message, may_reduce: bool) -> bool:
        if old is new:
            return True
        rest = [{**m, "content": ""} for m in (old, new)]
        shorter = COUNTER.message(new) < COUNTER.message(old)
        return may_reduce and rest[0] == rest[1] and shorter and "[…]" in content_text(new)


@pytest.mark.parametrize("spec", [*BLOCK_AWARE, *WHOLE_PAIRS, *NAIVE])
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(
    conversations(),
    st.integers(5, 110),
    st.sampled_from(SUMMARIZERS),
)
def test_every_strategy_keeps_the_contract_at_every_request(
    spec: str,
    messages: list[Message],
    percent: int,
    summarizers: Callable[[], Fixed | Counted | None],
) -> None:
    budget = COUNTER.request(messages) * percent // 100
    factory = load_strategy(parse_spec(spec), Path())
    key = AnswerKey(evidence=tuple(messages[3::7])) if spec == "evidence-only" else None
    conversation = Conversation(messages, COUNTER)
    views = [factory(), factory()]
    summarizer, twin = summarizers(), summarizers()
    tool = tuple(ToolCompaction(m, m, "The valve is open.") for m in messages[2::9])
    context = Context(budget, COUNTER, summarizer, answer_key=key, recorded=tool)
    twin_context = Context(budget, COUNTER, twin, answer_key=key, recorded=tool)
    listed: Sequence[Message] = []
    measured: Sequence[Message] = conversation.view(0, 0)
    said = 0
    for at in requests(messages):
        listed = [*listed, *messages[said:at]]
        measured = measured + conversation.view(said, at)  # type: ignore[operator]  # a View
        said = at
        step = Step(views[0], listed, context)
        other = Step(views[1], measured, twin_context)
        assert step.after == other.after
        assert step.result.action == other.result.action
        assert step.result.fallback == other.result.fallback
        step.check("reduce" in spec or spec in REDUCING)
        if spec in BLOCK_AWARE or spec in WHOLE_PAIRS:
            assert is_valid(step.after)
        if spec in BLOCK_AWARE and step.room(keep_system="system=drop" not in spec) >= 0:
            assert COUNTER.request(step.after) <= budget
        check_request_survives(spec, step)
        listed, measured = step.result.view, other.result.view
        calls = summarizer.calls if summarizer else 0
        again = views[0].compact(listed, context)
        assert list(again.view) == step.after
        assert again.action == "none"
        assert (summarizer.calls if summarizer else 0) == calls


REDUCING = tuple(
    spec
    for spec in BLOCK_AWARE
    if not spec.startswith("block-truncation") and "oversized=keep" not in spec
)


def check_request_survives(spec: str, step: Step) -> None:
    """The request that the agent works on is in the view, which doesn't open with its work."""
    if spec not in REDUCING or "system=drop" in spec:
        return
    asked = [
        m for m in step.before if role(m) == "user" and not is_internal(m) and not is_summary(m)
    ]
    if not asked or step.room() < 140:
        return
    opening = next(m for m in step.after if not is_system(m) and not is_summary(m))
    assert role(opening) == "user" or step.result.action == "none"
    assert any(Step._same(asked[-1], m, True) for m in step.after if role(m) == "user")


def test_every_built_in_is_among_those_tested() -> None:
    tested = {parse_spec(spec).use for spec in (*BLOCK_AWARE, *WHOLE_PAIRS, *NAIVE)}
    assert tested == set(BUILT_IN["strategies"])
