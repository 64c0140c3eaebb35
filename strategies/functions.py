"""How a plain callable is called: by position, with what it asks for, and awaited if need be."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from compaction_eval.strategies.base import Context
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.parameters import signature_of

Call = Callable[[list[Message], Context], object]
"""Calls a strategy from outside with copies of the messages; its result is still unchecked."""


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


def function_call(function: Callable[..., object], arguments: int) -> Call:
    """The function as a strategy's call, with two or three positional arguments."""

    def call(messages: list[Message], context: Context) -> object:
        given: tuple[Any, ...] = (messages, context.budget, context.count)
        return finished(function(*given[:arguments]))

    return call


def method_call(strategy: Any) -> Call:
    """The call of an object with a method `compact(messages, context)`, sync or async."""

    def call(messages: list[Message], context: Context) -> object:
        return finished(strategy.compact(messages, context))

    return call


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
