"""The sizes of what a cell sent, by the references that its record holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from compaction_eval.eval.message_sizes import content_blocks
from compaction_eval.eval.records import CellRecord, PartRef
from compaction_eval.strategies.messages import is_system
from compaction_eval.strategies.tokens import MESSAGE_TOKENS, TokenCounter

View = tuple[PartRef, ...]
"""A request by what it is made of, tool schemas first where there are any."""
TOOLS = "tools"
"""Stands for the schemas; no synthetic message is called so."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much a stretch of a request is."""

    tokens: int = 0
    blocks: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(self.tokens + other.tokens, self.blocks + other.blocks)


@dataclass(frozen=True)
class Sizes:
    """Sizes within one cell; its record must have those of its messages."""

    cell: CellRecord
    counter: TokenCounter

    def of(self, part: PartRef, stop: int | None = None) -> Size:
        """The size of a part, or of a stretch of it up to `stop`."""
        if isinstance(part, str):
            return self._loose[part]
        first, last = part[0], part[1] if stop is None else stop
        tokens, blocks = self._sums
        return Size(tokens[last] - tokens[first], blocks[last] - blocks[first])

    def total(self, view: Sequence[PartRef]) -> Size:
        """The size of all the parts."""
        token_sums, block_sums = self._sums
        tokens = blocks = 0
        for part in view:
            if isinstance(part, str):
                tokens += self._loose[part].tokens
                blocks += self._loose[part].blocks
            else:
                start, stop = part
                tokens += token_sums[stop] - token_sums[start]
                blocks += block_sums[stop] - block_sums[start]
        return Size(tokens, blocks)

    def sent(self, view: View) -> View:
        """A recorded view as it is sent: behind the tool schemas."""
        return (TOOLS, *view) if self.cell.tools_tokens else view

    def head(self, view: View) -> View:
        """What a request opens with that stays the same from one to the next: schemas, system."""
        found: list[PartRef] = []
        for part in view:
            if isinstance(part, str):
                if part != TOOLS and not is_system(self.cell.synthetic[part]):
                    break
                found.append(part)
                continue
            start, stop = part
            end = min(stop, self.cell.system_messages)
            if start < end:
                found.append((start, end))
            if end < stop:
                break
        return tuple(found)

    def said(self, at: int) -> int:
        """Tokens of the agent's recorded words at a place, calls included: what it had to write."""
        return self.cell.message_tokens[at] - MESSAGE_TOKENS

    @cached_property
    def _sums(self) -> tuple[list[int], list[int]]:
        cell = self.cell
        return (
            list(accumulate(cell.message_tokens, initial=0)),
            list(accumulate(cell.message_blocks, initial=0)),
        )

    @cached_property
    def _loose(self) -> dict[str, Size]:
        sizes = {
            name: Size(self.counter.message(message), content_blocks(message))
            for name, message in self.cell.synthetic.items()
        }
        return {**sizes, TOOLS: Size(self.cell.tools_tokens, 0)}
