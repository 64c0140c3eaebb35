"""Transcripts in OpenAI's chat format, in the shapes in which people keep them.

Conversations, or logs of requests and responses, with tool schemas and contents of several parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.content import kind_of, picture
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.found import find
from compaction_eval.scenarios.importers.logs import join
from compaction_eval.scenarios.importers.records import Imported, Tally
from compaction_eval.scenarios.importers.usage import Usage, count_or_none

# Of a part that is data: where it is.
_DATA = {"image_url": "url", "input_audio": "data", "file": "file_data"}


def recognises(document: Document) -> bool:
    """Whether some conversation is found where one would stand, and it isn't Anthropic's."""
    return any(one is not None and not one.is_anthropic for one in find(document))


def convert(document: Document) -> Imported:
    """All conversations of a document, and what was skipped or mended in them."""
    tally = Tally()
    chats = [
        Chat(
            [_without_data(message, tally) for message in each.messages],
            each.last.tools,
            each.last.labels,
            usage=_usage(each.usages),
            index=each.index,
        )
        for each in join(find(document), tally)
    ]
    return imported(document, chats, tally)


def _without_data(message: object, tally: Tally) -> object:
    """A message whose pictures and files are addresses or placeholders, not data."""
    content = message.get("content") if isinstance(message, Mapping) else None
    if not isinstance(content, list) or not any(map(_is_data, content)):
        return message
    parts = [picture(part, tally) if _is_data(part) else part for part in content]
    return {**message, "content": parts}  # type: ignore[dict-item]  # it has a content, see above


def _is_data(part: object) -> bool:
    """Whether a part holds a picture, sound or file itself."""
    kind = kind_of(part)
    if not isinstance(part, Mapping) or kind not in _DATA:
        return False
    inner = part.get(kind)
    data = inner.get(_DATA[kind]) if isinstance(inner, Mapping) else inner
    return isinstance(data, str) and (kind != "image_url" or data.startswith("data:"))


def _usage(usages: Iterable[object]) -> Usage:
    """What OpenAI's API counted for some requests; its input includes what was cached."""
    total = Usage()
    for given in usages:
        usage: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
        details = usage.get("prompt_tokens_details")
        cached = count_or_none(details.get("cached_tokens")) if isinstance(details, dict) else 0
        sent = count_or_none(usage.get("prompt_tokens")) or 0
        output = count_or_none(usage.get("completion_tokens")) or 0
        total += Usage(1, max(sent - (cached or 0), 0), cached or 0, 0, output)
    return total
