"""Tables as CSV: one way to write a value, and none that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence

from compaction_eval.reports.printable import printable

# Some spreadsheets take wide signs for the plain ones.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_text(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A heading and one line a row; what wasn't measured is an empty cell."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(_cell, row) for row in rows)
    return stream.getvalue()


def _cell(value: object) -> object:
    """A value as CSV has it, null as nothing.

    Text that a spreadsheet would run as a formula gets an apostrophe in front; what can't be seen,
    or would steer a terminal that shows the file, is an escape.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return json.dumps(value, sort_keys=True)
    if isinstance(value, str):
        text = printable(value)
        return f"'{text}" if text.startswith(_FORMULA) else text
    return value
