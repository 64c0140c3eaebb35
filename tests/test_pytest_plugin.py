"""The pytest plug-in: idle where it isn't used; where it is, a failure tells what was lost."""

from __future__ import annotations

import copy
import inspect
import re
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.testing.errors import EvaluationError, WorseError
from compaction_eval.testing.evaluating import evaluate
from compaction_eval.testing.fixture import Evaluate  # preloaded: inner runs unload what they load

PAGE = Path(__file__).resolve().parents[1] / "docs" / "pytest.md"
SRC = Path(__file__).resolve().parents[1] / "src"
SCENARIO = """\
id: port-move
title: A port moves
lang: en
turns:
  - user: The staging server listens on 8443, please remember to open it.
    facts: {port: "8443"}
  - assistant: Opened it.
  - user: Now write the notes for Dana.
  - assistant: The notes are written.
  - user: And send them to the Lisbon office.
    facts: {office: Lisbon}
  - assistant: Sent.
probes:
  - id: which-port
    kind: recall
    ask: Which port does staging listen on? Answer with the number only.
    fact: port
  - id: which-office
    kind: recall
    ask: Which office were the notes sent to?
    fact: office
"""
TESTS = """\
def last_three(messages, budget):
    return messages[-3:]

def everything(messages, budget):
    return messages
"""
LOST = "port-move.yaml:14: port-move, which-port (recall) missing: left the view at request #2: "
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a test file in a session that has this plug-in and no other."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(SRC))
    for name in ("CI", "BUILD_NUMBER", "COMPACTION_EVAL_UPDATE", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    (pytester.path / "port-move.yaml").write_text(SCENARIO, "utf-8")

    def run(body: str, *options: str, subprocess: bool = False) -> pytest.RunResult:
        pytester.makepyfile(test_mine=TESTS + body)
        arguments = ("-p", "compaction_eval.pytest_plugin", "-p", "no:cacheprovider", *options)
        if subprocess:
            return pytester.runpytest_subprocess(*arguments)
        return pytester.runpytest_inprocess(*arguments)

    return run


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "port-move.yaml"
    path.write_text(SCENARIO, "utf-8")
    return path


def asserting(line: str) -> str:
    """A test of that one assertion on the figures of `last_three`."""
    return f"""
def test_memory(evaluate_compaction):
    evaluation = evaluate_compaction(last_three, scenarios="port-move.yaml", budget="50%")
    {line}
"""


def text(result: pytest.RunResult) -> str:
    return "\n".join(result.outlines)


def test_a_session_without_the_fixture_is_the_same_and_imports_nothing_heavy(run: Run) -> None:
    body = """
import sys

def test_nothing(pytestconfig):
    heavy = {"yaml", "tiktoken", "rich", "numpy", "click"}
    ours = {n for n in sys.modules if n.startswith("compaction_eval")}
    assert heavy.isdisjoint(sys.modules)
    assert ours == {"compaction_eval", "compaction_eval.pytest_plugin"}
    plugin = pytestconfig.pluginmanager.get_plugin("compaction_eval.pytest_plugin")
    hooks = {h.name for h in pytestconfig.pluginmanager.get_hookcallers(plugin)}
    assert hooks == {"pytest_addoption"}
"""
    result = run(body, "-W", "error", subprocess=True)
    result.assert_outcomes(passed=1)
    assert "compaction" not in text(result)
    assert result.stderr.str() == ""


@pytest.mark.parametrize("mode", ["rewrite", "plain"])
@pytest.mark.parametrize(
    "line",
    [
        "assert evaluation.survival > 0.9",
        "assert 0.9 <= evaluation.survival <= 1",
        "assert not evaluation.survival < 0.9",
        "assert not evaluation.lost",
    ],
)
def test_a_failing_assertion_shows_which_probes_were_lost_and_where(
    run: Run, line: str, mode: str
) -> None:
    # In this process the outer session would rewrite the assertions of the inner one.
    result = run(asserting(line), f"--assert={mode}", subprocess=mode == "plain")
    result.assert_outcomes(failed=1)
    shown = text(result)
    assert "- compaction -" in shown
    assert "last_three at 50% with extractive: survival 0.5" in shown
    assert "question: Which port does staging listen on? Answer with the number only." in shown
    assert "left the view at request #2: truncate: dropped 2 messages, message 0 among" in shown
    assert "port-move.yaml:14" in shown
    assert "which-office" not in shown


def test_the_assertion_itself_names_figure_scenario_line_and_compaction(run: Run) -> None:
    result = run(asserting("assert evaluation.survival > 0.9"), "--show-capture=no")
    shown = text(result)
    assert "assert 0.5 > 0.9" in shown
    assert "survival of last_three at 50% with extractive, over 1 scenario" in shown
    assert LOST in shown
    assert "- compaction -" not in shown


def test_a_failing_count_shows_the_requests_behind_it(run: Run) -> None:
    body = """
def nothing(messages, budget):
    return []

def test_requests(evaluate_compaction):
    assert evaluate_compaction(nothing, scenarios="port-move.yaml").invalid_requests == 0
"""
    shown = text(run(body))
    assert "invalid_requests of nothing at 30% with extractive" in shown
    assert re.search(r"port-move, request #\d before message \d: openai\.", shown), shown


def test_only_failures_that_looked_at_figures_have_a_section(run: Run) -> None:
    body = """
import pytest

@pytest.fixture(scope="module")
def evaluation(evaluate_compaction):
    return evaluate_compaction(last_three, scenarios="port-move.yaml", budget="50%")

def test_that_looks(evaluation):
    assert evaluation.survival > 0.1

def test_that_does_not(evaluation):
    assert 1 == 2
"""
    result = run(body)
    result.assert_outcomes(passed=1, failed=1)
    assert "- compaction -" not in text(result)


def test_a_strategy_that_raises_is_an_error_with_its_exception_and_no_zero(run: Run) -> None:
    body = """
def broken(messages, budget):
    raise RuntimeError("no luck")

def test_memory(evaluate_compaction):
    assert evaluate_compaction(broken, scenarios="port-move.yaml").survival >= 0
"""
    shown = text(run(body))
    assert "EvaluationError: 1 of 1 cells have no figures, so there are none:" in shown
    assert "1 cell of broken: raised RuntimeError: no luck (test_mine.py:8)" in shown


def test_a_baseline_is_written_when_asked_for_and_then_compared_with(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = """
def test_memory(evaluate_compaction):
    kept = evaluate_compaction({}, scenarios="port-move.yaml", budget="50%", name="mine")
    kept.assert_no_regression("base/memory.jsonl")
"""
    file = pytester.path / "base" / "memory.jsonl"
    missing = text(run(body.format("everything")))
    assert "there is no baseline; `pytest --compaction-update` writes it" in missing
    assert not file.exists()
    run(body.format("everything"), "--compaction-update").assert_outcomes(passed=1)
    good = file.read_bytes()
    run(body.format("everything")).assert_outcomes(passed=1)

    worse = run(body.format("last_three"))
    worse.assert_outcomes(failed=1)
    assert "WorseError: 1 probe worse than in memory.jsonl:" in text(worse)
    assert LOST in text(worse)
    assert "(was correct)" in text(worse)
    assert file.read_bytes() == good

    monkeypatch.setenv("COMPACTION_EVAL_UPDATE", "0")
    run(body.format("last_three")).assert_outcomes(failed=1)
    monkeypatch.setenv("COMPACTION_EVAL_UPDATE", "1")
    run(body.format("last_three")).assert_outcomes(passed=1)
    assert file.read_bytes() != good


def test_what_cannot_be_compared_fails_and_says_how_to_bless_it(
    scenario: Path, tmp_path: Path
) -> None:
    old = evaluate("none", scenarios=scenario, directory=tmp_path, update=True)
    old.assert_no_regression("b.jsonl")
    scenario.write_text(SCENARIO.replace("Sent.", "It is sent."), "utf-8")
    new = evaluate("none", scenarios=scenario, directory=tmp_path)
    with pytest.raises(
        EvaluationError, match=r"changed since b\.jsonl: scenario port-move"
    ) as error:
        new.assert_no_regression("b.jsonl")
    assert "`pytest --compaction-update` writes" in str(error.value)


def test_an_update_writes_over_no_file_that_holds_something_else(
    scenario: Path, tmp_path: Path
) -> None:
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe no text")
    measured = evaluate("none", scenarios=scenario, directory=tmp_path, update=True)
    with pytest.raises(ConfigurationError, match="holds something else than a baseline"):
        measured.assert_no_regression("b.jsonl")
    assert (tmp_path / "b.jsonl").read_bytes() == b"\xff\xfe no text"


def test_gates_take_the_syntax_of_the_command_line(scenario: Path) -> None:
    kept = evaluate("count-slice(keep=3)", scenarios=scenario, budget="50%")
    kept.fail_under("survival=0.5", "survival[kind=recall]=50%")
    with pytest.raises(WorseError, match=r"is 0\.5, which is under 0\.51") as error:
        kept.fail_under("survival[kind=recall]=0.51")
    assert "port-move, which-port (recall) missing" in str(error.value)
    with pytest.raises(WorseError, match=r"sent_tokens of .* which is over 1 "):
        kept.fail_over("sent_tokens=1")
    evaluate("token-window", scenarios=scenario).fail_under("survival=0")


def test_flips_and_losses_say_what_changed(scenario: Path, tmp_path: Path) -> None:
    measure = partial(evaluate, scenarios=scenario, budget="50%", name="mine", directory=tmp_path)
    measure("none", update=True).assert_no_regression("b.jsonl")
    now = measure(lambda messages, budget: messages[-3:])
    (flip,) = now.flips("b.jsonl")
    assert (flip.probe, flip.before, flip.after, flip.worse) == (
        "which-port", "correct", "missing", True,
    )  # fmt: skip
    (lost,) = now.lost
    assert (lost.probe, lost.line, Path(lost.file).name) == ("which-port", 14, "port-move.yaml")
    assert lost.question.startswith("Which port does staging listen on?")


class Growing:
    """Keeps one message more after each call, so a state that stays on shows in the figures."""

    def __init__(self, keep: int = 1) -> None:
        self.keep = keep

    def compact(self, messages: list[object], context: object) -> list[object]:
        self.keep += 1
        return messages[-self.keep :]

    async def later(self, messages: list[object], budget: int) -> list[object]:
        return messages[-3:]


def test_functions_classes_and_objects_are_measured_and_an_object_stays_as_it_was(
    scenario: Path,
) -> None:
    held = Growing()
    by_object = evaluate(held, scenarios=scenario, budget=["50%", "60%"])
    assert held.keep == 1
    by_class = evaluate(Growing, scenarios=scenario, budget=["50%", "60%"])
    assert by_object.rows == by_class.rows
    assert by_object.at("50%").sent_tokens == by_object.at("60%").sent_tokens
    assert evaluate(held.later, scenarios=scenario).survival == 0.5


class Shortener:
    def summarize(self, request: object) -> str:
        return "Staging listens on 8443."


def shorten(request: object) -> str:
    return "Staging listens on 8443."


@pytest.mark.parametrize("own", [shorten, Shortener, Shortener()])
def test_an_own_summariser_is_asked(own: object) -> None:
    kept = evaluate("window-summary", scenarios="parcel-redirect", summarizer=own)
    made = {str(text) for cell in kept.run.cells for text in cell.synthetic.values()}
    assert any("Staging listens on 8443." in text for text in made)
    assert kept.summary_calls > 0
    assert kept.row.summarizer in ("shorten", "Shortener")


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda one: one.recall, "no model was asked"),
        (lambda one: one.reuse, "no reuse was measured"),
        (lambda one: one.at("7%"), "nothing was measured at the budget '7%'; there are 50%"),
    ],
)
def test_a_figure_that_was_not_measured_is_an_error(
    scenario: Path, ask: Callable[..., object], reason: str
) -> None:
    with pytest.raises(EvaluationError, match=re.escape(reason)):
        ask(evaluate("none", scenarios=scenario, budget="50%"))


