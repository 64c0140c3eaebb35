"""The run folder: what a kill leaves behind, and what may go on from it."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.eval.encoding import encode_cell
from compaction_eval.eval.manifest import SCHEMA, key_seers, manifest_of, run_id, same_run
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.places import family, probe_place
from compaction_eval.eval.records import CellKey, CellRecord, RequestRecord
from compaction_eval.eval.run_files import CELLS, MANIFEST
from compaction_eval.eval.store import RunFolder, RunFolderError, read_run
from compaction_eval.scenarios.records import Place, Probe, Scenario
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.loading import Kind
from compaction_eval.strategies.specs import Spec, parse_spec


def cell(scenario: str, **more: Any) -> CellRecord:
    key = CellKey(scenario, "", "none", "30%", "none")
    requests = (RequestRecord(1, None, 10, 10, ((0, 1),)),)
    return CellRecord(key, 30, 100, **{"requests": requests, **more})


A, B = cell("a"), cell("b")
FAILED = cell("b", requests=(), error="raised RuntimeError: no luck")
MATRIX = Matrix(
    (Scenario("a", "", "en", (), digest="11"), Scenario("b", "", "en", (), digest="22")),
    (Spec("none"),),
    (Budget.parse("30%"),),
    (Spec("none"),),
    directory=Path(__file__).parent,
)
RUN = manifest_of(MATRIX)
DIGESTED = """
from pathlib import Path
from compaction_eval.strategies.base import Summarizer

