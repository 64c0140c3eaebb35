"""Patterns of `match: regex`: Python's syntax, and a limit on the time that matching may take.

Python's own engine can't be stopped: a pattern whose repeats can share out the same words in many
ways runs for years on a line that doesn't match. So the engine of `regex` is asked, which can be.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.mentions import Mention

if TYPE_CHECKING:
    import regex  # type: ignore[import-untyped]  # it has no types of its own

CONVERSATION_SECONDS = 0.5
"""CPU time that a pattern may take for all messages of its scenario."""
TEXT_SECONDS = 1.0
"""For one text of a view: more than the whole script took, so only what was made up can take it."""
_DIFFERENT = re.compile(
    r"(?P<same>\\.)"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|\{(?![0-9]+(?:,[0-9]*)?\}|,[0-9]*\})",
    re.DOTALL,
)
"""What the engines read differently: braces that repeat nothing, and `[:` in a set."""


class SlowPatternError(ConfigurationError):
    """A pattern took longer on a text than it may."""

    def __init__(self, pattern: str, seconds: float, text: str):
        super().__init__(
            f"the pattern '{pattern}' takes longer than {seconds:g} s on {text}; make it narrower, "
            "so that its repeats can't share out the same words in many ways"
        )


def pattern_fault(pattern: str) -> str | None:
    """What is wrong with a pattern in itself, in words; None where nothing is."""
    import regex

    try:
        empty = re.compile(pattern, re.IGNORECASE).search("") is not None
        _compiled(pattern)
    except (re.error, regex.error, OverflowError, RecursionError) as error:
        return f"the pattern '{pattern}' doesn't compile: {error}"
    return f"the pattern '{pattern}' matches an empty text, so anything" if empty else None


def slowness(pattern: str, texts: Iterable[str]) -> str | None:
    """Says so if a pattern takes too long for some texts together; None where it doesn't."""
    left = CONVERSATION_SECONDS
    for text in texts:
        started = time.process_time()
        try:
            find_pattern(text, pattern, left)
        except SlowPatternError:
            return str(SlowPatternError(pattern, CONVERSATION_SECONDS, "this conversation"))
        left = max(left - (time.process_time() - started), 0.001)
    return None


def find_pattern(text: str, pattern: str, seconds: float = TEXT_SECONDS) -> list[Mention]:
    """Every place of a text that matches, letter case aside. Raises SlowPatternError."""
    compiled = _compiled(pattern)
    try:
        return [Mention(*match.span()) for match in compiled.finditer(text, timeout=seconds)]
    except TimeoutError:
        raise SlowPatternError(pattern, seconds, "a text") from None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> regex.Pattern[str]:
    import regex  # here, since few scenarios have patterns and it costs start-up time

    compiled: regex.Pattern[str] = regex.compile(
        _DIFFERENT.sub(_alike, pattern), regex.IGNORECASE | regex.VERSION0
    )
    return compiled


def _alike(found: re.Match[str]) -> str:
    if found["same"]:
        return found[0]
    return found[0].replace("[:", r"\[:") if found["set"] else r"\{"
