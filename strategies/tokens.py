"""Token counting: one counter per run, exact BPE, each distinct text tokenised once.

The formula, for a request: 3 tokens for the reply's priming, and for each message 4 (framing and
role), its content, and the name and arguments of each of its calls. Content that isn't text is
counted on its JSON (`ensure_ascii=False`, default separators), null content as nothing. A tool
schema is counted on its JSON.

In a run with several processes the scenarios' texts are tokenised once in all, before the workers
start; a text that a strategy makes up is tokenised once in each process that meets it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from compaction_eval.strategies.messages import (
    Message,
    call_arguments,
    call_name,
    content_text,
    tool_calls,
)
from compaction_eval.strategies.vocabulary import encoding

REQUEST_TOKENS = 3
LONGEST_BLANK = 100_000
"""Characters of white space in a row up to which a text is tokenised in one piece."""
_BLANK = re.compile(rf"\s{{{LONGEST_BLANK}}}")
MESSAGE_TOKENS = 4


class TokenCounter:
    """Counts tokens of texts, messages and requests under one encoding."""

    def __init__(self, encoding_name: str = "o200k_base", known: Mapping[str, int] | None = None):
        self.encoding_name = encoding_name
        self.known: dict[str, int] = dict(known or {})
        self.texts_tokenised = 0

    def text(self, text: str) -> int:
        """Tokens of a text; special tokens in it count as the plain text that they are."""
        count = self.known.get(text)
        if count is None:
            self.texts_tokenised += 1
            count = self._tokenise(text)
            self.known[text] = count
        return count

    def _tokenise(self, text: str) -> int:
        if not text:
            return 0
        encode = encoding(self.encoding_name).encode_ordinary
        if len(text) > LONGEST_BLANK and _BLANK.search(text):
            # The tokenizer's pattern gives up on such a run; nobody pays for these by the token.
            return sum(
                len(encode(text[start : start + LONGEST_BLANK]))
                for start in range(0, len(text), LONGEST_BLANK)
            )
        return len(encode(text))

    def message(self, message: Message) -> int:
        """Tokens of one message, framing included."""
        count = MESSAGE_TOKENS + self.text(content_text(message))
        for call in tool_calls(message):
            count += self.text(call_name(call)) + self.text(call_arguments(call))
        return count

    def messages(self, messages: Iterable[Message]) -> int:
        """Tokens of some messages, without what a request adds.

        A sequence that knows its own size (a view over a measured conversation) is asked for it,
        so that its messages aren't walked.
        """
        measured = getattr(messages, "measured_tokens", None)
        if measured is not None:
            return int(measured(self))
        return sum(map(self.message, messages))

    def request(self, messages: Iterable[Message]) -> int:
        """Tokens of a request that sends these messages (tool schemas apart)."""
        return REQUEST_TOKENS + self.messages(messages)

    def tools(self, schemas: Iterable[Mapping[str, Any]]) -> int:
        """Tokens of tool schemas, each counted on its JSON."""
        return sum(self.text(json.dumps(schema, ensure_ascii=False)) for schema in schemas)
