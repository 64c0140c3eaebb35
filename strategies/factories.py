"""Factories: how a loaded class, function or object becomes a fresh instance per conversation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from compaction_eval.strategies.base import Strategy, Summarizer
from compaction_eval.strategies.errors import (
    ConfigurationError,
    StrategyError,
    in_one_line,
    reason_of,
)
from compaction_eval.strategies.functions import Call, FunctionCall, MethodCall, positional
from compaction_eval.strategies.guard import GuardedStrategy, GuardedSummarizer, Limits
from compaction_eval.strategies.loaded import Loaded, fresh, samples
from compaction_eval.strategies.options import History
from compaction_eval.strategies.parameters import Resolve, bind, signature_of
from compaction_eval.strategies.specs import Spec
from compaction_eval.strategies.summarizers.model import SAME, Models, ModelSummarizer


def built_in_factory(target: Any, spec: Spec, label: str, resolve: Resolve) -> Loaded[Any]:
    """The class with its parameters; tried once, so that a bad value is told before the run."""
    arguments = bind(label, target, spec.params, resolve)
    try:
        sample = target(**samples(arguments))
    except (ConfigurationError, ValueError) as error:
        raise ConfigurationError(f"{label}: {error}") from None
    return Loaded(lambda: target(**fresh(arguments)), sample)


def model_factory(spec: Spec, label: str, models: Models | None) -> Loaded[Summarizer]:
    """A model as a summariser. Without `models` none can be made, only looked at."""
    name = str(replace(spec, name=None))
    if spec.use == SAME and spec.params:
        raise ConfigurationError(
            f"{label} takes no parameters: it is the model of the run, whose parameters stand there"
        )

    def unreachable(messages: object, max_tokens: int) -> str:
        raise StrategyError("has no model to ask")

    def make() -> Summarizer:
        if models is None:
            return sample
        reached = models(name)
        return ModelSummarizer(name, reached.ask, reached.context_tokens)

    sample = ModelSummarizer(name, unreachable)
    return Loaded(make, sample, models=(name,))


def guarded_strategy_factory(
    target: Any, spec: Spec, label: str, limits: Limits, resolve: Resolve
) -> Loaded[Strategy]:
    """A class, function or object from outside, behind the guard."""
    if inspect.isclass(target):
        return _class_factory(target, spec, label, limits, resolve)
    guarded: Callable[[Call, History], Strategy] = partial(_guarded, spec, limits)
    if callable(getattr(target, "compact", None)):
        if spec.params:
            raise ConfigurationError(f"{label} is an object, which takes no parameters")
        make = partial(guarded, MethodCall(target), _declared_history(target, label))
        return Loaded(make, make(), foreign=True)
    if not callable(target):
        raise ConfigurationError(_not_callable(target, label))
    own, given = _split_history(target, spec, label)
    history = given or _declared_history(target, label)
    places = positional(label, target, (key for key, _ in own))
    arguments = bind(label, target, own, resolve, frozenset(places))

    def calling(arguments: Mapping[str, Any]) -> Strategy:
        return guarded(FunctionCall(partial(target, **arguments), len(places)), history)

    return Loaded(lambda: calling(fresh(arguments)), calling(samples(arguments)), foreign=True)


def _class_factory(
    target: Any, spec: Spec, label: str, limits: Limits, resolve: Resolve
) -> Loaded[Strategy]:
    has_method = callable(getattr(target, "compact", None))
    # Asked of dir(), because every class object itself can be called.
    if not has_method and "__call__" not in dir(target):
        raise ConfigurationError(f"{label}: the class has no method 'compact(messages, context)'")
    own, history = _split_history(target, spec, label)
    arguments = bind(label, target, own, resolve)
    if history is None:
        _checked_history(_expected_history(target, arguments), label)

    def make() -> Strategy:
        instance = limits.call(partial(target, **fresh(arguments)))
        call: Call
        if has_method:
            call = MethodCall(instance)
        else:
            call = FunctionCall(instance, len(positional(label, instance, ())))
        return _guarded(spec, limits, call, history or _instances_history(instance, limits))

    return Loaded(make, _guarded(spec, limits, MethodCall(target), "replace"), foreign=True)


def _guarded(spec: Spec, limits: Limits, call: Call, history: History) -> Strategy:
    return GuardedStrategy(spec.label, call, limits, history)


def guarded_summarizer_factory(
    target: Any, spec: Spec, label: str, limits: Limits, resolve: Resolve
) -> Loaded[Summarizer]:
    """A class or object with `summarize(request)`, or a function of the request, guarded."""

    def guarded(call: Any) -> Summarizer:
        return GuardedSummarizer(spec.label, call, limits)

    if inspect.isclass(target):
        if not callable(getattr(target, "summarize", None)):
            raise ConfigurationError(f"{label}: the class has no method 'summarize(request)'")
        arguments = bind(label, target, spec.params, resolve)
        return Loaded(
            lambda: guarded(limits.call(partial(target, **fresh(arguments)))),
            guarded(target),
            foreign=True,
        )
    if callable(getattr(target, "summarize", None)):
        if spec.params:
            raise ConfigurationError(f"{label} is an object, which takes no parameters")
        return Loaded(lambda: guarded(target), guarded(target), foreign=True)
    if not callable(target):
        raise ConfigurationError(_not_callable(target, label))
    taken = frozenset(list(signature_of(target).parameters)[:1])
    arguments = bind(label, target, spec.params, resolve, taken)
    return Loaded(
        lambda: guarded(partial(target, **fresh(arguments))), guarded(target), foreign=True
    )


def _split_history(
    target: Any, spec: Spec, label: str
) -> tuple[list[tuple[str, str]], History | None]:
    """The target's own parameters, and `history`, which any strategy takes in a spec."""
    if "history" in signature_of(target).parameters:
        return list(spec.params), None
    own = [(key, text) for key, text in spec.params if key != "history"]
    given = dict(spec.params).get("history")
    return own, None if given is None else _checked_history(given, label)


def _declared_history(target: Any, label: str) -> History:
    """What the attribute `history` of a function or object says."""
    try:
        value = getattr(target, "history", "replace")
    except Exception as error:  # noqa: BLE001  # a foreign property can raise anything
        raise ConfigurationError(f"{label}: its attribute history {reason_of(error)}") from None
    return _checked_history(value, label)


def _expected_history(target: Any, arguments: Mapping[str, object]) -> object:
    """What instances of a class will say, as far as that shows without making one."""
    declared = inspect.getattr_static(target, "history", "replace")
    known = not hasattr(type(declared), "__get__")  # else a property, or a slot's place
    return arguments.get("history", declared if known else "replace")


def _instances_history(instance: Any, limits: Limits) -> History:
    """What an instance says, whose constructor may have decided. StrategyError for nonsense."""
    try:
        return _as_history(limits.call(lambda: getattr(instance, "history", "replace")))
    except ValueError as error:
        raise StrategyError(str(error)) from None


def _checked_history(value: object, label: str) -> History:
    try:
        return _as_history(value)
    except ValueError as error:
        raise ConfigurationError(f"{label}: {error}") from None


def _as_history(value: object) -> History:
    if not isinstance(value, str) or value not in get_args(History):
        raise ValueError(in_one_line(f"history is 'replace' or 'keep', not {value!r}"))
    return "keep" if value == "keep" else "replace"


def _not_callable(target: Any, label: str) -> str:
    return f"{label} is a value of type {type(target).__name__}, not a function or class"
