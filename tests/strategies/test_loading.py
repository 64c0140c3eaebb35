"""From a spec to a strategy: where it is found, and what is said when it isn't."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.strategies import loading
from compaction_eval.strategies.base import Context, SummaryRequest
from compaction_eval.strategies.errors import ConfigurationError, StrategyError
from compaction_eval.strategies.loading import (
    BUILT_IN,
    CONTROLS,
    DEFAULT_STRATEGIES,
    RECORDED,
    load_strategy,
    load_summarizer,
    registered,
)
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.specs import Spec, parse_spec

SRC = Path(__file__).parents[2] / "src"
MINE = '''\
"""A user's file."""
from __future__ import annotations
from dataclasses import dataclass, field

import sibling_of_mine

calls = []
LIMIT = 3

def last(messages, budget, *, keep: int = 2):
    calls.append(keep)
    return messages[-keep:]

def last_of_all(messages, budget):
    return messages[-1:]
last_of_all.history = "keep"

def boom(messages, budget):
    raise RuntimeError("no luck")

def alone(messages):
    return messages

@dataclass
class Window:
    keep: int = 2
    seen: list[int] = field(default_factory=list)
    history: str = "replace"

    def compact(self, messages, context):
        self.seen.append(len(messages))
        return messages[-self.keep * len(self.seen):]

class Broken:
    def __init__(self, path: str = "x"):
        raise OSError("no such model")

    def compact(self, messages, context):
        return messages

class Empty:
    pass
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    (tmp_path / "sibling_of_mine.py").write_text("", encoding="utf-8")
    return tmp_path


def load(text: str, folder: Path) -> Any:
    return load_strategy(parse_spec(text), folder)()


def test_a_function_from_a_file_takes_parameters(
    folder: Path, talk: list[Message], context: Context
) -> None:
    strategy = load("./mine.py:last(keep=3)", folder)
    assert strategy.name == "./mine.py:last(keep=3)"
    assert [id(m) for m in strategy.compact(talk, context).view] == [id(m) for m in talk[-3:]]


def test_a_path_is_relative_to_the_folder_given_or_absolute(
    folder: Path, talk: list[Message], context: Context
) -> None:
    for use in ("mine.py:last", f"{folder}/mine.py:last", f"../{folder.name}/mine.py:last"):
        assert len(load(use, folder).compact(talk, context).view) == 2


def test_a_file_is_loaded_once(folder: Path, talk: list[Message], context: Context) -> None:
    load("./mine.py:last(keep=3)", folder).compact(talk, context)
    load("mine.py:last(keep=4)", folder).compact(talk, context)
    module = sys.modules[loading.file_target("mine.py:last", folder).__module__]
    assert module.calls == [3, 4]