def test_with_several_budgets_one_is_chosen(scenario: Path) -> None:
    both = evaluate("none", scenarios=scenario, budget=["50%", 2000])
    assert both.budgets == ("50%", "2000")
    with pytest.raises(EvaluationError, match=r"choose one, as in evaluation\.at\('50%'\)"):
        _ = both.survival
    assert both.at(2000).survival == 1.0


def test_an_empty_list_of_scenarios_is_no_wish_for_all_of_them() -> None:
    with pytest.raises(Exception, match="scenarios is empty"):
        evaluate("none", scenarios=[])


def test_a_figure_is_a_number_and_travels_as_one(scenario: Path) -> None:
    kept = evaluate("none", scenarios=scenario)
    assert (repr(kept.survival), f"{kept.survival:.0%}") == ("1.0", "100%")
    assert type(copy.deepcopy(kept.survival)) is float
    assert type(kept.survival * 1) is float
    assert type(copy.deepcopy(kept.requests)) is int


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
def test_an_alarm_of_the_test_runner_goes_on(scenario: Path) -> None:
    signal.setitimer(signal.ITIMER_REAL, 500)
    try:
        evaluate(lambda messages, budget: messages, scenarios=scenario)
        left, _ = signal.getitimer(signal.ITIMER_REAL)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert 400 < left <= 500


