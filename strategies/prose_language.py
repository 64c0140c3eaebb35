"""Which language a text is written in, as far as its script and its small words tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

_LETTERS = re.compile(r"[^\W\d_]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KANA = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
_WORDS = re.compile(r"[^\W\d_]+")
WIDE_SHARE = 0.1
"""Of all letters. One such character says as much as several Latin letters, and talk about code
is full of those, so a small share is enough; a name or a quotation stays below it."""
_CLEAR_WORDS = 6
"""Small words of one language from which on a text is taken to be in it, …"""
_CLEAR_LEAD = 3
"""… if they are that many times as frequent as any other language's."""
_SMALL_WORDS: Mapping[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in (
        # Words that no other of these languages has, so that each counts for one language only.
        ("en", "the and of is was are that it with for be this not have from by"),
        ("de", "der und das ist nicht ein eine zu den auf für dem sich auch wird bei"),
        ("fr", "le les et est des du une dans pour que qui pas sur au avec sont"),
        ("es", "el los las y una con por del como más pero su fue está son al"),
    )
}


def wide_language(text: str) -> str | None:
    """`zh` or `ja` for a text with enough wide characters; None for any other."""
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    if not (han or kana) or (han + kana) / len(_LETTERS.findall(text)) < WIDE_SHARE:
        return None
    return "ja" if kana / (han + kana) >= WIDE_SHARE else "zh"


def prose_language(text: str) -> str | None:
    """`zh`, `ja`, `en`, `de`, `fr` or `es`; None where the text is too short or mixed to tell."""
    wide = wide_language(text)
    if wide is not None:
        return wide
    words = Counter(_WORDS.findall(text.casefold()))
    hits = {code: sum(words[word] for word in small) for code, small in _SMALL_WORDS.items()}
    first, second = sorted(hits, key=lambda code: hits[code], reverse=True)[:2]
    clear = hits[first] >= _CLEAR_WORDS and hits[first] >= _CLEAR_LEAD * hits[second]
    return first if clear else None
