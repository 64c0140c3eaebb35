"""From a spec to a factory: built-ins, entry points, modules and files, all on the same path.

A factory makes a fresh instance for each conversation. Entry points are read when first asked for,
and each is imported only when it is used.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from compaction_eval.strategies.base import Strategy, Summarizer
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean
from compaction_eval.strategies.factories import (
    built_in_factory,
    guarded_strategy_factory,
    guarded_summarizer_factory,
    model_factory,
)
from compaction_eval.strategies.given import Given
from compaction_eval.strategies.guard import Limits
from compaction_eval.strategies.importing import (
    dotted_target,
    file_target,
    is_file_target,
    module_file,
    source_file,
)
from compaction_eval.strategies.loaded import Loaded, References
from compaction_eval.strategies.specs import Spec
from compaction_eval.strategies.summarizers.model import PREFIXES, SAME, Models, names_model

Kind = Literal["strategies", "summarizers"]

_OURS = "compaction_eval.strategies"
RECORDED = "recorded"
"""The strategy that needs a scenario with recorded compactions."""
BUILT_IN: Mapping[Kind, Mapping[str, str]] = MappingProxyType(
    {
        "strategies": MappingProxyType(
            {
                "count-slice": f"{_OURS}.count_slice:CountSlice",
                "block-truncation": f"{_OURS}.block_truncation:BlockTruncation",
                "rolling-summary": f"{_OURS}.rolling_summary:RollingSummary",
                "window-summary": f"{_OURS}.window_summary:WindowSummary",
                "threshold-gate": f"{_OURS}.threshold_gate:ThresholdGate",
                "keep-recent-summary": f"{_OURS}.keep_recent_summary:KeepRecentSummary",
                "count-summary": f"{_OURS}.count_summary:CountSummary",
                "token-summary": f"{_OURS}.token_summary:TokenSummary",
                RECORDED: f"{_OURS}.recorded:Recorded",
                "token-window": f"{_OURS}.token_window:TokenWindow",
                "evidence-only": f"{_OURS}.evidence_only:EvidenceOnly",
                "empty": f"{_OURS}.empty_history:EmptyHistory",
                "none": f"{_OURS}.full_history:FullHistory",
            }
        ),
        "summarizers": MappingProxyType(
            {
                "extractive": f"{_OURS}.summarizers.extractive:Extractive",
                "oracle": f"{_OURS}.summarizers.oracle:Oracle",
                "scripted": f"{_OURS}.summarizers.scripted:Scripted",
                "faulty": f"{_OURS}.summarizers.faulty:Faulty",
            }
        ),
    }
)
DEFAULT_STRATEGIES: tuple[str, ...] = tuple(
    name for name in BUILT_IN["strategies"] if name != RECORDED
)
"""The default matrix, in the order of tables: the controls last."""
CONTROLS: tuple[str, ...] = ("none", "empty", "evidence-only", "token-window")
"""Ceiling, floor, perfect selection, and plain recency."""
NO_SUMMARIZER = "none"
_SINGULAR: Mapping[Kind, str] = {"strategies": "strategy", "summarizers": "summarizer"}


@lru_cache(maxsize=2)
def registered(kind: Kind) -> Mapping[str, str]:
    """Name to `package.module:Name`: the built-ins, then the entry points by name.

    A built-in's name can't be taken over by an entry point: figures under it must be ours.
    """
    found = dict(BUILT_IN[kind])
    for point in sorted(
        entry_points(group=f"compaction_eval.{kind}"), key=lambda point: point.name
    ):
        found.setdefault(point.name, f"{point.module}:{point.attr}")
    return MappingProxyType(found)


def load_strategy(
    spec: Spec,
    directory: Path,
    *,
    time_limit: float | None = None,
    hard: bool = False,
    models: Models | None = None,
) -> Loaded[Strategy]:
    """A factory of strategies; `directory` is where relative paths of files start.

    Strategies from outside are guarded: each call may take `time_limit` seconds; `hard` lets the
    process end when it can't be interrupted, for workers alone. `models` reaches the models that
    summarisers inside ask. Raises ConfigurationError.
    """
    return _load("strategies", spec, directory, time_limit, hard, models)


def load_summarizer(
    spec: Spec,
    directory: Path,
    *,
    time_limit: float | None = None,
    hard: bool = False,
    models: Models | None = None,
) -> Loaded[Summarizer] | None:
    """A factory of summarisers; None for the spec `none`. See `load_strategy`.

    From outside comes a class with `summarize(request)`, or a function of the request. A model is
    `openai:NAME`, or `model` for the one that the run asks.
    """
    if spec.use == NO_SUMMARIZER:
        if spec.params:
            raise ConfigurationError("summarizer 'none' takes no parameters")
        return None
    return _load("summarizers", spec, directory, time_limit, hard, models)


def _load(
    kind: Kind,
    spec: Spec,
    directory: Path,
    time_limit: float | None,
    hard: bool,
    models: Models | None,
) -> Loaded[Any]:
    def load(inner: Spec) -> Loaded[Summarizer] | None:
        return load_summarizer(inner, directory, time_limit=time_limit, hard=hard, models=models)

    label = f"{_SINGULAR[kind]} '{spec.label if isinstance(spec, Given) else spec.use}'"
    if is_model(kind, spec):
        return model_factory(spec, label, models)
    target = find_target(kind, spec, directory)
    references = References(directory, load)
    if isinstance(spec, Given) and _is_ours(target) and not inspect.isclass(target):
        return Loaded(lambda: copy.deepcopy(target), target)
    if spec.use in BUILT_IN[kind] or (isinstance(spec, Given) and _is_ours(target)):
        return references.noted(built_in_factory(target, spec, label, references.resolve))
    file = source_file(target)
    limits = Limits(file, time_limit, hard)
    guarded = guarded_strategy_factory if kind == "strategies" else guarded_summarizer_factory
    loaded: Loaded[Any] = guarded(target, spec, label, limits, references.resolve)
    if isinstance(spec, Given):
        # An object that the caller holds stays as it was, and no conversation sees another's state.
        made = loaded.make
        loaded = replace(loaded, make=lambda: copy.deepcopy(made()))
    own = (module_file(registered(kind).get(spec.use, spec.use), directory), file)
    return references.noted(replace(loaded, files=tuple(Path(one) for one in own if one)))


def is_model(kind: Kind, spec: Spec) -> bool:
    """Whether a spec is that of a model as a summariser: no code is loaded for it."""
    return kind == "summarizers" and not isinstance(spec, Given) and names_model(spec.use)


def find_target(kind: Kind, spec: Spec, directory: Path) -> Any:
    """The class, function or object that a spec names, not yet called. ConfigurationError."""
    use, singular = spec.use, _SINGULAR[kind]
    if isinstance(spec, Given):
        return spec.target
    if is_file_target(use):
        return file_target(use, directory)
    if ":" in use:
        return _dotted(kind, use)
    known = registered(kind)
    if use not in known:
        names = list(known) + [NO_SUMMARIZER, SAME] * (kind == "summarizers")
        hint = did_you_mean(use, names) or (
            f"; for one of your own write {use}:NAME" if "." in use or "/" in use else ""
        )
        raise ConfigurationError(f"unknown {singular} '{use}'{hint} (`list {kind}` shows all)")
    return dotted_target(known[use], from_working_directory=False)


def _dotted(kind: Kind, use: str) -> Any:
    """What `package.module:Name` names. A mistyped `openai:NAME` is told as that."""
    try:
        return dotted_target(use, from_working_directory=True)
    except ConfigurationError as error:
        prefix, _, name = use.partition(":")
        close = did_you_mean(prefix, PREFIXES) if kind == "summarizers" else ""
        if not close:
            raise
        raise ConfigurationError(f"{error}; did you mean '{PREFIXES[0]}:{name}'?") from error


def _is_ours(target: Any) -> bool:
    """Whether it is a class of this package, or an instance of one, which needs no guard."""
    own = target if inspect.isclass(target) else type(target)
    return str(own.__module__).startswith(f"{_OURS}.")
