"""A run as a pandas DataFrame, for people who draw their own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from compaction_eval.eval.records import SummaryRow
from compaction_eval.eval.store import Run, read_run
from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.request_rows import RequestRow, request_rows
from compaction_eval.reports.verdict_rows import VerdictRow, verdict_rows
from compaction_eval.strategies.errors import did_you_mean

if TYPE_CHECKING:
    from pandas import DataFrame

Level = Literal["verdicts", "requests", "summary"]
DTYPES: Mapping[type, str] = {
    # Not the default text, whose storage depends on what else is installed: Arrow's can't hold
    # half a surrogate pair, which real transcripts have.
    str: "string[python]",
    int: "Int64",
    float: "Float64",
    bool: "boolean",
    dict: "string[python]",
}
"""What a column of such values becomes; a mapping becomes its JSON."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """What one level has a row for."""

    row: type
    """Its annotations are the columns."""
    of: Callable[[Run], Iterable[Any]]


_LEVELS: Mapping[str, _Rows] = {
    "verdicts": _Rows(VerdictRow, lambda run: verdict_rows(run.cells, summary_rows(run))),
    "requests": _Rows(RequestRow, lambda run: request_rows(run.cells, summary_rows(run))),
    "summary": _Rows(SummaryRow, summary_rows),
}


def frame(run: Run | str | os.PathLike[str], level: Level = "verdicts") -> DataFrame:
    """A run, or the run in a folder, with one row per verdict, per request, or per summary row.

    Columns and their dtypes are the same for every run, be it empty; docs/dataframe.md lists them.
    What wasn't measured is `pandas.NA`. A run that isn't whole has the rows that are there, and a
    cell in error has none but in the summary.

    ConfigurationError where the folder holds no run; TypeError for what is neither folder nor run;
    ValueError for another level; ImportError without pandas.
    """
    if level not in _LEVELS:
        hint = did_you_mean(level, _LEVELS) or f"; there are {', '.join(_LEVELS)}"
        raise ValueError(f"level '{level}': there is no such level{hint}")
    if not isinstance(run, Run | str | os.PathLike):
        raise TypeError(
            f"frame() takes a run's folder or a run that was read, not {type(run).__name__}"
        )
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "frame() makes a pandas DataFrame, and pandas isn't installed:"
            " pip install 'compaction-eval[frames]'"
        ) from error
    opened = run if isinstance(run, Run) else read_run(Path(run))
    rows = list(_LEVELS[level].of(opened))
    return pd.DataFrame(
        {
            name: pd.Series(_values(rows, name), dtype=dtype)
            for name, dtype in columns(level).items()
        }
    )


@lru_cache
def columns(level: Level) -> Mapping[str, str]:
    """The columns of a level in their order, with the dtype of each."""
    return {name: DTYPES[_plain(hint)] for name, hint in get_type_hints(_LEVELS[level].row).items()}


def _values(rows: Sequence[Any], name: str) -> list[Any]:
    values = [getattr(row, name) for row in rows]
    return [json.dumps(one, sort_keys=True) if isinstance(one, dict) else one for one in values]


def _plain(hint: Any) -> type:
    """The type of a column's values, null and the choice of words apart."""
    if get_origin(hint) is Literal:
        return type(get_args(hint)[0])
    if isinstance(hint, type):
        return hint
    kinds = {_plain(one) for one in get_args(hint) if one is not NoneType}
    if get_origin(hint) is dict:
        return dict
    (kind,) = kinds
    return kind
