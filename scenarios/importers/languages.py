"""Which language a conversation is in, as far as its script tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from compaction_eval.strategies.messages import Message, content_text, role

_LETTERS = re.compile(r"[^\W\d_]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KANA = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
_SHARE = 0.1
"""Of all letters. One such character says as much as several Latin letters, and talk about code
is full of those, so a small share is enough; a name or a quotation stays below it."""


def language(messages: Sequence[Message]) -> str:
    """`zh`, `ja`, or `en` for everything else, judged by what user and assistant say."""
    said = "\n".join(content_text(m) for m in messages if role(m) in ("user", "assistant"))
    letters = len(_LETTERS.findall(said))
    han, kana = len(_HAN.findall(said)), len(_KANA.findall(said))
    if not letters or (han + kana) / letters < _SHARE:
        return "en"
    return "ja" if kana / (han + kana) >= _SHARE else "zh"
