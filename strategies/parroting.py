"""How much of a summary is our own instruction, said again.

Small models repeat what they were told to do in place of what was said. Such a text is no refusal,
is in the right language and short, and would replace a conversation by nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from compaction_eval.strategies.prompt_wordings import OTHER, WORDINGS

RUN = 3
"""Words in a row that the instruction must have too for them to count as repeated."""
WIDE_RUN = 6
"""The same in characters of a script without spaces."""
MOST = 0.5
"""From that share of its words on which are an instruction's, a text says it again. Extracted
summaries of the whole library have up to 0.14 of them, parroted ones of a small model from 0.64."""
MOST_WITH_CONTENTS = 0.85
"""The same with the list of what a summary is to hold, whose items are good headings for it."""
_WIDE = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_WIDE}]|(?:(?![{_WIDE}])[^\W_])+")


def is_parroted(text: str, material: Iterable[str] = ()) -> bool:
    """Whether a text says our instruction again instead of the `material`.

    What the material says too isn't held against it: people talk about summaries and data.
    """
    words = _words(text)
    # Nearly all texts end here.
    if sum(word in _vocabulary() for word in words) < MOST * len(words):
        return False
    material = tuple(material)
    return (
        parroted_share(text, material) >= MOST
        or parroted_share(text, material, contents=True) >= MOST_WITH_CONTENTS
    )


def parroted_share(text: str, material: Iterable[str] = (), *, contents: bool = False) -> float:
    """The share of a text's words that stand in runs which an instruction has, from 0 to 1.

    With `contents` also in its list of what a summary is to hold.
    """
    words = _words(text)
    known = _instructions(contents)
    found = [(at, run) for at, run in _runs(words) if run in known]
    if not found:
        return 0.0
    said = {run for one in material for _, run in _runs(_words(one))}
    told = {place for at, run in found if run not in said for place in range(at, at + len(run))}
    return len(told) / len(words)


def _words(text: str) -> list[str]:
    """Words without case; of a script without spaces, its characters."""
    return _WORD.findall(text.casefold())


def _runs(words: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each place where a whole run begins, and the run."""
    for at, word in enumerate(words):
        size = WIDE_RUN if "\u3041" <= word[0] <= "\ufaff" else RUN
        if at + size <= len(words):
            yield at, tuple(words[at : at + size])


@cache
def _instructions(contents: bool) -> frozenset[tuple[str, ...]]:
    """The runs of all that a summariser is told, in every language."""
    told = [
        part
        for one in (*WORDINGS.values(), OTHER)
        for part in (one.rolling, one.note, one.dialogue, one.merge, one.bound, one.data)
    ]
    lines = [line for part in told for line in part.splitlines()]
    taken = [line for line in lines if contents or not line.startswith("- ")]
    return frozenset(run for line in taken for _, run in _runs(_words(line)))


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset(word for run in _instructions(contents=True) for word in run)