def last(messages, budget): return messages[-1:]
def reading(messages, budget, *, notes: Path): return messages[-1:]
def echo(request): return "echo"
def around(request, *, inner: Summarizer): return inner.summarize(request)
"""


UNWRITABLE = Path("/proc")
FullDisk = Callable[[int], AbstractContextManager[None]]


def lines(folder: Path) -> list[str]:
    return (folder / CELLS).read_text("utf-8").splitlines()


def test_a_new_folder_is_made_and_holds_no_cells(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "one"
    assert RunFolder(folder).open(RUN) == {}
    assert (lines(folder), sorted(path.name for path in folder.iterdir())) == (
        [],
        [CELLS, MANIFEST],
    )
    run = read_run(folder)
    assert (run.manifest, run.cells) == ({**RUN, "made_in": "."}, ())


def test_finished_cells_are_known_when_the_run_goes_on(tmp_path: Path) -> None:
    store = RunFolder(tmp_path)
    store.open(RUN)
    store.append(encode_cell(A))
    store.append(encode_cell(B))
    assert store.open(RUN) == {A.key: A, B.key: B}
    assert read_run(tmp_path).cells == (A, B)


@pytest.mark.parametrize("kept", [0, 1, 40, len(encode_cell(B)) - 1, len(encode_cell(B))])
def test_a_line_that_a_kill_cut_short_is_dropped_and_the_next_one_is_whole(
    tmp_path: Path, kept: int
) -> None:
    """A line that is whole but for its newline is one as well: nothing of it is missing."""
    store = RunFolder(tmp_path)
    store.open(RUN)
    store.append(encode_cell(A))
    with (tmp_path / CELLS).open("a", encoding="utf-8") as stream:
        stream.write(encode_cell(B)[:kept])
    whole = kept == len(encode_cell(B))
    assert store.open(RUN) == ({A.key: A, B.key: B} if whole else {A.key: A})
    if not whole:
        store.append(encode_cell(B))
    assert lines(tmp_path) == [encode_cell(A), encode_cell(B)]


def test_a_whole_line_that_is_no_cell_is_damaged_and_one_cut_short_is_not(tmp_path: Path) -> None:
    store = RunFolder(tmp_path)
    store.open(RUN)
    store.append("garbage")
    store.append(encode_cell(A))
    with (tmp_path / CELLS).open("a", encoding="utf-8") as stream:
        stream.write(encode_cell(B)[:40])
    run = read_run(tmp_path)
    assert (run.cells, run.damaged) == ((A,), 1)


def test_errors_are_tried_again(tmp_path: Path) -> None:
    store = RunFolder(tmp_path)
    store.open(RUN)
    store.append(encode_cell(A))
    store.append(encode_cell(FAILED))
    assert read_run(tmp_path).errors == (FAILED,)
    assert store.open(RUN) == {A.key: A}
    assert lines(tmp_path) == [encode_cell(A)]


def test_of_two_lines_for_one_cell_the_later_counts(tmp_path: Path) -> None:
    store = RunFolder(tmp_path)
    store.open(RUN)
    for one in (FAILED, A, B):
        store.append(encode_cell(one))
    assert {one.key.scenario: one for one in read_run(tmp_path).cells} == {"a": A, "b": B}


def test_a_kill_between_folder_and_manifest_starts_anew(tmp_path: Path) -> None:
    (tmp_path / CELLS).write_text("not even JSON\n", "utf-8")
    assert RunFolder(tmp_path).open(RUN) == {}
    assert lines(tmp_path) == []


def test_a_manifest_is_never_seen_half_written(tmp_path: Path) -> None:
    (tmp_path / (MANIFEST + ".part")).write_text('{"schema": "comp', "utf-8")
    assert RunFolder(tmp_path).open(RUN) == {}
    found = json.loads((tmp_path / MANIFEST).read_text("utf-8"))
    assert found.pop("made_in") == os.path.relpath(Path.cwd(), tmp_path)
    assert found == RUN


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"budgets": ["50%"]}, "budgets"),
        ({"encoding": "cl100k_base", "repeats": 2}, "encoding, repeats"),
        ({"scenarios": []}, "scenarios"),
        ({"added": 1}, "added"),
    ],
)
def test_another_run_is_refused_and_the_difference_named(
    tmp_path: Path, changed: Mapping[str, Any], named: str
) -> None:
    RunFolder(tmp_path).open(RUN)
    with pytest.raises(ConfigurationError, match=f"a run with other {named}.*; choose"):
        RunFolder(tmp_path).open({**RUN, **changed})


@pytest.mark.parametrize("key", ["python", "dependencies", "git_revision", "places", "made_in"])
def test_what_is_only_told_may_differ(tmp_path: Path, key: str) -> None:
    RunFolder(tmp_path).open(RUN)
    assert RunFolder(tmp_path).open({**RUN, key: "other"}) == {}
    assert run_id({**RUN, key: "other"}) == run_id(RUN)


def test_the_manifest_tells_what_the_figures_depend_on(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def last(messages, budget): return messages[-1:]\n", "utf-8")
    specs = (parse_spec("./mine.py:last"), parse_spec("count-slice(keep=2, name=two)"))
    matrix = Matrix(MATRIX.scenarios, specs, MATRIX.budgets, MATRIX.summarizers, directory=tmp_path)
    manifest = manifest_of(matrix)
    assert manifest["schema"] == SCHEMA
    assert manifest["scenarios"][0] == {
        "id": "a",
        "variant": "",
        "lang": "en",
        "tags": [],
        "digest": "11",
    }
    mine, two = manifest["strategies"]
    assert two == {
        "label": "two",
        "spec": "count-slice(keep=2, name=two)",
        "sees_answer_key": False,
        "files": [],
    }
    (file,) = mine["files"]
    assert (mine["label"], file["name"], len(file["digest"])) == ("./mine.py:last", "mine.py", 64)
    (tmp_path / "mine.py").write_text("def last(messages, budget): return messages\n", "utf-8")
    assert same_run(manifest, manifest_of(matrix)) == ["strategies"]
    assert run_id(manifest) != run_id(manifest_of(matrix))


def test_the_manifest_tells_each_scenarios_family_by_its_folder(tmp_path: Path) -> None:
    scenarios = (
        replace(MATRIX.scenarios[0], file=str(tmp_path / "rooms" / "a.yaml")),
        MATRIX.scenarios[1],
    )
    manifest = manifest_of(replace(MATRIX, scenarios=scenarios))
    assert [family(manifest, name) for name in ("a", "b")] == ["rooms", None]


def test_the_manifest_tells_where_each_probe_stands(tmp_path: Path) -> None:
    file = str(tmp_path / "a.yaml")
    probe = Probe("port", "recall", "Which?", at=(("end", 1),), place=Place(file, 12, 5))
    scenario = replace(MATRIX.scenarios[0], file=file, probes=(probe,))
    manifest = manifest_of(replace(MATRIX, scenarios=(scenario,)))
    assert probe_place(manifest, "a", "port") == (file, 12)
    assert probe_place(manifest, "a", "another") == (file, 1)
    assert probe_place(manifest, "b", "port") is None


def with_spec(kind: Kind, spec: str, directory: Path) -> Matrix:
    """The matrix with this one strategy or summariser."""
    changed: dict[str, Any] = {kind: (parse_spec(spec),), "directory": directory}
    return replace(MATRIX, **changed)


@pytest.mark.parametrize(
    ("kind", "spec", "file"),
    [
        ("strategies", "~/digested.py:last", "digested.py"),
        ("strategies", "digested_module:last", "digested_module.py"),
        ("strategies", "./digested.py:reading(notes=notes.txt)", "notes.txt"),
        ("summarizers", "scripted(file=answers.txt)", "answers.txt"),
        ("summarizers", "faulty(inner=scripted(file=answers.txt))", "answers.txt"),
        ("summarizers", "faulty(inner=./digested.py:echo)", "digested.py"),
        ("summarizers", "faulty(inner=faulty(inner=digested_module:echo))", "digested_module.py"),
        ("summarizers", "./digested.py:around(inner=scripted(file=answers.txt))", "answers.txt"),
    ],
)
def test_a_change_of_any_file_that_a_spec_leads_to_makes_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind, spec: str, file: str
) -> None:
    """Else the figures of before would be shown for what was changed since."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delitem(sys.modules, "digested_module", raising=False)
    for name in ("digested.py", "digested_module.py"):
        (tmp_path / name).write_text(DIGESTED, "utf-8")
    for name in ("answers.txt", "notes.txt"):
        (tmp_path / name).write_text("one\ntwo\n", "utf-8")
    matrix = with_spec(kind, spec, tmp_path)
    before = manifest_of(matrix)
    assert before == manifest_of(matrix)
    with (tmp_path / file).open("a", encoding="utf-8") as stream:
        stream.write("# three\n")
    assert same_run(before, manifest_of(matrix)) == [kind]


