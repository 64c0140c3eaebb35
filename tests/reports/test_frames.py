"""A run as a DataFrame: the same columns and dtypes whatever the run holds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from compaction_eval.eval.records import AnswerRecord, CellRecord
from compaction_eval.eval.store import Run
from compaction_eval.reports import frame
from compaction_eval.reports.frames import Level, columns
from compaction_eval.strategies.errors import ConfigurationError

pd = pytest.importorskip("pandas")
LEVELS: tuple[Level, ...] = get_args(Level)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "dataframe.md"
PART = re.compile(r"(<!-- dtypes -->\n).*?(<!-- end -->\n)", re.DOTALL)
MANIFEST = {"strategies": [], "summarizers": []}


@pytest.fixture
def run(cell: CellRecord) -> Run:
    return Run(MANIFEST, (cell,))


def dtypes(run: Run, level: Level) -> dict[str, str]:
    found = frame(run, level=level)
    assert all(isinstance(dtype, pd.api.extensions.ExtensionDtype) for dtype in found.dtypes)
    return {str(name): repr(dtype) for name, dtype in found.dtypes.items()}


@pytest.mark.parametrize("level", LEVELS)
def test_an_empty_run_has_the_columns_and_dtypes_of_any_other(run: Run, level: Level) -> None:
    empty = Run(MANIFEST, ())
    assert len(frame(empty, level=level)) == 0
    assert len(frame(run, level=level)) > 0
    assert dtypes(empty, level) == dtypes(run, level)
    assert list(dtypes(run, level)) == list(columns(level))


@pytest.mark.parametrize("level", LEVELS)
def test_a_cell_in_error_changes_no_dtype(run: Run, level: Level) -> None:
    (cell,) = run.cells
    failed = Run(MANIFEST, (CellRecord(cell.key, 10, 20, error="raised"),))
    assert dtypes(failed, level) == dtypes(run, level)
    assert len(frame(failed, level=level)) == (level == "summary")


def test_what_a_model_answered_changes_no_dtype(run: Run) -> None:
    (cell,) = run.cells
    answer = AnswerRecord("correct", share=0.5, text="9443", judge="correct")
    asked = replace(cell, probes=tuple(replace(one, answer=answer) for one in cell.probes))
    found = Run(MANIFEST, (asked,))
    assert dtypes(found, "verdicts") == dtypes(run, "verdicts")
    assert frame(found)["recalled"].all()
    assert frame(run)["recalled"].isna().all()


def test_verdicts_come_in_the_runs_order_and_what_was_not_measured_is_missing(run: Run) -> None:
    found = frame(run)
    assert list(found["verdict"]) == ["correct", "correct", "missing"]
    assert found.loc[0, "age_tokens"] == 20
    assert found.loc[0, "recall"] is pd.NA
    assert found["where"].isna().all()


def test_requests_are_numbered_within_their_cell_and_count_tool_schemas(run: Run) -> None:
    (cell,) = run.cells
    with_tools = Run(MANIFEST, (replace(cell, tools_tokens=7),))
    bare, found = frame(run, level="requests"), frame(with_tools, level="requests")
    assert list(found["request"]) == list(range(len(cell.requests)))
    assert list(found["sent_tokens"] - bare["sent_tokens"]) == [7] * len(found)
    probes = [request.probe for request in cell.requests]
    assert [None if one is pd.NA else one for one in found["probe"]] == probes


def test_a_verdict_leads_to_its_request(run: Run) -> None:
    cell = ["scenario", "variant", "strategy", "budget", "summarizer", "repeat", "request"]
    found = frame(run).merge(
        frame(run, level="requests"), on=cell, suffixes=("", "_asked"), validate="many_to_one"
    )
    assert list(found["probe"]) == list(found["probe_asked"])


def test_half_a_surrogate_pair_is_kept_as_it_is(run: Run) -> None:
    (cell,) = run.cells
    odd = replace(cell, key=replace(cell.key, scenario="x\ud83d"))
    assert frame(Run(MANIFEST, (odd,)))["scenario"].unique().tolist() == ["x\ud83d"]


def test_a_mapping_in_the_summary_is_its_json(run: Run) -> None:
    (cell,) = run.cells
    refused = replace(cell.requests[0], refused_by=("b", "a"))
    found = Run(MANIFEST, (replace(cell, requests=(refused, *cell.requests[1:])),))
    assert frame(found, level="summary").loc[0, "refused_by"].startswith('{"a": 1')


def test_a_level_that_there_is_not_is_told_with_the_nearest(run: Run) -> None:
    with pytest.raises(ValueError, match="there is no such level; did you mean 'verdicts'"):
        frame(run, level="verdict")  # type: ignore[arg-type]  # no level


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is no run folder"):
        frame(str(tmp_path))


def test_a_folder_that_there_is_not_is_told_with_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"no such folder; `run --out \S+/nope` makes it"):
        frame(tmp_path / "nope")


@pytest.mark.parametrize(("given", "kind"), [(None, "NoneType"), (3, "int")])
def test_what_is_no_run_is_told_by_its_kind(given: object, kind: str) -> None:
    with pytest.raises(TypeError, match=f"a run's folder or a run that was read, not {kind}"):
        frame(given)  # type: ignore[arg-type]  # no run


def test_without_pandas_it_is_told_how_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install 'compaction-eval\[frames\]'"):
        frame(run)


def test_importing_the_reports_and_frame_loads_no_pandas() -> None:
    code = (
        "import sys, compaction_eval.reports as reports\n"
        "assert 'compaction_eval.reports.frames' not in sys.modules\n"
        "from compaction_eval.reports import frame\n"
        "assert callable(frame) and not {'pandas', 'numpy'} & set(sys.modules)\n"
        "assert not hasattr(reports, 'frames_of')\n"
    )
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_page_lists_every_column_with_its_dtype() -> None:
    lines = ["| level | dtype | columns |", "|---|---|---|"]
    for level in LEVELS:
        by_dtype: dict[str, list[str]] = {}
        for name, dtype in columns(level).items():
            by_dtype.setdefault(dtype, []).append(f"`{name}`")
        lines += [f"| `{level}` | `{d}` | {', '.join(names)} |" for d, names in by_dtype.items()]
    text = PAGE.read_text("utf-8")
    fresh = PART.sub(lambda m: m[1] + "\n".join(lines) + "\n" + m[2], text)
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(fresh, "utf-8")
    assert PAGE.read_text("utf-8") == fresh


def test_the_page_explains_every_column_of_requests() -> None:
    explained = {
        name
        for line in PAGE.read_text("utf-8").splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert set(columns("requests")) <= explained
