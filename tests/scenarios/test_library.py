"""Selectors become scenarios: paths, ids, tags, and the shipped library."""

from pathlib import Path

import pytest

from compaction_eval.scenarios import library
from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.library import library_folder, scenario_files, select
from compaction_eval.strategies.errors import ConfigurationError

TEXT = "id: {id}\ntitle: T\nlang: en\ntags: [{tag}]\nparams: {{n: [0, 1]}}\nturns:\n  - user: $n\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scenarios `b` and `a` in `talks/` and `talks/deep/`, in the working directory."""
    monkeypatch.chdir(tmp_path)
    write("talks/b.yaml")
    write("talks/deep/a.yml")
    return tmp_path


@pytest.fixture
def shipped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of `harbour`, tagged `tools`, and `voyage`, tagged `long`."""
    monkeypatch.setattr(library, "library_folder", lambda: Path("library"))
    write("library/coast/harbour.yaml", "tools")
    write("library/sea/voyage.yaml", "long")
    return folder


def write(name: str, tag: str = "short") -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TEXT.format(id=path.stem, tag=tag), "utf-8")


def keys(*selectors: str) -> list[str]:
    return [f"{scenario.file} {scenario.key}" for scenario in select(selectors)]


def test_a_folder_gives_all_its_scenarios_by_path_and_variant(folder: Path) -> None:
    assert keys("talks") == [
        "talks/b.yaml b[n=0]",
        "talks/b.yaml b[n=1]",
        "talks/deep/a.yml a[n=0]",
        "talks/deep/a.yml a[n=1]",
    ]


def test_a_path_is_shown_as_it_was_given(folder: Path) -> None:
    full = str(folder / "talks/b.yaml")
    assert keys(full) == [f"{full} b[n=0]", f"{full} b[n=1]"]


def test_overlapping_selectors_give_each_scenario_once(folder: Path) -> None:
    assert keys("talks/b.yaml", "talks", "./talks/b.yaml") == keys("talks")


def test_hidden_files_and_the_configuration_are_no_scenarios(folder: Path) -> None:
    for name in ("compaction-eval.yaml", ".pre-commit.yaml", ".git/x.yaml", "notes.txt"):
        path = folder / "talks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("nonsense: true\n", "utf-8")
    assert len(keys("talks")) == 4


def test_faults_of_several_files_are_raised_together(folder: Path) -> None:
    for name in ("talks/b.yaml", "talks/deep/a.yml"):
        Path(name).write_text(Path(name).read_text("utf-8").replace("title", "titel"), "utf-8")
    with pytest.raises(FaultsError) as caught:
        select(["talks"])
    places = [str(fault.place) for fault in caught.value.faults]
    assert places == [
        *("talks/b.yaml:1:1", "talks/b.yaml:2:1", "talks/deep/a.yml:1:1", "talks/deep/a.yml:2:1")
    ]


def test_two_files_with_one_id_are_refused(folder: Path) -> None:
    write("talks/other/b.yaml")
    with pytest.raises(FaultsError, match=r"the id 'b' is taken by talks/b\.yaml; rename"):
        select(["talks"])


def test_without_selectors_the_library_is_chosen_without_long_scenarios(shipped: Path) -> None:
    assert [scenario.key for scenario in select()] == ["harbour[n=0]", "harbour[n=1]"]


def test_ids_variants_and_tags_are_looked_up_in_the_library(shipped: Path) -> None:
    assert [scenario.key for scenario in select(["harbour"])] == ["harbour[n=0]", "harbour[n=1]"]
    assert [scenario.key for scenario in select(["harbour[n=1]"])] == ["harbour[n=1]"]
    assert {scenario.id for scenario in select(["TAG:long"])} == {"voyage"}
    assert {scenario.id for scenario in select(["tag:long", "harbour"])} == {"voyage", "harbour"}


def test_a_tag_reads_no_file_that_lacks_it(shipped: Path) -> None:
    write("library/coast/wreck.yaml", "tools")
    path = Path("library/coast/wreck.yaml")
    path.write_text(path.read_text("utf-8").replace("title", "titel"), "utf-8")
    assert {scenario.id for scenario in select(["TAG:long"])} == {"voyage"}
    with pytest.raises(FaultsError):
        select(["TAG:tools"])


def test_the_shipped_library_is_sound() -> None:
    assert len({scenario.id for scenario in select()}) > 5
    assert {Path(s.file) for s in select()} <= set(scenario_files(library_folder()))


def test_an_existing_path_wins_over_an_id(shipped: Path) -> None:
    write("harbour/mine.yaml")
    assert {scenario.key for scenario in select(["harbour"])} == {"mine[n=0]", "mine[n=1]"}


@pytest.mark.parametrize(
    ("selector", "reason"),
    [
        ("talks/c.yaml", "talks/c.yaml: no such file or folder"),
        ("empty", "empty: no scenario (*.yaml) in this folder"),
        (
            "notes.jsonl",
            "notes.jsonl: a scenario is a .yaml file; `import` turns transcripts into them",
        ),
        ("tag:tool", "no scenario has the tag 'tool'; did you mean 'tools'?"),
        ("tag:xyz", "no scenario has the tag 'xyz'; there are long, tools"),
        ("harbor", "no scenario file, id or TAG:x is 'harbor'; did you mean 'harbour'?"),
        ("voyage[n=7]", "'voyage' has no such variant; there are voyage[n=0], voyage[n=1]"),
    ],
)
def test_a_selector_that_means_nothing_is_told_with_a_suggestion(
    shipped: Path, selector: str, reason: str
) -> None:
    Path("empty").mkdir()
    Path("notes.jsonl").touch()
    with pytest.raises(ConfigurationError) as caught:
        select([selector])
    assert str(caught.value) == reason


def test_a_file_may_be_followed_by_one_of_its_variants(folder: Path) -> None:
    (one,) = select(["talks/b.yaml[n=1]"])
    assert one.key == "b[n=1]"
    with pytest.raises(ConfigurationError) as told:
        select(["talks/b.yaml[n=7]"])
    assert str(told.value) == (
        "'talks/b.yaml' has no such variant; there are talks/b.yaml[n=0], talks/b.yaml[n=1]"
    )


def test_a_tag_in_capitals_is_told_with_the_right_one(shipped: Path) -> None:
    with pytest.raises(ConfigurationError, match="no scenario has the tag 'TOOLS'; did you mean"):
        select(["TAG:TOOLS"])
