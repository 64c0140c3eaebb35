"""The guard around strategies and summarisers from outside: copies in, checked results out.

Whatever such code does (raise, exit, loop, return nonsense, change what it was given) ends as a
StrategyError with the reason, or as a note in the record; never in another cell's result.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast, get_args

from compaction_eval.strategies.base import Action, Compaction, Context, SummaryRequest
from compaction_eval.strategies.errors import StrategyError, describe, in_one_line
from compaction_eval.strategies.foreign_context import foreign_context
from compaction_eval.strategies.functions import Call, finished, forked
from compaction_eval.strategies.importing import line_in
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import History
from compaction_eval.strategies.returned import accepted, bounded, collected, copied
from compaction_eval.strategies.timelimit import TimeLimitExceeded, time_limit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """Where foreign code stands and how long one call of it may take."""

    file: str | None = None
    """Its source file, whose lines are named in reasons."""
    seconds: float | None = None
    hard: bool = False
    """Whether the process may be ended for it (a worker): see `timelimit`."""

    def call(self, function: Callable[[], T]) -> T:
        """Call foreign code; StrategyError for whatever it raises, a user's interrupt apart."""
        process = os.getpid()
        try:
            with time_limit(self.seconds, hard=self.hard):
                return function()
        except StrategyError:
            raise
        except KeyboardInterrupt as error:
            # A worker isn't interrupted by the user, so there it is the foreign code's own.
            if not self.hard:
                raise
            raise StrategyError(f"raised {describe(error)}{self._place(error)}") from error
        except TimeLimitExceeded as error:
            raise StrategyError(
                f"exceeded the time limit of {self.seconds:g} s{self._place(error)}"
            ) from error
        except BaseException as error:  # SystemExit and cancellations included
            raise StrategyError(f"raised {describe(error)}{self._place(error)}") from error
        finally:
            if self.hard and os.getpid() != process:
                os._exit(0)  # a copy of the worker that the code has forked: one goes on

    def _place(self, error: BaseException) -> str:
        place = line_in(error, self.file)
        return f" ({Path(place[0]).name}:{place[1]})" if place else ""


class GuardedStrategy:
    """A strategy from outside. It never sees the answer key, nor an empty list."""

    sees_answer_key = False

    def __init__(self, name: str, call: Call, limits: Limits, history: History = "replace"):
        self.name = name
        self.history: History = history
        self._call = call
        self._limits = limits

    def __deepcopy__(self, memo: object) -> GuardedStrategy:
        """A copy whose foreign object has a state of its own. Raises StrategyError."""
        target = self._limits.call(lambda: forked(self._call.target))
        return GuardedStrategy(
            self.name, replace(self._call, target=target), self._limits, self.history
        )

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """What the foreign code makes of copies of the messages. Raises StrategyError."""
        if not messages:
            return Compaction(messages)
        copies: list[Message] = [copied(message) for message in messages]
        given = list(copies)
        messages_before = tuple(copies)
        own_context = foreign_context(context)

        def work() -> tuple[object, list[dict[str, Any]]]:
            result = self._call(given, own_context)
            # Collected in here, because a generator runs only now.
            messages = collected(result.view if isinstance(result, Compaction) else result)
            bounded(cast("list[Message]", messages), messages_before)
            return result, messages

        result, returned = self._limits.call(work)
        compaction = accepted(messages, copies, given, returned)
        return _told(result, compaction) if isinstance(result, Compaction) else compaction


def _told(result: Compaction, compaction: Compaction) -> Compaction:
    """The compaction as it was found, with what only the strategy itself can know."""
    if result.action not in get_args(Action):
        known = ", ".join(get_args(Action))
        raise StrategyError(f"returned the unknown action {result.action!r}; known are {known}")
    unchanged = compaction.action == "none"
    fallback = _text(result.fallback, "fallback")
    return replace(
        compaction,
        # A summary is believed, and so is its kind; that nothing or something changed is not.
        action=compaction.action if unchanged or result.action == "none" else result.action,
        summary=_text(result.summary, "summary") if not unchanged else None,
        fallback=in_one_line(fallback) if fallback is not None else None,
        blocks_dropped=int(result.blocks_dropped),
        orphans_dropped=int(result.orphans_dropped),
    )


def _text(value: object, field: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise StrategyError(f"returned a {field} of type {type(value).__name__} instead of a text")


class GuardedSummarizer:
    """A summariser from outside. It never sees the answer key; SystemExit can't end a run."""

    sees_answer_key = False

    def __init__(self, name: str, target: Any, limits: Limits):
        self.name = name
        self._target = target
        self._limits = limits

    def __deepcopy__(self, memo: object) -> GuardedSummarizer:
        """A copy whose foreign object has a state of its own. Raises StrategyError."""
        target = self._limits.call(lambda: forked(self._target))
        return GuardedSummarizer(self.name, target, self._limits)

    def summarize(self, request: SummaryRequest) -> str:
        """The summary. Raises StrategyError, which strategies treat as any failing summariser."""
        own = replace(request, messages=tuple(map(copied, request.messages)), answer_key=None)
        call = getattr(self._target, "summarize", self._target)
        text = self._limits.call(lambda: finished(call(own)))
        if not isinstance(text, str):
            raise StrategyError(f"returned a value of type {type(text).__name__} instead of a text")
        return text
