"""Measures one strategy in this process, from what a test has in its hands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path

from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.models.base import ChatModel, ModelError
from compaction_eval.eval.recall.recalling import Asked
from compaction_eval.eval.runner import TIME_LIMIT, run_matrix
from compaction_eval.eval.summaries.asking import SummaryModel
from compaction_eval.reports.failures import failure_lines
from compaction_eval.scenarios.library import select
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.given import given
from compaction_eval.strategies.loading import load_summarizer
from compaction_eval.strategies.specs import Spec, parse_spec
from compaction_eval.strategies.summarizers.model import SAME
from compaction_eval.testing.errors import EvaluationError
from compaction_eval.testing.evaluation import Evaluation

Selector = str | PathLike[str]


def evaluate(
    strategy: object,
    *,
    scenarios: Selector | Sequence[Selector] | None = None,
    budget: str | int | Sequence[str | int] = "30%",
    summarizer: object = "extractive",
    name: str | None = None,
    encoding: str = "o200k_base",
    profile: str = "openai",
    time_limit: float | None = TIME_LIMIT,
    model: ChatModel | str | None = None,
    judge: ChatModel | str | None = None,
    directory: Path | None = None,
    update: bool = False,
    on_read: Callable[[Evaluation], None] = lambda _: None,
) -> Evaluation:
    """Replay scenarios through a strategy and score them.

    `strategy` is a spec's text, a function `(messages, budget) -> messages`, or a class or object
    with `compact(messages, context)`; `summarizer` a spec's text (`openai:NAME`, or `model` for the
    one that answers, has a model write summaries), a function of the request, or a class or object
    with `summarize(request)`. Every conversation starts with a copy of an object
    as it was given. `scenarios` are paths, ids and `TAG:x`, by default the shipped library;
    relative paths start at `directory`, by default the current folder. Each call of foreign code
    may take `time_limit` seconds.

    `model` is asked each written probe, so that there is a `recall`: `openai:NAME`, reached as the
    environment says and with replies kept in `.compaction-eval` of the directory, or an object
    with `name` and `complete(request)`. `judge`, of the same sort, grades its answers too.

    Raises ConfigurationError for what can't be loaded, EvaluationError when a cell has no figures
    or a model can't be asked.
    """
    __tracebackhide__ = True
    here = (directory or Path.cwd()).absolute()
    budgets = [budget] if isinstance(budget, str | int) else list(budget)
    if not budgets:
        raise ConfigurationError("no budget is given; write for example 30% or 2000")
    chosen = select([_located(one, here) for one in _selectors(scenarios)])
    matrix = Matrix(
        scenarios=tuple(chosen),
        strategies=(_spec(strategy, name),),
        budgets=tuple(Budget.parse(str(one)) for one in budgets),
        summarizers=(_spec(summarizer, None),),
        encoding=encoding,
        profile=profile,
        directory=here,
    )
    loaded = load_summarizer(matrix.summarizers[0], here)
    writers = loaded.models if loaded is not None else ()
    with _asked(model, judge, writers, here) as asked:
        run = run_matrix(matrix, executor="inline", time_limit=time_limit, asked=asked)
    if run.errors:
        lines = [
            f"{len(run.errors)} of {len(run.cells)} cells have no figures, so there are none:",
            *failure_lines(run.cells),
            f"first in scenario {run.errors[0].key.scenario}",
        ]
        raise EvaluationError("\n".join(lines))
    if run.unanswered:
        reasons = {p.answer.reason: None for p in run.unanswered if p.answer is not None}
        told = "; ".join([*reasons][:3])
        raise EvaluationError(
            f"{len(run.unanswered)} questions to the model got no answer, so there is no recall:"
            f" {told}"
        )
    known = {(one.id, one.variant): one for one in chosen}
    return Evaluation(run, known, here, update, on_read)


@contextmanager
def _asked(
    model: ChatModel | str | None,
    judge: ChatModel | str | None,
    writers: Sequence[str],
    here: Path,
) -> Iterator[Asked | None]:
    """Who is asked, those that write summaries by name; closed at the end."""
    if model is None and judge is not None:
        raise ConfigurationError("a judge needs a model whose answers it grades")
    if model is None and SAME in writers:
        raise ConfigurationError(
            f"the summarizer '{SAME}' is the model that answers: give `model=`"
        )
    if model is None and not writers:
        yield None
        return
    try:
        with ExitStack() as stack:
            answerer = None if model is None else _opened(model, here, stack)
            grader = None if judge is None else _opened(judge, here, stack)
            yield Asked(answerer, grader, summarizers=_writers(writers, answerer, here, stack))
    except ModelError as error:
        raise EvaluationError(str(error)) from None


def _writers(
    names: Sequence[str], answerer: ChatModel | None, here: Path, stack: ExitStack
) -> Callable[[str], SummaryModel]:
    """From a summarizer's name to who writes its summaries."""
    own = tuple(name for name in names if name != SAME)
    opened = _reached(here, stack, summarizers=own) if own else None

    def writer(name: str) -> SummaryModel:
        if name == SAME and answerer is not None:
            return SummaryModel(answerer)
        assert opened is not None
        return opened.summary_model(name)

    return writer


def _opened(model: ChatModel | str, here: Path, stack: ExitStack) -> ChatModel:
    if not isinstance(model, str):
        return model
    from compaction_eval.eval.models.naming import parse_model

    answerer = _reached(here, stack, answerer=parse_model(model).text).answerer
    assert answerer is not None
    return answerer


def _reached(
    here: Path, stack: ExitStack, *, answerer: str | None = None, summarizers: tuple[str, ...] = ()
) -> Asked:
    """Models as the environment says where they are; what they told before is found again."""
    from compaction_eval.eval.models.settings import model_settings
    from compaction_eval.eval.models.store import DEFAULT_STORE
    from compaction_eval.eval.recall.opening import ModelPlan, asked_by

    plan = ModelPlan(
        answerer,
        summarizers=summarizers,
        settings=model_settings(os.environ),
        store=here / DEFAULT_STORE,
    )
    return stack.enter_context(asked_by(plan))[0]


def _spec(thing: object, name: str | None) -> Spec:
    if isinstance(thing, str):
        spec = parse_spec(thing)
        return replace(spec, name=name) if name else spec
    if isinstance(thing, Spec):
        return replace(thing, name=name) if name else thing
    return given(thing, name)


def _selectors(scenarios: Selector | Sequence[Selector] | None) -> list[Selector]:
    if scenarios is None:
        return []
    chosen = [scenarios] if isinstance(scenarios, str | PathLike) else list(scenarios)
    if not chosen:
        # Without any, the whole library would be meant: not by somebody whose list came out empty.
        raise ConfigurationError("scenarios is empty; leave it out for the shipped library")
    return chosen


def _located(selector: Selector, here: Path) -> str:
    """A path below `here` as the current folder sees it; an id or a tag as it is."""
    path = here / selector
    if not os.path.exists(path):
        if isinstance(selector, PathLike):
            raise ConfigurationError(f"{path}: no such file or folder")
        return selector
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
