"""Which cells of a matrix ask a model for summaries, and which run code from outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.records import CellKey
from compaction_eval.strategies.loaded import Loaded
from compaction_eval.strategies.loading import load_strategy, load_summarizer


@dataclass(frozen=True, slots=True)
class Asking:
    """The cells that ask, in order."""

    keys: tuple[CellKey, ...]
    foreign: frozenset[CellKey]
    """Those of them with code from outside, be it of strategy or summariser."""
    models: tuple[str, ...]
    """Whom they ask, by the names that their specs have."""


def asking_cells(matrix: Matrix, keys: Sequence[CellKey]) -> Asking:
    """Those of some cells whose strategy or summariser asks a model. Raises ConfigurationError."""
    directory = matrix.directory
    strategies: dict[str, Loaded[Any] | None] = {
        spec.label: load_strategy(spec, directory) for spec in matrix.strategies
    }
    summarizers: dict[str, Loaded[Any] | None] = {
        spec.label: load_summarizer(spec, directory) for spec in matrix.summarizers
    }
    if not any(one is not None and one.models for one in _all(strategies, summarizers)):
        return Asking((), frozenset(), ())
    parts = {
        key: [
            one
            for one in (strategies[key.strategy], summarizers[key.summarizer])
            if one is not None
        ]
        for key in keys
    }
    asking = [key for key in keys if any(one.models for one in parts[key])]
    return Asking(
        tuple(asking),
        frozenset(key for key in asking if any(one.foreign for one in parts[key])),
        tuple(dict.fromkeys(name for key in asking for one in parts[key] for name in one.models)),
    )


def _all(*loaded: dict[str, Loaded[Any] | None]) -> list[Loaded[Any] | None]:
    return [one for some in loaded for one in some.values()]
