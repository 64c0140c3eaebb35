"""What each request of a conversation is billed for: tokens read from a cache, written, and others.

Only the conversation itself counts, request by request. The forks at which probes are asked are how
this tool measures; no agent pays for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from compaction_eval.eval.cost.caches import Cache
from compaction_eval.eval.cost.prefixes import Prefixes
from compaction_eval.eval.cost.sizes import Sizes
from compaction_eval.eval.models.prices import ModelPrices
from compaction_eval.eval.records import RequestRecord
from compaction_eval.strategies.tokens import REQUEST_TOKENS

PAUSE = 10.0
"""Seconds between an agent's requests, if nothing is said."""


@dataclass(frozen=True, slots=True)
class Clock:
    """When requests are sent, in seconds; nothing is waited for."""

    pause: float = PAUSE
    """From one request to the next."""
    summary: float = 0.0
    """What each call of the summariser adds to it."""


@dataclass(frozen=True, slots=True)
class Charge:
    """A request in tokens; read, written and uncached are disjoint and add up to what is sent."""

    read: int
    written: int
    uncached: int
    output: int
    """The agent's recorded words, the same under each strategy."""
    summary_calls: int = 0
    summary_in: int = 0
    summary_out: int = 0

    @property
    def sent(self) -> int:
        """Tokens of the request, tool schemas included."""
        return self.read + self.written + self.uncached

    def cost(self, prices: ModelPrices) -> Decimal:
        """USD: R·r + W·w + U·p_in + O·p_out, and what the summariser cost."""
        rates = prices.rates(self.sent)
        return (
            self.read * rates.cache_read
            + self.written * rates.cache_write
            + self.uncached * rates.input
            + self.output * rates.output
            + rates.request
            + self.summarizing(prices)
        )

    def cost_without_cache(self, prices: ModelPrices) -> Decimal:
        """USD of the same tokens where none are cached."""
        rates = prices.rates(self.sent)
        own = self.sent * rates.input + self.output * rates.output + rates.request
        return own + self.summarizing(prices)

    def summarizing(self, prices: ModelPrices) -> Decimal:
        """USD of the summariser's calls: prompts of their own, so nothing of them is cached."""
        if not self.summary_calls:
            return Decimal(0)
        rates = prices.rates(self.summary_in // self.summary_calls)
        fees = self.summary_calls * rates.request
        return self.summary_in * rates.input + self.summary_out * rates.output + fees


def main_line(requests: Iterable[RequestRecord]) -> list[RequestRecord]:
    """The conversation's own requests."""
    return [request for request in requests if request.probe is None]


def charges(
    requests: Iterable[RequestRecord], sizes: Sizes, cache: Cache, clock: Clock
) -> Iterator[Charge]:
    """The charge of each request as it was sent; the first one finds an empty cache."""
    known = Prefixes(sizes)
    now = 0.0
    for request in requests:
        now += clock.pause + request.summary_calls * clock.summary
        split = cache.split(known, sizes.sent(request.view), now)
        sent = request.tokens + sizes.cell.tools_tokens
        yield Charge(
            read=split.read,
            written=split.written,
            uncached=sent - split.read - split.written,
            output=sizes.said(request.at),
            summary_calls=request.summary_calls,
            summary_in=request.summary_tokens_in,
            summary_out=request.summary_tokens_out,
        )


def full_charges(
    requests: Iterable[RequestRecord], sizes: Sizes, cache: Cache, clock: Clock
) -> Iterator[Charge]:
    """The charges of the same requests, had each been sent with the full history."""
    whole = (
        RequestRecord(request.at, None, request.full, request.full, ((0, request.at),))
        for request in requests
    )
    return charges(whole, sizes, cache, clock)


def breaks(requests: Iterable[RequestRecord]) -> Iterator[int]:
    """For each request that doesn't begin with all of the one before: the tokens that are lost.

    Whatever the provider, these can't be read from a cache any longer.
    """
    before: int | None = None
    for request in requests:
        if before is not None and request.reused_tokens < before:
            yield before - request.reused_tokens
        before = request.tokens - REQUEST_TOKENS
