"""Whether a model can be asked at all, before the first cell: one cheap request."""

from __future__ import annotations

from collections.abc import Mapping

from compaction_eval.eval.models.base import ChatRequest, LimitReachedError, UnusableModelError
from compaction_eval.eval.models.client import OpenAIModel
from compaction_eval.eval.models.connection import BrokenError, Connection
from compaction_eval.eval.models.replies import read_json
from compaction_eval.eval.models.secret import showable
from compaction_eval.eval.models.settings import URL_SETTING, URL_VARIABLE
from compaction_eval.strategies.errors import did_you_mean

_SILENT = ("timeout", "connection", "malformed", "server-error")


def check_model(model: OpenAIModel, connection: Connection) -> None:
    """Raises UnusableModelError with the setting to mend.

    The list of models is free. Where it is missing, or the model isn't in it (servers of a single
    model answer to any name), a completion of one token tells.
    """
    listed = _listed(model, connection)
    if model.model in listed:
        return
    request = ChatRequest(
        messages=({"role": "user", "content": "Say yes."},),
        purpose="answer",
        max_tokens=1,
        whereabouts="preflight",
    )
    address = f"set {URL_VARIABLE}, or {URL_SETTING} in the configuration"
    try:
        reply = model.complete(request)
    except LimitReachedError as error:
        raise UnusableModelError(str(error)) from None
    except UnusableModelError as error:
        if listed and "has no model" in str(error):
            known = ", ".join(showable(one) for one in sorted(listed)[:8])
            hint = did_you_mean(model.model, listed) or f"; it has {known}"
            raise UnusableModelError(
                f"{model.name}: {model.endpoint} has no model '{model.model}'{hint}"
            ) from None
        raise
    if reply.outcome in _SILENT:
        raise UnusableModelError(
            f"{model.name}: {model.endpoint} doesn't answer: {reply.reason}; {address}"
        )


def _listed(model: OpenAIModel, connection: Connection) -> frozenset[str]:
    """The names that the endpoint lists; none where it has no list."""
    try:
        response = connection.get("/models")
    except BrokenError as error:
        if error.kind == "malformed":
            return frozenset()
        raise UnusableModelError(
            f"{model.name}: {model.endpoint} can't be reached: {error}; set {URL_VARIABLE}, or"
            f" {URL_SETTING} in the configuration"
        ) from None
    try:
        data = read_json(response.body) if response.status == 200 else None
    except ValueError:
        data = None
    entries = data.get("data") if isinstance(data, Mapping) else None
    ids = [one.get("id") for one in entries or () if isinstance(one, Mapping)]
    return frozenset(one for one in ids if isinstance(one, str))