@pytest.mark.parametrize(
    ("kind", "spec", "sees"),
    [
        ("strategies", "evidence-only(name=mine)", True),
        ("strategies", "token-window(name=oracle)", False),
        ("strategies", "compaction_eval.strategies.evidence_only:EvidenceOnly", False),
        ("summarizers", "oracle", True),
        ("summarizers", "faulty(inner=faulty(inner=oracle))", True),
        ("summarizers", "scripted(answers=oracle)", False),
        ("summarizers", "faulty(inner=scripted(answers=oracle))", False),
        ("summarizers", "compaction_eval.strategies.summarizers.oracle:Oracle", False),
        ("summarizers", "none", False),
    ],
)
def test_what_sees_the_answer_key_is_asked_of_the_thing_itself(
    kind: Kind, spec: str, sees: bool
) -> None:
    """Its name says nothing; and what comes in from outside is never given the key."""
    manifest = manifest_of(with_spec(kind, spec, MATRIX.directory))
    (described,) = manifest[kind]
    assert described["sees_answer_key"] is sees
    assert key_seers(manifest, kind) == ({described["label"]} if sees else set())


def test_a_file_in_the_folders_place_is_told(tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text("", "utf-8")
    for path in (file, file / "below"):
        for action in (RunFolder(path).check, RunFolder(path).open):
            with pytest.raises(ConfigurationError, match="run: is no folder"):
                action(RUN)


@pytest.mark.skipif(not UNWRITABLE.is_dir(), reason="needs a folder that not even root can write")
def test_a_folder_that_cannot_be_written_is_told() -> None:
    with pytest.raises(ConfigurationError, match="proc: can't write there: "):
        RunFolder(UNWRITABLE / "runs" / "one").open(RUN)


def test_a_check_refuses_what_opening_would_and_writes_nothing(tmp_path: Path) -> None:
    RunFolder(tmp_path / "new").check(RUN)
    assert list(tmp_path.iterdir()) == []
    RunFolder(tmp_path).open(RUN)
    with pytest.raises(ConfigurationError, match="a run with other encoding"):
        RunFolder(tmp_path).check({**RUN, "encoding": "cl100k_base"})


def test_a_disk_that_fills_up_keeps_what_was_finished(
    tmp_path: Path, files_of_at_most: FullDisk
) -> None:
    """The line that it cuts short is dropped when the run goes on."""
    store = RunFolder(tmp_path)
    store.open(RUN)
    store.append(encode_cell(A))
    with (
        files_of_at_most(len(encode_cell(A)) + 40),
        pytest.raises(RunFolderError, match="can't write there: File too large"),
    ):
        store.append(encode_cell(B))
    assert store.open(RUN) == {A.key: A}
    assert lines(tmp_path) == [encode_cell(A)]


def test_a_disk_that_is_full_when_the_lines_are_put_in_order_keeps_them_all(
    tmp_path: Path, files_of_at_most: FullDisk
) -> None:
    store = RunFolder(tmp_path)
    store.open(RUN)
    store.append(encode_cell(B))
    store.append(encode_cell(A))
    with files_of_at_most(40), pytest.raises(RunFolderError, match="File too large"):
        store.write((A, B))
    assert lines(tmp_path) == [encode_cell(B), encode_cell(A)]
    assert sorted(path.name for path in tmp_path.iterdir()) == [CELLS, MANIFEST]


def test_a_disk_that_is_full_from_the_start_is_told_as_such(
    tmp_path: Path, files_of_at_most: FullDisk
) -> None:
    with files_of_at_most(10), pytest.raises(ConfigurationError, match="File too large"):
        RunFolder(tmp_path).open(RUN)
    assert RunFolder(tmp_path).open(RUN) == {}


def test_a_folder_in_a_files_place_is_told(tmp_path: Path) -> None:
    store = RunFolder(tmp_path)
    store.open(RUN)
    (tmp_path / CELLS).unlink()
    (tmp_path / CELLS).mkdir()
    for action in (lambda: store.open(RUN), lambda: read_run(tmp_path)):
        with pytest.raises(ConfigurationError, match=r"cells\.jsonl"):
            action()


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (None, "is no run folder: it has no manifest.json"),
        ("{", "manifest.json: can't be read"),
        ("[]", "manifest.json: is no manifest"),
        ('{"schema": "compaction-eval/run/0"}', "its schema isn't compaction-eval/run/1"),
    ],
)
def test_what_is_no_run_is_told(tmp_path: Path, manifest: str | None, message: str) -> None:
    if manifest is not None:
        (tmp_path / MANIFEST).write_text(manifest, "utf-8")
    with pytest.raises(ConfigurationError, match=message):
        read_run(tmp_path)
