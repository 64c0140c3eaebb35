"""How a plain callable is called: by position, with what it asks for, and awaited if need be."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import inspect
import threading
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.foreign_context import ForeignContext
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.parameters import signature_of


def positional(label: str, function: Callable[..., object], bound: Iterable[str]) -> list[str]:
    """Names of the two or three arguments that the run gives, in order.

    The third is `count`. It is given to a third positional parameter, but not to one that the spec
    sets (`bound`), nor to one with a default that couldn't be a function, as in
    `def last(messages, budget, keep=4)`. Raises ConfigurationError where two don't fit.
    """
    own = set(bound)
    parameters = signature_of(function).parameters.values()
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters) and len(places) < 2:
        return [p.name for p in places] + ["*"] * (2 - len(places))
    if len(places) < 2:
        raise ConfigurationError(
            f"{label} takes {len(places)} positional parameter{'s' * (len(places) != 1)}; "
            "a strategy function takes (messages, budget) or (messages, budget, count)"
        )
    names = [p.name for p in places[:2]]
    if len(places) > 2:
        third = places[2]
        may_be_count = third.default in (third.empty, None) or callable(third.default)
        if may_be_count and third.name not in own:
            names.append(third.name)
    return names


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """Calls a function, or an object with `__call__`, with two or three positional arguments."""

    target: Callable[..., object]
    arguments: int

    def __call__(self, messages: list[Message], context: ForeignContext) -> object:
        """What the function returns, awaited."""
        given: tuple[Any, ...] = (messages, context.budget, context.count)
        return finished(self.target(*given[: self.arguments]))


@dataclass(frozen=True, slots=True)
class MethodCall:
    """Calls an object's method `compact(messages, context)`, sync or async."""

    target: Any

    def __call__(self, messages: list[Message], context: ForeignContext) -> object:
        """What the method returns, awaited."""
        return finished(self.target.compact(messages, context))


Call = FunctionCall | MethodCall
"""How a strategy from outside is called with copies of the messages; its result is unchecked."""


def forked(thing: Any) -> Any:
    """A copy of a foreign object with a state of its own, for a probe's fork.

    What can't be copied (a client with a lock, say) is shared between the copies; a class that
    wants it otherwise defines `__deepcopy__`. Functions are never copied.
    """
    try:
        return copy.deepcopy(thing)
    except Exception:  # noqa: BLE001  # copying runs foreign code, which can raise anything
        clone = copy.copy(thing)
    memo: dict[int, Any] = {}
    slots = (getattr(kind, "__slots__", ()) for kind in type(clone).__mro__)
    for name in (*getattr(clone, "__dict__", ()), *chain.from_iterable(slots)):
        with contextlib.suppress(Exception):
            object.__setattr__(clone, name, copy.deepcopy(getattr(clone, name), memo))
    return clone


def finished(result: object) -> object:
    """The result itself, awaited on an event loop of its own when it is awaitable.

    Where this thread runs a loop already (a notebook), the loop is another thread's, because
    loops don't nest.
    """
    if not inspect.isawaitable(result):
        return result
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_wait(result))
    return _in_a_thread(result)


async def _wait(awaitable: Awaitable[object]) -> object:
    return await awaitable


def _in_a_thread(awaitable: Awaitable[object]) -> object:
    outcome: list[object] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(asyncio.run(_wait(awaitable)))
        except BaseException as error:  # noqa: BLE001  # handed to the caller, whatever it is
            failure.append(error)

    # A daemon, so that one which never ends can't keep the process alive.
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
