"""Asking for a summary without ever losing a run to it, and putting it into a view.

Whatever a summariser does, an attempt ends with a text that may stand for what was dropped, or with
the reason why there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Context, PromptStyle
from compaction_eval.strategies.cutting import join, leading
from compaction_eval.strategies.errors import reason_of
from compaction_eval.strategies.messages import Message, content_text, role
from compaction_eval.strategies.options import RoleChoice
from compaction_eval.strategies.summary import (
    SummaryPlace,
    SummaryRole,
    summary_length,
    summary_message,
)
from compaction_eval.strategies.summary_checks import SHORTEST, fit_summary, rejection
from compaction_eval.strategies.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of asking for a summary."""

    text: str | None = None
    reason: str | None = None
    """Why there is no text although one was asked for."""


def attempt_summary(
    context: Context,
    rendered: Sequence[Message],
    previous: str | None,
    *,
    dropped_tokens: int,
    limit: int,
    style: PromptStyle,
) -> Attempt:
    """Ask the run's summariser, if there is one and there is anything to be summarised.

    `dropped_tokens`: tokens of the messages that the summary is to stand for; `limit`: its longest
    wanted length in wide characters, to which it is shortened.
    """
    if not context.can_summarize or not any(content_text(m).strip() for m in rendered):
        return Attempt()
    try:
        text = context.summarize(rendered, previous, limit=limit, style=style)
        reason = _rejection(text, context, dropped_tokens, limit, previous, rendered)
    except Exception as error:  # noqa: BLE001  # foreign code; a summariser never ends a run
        return Attempt(reason=f"the summariser {reason_of(error)}")
    return Attempt(reason=reason) if reason else Attempt(fit_summary(text, limit))


def _rejection(
    text: object,
    context: Context,
    dropped_tokens: int,
    limit: int,
    previous: str | None,
    rendered: Sequence[Message],
) -> str | None:
    if not isinstance(text, str):
        return f"the summariser returned no text but {type(text).__name__}"
    return rejection(
        text,
        dropped_tokens=dropped_tokens,
        limit=limit,
        counter=context.counter,
        previous=previous,
        language=context.language,
        shown=[content_text(message) for message in rendered],
    )


@dataclass(frozen=True, slots=True)
class Position:
    """Where in a view a summary goes, and under which role."""

    index: int
    role: SummaryRole


def summary_position(
    messages: Sequence[Message],
    role_choice: RoleChoice,
    place: SummaryPlace,
    *,
    after_first: bool = False,
) -> Position:
    """The position for a summary of what was dropped from these messages.

    In front is behind the leading system messages, with `after_first` also behind the first message
    after them. `auto` is `user` in front, so that no view opens with the assistant, and
    `assistant` at the end; but never the role of both neighbours, nor that of the only one.
    """
    index = len(messages)
    if place == "front":
        index = leading(messages) + after_first
    if role_choice != "auto":
        return Position(index, role_choice)
    before = role(messages[index - 1]) if index > 0 else ""
    if place == "end":
        return Position(index, "user" if before == "assistant" else "assistant")
    after = role(messages[index]) if index < len(messages) else ""
    return Position(index, "assistant" if before == after == "user" else "user")


def insert(messages: Sequence[Message], index: int, message: Message) -> Sequence[Message]:
    """The messages with one more at an index."""
    return join(messages, (messages[:index], [message], messages[index:]))


def fitted_summary(
    text: str, role: SummaryRole, language: str, *, room: int | None, counter: TokenCounter
) -> Message | None:
    """A summary message of at most `room` tokens (any number without one), shortened if needed.

    Nothing where so little room is left that it would say nothing.
    """
    while True:
        message = summary_message(text, role=role, language=language)
        size = counter.message(message)
        if room is None or size <= room:
            return message
        wanted = summary_length(text) * max(room, 0) // size
        text = fit_summary(text, min(wanted, summary_length(text) * 9 // 10))
        if len(text) <= SHORTEST:
            return None
