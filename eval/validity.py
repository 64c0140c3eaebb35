"""Whether the APIs would accept a view: the rules of each profile, as small state machines.

A profile reads messages one by one and keeps a state that says all it needs of what went before.
Over a long stretch of the script the answer is known already once the state is the one that the
script itself had there, so checking a view costs what was cut, not what was kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from compaction_eval.strategies.messages import (
    ROLES,
    SYSTEM_ROLES,
    Message,
    answered_id,
    call_ids,
    role,
    tool_calls,
)

State = tuple[Any, ...]
"""A profile's own; compared as a whole, and opaque to everyone else."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule at a message; a warning isn't refused by the API."""

    rule: str
    text: str
    warning: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What the rules look at in a message."""

    role: str
    ids: tuple[str, ...]
    answers: str
    calls: bool
    content: bool
    """Whether there is content that says something."""
    trailing_space: bool
    own: tuple[Fault, ...]
    """Faults of the message itself under the rules of Chat Completions."""


Step = tuple[State, tuple[Fault, ...]]


class Profile(Protocol):
    """The rules of one API."""

    @property
    def name(self) -> str:
        """How the profile is selected."""
        ...

    @property
    def start(self) -> State:
        """The state before the first message."""
        ...

    def step(self, state: State, shape: Shape) -> Step:
        """The state after one more message, and the faults that it makes."""
        ...

    def finish(self, state: State) -> tuple[Fault, ...]:
        """Faults of a list that ends here."""
        ...


def shape_of(message: Message) -> Shape:
    """The shape of a message."""
    content = message.get("content")
    text = content if isinstance(content, str) else ""
    return Shape(
        role=role(message),
        ids=tuple(call_ids(message)),
        answers=answered_id(message),
        calls=bool(tool_calls(message)),
        content=bool(text.strip()) if isinstance(content, str) else bool(content),
        trailing_space=text != text.rstrip(),
        own=tuple(_own_faults(message)),
    )


def _own_faults(message: Message) -> Iterable[Fault]:
    kind = role(message)
    content = message.get("content")
    calls = message.get("tool_calls")
    if kind not in ROLES:
        yield Fault("2", f"has the unknown role {kind!r}")
    if kind == "assistant" and content is None and not calls:
        yield Fault("3", "is an assistant message with neither content nor tool calls")
    if calls is not None and not tool_calls(message):
        yield Fault("8", "has an empty list of tool calls")
    for call in tool_calls(message):
        yield from _call_faults(call)
    ids = call_ids(message)
    if len(set(ids)) < len(ids):
        yield Fault("8", "has two calls with the same id")
    if kind == "tool":
        if not answered_id(message):
            yield Fault("5", "is a tool message without tool_call_id")
        if not isinstance(content, str | list):
            yield Fault("5", "is a tool message without content")


def _call_faults(call: object) -> Iterable[Fault]:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(function, Mapping):
        yield Fault("4", "has a tool call without a function")
        return
    if not call.get("id") or call.get("type") != "function" or not function.get("name"):
        yield Fault("4", "has a tool call without id, type or name")
    arguments = function.get("arguments")
    if not isinstance(arguments, str):
        yield Fault("4", "has a tool call whose arguments aren't a string")
        return
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        yield Fault("4", "has a tool call whose arguments aren't JSON", warning=True)


_UNANSWERED = "follows tool calls that were not all answered"
_ORPHAN = "answers no open tool call"


@dataclass(frozen=True, slots=True)
class OpenAI:
    """Chat Completions. State: whether anything was said, ids of calls still open."""

    name: str = "openai"
    start: State = (False, frozenset())

    def step(self, state: State, shape: Shape) -> Step:
        pending: frozenset[str] = state[1]
        if shape.role == "tool":
            if shape.answers in pending:
                return (True, pending - {shape.answers}), shape.own
            return (True, pending), (*shape.own, Fault("6", _ORPHAN))
        after: State = (True, frozenset(shape.ids)) if shape.ids else (True, frozenset())
        return after, (*shape.own, Fault("7", _UNANSWERED)) if pending else shape.own

    def finish(self, state: State) -> tuple[Fault, ...]:
        if not state[0]:
            return (Fault("1", "holds no message"),)
        return (Fault("7", "ends before all tool calls are answered"),) if state[1] else ()


