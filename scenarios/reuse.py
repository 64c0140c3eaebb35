"""Reuse probes: values that the recorded agent used and knew from an earlier message.

Nobody wrote them: if the compacted view at that request lacks the value, the agent could not have
made that call, or written those words. Finding is stricter than judging: a probe is made only where
an earlier message holds the value as the agent wrote it (`329` isn't found in `329.0`), while a
view that says `329.0` has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from compaction_eval.scenarios.corpus import Corpus, Readings
from compaction_eval.scenarios.records import ReuseProbe
from compaction_eval.scenarios.repeating import Repeating
from compaction_eval.scenarios.reused_values import Use, call_values, text_values
from compaction_eval.strategies.blocks import blocks
from compaction_eval.strategies.mentions import mentions, normalise
from compaction_eval.strategies.messages import (
    Message,
    as_text,
    call_name,
    is_system,
    role,
    scalar_text,
    tool_calls,
)
from compaction_eval.strategies.nested_json import leaves


def reuse_probes(
    messages: Sequence[Message],
    tools: Sequence[Mapping[str, Any]] = (),
    readings: Readings | None = None,
    *,
    text: bool = False,
) -> tuple[ReuseProbe, ...]:
    """The reuse probes of a conversation, by request and then in the order of its arguments.

    A value that no earlier message holds is the agent's own invention and makes no probe. Each
    value is probed once per request, in the first spelling and for the first tool that uses it.
    With `text`, those of the agent's own words come after those of its calls, and a value that a
    call of the same message uses isn't probed again.
    """
    finder = _Finder(messages, tools, readings)
    return tuple(probe for at in finder.requests for probe in finder.probes(at, text=text))


class _Known(NamedTuple):
    """Where a value is known from apart from the agent's words; positions, `_NOWHERE` if none."""

    system: int
    other: int
    repeatable: int
    schema: bool


_NOWHERE = 1 << 62


class _Finder:
    """One conversation, searched for the values of each of its requests."""

    def __init__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        readings: Readings | None,
    ):
        self._messages = messages
        self._corpus = Corpus(messages, as_written=True, readings=readings)
        self._schemas = normalise("\n".join(_schema_text(schema) for schema in tools))
        self._block_of = {at: block for block in blocks(messages) for at in block}
        self._repeating = Repeating(messages, self._block_of)
        self._system = frozenset(at for at, one in enumerate(messages) if is_system(one))
        self._tools = {normalise(call_name(call)) for one in messages for call in tool_calls(one)}
        self._known: dict[str, _Known] = {}
        self.requests = [at for at, one in enumerate(messages) if role(one) == "assistant"]
        self._others = frozenset(range(len(messages))).difference(self.requests)

    def probes(self, request: int, *, text: bool) -> Iterator[ReuseProbe]:
        """The reuse probes of one assistant message."""
        used = call_values(self._messages[request])
        yield from self._found(request, used, f"reuse-{request}")
        said = text_values(self._messages[request], used) if text else {}
        for probe in self._found(request, said, f"reuse-text-{request}"):
            # What no one else said, and its tools, the agent may well know without any message.
            if not probe.own and normalise(probe.value) not in self._tools:
                yield probe

    def _found(self, request: int, uses: Mapping[str, Use], name: str) -> Iterator[ReuseProbe]:
        # The newest block as it was at the request: later answers aren't in it yet.
        newest = [at for at in self._block_of.get(request - 1, ()) if at < request]
        number = 0
        for value, use in uses.items():
            source = self._corpus.newest(value, request)
            if source is None:
                continue
            known = self._known_from(value)
            number += 1
            yield ReuseProbe(
                id=f"{name}-{number}",
                value=use.written,
                request=request,
                source=source,
                tool=use.tool,
                where=use.where,
                free=known.schema
                or known.system < request
                or any(self._corpus.holds(at, form) for at in newest for form in use.forms),
                own=known.other >= request,
                chance=known.other >= request or not use.telling,
                recoverable=known.repeatable < request,
            )

    def _known_from(self, value: str) -> _Known:
        known = self._known.get(value)
        if known is None:
            holders = self._corpus.holders(value)
            again = self._repeating.first_telling(value, holders)
            known = self._known[value] = _Known(
                _first(holders, self._system),
                _first(holders, self._others),
                _NOWHERE if again is None else again,
                mentions(self._schemas, value, as_written=True),
            )
        return known


def _first(positions: Sequence[int], among: frozenset[int]) -> int:
    """The first of some ascending positions that is in a set."""
    return next((at for at in positions if at in among), _NOWHERE)


def _schema_text(schema: Mapping[str, Any]) -> str:
    """A tool schema's JSON, and its scalars as they are without JSON's escapes."""
    return "\n".join([as_text(schema), *map(scalar_text, leaves(schema))])
