"""Factories: how a loaded class, function or object becomes a fresh instance per conversation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from compaction_eval.strategies.base import Strategy, Summarizer
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.functions import Call, FunctionCall, MethodCall, positional
from compaction_eval.strategies.guard import GuardedStrategy, GuardedSummarizer, Limits
from compaction_eval.strategies.options import History
from compaction_eval.strategies.parameters import bind, signature_of
from compaction_eval.strategies.specs import Spec


def built_in_factory(target: Any, spec: Spec, label: str) -> Callable[[], Any]:
    """The class with its parameters; tried once, so that a bad value is told before the run."""
    factory = partial(target, **bind(label, target, spec.params))
    try:
        factory()
    except (ConfigurationError, ValueError) as error:
        raise ConfigurationError(f"{label}: {error}") from None
    return factory


def guarded_strategy_factory(
    target: Any, spec: Spec, label: str, limits: Limits
) -> Callable[[], Strategy]:
    """A class, function or object from outside, behind the guard."""
    if inspect.isclass(target):
        return _class_factory(target, spec, label, limits)
    if callable(getattr(target, "compact", None)):
        if spec.params:
            raise ConfigurationError(f"{label} is an object, which takes no parameters")
        return lambda: GuardedStrategy(
            spec.label, MethodCall(target), limits, _history(target, label)
        )
    if not callable(target):
        raise ConfigurationError(_not_callable(target, label))
    own, history = _split_history(target, spec, label)
    arguments = positional(label, target, (key for key, _ in own))
    bound = bind(label, target, own, frozenset(arguments))
    call = FunctionCall(partial(target, **bound), len(arguments))
    return lambda: GuardedStrategy(spec.label, call, limits, history or _history(target, label))


def _class_factory(target: Any, spec: Spec, label: str, limits: Limits) -> Callable[[], Strategy]:
    has_method = callable(getattr(target, "compact", None))
    # Asked of dir(), because every class object itself can be called.
    if not has_method and "__call__" not in dir(target):
        raise ConfigurationError(f"{label}: the class has no method 'compact(messages, context)'")
    own, history = _split_history(target, spec, label)
    bound = bind(label, target, own)

    def make() -> Strategy:
        instance = limits.call(partial(target, **bound))
        call: Call
        if has_method:
            call = MethodCall(instance)
        else:
            call = FunctionCall(instance, len(positional(label, instance, ())))
        return GuardedStrategy(spec.label, call, limits, history or _history(instance, label))

    return make


def guarded_summarizer_factory(
    target: Any, spec: Spec, label: str, limits: Limits
) -> Callable[[], Summarizer]:
    """A class with `summarize(request)`, or a function of the request, behind the guard."""
    if inspect.isclass(target):
        if not callable(getattr(target, "summarize", None)):
            raise ConfigurationError(f"{label}: the class has no method 'summarize(request)'")
        make: Callable[[], Any] = partial(target, **bind(label, target, spec.params))
        return lambda: GuardedSummarizer(spec.label, limits.call(make), limits)
    if not callable(target):
        raise ConfigurationError(_not_callable(target, label))
    taken = frozenset(list(signature_of(target).parameters)[:1])
    call = partial(target, **bind(label, target, spec.params, taken))
    return lambda: GuardedSummarizer(spec.label, call, limits)


def _split_history(
    target: Any, spec: Spec, label: str
) -> tuple[list[tuple[str, str]], History | None]:
    """The target's own parameters, and `history`, which any strategy takes in a spec."""
    if "history" in signature_of(target).parameters:
        return list(spec.params), None
    own = [(key, text) for key, text in spec.params if key != "history"]
    given = dict(spec.params).get("history")
    return own, None if given is None else _as_history(given, label)


def _history(target: Any, label: str) -> History:
    """What the attribute `history` of a function or instance says."""
    return _as_history(getattr(target, "history", "replace"), label)


def _as_history(value: object, label: str) -> History:
    if value not in ("replace", "keep"):
        raise ConfigurationError(f"{label}: history is 'replace' or 'keep', not {value!r}")
    return "keep" if value == "keep" else "replace"


def _not_callable(target: Any, label: str) -> str:
    return f"{label} is a value of type {type(target).__name__}, not a function or class"
