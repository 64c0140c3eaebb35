"""Limits of a run on requests, tokens and money: one account that all its models share.

A request is let through only while nothing is used up. Near a limit on tokens or money, where what
is in flight might already reach it, a request waits for the others' bills instead. What a request
will use is its size and the longest answer asked for, times the worst of the estimates before; so a
limit is passed by about one request, however many are in flight.
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


@dataclass(slots=True)
class _Meter:
    """One quantity: what is used, and what is expected of the requests in flight."""

    limit: Decimal | None
    used: Decimal = Decimal(0)
    expected: Decimal = Decimal(0)
    worst: Decimal = Decimal(1)
    """The largest ratio by now of what a request used to what was expected of it."""

    @property
    def is_reached(self) -> bool:
        return self.limit is not None and self.used >= self.limit

    def holds(self, amount: Decimal) -> bool:
        """Whether another request fits that is expected to use this much."""
        if self.limit is None:
            return True
        return self.used + (self.expected + amount) * self.worst <= self.limit

    def settle(self, amount: Decimal, paid: Decimal) -> None:
        self.expected -= amount
        self.used += paid
        if amount:
            self.worst = max(self.worst, paid / amount)


class Account:
    """Safe to be used by several threads at once."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._counter = TokenCounter()
        self._free = threading.Condition()
        self._in_flight = 0
        most = self._limits.max_tokens_total
        self._tokens = _Meter(None if most is None else Decimal(most))
        self._cost = _Meter(self._limits.max_cost)
        self._requests = self._tokens_in = self._tokens_out = 0
        self._priced = False

    @property
    def counter(self) -> TokenCounter:
        """Counts where an endpoint doesn't."""
        return self._counter

    @property
    def spent(self) -> Spent:
        """What is used by now; requests in flight are in the number of requests alone."""
        with self._free:
            cost = self._cost.used if self._priced else None
            return Spent(self._requests, self._tokens_in, self._tokens_out, cost)

    @contextmanager
    def sending(self, request: ChatRequest, price: Price | None) -> Iterator[Bill]:
        """Let one HTTP request through, or raise LimitReachedError."""
        counting = self._limits.max_tokens_total is not None or price is not None
        asked = self._counter.messages(request.messages) if counting else 0
        answer = request.max_tokens or 0
        tokens = Decimal(asked + answer)
        cost = price(asked, 0, answer) if price else Decimal(0)
        with self._free:
            while self._must_wait(tokens, cost):
                self._free.wait()
            self._requests += 1
            self._in_flight += 1
            self._tokens.expected += tokens
            self._cost.expected += cost
        bill = Bill(asked)
        try:
            yield bill
        finally:
            paid = price(bill.tokens_in, bill.cached, bill.tokens_out) if price else Decimal(0)
            with self._free:
                self._in_flight -= 1
                self._tokens.settle(tokens, Decimal(bill.tokens_in + bill.tokens_out))
                self._cost.settle(cost, paid)
                self._tokens_in += bill.tokens_in
                self._tokens_out += bill.tokens_out
                self._priced = self._priced or price is not None
                self._free.notify_all()

    def _must_wait(self, tokens: Decimal, cost: Decimal) -> bool:
        """Whether others have to end first. Raises LimitReachedError where that can't help."""
        limits = self._limits
        if limits.max_requests is not None and self._requests >= limits.max_requests:
            raise LimitReachedError(f"--max-requests {limits.max_requests:,} is reached")
        if self._tokens.is_reached:
            limit = f"--max-tokens-total {limits.max_tokens_total:,}"
            raise LimitReachedError(f"{limit} is reached: {self._tokens.used:,} tokens were used")
        if self._cost.is_reached:
            limit = f"--max-cost {limits.max_cost:f}"
            raise LimitReachedError(f"{limit} is reached: {self._cost.used:.4f} USD were spent")
        if not self._in_flight:
            return False
        return not (self._tokens.holds(tokens) and self._cost.holds(cost))