def test_a_quick_edit_of_the_same_length_is_seen(folder: Path) -> None:
    # A cache of bytecode wouldn't: it knows a file by its size and the second of its change.
    code = (
        "import sys; from pathlib import Path; from compaction_eval.strategies import loading;"
        "print(loading.file_target('quick.py:NAME', Path(sys.argv[1]))())"
    )
    file = folder / "quick.py"
    said = []
    for word in ("before", "afters"):
        file.write_text(f"def NAME():\n    return {word!r}\n", "utf-8")
        os.utime(file, (1_700_000_000, 1_700_000_000))
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        told = subprocess.run(
            [sys.executable, "-c", code, str(folder)],
            env={**environment, "PYTHONPATH": str(SRC)},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(told.stdout.strip())
    assert said == ["before", "afters"]
    assert not (folder / "__pycache__").exists()


def test_what_a_file_defines_can_be_pickled(folder: Path) -> None:
    window = loading.file_target("./mine.py:Window", folder)(keep=5)
    assert pickle.loads(pickle.dumps(window)) == window


def test_two_files_of_the_same_name_are_two_modules(folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "mine.py").write_text("def last(messages, budget): pass\n", "utf-8")
    targets = [loading.file_target(use, folder) for use in ("mine.py:last", "other/mine.py:last")]
    assert targets[0].__module__ != targets[1].__module__


def test_the_search_path_is_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    before = list(sys.path)
    load("./mine.py:last", folder)
    load("sibling_module_of_mine:f", with_module(folder, "sibling_module_of_mine"))
    assert sys.path == before


def with_module(folder: Path, name: str) -> Path:
    (folder / f"{name}.py").write_text("def f(messages, budget):\n    return messages\n", "utf-8")
    return folder


def test_each_conversation_has_an_instance_of_its_own(
    folder: Path, talk: list[Message], context: Context
) -> None:
    factory = load_strategy(parse_spec("./mine.py:Window(keep=1)"), folder)
    one, other = factory(), factory()
    assert [len(one.compact(talk, context).view) for _ in range(2)] == [1, 2]
    assert len(other.compact(talk, context).view) == 1


@pytest.mark.parametrize(
    ("text", "history"),
    [
        ("./mine.py:last", "replace"),
        ("./mine.py:last(history=keep)", "keep"),
        ("./mine.py:last_of_all", "keep"),
        ("./mine.py:last_of_all(history=replace)", "replace"),
        ("./mine.py:Window", "replace"),
        ("./mine.py:Window(history=keep)", "keep"),
    ],
)
def test_history_is_told_by_the_spec_or_the_code(text: str, history: str, folder: Path) -> None:
    assert load(text, folder).history == history


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("./mine.py:last_tow",
         "./mine.py has no 'last_tow'; did you mean 'last'?"),
        ("./mine.py:zzz", "./mine.py has no 'zzz'; it has Broken, Empty, Window, alone, boom, "
         "last, last_of_all"),
        ("./mine.py", "./mine.py: say which function or class: ./mine.py:NAME; it has Broken, "
         "Empty, Window, alone, boom, last, last_of_all"),
        ("./mine.py:LIMIT",
         "strategy './mine.py:LIMIT' is a value of type int, not a function or class"),
        ("./mine.py:last(kep=3)",
         "strategy './mine.py:last' has no parameter 'kep'; did you mean 'keep'?"),
        ("./mine.py:last(keep=ten)",
         "strategy './mine.py:last': parameter keep: 'ten' isn't a whole number"),
        ("./mine.py:last(history=kep)",
         "strategy './mine.py:last': history is 'replace' or 'keep', not 'kep'"),
        ("./mine.py:alone",
         "strategy './mine.py:alone' takes 1 positional parameter; a strategy function takes "
         "(messages, budget) or (messages, budget, count)"),
        ("./mine.py:Empty",
         "strategy './mine.py:Empty': the class has no method 'compact(messages, context)'"),
        ("./syntax.py:f", "./syntax.py:2: SyntaxError: '(' was never closed"),
        ("./raises.py:f",
         "./raises.py:3: raised KeyError: 'NO_SUCH_VARIABLE' when imported"),
        ("./exits.py:f", "./exits.py:1: raised SystemExit: 3 when imported"),
        ("./lacks.py:f",
         "./lacks.py:1: raised ModuleNotFoundError: No module named 'nosuch' when imported"),
        ("no_such_module:f", "no_such_module:f: there is no module 'no_such_module'"),
        ("os.nosuch:f", "os.nosuch:f: there is no module 'os.nosuch'"),
        (".relative:f", ".relative:f: '.relative' isn't a module's name"),
        ("json:lods", "json has no 'lods'; did you mean 'loads'?"),
        ("token-windw",
         "unknown strategy 'token-windw'; did you mean 'token-window'? "
         "(`list strategies` shows all)"),
        ("zzz", "unknown strategy 'zzz' (`list strategies` shows all)"),
        ("my.module",
         "unknown strategy 'my.module'; for one of your own write my.module:NAME "
         "(`list strategies` shows all)"),
    ],
)  # fmt: skip
def test_what_cannot_be_loaded_is_told_on_one_line(text: str, reason: str, folder: Path) -> None:
    (folder / "syntax.py").write_text("x = 1\ny = (\n", encoding="utf-8")
    (folder / "raises.py").write_text(
        "import os\n\nos.environ['NO_SUCH_VARIABLE']\n", encoding="utf-8"
    )
    (folder / "exits.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    (folder / "lacks.py").write_text("import nosuch\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as error:
        load_strategy(parse_spec(text), folder)
    assert str(error.value) == reason


HISTORIES = """\
from dataclasses import dataclass

class Window:
    history = "kep"
    def compact(self, messages, context): return messages

class Chooses(Window):
    def __init__(self, history: str = "keep"): self.history = history

@dataclass(slots=True)
class InSlots:
    history: str = "keep"
    def compact(self, messages, context): return messages

class Asks(Window):
    @property
    def history(self): raise RuntimeError("ask me later")

class Late(Window):
    history = "keep"
    def __init__(self): self.history = ["kep"]

def function(messages, budget): return messages
function.history = 3
window, asks = Window(), Asks()
"""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Window", "history is 'replace' or 'keep', not 'kep'"),
        ("window", "history is 'replace' or 'keep', not 'kep'"),
        ("function", "history is 'replace' or 'keep', not 3"),
        ("Chooses(history=kep)", "history is 'replace' or 'keep', not 'kep'"),
        ("InSlots(history=kep)", "history is 'replace' or 'keep', not 'kep'"),
        ("asks", "its attribute history raised RuntimeError: ask me later"),
    ],
)
def test_a_bad_history_is_told_when_it_is_loaded(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "histories.py").write_text(HISTORIES, encoding="utf-8")
    spec = parse_spec(f"./histories.py:{name}")
    with pytest.raises(ConfigurationError) as error:
        load_strategy(spec, tmp_path)
    assert str(error.value) == f"strategy '{spec.use}': {reason}"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Late", "history is 'replace' or 'keep', not ['kep']"),
        ("Asks", "raised RuntimeError: ask me later (histories.py:17)"),
    ],
)
def test_what_only_a_constructor_decides_is_the_cells_error(
    tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "histories.py").write_text(HISTORIES, encoding="utf-8")
    factory = load_strategy(parse_spec(f"./histories.py:{name}"), tmp_path)
    with pytest.raises(StrategyError) as error:
        factory()
    assert str(error.value) == reason


