"""Opening what a run asks: the endpoint with its store and recording, or a cassette alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from compaction_eval.eval.models.base import ChatModel, ChatRequest, Reply
from compaction_eval.eval.models.chaos import Chaos
from compaction_eval.eval.models.chaos_server import standing_before
from compaction_eval.eval.models.keeping import keeping, replaying
from compaction_eval.eval.models.limits import Limits, Spent
from compaction_eval.eval.models.naming import parse_model
from compaction_eval.eval.models.opening import ModelNames, Models, open_models
from compaction_eval.eval.models.prices import Price, price_of
from compaction_eval.eval.models.settings import CONCURRENCY, ModelSettings
from compaction_eval.eval.models.store import DEFAULT_STORE
from compaction_eval.eval.recall.recalling import Asked
from compaction_eval.eval.summaries.asking import SummaryModel
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.summarizers.model import SAME


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """Which models a run asks, and how they are reached."""

    answerer: str | None = None
    """As its user named it, spelt in one way, such as `openai:NAME`; None where none is asked."""
    judge: str | None = None
    summarizers: tuple[str, ...] = ()
    """Whom summaries are asked of, as summarizers' specs name them."""
    settings: ModelSettings = field(default_factory=ModelSettings)
    limits: Limits = field(default_factory=Limits)
    concurrency: int = CONCURRENCY
    store: Path = DEFAULT_STORE
    """Where replies are kept."""
    record: Path | None = None
    replay: Path | None = None
    chaos: Chaos | None = None
    """Faults to be put before the endpoint; nothing is kept or recorded then."""
    attempted: int = 0
    """Attempts that earlier commands made at each request that they got no answer to: faults go on
    from there, or the same command would meet the same ones for ever."""

    def told(self, name: str | None) -> str | None:
        """A model of the plan as a manifest names it: under faults it is another one, so that
        nobody takes what was made up for its answers."""
        return name if name is None or self.chaos is None else f"{name} under chaos {self.chaos}"

    @property
    def names(self) -> ModelNames:
        """All models, those of summarizers by their own names."""
        summarizers = dict.fromkeys(map(self.model_of, self.summarizers))
        return ModelNames(self.answerer, self.judge, tuple(summarizers))

    def model_of(self, summarizer: str) -> str:
        """The model that a summarizer of that name asks. Raises ConfigurationError."""
        if summarizer != SAME:
            return summarizer
        if self.answerer is None:
            raise ConfigurationError(
                f"summarizer '{SAME}' is the one of --model, and none is given"
            )
        return self.answerer


@contextmanager
def asked_by(plan: ModelPlan) -> Iterator[tuple[Asked, Callable[[], Spent]]]:
    """Who is asked, and what their answers have used by now, checks of models apart; closed at the
    end.

    Raises ConfigurationError, and UnusableModelError where a model can't be asked at all.
    """
    if plan.replay is not None:
        yield _replayed(plan, plan.replay), Spent
        return

    def price(model: str, _: str) -> Price:
        return price_of(model, plan.settings.base_url)

    with ExitStack() as stack:
        settings = plan.settings
        store: Path | None = plan.store
        if plan.chaos is not None:
            with open_models(plan.names, settings, limits=plan.limits, price=price):
                pass  # asked for a sign of life, past the faults
            endpoint = stack.enter_context(
                standing_before(plan.chaos, settings.base_url, attempted=plan.attempted)
            )
            settings, store = replace(settings, base_url=endpoint.url, tagged=True), None
        wrap = stack.enter_context(keeping(plan.settings.base_url, store=store, record=plan.record))
        models = stack.enter_context(
            open_models(
                plan.names,
                settings,
                limits=plan.limits,
                concurrency=plan.concurrency,
                wrap=wrap,
                check=plan.chaos is None,
                price=price,
            )
        )
        asked = Asked(
            None if models.answerer is None else _Told(models.answerer, plan),
            None if models.judge is None else _Told(models.judge, plan),
            plan.concurrency,
            stop=models.stop,
            lacking=lambda: _lacking(models),
            summarizers=_summarizers(plan, models.summarizer),
        )
        before = models.spent
        yield asked, lambda: _since(before, models.spent)


def _replayed(plan: ModelPlan, cassette: Path) -> Asked:
    named = replaying(cassette)

    def opened(name: str | None) -> ChatModel | None:
        return None if name is None else named(parse_model(name).text)

    return Asked(
        opened(plan.answerer),
        opened(plan.judge),
        plan.concurrency,
        summarizers=_summarizers(plan, lambda name: named(parse_model(name).text)),
    )


def _summarizers(
    plan: ModelPlan, opened: Callable[[str], ChatModel]
) -> Callable[[str], SummaryModel]:
    """From a summarizer's name to its model, with the window that its user tells of."""

    def summary_model(name: str) -> SummaryModel:
        actual = plan.model_of(name)
        window = parse_model(actual).context_tokens or plan.settings.context_tokens
        return SummaryModel(opened(actual), window)

    return summary_model


def _since(before: Spent, now: Spent) -> Spent:
    cost = None if now.cost is None else now.cost - (before.cost or 0)
    return Spent(
        now.requests - before.requests,
        now.tokens_in - before.tokens_in,
        now.tokens_out - before.tokens_out,
        cost,
    )


def _lacking(models: Models) -> Mapping[str, Mapping[str, Any]]:
    """What each model turned out not to be able to do; models that lack nothing left out."""
    found = {name: one.lacking for name, one in models.capabilities.items()}
    return {name: lacking for name, lacking in found.items() if lacking}


class _Told:
    """A model under the name that a manifest has of it."""

    def __init__(self, inner: ChatModel, plan: ModelPlan) -> None:
        self._inner = inner
        self.name = plan.told(inner.name) or inner.name

    def complete(self, request: ChatRequest) -> Reply:
        """The inner model's reply."""
        return self._inner.complete(request)
