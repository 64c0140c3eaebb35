"""`--chaos SPEC`: which attempt of which request meets which fault.

A specification is either shares, `429:0.1,hang:0.05,seed=7`, where each attempt of each request
draws by itself; or a schedule, `500,ok,429`, which each request goes through from its first
attempt on, and is answered afterwards. A request is known by its body, so nothing depends on the
order in which threads come. Options: `seed=N`; `hang=S` and `slow=S`, seconds that a hang and a
slow body last; `retry-after=S`, the seconds which a 429 asks to wait.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType

from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

OK = "ok"
TAG = "X-Compaction-Eval-Asker"
"""A header that tells two requests with one body apart; it isn't handed on."""
FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "429": "status 429 with Retry-After",
        "429-bare": "status 429 without Retry-After",
        "500": "status 500",
        "503": "status 503",
        "401": "status 401; its message repeats the key that was sent",
        "echo": "status 500; its message repeats all headers that were sent",
        "parrot": "a completion whose text repeats all headers that were sent",
        "context": "status 400 with the code `context_length_exceeded`",
        "hang": "the request is read, and nothing comes back",
        "close": "the request is read, and the connection closed",
        "slow": "the true answer, a little at a time",
        "cut": "half of a body, then the connection is closed",
        "html": "status 200 with a page of HTML",
        "bad-json": "status 200 with JSON that breaks off, at its full length",
        "no-choices": "a completion without choices",
        "length": "a completion that stopped at its longest allowed answer",
        "filter": "a completion that a content filter stopped",
        "tools": "a completion with a tool call instead of a text",
        "huge": "a completion with ten megabytes of text",
    }
)
"""What can go wrong. Only `ok` and `slow` reach the endpoint; the others cost nothing there."""

_OPTIONS = {"seed": 0.0, "hang": 600.0, "slow": 2.0, "retry-after": 1.0}


@dataclass(frozen=True, slots=True)
class Chaos:
    """A specification, read."""

    shares: Mapping[str, float] = field(default_factory=dict)
    """Of each fault the share of attempts that meet it; together at most 1."""
    schedule: tuple[str, ...] = ()
    """Faults or `ok`, by attempt."""
    seed: int = 0
    hang: float = 600.0
    """Seconds."""
    slow: float = 2.0
    """Seconds that a slow body takes in all."""
    retry_after: float = 1.0
    """Seconds."""

    def __str__(self) -> str:
        """The specification, spelt in one way; options that are as usual left out."""
        options = (self.seed, self.hang, self.slow, self.retry_after)
        named = zip(_OPTIONS.items(), options, strict=True)
        parts = [*self.schedule, *(f"{name}:{share:g}" for name, share in self.shares.items())]
        return ",".join(parts + [f"{name}={now:g}" for (name, usual), now in named if now != usual])

    def fault(self, request: str, attempt: int) -> str:
        """The fault of the attempt of that number, from 0, at the request of that key, or `ok`."""
        if self.schedule:
            return self.schedule[attempt] if attempt < len(self.schedule) else OK
        drawn = Random(f"{self.seed} {request} {attempt}").random()
        for name, share in self.shares.items():
            drawn -= share
            if drawn < 0:
                return name
        return OK


class Attempts:
    """Counts how often each request was tried, from `first` on; for several threads."""

    def __init__(self, first: int = 0) -> None:
        self._first = first
        self._lock = threading.Lock()
        self._made: Counter[str] = Counter()

    def next(self, request: str) -> int:
        """The number of this attempt at the request of that key, from 0."""
        with self._lock:
            self._made[request] += 1
            return self._first + self._made[request] - 1


def body_key(body: bytes, asker: str = "") -> str:
    """What a request is known by: its JSON in whatever layout, else its bytes; and who asks."""
    with suppress(ValueError, RecursionError):
        body = json.dumps(json.loads(body), sort_keys=True).encode()
    return hashlib.sha256(body + asker.encode()).hexdigest()


def parse_chaos(text: str) -> Chaos:
    """Read a specification. Raises ConfigurationError with the part that is wrong."""
    shares: dict[str, float] = {}
    schedule: list[str] = []
    options = dict(_OPTIONS)
    for part in (one.strip() for one in text.split(",")):
        if "=" in part:
            name, _, value = (one.strip() for one in part.partition("="))
            if name not in _OPTIONS:
                raise _wrong(f"there is no option '{name}'{did_you_mean(name, _OPTIONS)}")
            options[name] = _number(part, value, math.inf)
            if name == "seed" and options[name] % 1:
                raise _wrong(f"'{part}': the seed is a whole number")
        elif ":" in part:
            name, _, value = (one.strip() for one in part.partition(":"))
            if name in shares:
                raise _wrong(f"'{name}' is there twice")
            shares[_known(name, FAULTS)] = _number(part, value, 1)
        else:
            schedule.append(_known(part, (OK, *FAULTS)))
    if shares and schedule:
        raise _wrong(f"'{schedule[0]}' has no share; use shares or a schedule, not both")
    if not shares and not schedule:
        raise _wrong("it names no fault; an example: 429:0.1,hang:0.05,seed=7")
    if math.fsum(shares.values()) > 1:
        raise _wrong(f"the shares add up to {math.fsum(shares.values()):g}, more than 1")
    return Chaos(
        shares,
        tuple(schedule),
        int(options["seed"]),
        options["hang"],
        options["slow"],
        options["retry-after"],
    )


def _known(name: str, known: Mapping[str, str] | tuple[str, ...]) -> str:
    if name not in known:
        hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise _wrong(f"there is no fault '{name}'{hint}")
    return name


def _number(part: str, value: str, most: float) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number <= most or math.isinf(number):
        bound = f"from 0 to {most:g}" if math.isfinite(most) else "of at least 0"
        raise _wrong(f"'{part}': '{value}' is no number {bound}")
    return number


def _wrong(reason: str) -> ConfigurationError:
    return ConfigurationError(f"--chaos: {reason}")
