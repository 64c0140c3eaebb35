"""Asking one question: the request, a second one where tools were called for, and the answer.

A reply that calls tools in place of an answer is answered once: each call by a message that no tool
is available, and that the question should be answered in words. What comes then is the answer; more
calls are none (`missing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from compaction_eval.eval.models.base import ChatModel, ChatRequest, Reply
from compaction_eval.eval.recall.expected import Expected
from compaction_eval.eval.recall.grading import Grade, grade
from compaction_eval.eval.recall.wording import bare, spoken
from compaction_eval.eval.records import AnswerRecord
from compaction_eval.strategies.messages import Message, call_ids

ASKING = 1
"""Counts the changes of what is asked, and of how: figures under two numbers can't be compared."""
ANSWER_TOKENS = 1_024
"""Longest answer, in tokens."""
KEPT = 2_000
"""Characters of an answer that its record keeps."""
REASON_KEPT = 300
_NO_TOOLS: Mapping[str, str] = {
    "en": "No tools are available now. Answer the question in words, from what you have.",
    "zh": "现在没有可用的工具。请根据已有的内容，用文字回答问题。",
    "ja": "いまはツールを使えません。手元にある内容から、質問に言葉で答えてください。",
    "de": "Jetzt sind keine Werkzeuge verfügbar. Beantworte die Frage in Worten, mit dem, was du"
    " weißt.",
}


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to be asked, with what its answer is held against."""

    messages: tuple[Message, ...]
    expected: Expected
    language: str
    tools: tuple[Mapping[str, Any], ...] = ()
    repeat: int = 0
    whereabouts: str = ""


def answered(model: ChatModel, ask: Ask) -> tuple[AnswerRecord, str]:
    """The record of an answer, and its words for a judge; empty where there are none.

    Raises ModelError where going on is pointless.
    """
    request = ChatRequest(
        messages=ask.messages,
        purpose="answer",
        tools=ask.tools,
        max_tokens=ANSWER_TOKENS,
        repeat=ask.repeat,
        whereabouts=ask.whereabouts,
    )
    first = reply = model.complete(request)
    calls = 0
    if first.outcome == "tool-calls":
        calls = len(first.tool_calls)
        reply = model.complete(replace(request, messages=_without_tools(ask, first)))
        reply = replace(
            reply,
            tokens_in=_sum(first.tokens_in, reply.tokens_in),
            tokens_out=_sum(first.tokens_out, reply.tokens_out),
        )
    found = _grade(reply, ask.expected)
    record = AnswerRecord(
        verdict=found.verdict,
        unanswerable=ask.expected.unanswerable,
        share=found.share,
        outcome=reply.outcome,
        reason=found.reason[:REASON_KEPT],
        text=reply.text[:KEPT],
        calls=calls,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
    )
    return record, "" if found.verdict == "error" else spoken(reply.text)


def _grade(reply: Reply, expected: Expected) -> Grade:
    """The verdict on how a request ended; a fault is an error, whatever text came along."""
    if reply.outcome == "answered":
        return grade(reply.text, expected)
    if reply.outcome == "tool-calls":
        return Grade("missing", 0.0 if expected.parts else None)
    if reply.outcome == "cut" and bare(spoken(reply.text)):
        return grade(reply.text, expected)
    reason = reply.reason or _REASONS.get(reply.outcome, reply.outcome)
    return Grade("error", reason=" ".join(reason.split()))


_REASONS: Mapping[str, str] = {
    "cut": f"no answer within {ANSWER_TOKENS:,} tokens",
    "context-length": "the view is longer than the model's window",
}


def _without_tools(ask: Ask, reply: Reply) -> tuple[Message, ...]:
    """The same conversation, the calls answered by a message that there are no tools."""
    known = {one for message in ask.messages for one in call_ids(message)}
    ids = []
    for number in range(len(reply.tool_calls)):
        name = f"call_asked_{number}"
        while name in known:
            name += "_"
        ids.append(name)
    calls = [
        {"id": one, "type": "function", "function": {"name": name, "arguments": arguments}}
        for one, (name, arguments) in zip(ids, reply.tool_calls, strict=True)
    ]
    words = _NO_TOOLS.get(ask.language, _NO_TOOLS["en"])
    if not calls:
        added: list[dict[str, Any]] = [{"role": "user", "content": words}]
    else:
        added = [{"role": "assistant", "content": reply.text or None, "tool_calls": calls}]
        added += [{"role": "tool", "tool_call_id": one, "content": words} for one in ids]
    return (*ask.messages, *(cast("Message", one) for one in added))


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