def test_the_fixture_takes_what_evaluate_takes() -> None:
    ours = set(inspect.signature(evaluate).parameters) - {"directory", "update", "on_read"}
    assert set(inspect.signature(Evaluate.__call__).parameters) - {"self"} == ours


def test_the_page_is_true(run: Run, pytester: pytest.Pytester) -> None:
    page = PAGE.read_text("utf-8")
    (good,) = re.findall(r"```python\n# test_memory\.py\n(.*?)```", page, re.DOTALL)
    result = run(f"\n{good}\n", "--compaction-update")
    assert "failed" not in result.parseoutcomes(), text(result)
    assert result.parseoutcomes()["passed"] == good.count("def test_")
    (bad,) = re.findall(r"```python\n# test_too_strict\.py\n(.*?)```", page, re.DOTALL)
    pytester.makepyfile(test_mine="")
    pytester.makepyfile(test_too_strict=bad)
    shown = text(run("", "--no-header"))
    (told,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    for line in told.splitlines():
        assert line.strip() in re.sub(r"\S*/scenarios/", "scenarios/", shown), shown


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("evaluation.fail_under('survvial=1')", "unknown metric 'survvial'; did you mean"),
        ("evaluation.fail_under('survival[kind=update]=1')", "nothing to look at"),
        ("evaluation.fail_over('stale[scenario=port-mve]=1')", "did you mean 'port-move'?"),
        ("evaluation.assert_no_regression('b', fail_on_drop=['x=1'])", "unknown metric 'x'"),
        ("evaluate_compaction(last_three, scenarios='nowhere')", "no scenario file, id or TAG:x"),
        ("evaluate_compaction(last_three, scenarios=[])", "scenarios is empty"),
        ("evaluation.recall", "no model was asked"),
        ("evaluation.reuse", "no reuse was measured"),
        ("evaluation.survvial", "no 'survvial'; did you mean 'survival'?"),
    ],
)
def test_a_mistake_in_a_test_is_told_at_its_line_without_the_inside_of_this_package(
    run: Run, line: str, told: str
) -> None:
    shown = text(run(asserting(line)))
    assert told in shown
    assert f">       {line}" in shown
    assert {*re.findall(r"(?m)^(\S+\.py):\d+", shown)} == {"test_mine.py"}
