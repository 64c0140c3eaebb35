"""What stands in a message's content: text, pictures, calls and results, in many APIs' blocks.

Thoughts are left out: the model isn't given them again. Pictures and files that are data in the
recording become a placeholder; as text, their bytes would count as thousands of tokens.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from compaction_eval.scenarios.importers.records import Tally
from compaction_eval.strategies.messages import as_text

CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use", "toolCall", "tool_call"})
THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning_content"})
_TEXTS = frozenset({"text", "input_text", "output_text", "refusal"})
_PICTURES = frozenset({"image", "image_url", "input_image", "document", "file", "input_audio"})


@dataclass(slots=True)
class Content:
    """The parts of one message, or of the stretch of one that ends with results."""

    parts: list[dict[str, Any]] = field(default_factory=list)
    """Texts and pictures, as OpenAI's API has them."""
    calls: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    """Tool messages."""

    def value(self) -> str | list[dict[str, Any]]:
        """The parts as a message's `content`: one text, where all of them are texts."""
        if all(part["type"] == "text" for part in self.parts):
            return "\n".join(part["text"] for part in self.parts)
        return list(self.parts)


def kind_of(block: object) -> str:
    """The kind of a content block; empty where it has none."""
    kind = block.get("type") if isinstance(block, Mapping) else None
    return kind if isinstance(kind, str) else ""


def stretches(content: object, tally: Tally) -> Iterator[Content]:
    """An assistant's content; a new stretch begins after the results of a server's own tools."""
    found = Content()
    for block in blocks_of(content):
        if found.results and not kind_of(block).endswith("tool_result"):
            yield found
            found = Content()
        _add(block, found, tally)
    yield found


def whole(content: object, tally: Tally) -> Content:
    """A content that is no assistant's, whose results come before its words."""
    found = Content()
    for block in blocks_of(content):
        _add(block, found, tally)
    return found


def blocks_of(content: object) -> list[object]:
    """A content as blocks: a text is one, and so is an object on its own."""
    if isinstance(content, list | tuple):
        return list(content)
    return [] if content is None else [content]


def plain_text(content: object, tally: Tally) -> str:
    """A content as text alone, as tool messages have it; pictures are placeholders."""
    texts: list[str] = []
    for block in blocks_of(content):
        part = _part(block, tally)
        if part is not None:
            address = part["image_url"]["url"] if part["type"] == "image_url" else ""
            texts.append(part.get("text", f"[image: {address}]"))
    return "\n".join(texts)


def call(call_id: object, name: object, arguments: object) -> dict[str, Any]:
    """A call as OpenAI's API has it; arguments that are text stand as they are."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    function = {"name": name, "arguments": text}
    return {"id": call_id, "type": "function", "function": function}


def _add(block: object, found: Content, tally: Tally) -> None:
    kind = kind_of(block)
    if isinstance(block, Mapping):
        if kind in CALLS:
            given = [block[key] for key in ("input", "arguments", "args") if key in block]
            arguments = given[0] if given else {}
            found.calls.append(call(block.get("id"), block.get("name"), arguments))
            return
        if kind.endswith("tool_result"):
            text = plain_text(block.get("content"), tally)
            result = {"role": "tool", "tool_call_id": block.get("tool_use_id"), "content": text}
            found.results.append(result)
            return
    part = _part(block, tally)
    if part is not None:
        found.parts.append(part)


def _part(block: object, tally: Tally) -> dict[str, Any] | None:
    """A block as a text or a picture; None, with a reason, for what isn't kept."""
    if isinstance(block, str):
        block = {"type": "text", "text": block}
    if not isinstance(block, Mapping):
        return {"type": "text", "text": as_text(block)}
    kind = kind_of(block) or ("text" if "text" in block else "")
    if kind in THOUGHTS:
        tally.skipped.append("thinking block")
    elif kind in _TEXTS:
        text = as_text(block.get("refusal" if kind == "refusal" else "text"))
        if text.strip():
            return {"type": "text", "text": text}
        tally.skipped.append("blank text block")
    elif kind in _PICTURES:
        return picture(block, tally)
    elif kind.endswith("_result"):
        return {"type": "text", "text": json.dumps(block, ensure_ascii=False)}
    elif kind:
        tally.skipped.append(f"content block {kind[:30]!r}")
    else:
        tally.repaired.append("content block without a type made text")
        return {"type": "text", "text": json.dumps(block, ensure_ascii=False)}
    return None


def picture(block: Mapping[str, Any], tally: Tally) -> dict[str, Any]:
    """A picture's address as a part; for one that is data, and for files, a placeholder."""
    kind = str(block.get("type"))
    source = block.get("source")
    source = source if isinstance(source, Mapping) else {}
    if source.get("type") in ("text", "content"):
        inner = source.get("data", source.get("content"))
        return {"type": "text", "text": plain_text(inner, tally)}
    address = block.get("image_url", source.get("url"))
    address = address.get("url") if isinstance(address, Mapping) else address
    if isinstance(address, str) and not address.startswith("data:"):
        if kind in ("image", "image_url", "input_image"):
            return {"type": "image_url", "image_url": {"url": address}}
        return {"type": "text", "text": f"[{kind}: {address}]"}
    media = source.get("media_type") or block.get("mimeType") or block.get("mime_type")
    if isinstance(address, str):
        media = address.removeprefix("data:").partition(";")[0].partition(",")[0]
    what = "image" if "image" in kind else kind.removeprefix("input_")
    tally.repaired.append(f"{what} data replaced by a placeholder")
    return {"type": "text", "text": f"[{what}: {media}]" if media else f"[{what}]"}