@pytest.mark.parametrize("name", ["Window(history=keep)", "InSlots", "function(history=keep)"])
def test_a_history_given_in_the_spec_or_by_the_constructor_counts(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "histories.py").write_text(HISTORIES, encoding="utf-8")
    assert load(f"./histories.py:{name}", tmp_path).history == "keep"


INSIDE = """\
from compaction_eval.strategies.base import Summarizer

made = []

class Counting:
    def __init__(self): made.append(self); self.calls = 0
    def summarize(self, request): self.calls += 1; return str(self.calls)

def around(request, *, inner: Summarizer): return f"<{inner.summarize(request)}>"
"""


@pytest.mark.parametrize(
    ("spec", "foreign", "files"),
    [
        ("extractive", False, []),
        ("faulty(inner=faulty(inner=oracle))", False, []),
        ("scripted(file=answers.txt)", False, ["answers.txt"]),
        ("./inside.py:Counting", True, ["inside.py"]),
        ("faulty(inner=./inside.py:Counting)", True, ["inside.py"]),
        ("faulty(inner=faulty(inner=./inside.py:Counting))", True, ["inside.py"]),
        ("./inside.py:around(inner=scripted(file=answers.txt))", True,
         ["inside.py", "answers.txt"]),
    ],
)  # fmt: skip
def test_what_a_spec_rests_on_is_known_however_deep_it_sits(
    tmp_path: Path, spec: str, foreign: bool, files: list[str]
) -> None:
    (tmp_path / "inside.py").write_text(INSIDE, encoding="utf-8")
    (tmp_path / "answers.txt").write_text("one\n", encoding="utf-8")
    loaded = load_summarizer(parse_spec(spec), tmp_path)
    assert loaded is not None
    assert (loaded.foreign, list(loaded.files)) == (foreign, [tmp_path / name for name in files])


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("faulty(inner=./inside.py:Counting, every=9)", "1"),
        ("./inside.py:around(inner=./inside.py:Counting)", "<1>"),
    ],
)
def test_a_summariser_inside_is_made_for_each_conversation_and_not_when_loaded(
    tmp_path: Path, spec: str, text: str
) -> None:
    (tmp_path / "inside.py").write_text(INSIDE, encoding="utf-8")
    loaded = load_summarizer(parse_spec(spec), tmp_path)
    made = sys.modules[loading.file_target("inside.py:around", tmp_path).__module__].made
    assert (loaded is not None, made) == (True, [])
    for _ in range(2):
        assert loaded is not None
        assert loaded().summarize(SummaryRequest(())) == text
    assert len(made) == 2


