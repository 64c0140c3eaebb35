"""`block-truncation`: a sliding window that pops the oldest block until the view fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.block_cutting import REQUEST_SHARE, BlockRules, Limits, cut_blocks
from compaction_eval.strategies.cutting import sliceable
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import History, Oversized, Request, System, at_least
from compaction_eval.strategies.rendering import DEFAULT_INTERNAL_TAGS


@dataclass(frozen=True, slots=True)
class BlockTruncation:
    """Drops whole blocks, oldest first; the newest block always stays.

    The defaults are the plain window: the user's request slides out with it, and a newest block
    that is too large stays as it is.
    """

    reserve_tokens: int = 0
    """Tokens of the budget for what shares the window but isn't history."""
    request: Request = "window"
    oversized: Oversized = "keep"
    internal_tags: tuple[str, ...] = DEFAULT_INTERNAL_TAGS
    """With `request=keep`: how user messages open that aren't the user's."""
    system: System = "keep"
    history: History = "replace"

    def __post_init__(self) -> None:
        at_least(0, reserve_tokens=self.reserve_tokens)

    @property
    def name(self) -> str:
        """The registered name."""
        return "block-truncation"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The newest blocks that fit budget less reserve."""
        limit = max(context.budget - self.reserve_tokens, 0)
        if context.count(messages) <= limit:
            return Compaction(messages)
        rules = BlockRules(
            keep_system=self.system == "keep",
            hold_request=self.request == "keep",
            reduce=self.oversized == "reduce",
            internal_tags=self.internal_tags,
        )
        cut = cut_blocks(
            sliceable(messages),
            context.counter,
            rules,
            Limits(limit, (limit, context.budget), context.budget, limit // REQUEST_SHARE),
        )
        if not cut.dropped:
            return Compaction(messages)
        return Compaction(
            cut.kept,
            "truncate" if cut.blocks or cut.orphans else "reduce",
            cut.dropped,
            blocks_dropped=cut.blocks,
            orphans_dropped=cut.orphans,
        )
