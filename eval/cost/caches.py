"""Prompt caches as providers run them: what of a request is read from one, and what is written.

The presets follow what the providers' documentation says (read in 2026):

- OpenAI, https://platform.openai.com/docs/guides/prompt-caching: automatic, for prompts of 1,024
  tokens or more, in steps of 128; kept for 5 to 10 minutes of inactivity, of which the shorter is
  taken here. Models before GPT-5.6 pay nothing extra for writes, later ones do: a write costs what
  the price list says, and where it says nothing what input costs.
- Anthropic, https://platform.claude.com/docs/en/build-with-claude/prompt-caching: an entry is
  written at each breakpoint, for 5 minutes, prolonged by use; a request looks for one at its
  breakpoint and the 19 blocks before it. Breakpoints are set here as automatic caching with a
  system prompt of its own does: at the end of the system messages, and at the end of the request.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from compaction_eval.eval.cost.prefixes import Prefixes
from compaction_eval.eval.cost.sizes import Size, View


@dataclass(frozen=True, slots=True)
class Split:
    """Tokens of a request that were in the cache, and those that are written into it."""

    read: int = 0
    written: int = 0


class Cache(Protocol):
    """What a provider keeps of requests."""

    @property
    def name(self) -> str:
        """The preset that it is, or is made from."""
        ...

    def split(self, known: Prefixes, view: View, now: float) -> Split:
        """What is read and written at a moment (seconds); `known` is told of the request."""
        ...


@dataclass(frozen=True, slots=True)
class NoCache:
    """Every token is paid in full."""

    name: str = "none"

    def split(self, known: Prefixes, view: View, now: float) -> Split:
        """Nothing."""
        return Split()


@dataclass(frozen=True, slots=True)
class PrefixCache:
    """Reads the longest prefix of any request since `ttl`, and writes what follows, by itself.

    Prefixes are told apart by whole messages: two that begin alike share nothing.
    """

    minimum: int = 1_024
    """Tokens; a shorter request isn't cached, nor is a shorter prefix read."""
    step: int = 128
    """Tokens; lengths are rounded down to a multiple."""
    ttl: float = 300.0
    """Seconds without use after which a prefix is forgotten."""
    name: str = "openai"

    def split(self, known: Prefixes, view: View, now: float) -> Split:
        """See `Cache`."""
        length = known.sizes.total(view).tokens
        if length < self.minimum or self.ttl <= 0:
            return Split()
        expired = now - self.ttl
        found = known.longest(view, expired).tokens
        read = self._rounded(found) if found >= self.minimum else 0
        known.use(view, now, expired)
        return Split(read, self._rounded(length) - read)

    def _rounded(self, tokens: int) -> int:
        return tokens - tokens % self.step


@dataclass(frozen=True, slots=True)
class BreakpointCache:
    """Reads the entry nearest before a breakpoint, and writes up to the last one."""

    minimum: int = 1_024
    """Tokens; a shorter prefix isn't entered."""
    look_back: int = 20
    """Blocks at which an entry is looked for: the breakpoint's own and those before it."""
    ttl: float = 300.0
    """Seconds without use after which an entry is forgotten."""
    name: str = "anthropic"

    def split(self, known: Prefixes, view: View, now: float) -> Split:
        """See `Cache`."""
        whole = known.sizes.total(view)
        if whole.tokens < self.minimum or self.ttl <= 0:
            return Split()
        expired = now - self.ttl
        head = known.sizes.head(view)
        opening = known.sizes.total(head)
        ends = {view: whole}
        if opening.tokens >= self.minimum:
            ends[head] = opening
        read = max(self._found(known, end, size, expired) for end, size in ends.items())
        known.use(view, now, expired)
        for end in ends:
            known.enter(end)
        return Split(read, whole.tokens - read)

    def _found(self, known: Prefixes, view: View, size: Size, expired: float) -> int:
        entry = known.longest_entry(view, expired)
        if entry is None or size.blocks - entry.blocks >= self.look_back:
            return 0
        return entry.tokens
