"""Limits of a run on requests, tokens and money: one account that all its models share.

A request is let through only while nothing is used up. Near a limit on tokens or money, where what
is in flight might already reach it, a request waits for the others' bills instead; so the limit is
passed by no more than what one request was estimated too low.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal

from compaction_eval.eval.models.base import ChatRequest, LimitReachedError, Reply
from compaction_eval.eval.models.prices import Price
from compaction_eval.strategies.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class Limits:
    """None: no limit."""

    max_requests: int | None = None
    """HTTP requests for completions, those that are sent again included."""
    max_tokens_total: int | None = None
    """Tokens in and out together."""
    max_cost: Decimal | None = None
    """USD."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used of its endpoints; replies from a store or recording use nothing."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal | None = None
    """USD; None where no price is known or none was asked for."""


class Bill:
    """What one request used; to be filled in before it is let go of."""

    def __init__(self, tokens_in: int) -> None:
        self.tokens_in, self.cached, self.tokens_out = tokens_in, 0, 0
        """Until told, as if nothing but the question had been used: true of a time-out."""

    def told(self, reply: Reply, counter: TokenCounter) -> None:
        """Take the endpoint's figures; where it has none, the counter's."""
        if reply.tokens_in is not None:
            self.tokens_in = reply.tokens_in
        self.cached = reply.cached_tokens or 0
        out = reply.tokens_out
        self.tokens_out = counter.text(reply.text) if out is None else out

    def nothing(self) -> None:
        """The endpoint refused: nothing is paid."""
        self.tokens_in = self.cached = self.tokens_out = 0


class Account:
    """Safe to be used by several threads at once."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._counter = TokenCounter()
        self._free = threading.Condition()
        self._in_flight = 0
        self._reserved_tokens = 0
        self._reserved_cost = Decimal(0)
        self._requests = self._tokens_in = self._tokens_out = 0
        self._cost = Decimal(0)
        self._priced = False

    @property
    def counter(self) -> TokenCounter:
        """Counts where an endpoint doesn't."""
        return self._counter

    @property
    def spent(self) -> Spent:
        """What is used by now, in flight or not told yet left out but for the requests' number."""
        with self._free:
            cost = self._cost if self._priced else None
            return Spent(self._requests, self._tokens_in, self._tokens_out, cost)

    @contextmanager
    def sending(self, request: ChatRequest, price: Price | None) -> Iterator[Bill]:
        """Let one HTTP request through, or raise LimitReachedError."""
        counting = self._limits.max_tokens_total is not None or price is not None
        tokens = self._counter.messages(request.messages) if counting else 0
        expected = tokens + (request.max_tokens or 0)
        cost = price(tokens, 0, request.max_tokens or 0) if price else Decimal(0)
        with self._free:
            while self._must_wait(expected, cost):
                self._free.wait()
            self._requests += 1
            self._in_flight += 1
            self._reserved_tokens += expected
            self._reserved_cost += cost
        bill = Bill(tokens)
        try:
            yield bill
        finally:
            paid = price(bill.tokens_in, bill.cached, bill.tokens_out) if price else Decimal(0)
            with self._free:
                self._in_flight -= 1
                self._reserved_tokens -= expected
                self._reserved_cost -= cost
                self._tokens_in += bill.tokens_in
                self._tokens_out += bill.tokens_out
                self._cost += paid
                self._priced = self._priced or price is not None
                self._free.notify_all()

    def _must_wait(self, tokens: int, cost: Decimal) -> bool:
        """Whether others have to end first. Raises LimitReachedError where that can't help."""
        limits, used = self._limits, self._tokens_in + self._tokens_out
        if limits.max_requests is not None and self._requests >= limits.max_requests:
            raise LimitReachedError(f"--max-requests {limits.max_requests:,} is reached")
        if limits.max_tokens_total is not None and used >= limits.max_tokens_total:
            limit = f"--max-tokens-total {limits.max_tokens_total:,}"
            raise LimitReachedError(f"{limit} is reached: {used:,} tokens were used")
        if limits.max_cost is not None and self._cost >= limits.max_cost:
            limit = f"--max-cost {limits.max_cost:f}"
            raise LimitReachedError(f"{limit} is reached: {self._cost:.4f} USD were spent")
        if not self._in_flight:
            return False
        much = limits.max_tokens_total is not None and (
            used + self._reserved_tokens + tokens > limits.max_tokens_total
        )
        return much or (
            limits.max_cost is not None
            and self._cost + self._reserved_cost + cost > limits.max_cost
        )