@dataclass(frozen=True, slots=True)
class Anthropic:
    """Messages. State: who spoke last, ids of calls still open, whether it ends in white space."""

    name: str = "anthropic"
    start: State = ("", frozenset(), False)

    def step(self, state: State, shape: Shape) -> Step:
        last, pending, _ = state
        if shape.role in SYSTEM_ROLES:
            return state, ()
        if shape.role == "tool":
            if shape.answers not in pending:
                return ("results", pending, False), (Fault("6", _ORPHAN),)
            return ("results", pending - {shape.answers}, False), ()
        faults: list[Fault] = []
        if pending:
            faults.append(Fault("4", _UNANSWERED))
        if not last and shape.role == "assistant":
            faults.append(Fault("3", "opens with the assistant", warning=True))
        if last == shape.role:
            faults.append(Fault("2", f"follows another {last} message", warning=True))
        if not shape.content and not shape.calls:
            faults.append(Fault("7", "is empty"))
        space = shape.role == "assistant" and shape.trailing_space and not shape.calls
        return (shape.role, frozenset(shape.ids), space), tuple(faults)

    def finish(self, state: State) -> tuple[Fault, ...]:
        last, pending, space = state
        if not last:
            return (Fault("1", "holds no user or assistant message"),)
        if pending:
            return (Fault("4", "ends before all tool calls are answered"),)
        if last == "assistant":
            prefill = Fault("8", "ends on an assistant message", warning=True)
            return (prefill, Fault("7", "ends in white space")) if space else (prefill,)
        return ()


@dataclass(frozen=True, slots=True)
class Gemini:
    """generateContent. State: the last turn (user, model, call, response), answers still due."""

    name: str = "gemini"
    start: State = ("", 0)

    def step(self, state: State, shape: Shape) -> Step:
        last, due = state
        if shape.role in SYSTEM_ROLES:
            return state, ()
        if shape.role == "tool":
            if due:
                return ("response", due - 1), ()
            return ("response", 0), (Fault("3", "is one function response too many"),)
        faults: list[Fault] = []
        if due:
            faults.append(Fault("3", "follows fewer function responses than calls"))
        if shape.role == "assistant" and not last:
            faults.append(Fault("1", "opens with the model"))
        if shape.calls:
            if last not in ("", "user", "response"):
                faults.append(Fault("2", "is a function call after a model turn"))
            return ("call", len(shape.ids)), tuple(faults)
        return ("user" if shape.role == "user" else "model", 0), tuple(faults)

    def finish(self, state: State) -> tuple[Fault, ...]:
        last, due = state
        if not last:
            return (Fault("1", "holds no user message"),)
        if due:
            return (Fault("3", "ends with fewer function responses than calls"),)
        return (Fault("1", "ends on a model turn"),) if last not in ("user", "response") else ()


@dataclass(frozen=True, slots=True)
class StrictTemplate:
    """Chat templates that insist on alternation. State: anything said, last of user and assistant
    (tool turns apart), whether the message before is a tool message."""

    name: str = "strict-template"
    start: State = (False, "", False)

    def step(self, state: State, shape: Shape) -> Step:
        began, last, after_tool = state
        if shape.role in SYSTEM_ROLES:
            misplaced = (Fault("1", "is a system message that isn't first"),) if began else ()
            return (True, last, False), misplaced
        if shape.role == "tool" or shape.calls:
            return (True, last, shape.role == "tool"), ()
        faults: list[Fault] = []
        if shape.role == (last or "assistant"):
            faults.append(Fault("2", f"breaks the turns: another {shape.role} message"))
        if shape.role == "user" and after_tool:
            faults.append(Fault("3", "is a user message right after a tool message"))
        if shape.role == "assistant" and not shape.content:
            faults.append(Fault("4", "is an assistant message that says nothing"))
        return (True, shape.role, False), tuple(faults)

    def finish(self, state: State) -> tuple[Fault, ...]:
        return () if state[0] else (Fault("1", "holds no message"),)


PROFILES: dict[str, Profile] = {
    profile.name: profile for profile in (OpenAI(), Anthropic(), Gemini(), StrictTemplate())
}
