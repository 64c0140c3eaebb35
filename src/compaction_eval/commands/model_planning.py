"""From options and configuration to the models that a run asks, or to the faults in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from compaction_eval.commands.config_keys import MODEL_OPTION_KEYS
from compaction_eval.commands.model_settings import settings_of
from compaction_eval.eval.models.base import UnusableModelError
from compaction_eval.eval.models.cassette import read_cassette
from compaction_eval.eval.models.chaos import Chaos, parse_chaos
from compaction_eval.eval.models.limits import Limits
from compaction_eval.eval.models.naming import parse_model
from compaction_eval.eval.models.settings import CONCURRENCY, ModelSettings
from compaction_eval.eval.recall.opening import ModelPlan
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.summarizers.model import SAME

if TYPE_CHECKING:
    from compaction_eval.commands.planning import Planner


def plan_models(planner: Planner, summarizers: tuple[str, ...] = ()) -> ModelPlan | None:
    """The models, all of it checked but the endpoint; None where that is at fault.

    `summarizers` are the names of those that summarise. What is wrong becomes faults of the
    planner.
    """
    given = [name for name in MODEL_OPTION_KEYS if planner.one(name) is not None]
    model = planner.one("model")
    if model is None and (lacking := _lacking(given, summarizers)):
        planner.faults.append(lacking)
        return None
    planner.faults += _contradictions(given)
    settings = ModelSettings()
    try:
        settings = settings_of(planner.configuration, os.environ)
    except ConfigurationError as error:
        planner.faults += str(error).splitlines()
    record, replay = planner.path("record"), planner.path("replay")
    plan = ModelPlan(
        answerer=_name(planner, "model"),
        judge=_name(planner, "judge"),
        summarizers=summarizers,
        settings=settings,
        limits=_limits(planner),
        concurrency=int(planner.one("concurrency") or CONCURRENCY),
        record=record,
        replay=replay,
        chaos=_chaos(planner),
    )
    if replay is not None:
        planner.attempt(None, "", read_cassette, replay)
    elif not planner.faults:
        # With a replay no key is needed.
        try:
            settings.check_key(plan.names.distinct[0])
        except UnusableModelError as error:
            planner.faults.append(str(error))
    return plan


def _lacking(given: Sequence[str], summarizers: Sequence[str]) -> str | None:
    """What can't be without --model, if there is anything."""
    if SAME in summarizers:
        return f"--summarizer: '{SAME}' is the model of --model, and none is given"
    if not summarizers:
        return f"--{given[0]}: needs --model, which names who is asked"
    if "judge" in given:
        return "--judge: needs --model, whose answers it grades"
    return None


def _contradictions(given: Iterable[str]) -> list[str]:
    there = set(given)
    pairs = (("record", "replay"), ("record", "chaos"), ("replay", "chaos"))
    why = {
        ("record", "replay"): "a cassette is either written or read",
        ("record", "chaos"): "nothing is recorded of an endpoint that misbehaves on purpose",
        ("replay", "chaos"): "a replay asks no endpoint",
    }
    return [f"--{one} and --{two}: {why[one, two]}" for one, two in pairs if {one, two} <= there]


def _name(planner: Planner, option: str) -> str | None:
    text = planner.one(option)
    found = planner.try_one(option, parse_model) if text is not None else None
    return None if found is None else found.text


def _chaos(planner: Planner) -> Chaos | None:
    text = planner.one("chaos")
    return None if text is None else planner.attempt(None, "", parse_chaos, text)


def _limits(planner: Planner) -> Limits:
    requests, tokens = planner.one("max-requests"), planner.one("max-tokens-total")
    return Limits(
        max_requests=int(requests) if requests else None,
        max_tokens_total=int(tokens) if tokens else None,
        max_cost=planner.try_one("max-cost", _dollars),
    )


def _dollars(text: str) -> Decimal:
    try:
        amount = Decimal(text.strip().removeprefix("$"))
    except InvalidOperation:
        amount = Decimal("nan")
    if not amount.is_finite() or amount <= 0:
        raise ConfigurationError(f"'{text}' is no amount above 0, such as 2.50")
    return amount
