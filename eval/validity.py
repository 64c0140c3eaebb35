"""Whether the APIs would accept a view: the rules of each profile, as small state machines.

A profile reads messages one by one and keeps a state that says all it needs of what went before.
Over a long stretch of the script the answer is known already once the state is the one that the
script itself had there, so checking a view costs what was cut, not what was kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from compaction_eval.eval.shape import Fault, Shape
from compaction_eval.strategies.messages import SYSTEM_ROLES

State = tuple[Any, ...]
"""A profile's own; compared as a whole, and opaque to everyone else."""


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


_UNANSWERED = "follows tool calls that were not all answered"
_ORPHAN = "answers no open tool call"
_STRANGER = "has a role that this API doesn't know"


@dataclass(frozen=True, slots=True)
class OpenAI:
    """Chat Completions. State: whether anything was said, ids of calls still open."""

    name: str = "openai"
    start: State = (False, frozenset())

    def step(self, state: State, shape: Shape) -> Step:
        pending: frozenset[str] = state[1]
        if shape.role == "tool":
            # A second answer to one call is refused as well ("Duplicate value for tool_call_id").
            if shape.answers in pending:
                return (True, pending - {shape.answers}), shape.own
            return (True, pending), (*shape.own, Fault("6", _ORPHAN))
        after: State = (True, frozenset(shape.ids)) if shape.ids else (True, frozenset())
        return after, (*shape.own, Fault("7", _UNANSWERED)) if pending else shape.own

    def finish(self, state: State) -> tuple[Fault, ...]:
        if not state[0]:
            return (Fault("1", "holds no message"),)
        return (Fault("7", "ends before all tool calls are answered"),) if state[1] else ()


class Talk(NamedTuple):
    """The state of `Anthropic`."""

    last: str = ""
    """Who spoke last: `user`, `assistant`, or `results` for a user turn of tool results."""
    pending: frozenset[str] = frozenset()
    """Ids of tool uses whose results are still due."""
    said: bool = False
    """Whether the user has spoken since those tool uses."""
    empty: bool = False
    """Whether the last message is an assistant message that says nothing."""
    space: bool = False
    """Whether it is an assistant message that ends in white space."""


SILENCE = Talk()


@dataclass(frozen=True, slots=True)
class Anthropic:
    """Messages. Consecutive user turns, tool results included, are sent as one.

    Thinking blocks don't occur in chat messages, so nothing is said of them.
    """

    name: str = "anthropic"
    strict: bool = False
    """Whether the first message must be the user's, as some endpoints and versions insist."""
    start: State = SILENCE

    def step(self, state: State, shape: Shape) -> Step:
        talk = Talk(*state)
        if shape.role in SYSTEM_ROLES:
            return state, ()
        faults = [Fault("7", "follows an empty assistant message")] if talk.empty else []
        if shape.role == "tool":
            if shape.answers not in talk.pending:
                faults.append(Fault("6", _ORPHAN))
            elif talk.said:
                faults.append(Fault("5", "is a tool result after the user's words"))
            return Talk("results", talk.pending - {shape.answers}, talk.said), tuple(faults)
        if shape.role != "assistant":
            if shape.role != "user":
                faults.append(Fault("1", _STRANGER))
            if talk.last in ("user", "results"):
                faults.append(Fault("2", "follows another user turn", warning=True))
            if shape.blank or not shape.content:
                faults.append(Fault("7", "is empty"))
            return Talk("user", talk.pending, bool(talk.pending)), tuple(faults)
        if talk.pending:
            faults.append(Fault("4", _UNANSWERED))
        if not talk.last:
            faults.append(Fault("3", "opens with the assistant", warning=not self.strict))
        if talk.last == "assistant":
            faults.append(Fault("2", "follows another assistant turn", warning=True))
        if shape.blank:
            faults.append(Fault("7", "has an empty text"))
        empty = not (shape.content or shape.calls or shape.blank)
        space = shape.trailing_space and not shape.calls
        return Talk("assistant", frozenset(shape.ids), False, empty, space), tuple(faults)

    def finish(self, state: State) -> tuple[Fault, ...]:
        talk = Talk(*state)
        if not talk.last:
            return (Fault("1", "holds no user or assistant message"),)
        if talk.pending:
            return (Fault("4", "ends before all tool calls are answered"),)
        if talk.last != "assistant":
            return ()
        prefill = Fault("8", "ends on an assistant message", warning=True)
        return (prefill, Fault("7", "ends in white space")) if talk.space else (prefill,)


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
        if shape.role not in ("user", "assistant"):
            faults.append(Fault("1", _STRANGER))
        elif shape.role == "assistant" and not last:
            faults.append(Fault("1", "opens with the model"))
        if shape.role == "assistant" and shape.calls:
            if last not in ("user", "response"):
                faults.append(Fault("2", "is a function call that follows no user turn"))
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
    profile.name: profile
    for profile in (
        OpenAI(),
        Anthropic(),
        Anthropic("anthropic-strict", strict=True),
        Gemini(),
        StrictTemplate(),
    )
}