def test_a_missing_file_is_told_with_the_folder_and_the_nearest(folder: Path) -> None:
    with pytest.raises(ConfigurationError) as error:
        load("./mien.py:last", folder)
    assert (
        str(error.value)
        == f"./mien.py: no such file in {folder.resolve()}; did you mean 'mine.py'?"
    )


def test_a_file_that_failed_to_load_is_tried_again(folder: Path) -> None:
    path = folder / "draft.py"
    path.write_text("x = (\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="SyntaxError"):
        load("./draft.py:f", folder)
    path.write_text("def f(messages, budget):\n    return messages\n", encoding="utf-8")
    assert load("./draft.py:f", folder).name == "./draft.py:f"


def test_a_raising_function_is_the_cells_error_with_its_line(
    folder: Path, talk: list[Message], context: Context
) -> None:
    with pytest.raises(StrategyError) as error:
        load("./mine.py:boom", folder).compact(talk, context)
    assert str(error.value) == "raised RuntimeError: no luck (mine.py:19)"


def test_a_raising_constructor_is_the_cells_error(folder: Path) -> None:
    factory = load_strategy(parse_spec("./mine.py:Broken"), folder)
    with pytest.raises(StrategyError, match=r"raised OSError: no such model \(mine\.py:36\)"):
        factory()


def test_the_time_limit_is_handed_on(folder: Path, talk: list[Message], context: Context) -> None:
    (folder / "slow.py").write_text(
        "import time\n\ndef f(messages, budget):\n    time.sleep(60)\n", encoding="utf-8"
    )
    strategy = load_strategy(parse_spec("./slow.py:f"), folder, time_limit=0.05)()
    with pytest.raises(StrategyError) as error:
        strategy.compact(talk, context)
    assert str(error.value) == "exceeded the time limit of 0.05 s (slow.py:4)"


def test_a_module_is_found_in_the_working_directory(folder: Path) -> None:
    """As `python -m` finds it, also when the program itself was started from elsewhere."""
    with_module(folder, "module_in_the_working_directory")
    code = f"""
import sys; sys.path[:] = [{str(SRC)!r}, *sys.path[1:]]
from pathlib import Path
from compaction_eval.strategies.loading import load_strategy
from compaction_eval.strategies.specs import Spec
print(load_strategy(Spec("module_in_the_working_directory:f"), Path("/"))().name)
"""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("module_in_the_working_directory:f\n", "")


@pytest.fixture
def entry_point_scan(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Two installed entry points, one of which wants a built-in's name; the groups asked for."""
    asked: list[str] = []

    def scan(*, group: str) -> EntryPoints:
        asked.append(group)
        names = {"ours": "entry_module:f", "none": "entry_module:f"}
        return EntryPoints(EntryPoint(name, value, group) for name, value in names.items())

    monkeypatch.setattr(loading, "entry_points", scan)
    registered.cache_clear()
    yield asked
    registered.cache_clear()


def test_an_entry_point_is_a_name_beside_the_built_ins(
    folder: Path, entry_point_scan: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_module(folder, "entry_module")
    monkeypatch.syspath_prepend(folder)
    assert registered("strategies")["ours"] == "entry_module:f"
    loaded = load_strategy(Spec("ours"), folder)
    assert (loaded().name, loaded.foreign) == ("ours", True)
    assert loaded.files == (folder / "entry_module.py",)
    assert entry_point_scan == ["compaction_eval.strategies"]


def test_an_entry_point_cannot_take_a_built_ins_name(entry_point_scan: list[str]) -> None:
    assert registered("strategies")["none"] == BUILT_IN["strategies"]["none"]


def test_an_entry_point_that_cannot_be_imported_is_told_on_one_line(
    folder: Path, entry_point_scan: list[str]
) -> None:
    sys.modules.pop("entry_module", None)
    with pytest.raises(ConfigurationError, match="there is no module 'entry_module'"):
        load("ours", folder)


def test_a_bad_parameter_of_a_built_in_is_told_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="strategy 'count-slice': keep must be 1 or more"):
        load_strategy(parse_spec("count-slice(keep=0)"), tmp_path)
    with pytest.raises(ConfigurationError, match="'count-slice' has no parameter 'kep'; did you"):
        load_strategy(parse_spec("count-slice(kep=3)"), tmp_path)


@pytest.mark.parametrize("name", BUILT_IN["strategies"])
def test_every_built_in_strategy_loads_under_its_name(name: str, tmp_path: Path) -> None:
    factory = load_strategy(Spec(name), tmp_path)
    assert (factory().name, factory.foreign) == (name, False)


@pytest.mark.parametrize("name", BUILT_IN["summarizers"])
def test_every_built_in_summarizer_loads_under_its_name(name: str, tmp_path: Path) -> None:
    factory = load_summarizer(Spec(name), tmp_path)
    assert factory is not None
    assert (factory().name, factory.foreign) == (name, False)


def test_none_is_no_summarizer(tmp_path: Path) -> None:
    assert load_summarizer(Spec("none"), tmp_path) is None


def test_an_unknown_summarizer_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as error:
        load_summarizer(Spec("extractiv"), tmp_path)
    assert str(error.value) == (
        "unknown summarizer 'extractiv'; did you mean 'extractive'? (`list summarizers` shows all)"
    )


def test_a_users_summarizer_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def first(request, *, size: int = 5):\n"
        "    return request.messages[0]['content'][:size]\n"
        "class Broken:\n"
        "    pass\n",
        encoding="utf-8",
    )
    factory = load_summarizer(parse_spec("./mine.py:first(size=3)"), tmp_path)
    assert factory is not None
    assert factory().name == "./mine.py:first(size=3)"
    with pytest.raises(ConfigurationError, match=r"no method 'summarize\(request\)'"):
        load_summarizer(parse_spec("./mine.py:Broken"), tmp_path)


def test_the_default_matrix_is_all_that_need_no_recording_with_the_controls_last() -> None:
    assert {*DEFAULT_STRATEGIES, RECORDED} == set(BUILT_IN["strategies"])
    assert RECORDED not in DEFAULT_STRATEGIES
    assert set(DEFAULT_STRATEGIES[-len(CONTROLS) :]) == set(CONTROLS)


def test_a_module_that_never_ends_its_import_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compaction_eval.strategies.importing.IMPORT_SECONDS", 0.2)
    (tmp_path / "endless.py").write_text("while True:\n    pass\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"endless\.py:[12]: took longer than 0\.2 s"):
        load_strategy(parse_spec("./endless.py:compact"), tmp_path)
