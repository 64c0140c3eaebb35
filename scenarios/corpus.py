"""Which messages of a conversation mention a value: built once, asked often.

A conversation's normalised texts, with an index from each run of ASCII letters and digits to the
messages that have it. The boundary rule of `strategies.mentions` makes each such run of a value a
whole run of any text that mentions it, so a value is searched only in the messages that have the
rarest of its runs, and one that no message has costs a look into a table. Values without such a
run (Chinese words, say) are searched in all messages.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

from compaction_eval.strategies.mentions import mentions, normalise
from compaction_eval.strategies.messages import Message, reading_text

_RUNS = re.compile("[a-z0-9]+")
WORTH_INDEX = 32
"""Values from which on the index pays; for fewer each message is searched."""


class Readings:
    """Normalised texts and their runs of letters and digits: what corpora share is read once."""

    def __init__(self) -> None:
        self._normalised: dict[str, str] = {}
        self._runs: dict[str, frozenset[str]] = {}

    def text(self, message: Message) -> str:
        """All that a message says, normalised."""
        written = reading_text(message)
        text = self._normalised.get(written)
        if text is None:
            text = self._normalised[written] = normalise(written)
        return text

    def runs(self, text: str) -> frozenset[str]:
        """The runs of letters and digits of a normalised text."""
        runs = self._runs.get(text)
        if runs is None:
            runs = self._runs[text] = frozenset(_RUNS.findall(text))
        return runs


class Corpus:
    """The reading texts of some messages, searched for values that are given *normalised*.

    Values are as `strategies.mentions.normalise` gives them, positions are indices into the
    messages; `as_written` is that of `strategies.mentions.mentions`. Texts and index are built at
    the first question, in time linear in the texts; the messages must not change afterwards.
    `readings` is what has been read already, where several corpora have texts in common.
    """

    def __init__(
        self,
        messages: Iterable[Message],
        *,
        as_written: bool = False,
        readings: Readings | None = None,
    ):
        self._messages = tuple(messages)
        self._readings = Readings() if readings is None else readings
        self._as_written = as_written
        self._holders: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._messages)

    def text(self, position: int) -> str:
        """All that a message says, in reading order, normalised."""
        return self._texts[position]

    def holders(self, value: str) -> tuple[int, ...]:
        """Positions of all messages that mention a value, ascending."""
        found = self._holders.get(value)
        if found is None:
            texts = self._texts
            found = tuple(
                at
                for at in self._candidates(value)
                if value in texts[at] and mentions(texts[at], value, as_written=self._as_written)
            )
            self._holders[value] = found
        return found

    def holds(self, position: int, value: str) -> bool:
        """Whether the message at a position mentions a value."""
        return self.newest(value, position + 1) == position

    def newest(self, value: str, before: int) -> int | None:
        """The newest message before a position that mentions a value."""
        holders = self.holders(value)
        at = bisect_left(holders, before)
        return holders[at - 1] if at else None

    @cached_property
    def _texts(self) -> list[str]:
        return [self._readings.text(message) for message in self._messages]

    @cached_property
    def _having(self) -> dict[str, list[int]]:
        """Run of letters and digits -> positions of the messages that have it, ascending."""
        having: dict[str, list[int]] = {}
        for at, text in enumerate(self._texts):
            for run in self._readings.runs(text):
                having.setdefault(run, []).append(at)
        return having

    def _candidates(self, value: str) -> Sequence[int]:
        """The messages that alone can mention a value, ascending."""
        runs = _RUNS.findall(value)
        few = len(self._holders) < WORTH_INDEX and "_having" not in self.__dict__
        if few or not runs:
            return range(len(self._messages)) if value else ()
        return min((self._having.get(run, []) for run in runs), key=len)
