"""Reuse probes: values that the recorded agent used in a call and knew from an earlier message.

Nobody wrote them: if the compacted view at that request lacks the value, the agent could not have
made that call. Finding is stricter than judging: a probe is made only where an earlier message
holds the value as the agent wrote it (`329` isn't found in `329.0`), while a view that says `329.0`
has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from compaction_eval.scenarios.corpus import Corpus, Readings
from compaction_eval.scenarios.records import ReuseProbe
from compaction_eval.strategies.blocks import blocks
from compaction_eval.strategies.mentions import mentions, normalise
from compaction_eval.strategies.messages import (
    Message,
    argument_leaves,
    as_text,
    call_name,
    is_system,
    role,
    scalar_text,
    tool_calls,
)
from compaction_eval.strategies.nested_json import leaves

LONGEST_WHOLE = 60
"""Characters up to which an argument without white space is one value."""
_TRIMMED = ".,;:!?()[]{}<>'\""
_MARKS = frozenset("/_@.")


def reuse_probes(
    messages: Sequence[Message],
    tools: Sequence[Mapping[str, Any]] = (),
    readings: Readings | None = None,
) -> tuple[ReuseProbe, ...]:
    """The reuse probes of a conversation, by request and then in the order of its arguments.

    A value that no earlier message holds is the agent's own invention and makes no probe. Each
    value is probed once per request, in the first spelling and for the first tool that uses it.
    """
    corpus = Corpus(messages, as_written=True, readings=readings)
    schemas = normalise("\n".join(_schema_text(schema) for schema in tools))
    block_of = {at: block for block in blocks(messages) for at in block}
    system = frozenset(at for at, message in enumerate(messages) if is_system(message))
    others = frozenset(at for at, message in enumerate(messages) if role(message) != "assistant")
    known: dict[str, _Known] = {}
    probes: list[ReuseProbe] = []
    for request, message in enumerate(messages):
        values = _values(message) if role(message) == "assistant" else {}
        # The newest block as it was at the request: later answers aren't in it yet.
        newest = [at for at in block_of.get(request - 1, ()) if at < request]
        number = 0
        for value, (written, tool) in values.items():
            source = corpus.newest(value, request)
            if source is None:
                continue
            first = known.get(value)
            if first is None:
                first = known[value] = _Known(
                    _first(corpus.holders(value), system),
                    _first(corpus.holders(value), others),
                    mentions(schemas, value, as_written=True),
                )
            number += 1
            probes.append(
                ReuseProbe(
                    id=f"reuse-{request}-{number}",
                    value=written,
                    request=request,
                    source=source,
                    tool=tool,
                    free=first.schema
                    or first.system < request
                    or any(corpus.holds(at, value) for at in newest),
                    own=first.other >= request,
                )
            )
    return tuple(probes)


class _Known(NamedTuple):
    """Where a value is known from apart from the agent's words; positions, `_NOWHERE` if none."""

    system: int
    other: int
    schema: bool


_NOWHERE = 1 << 62


def _first(positions: Sequence[int], among: frozenset[int]) -> int:
    """The first of some ascending positions that is in a set."""
    return next((at for at in positions if at in among), _NOWHERE)


def _values(message: Message) -> dict[str, tuple[str, str]]:
    """The distinctive values of a message's calls: normalised -> as first written, and its tool."""
    values: dict[str, tuple[str, str]] = {}
    for call in tool_calls(message):
        for leaf in argument_leaves(call):
            for written in _parts(leaf):
                value = normalise(written)
                if value not in values and _is_distinctive(value):
                    values[value] = (written, call_name(call))
    return values


def _parts(leaf: object) -> Iterator[str]:
    """An argument's scalar whole, or its words where it is a text."""
    if isinstance(leaf, bool):
        return
    text = scalar_text(leaf)
    words = text.split()
    if words == [text] and len(text) <= LONGEST_WHOLE:
        yield text
    else:
        for word in words:
            yield word.strip(_TRIMMED)


def _is_distinctive(value: str) -> bool:
    """Whether a value is unlikely to stand somewhere by chance."""
    digits = sum(map(str.isdecimal, value))
    return digits >= 3 or (len(value) >= 4 and (digits > 0 or not _MARKS.isdisjoint(value)))


def _schema_text(schema: Mapping[str, Any]) -> str:
    """A tool schema's JSON, and its scalars as they are without JSON's escapes."""
    return "\n".join([as_text(schema), *map(scalar_text, leaves(schema))])
