"""Transcripts in the format of Anthropic's messages API: conversations, or logs of requests.

Content is made of blocks. Results that stand together in one user message become a tool message
each, beside the call that they answer; thoughts are left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from compaction_eval.scenarios.importers.chats import Chat, imported
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.found import find
from compaction_eval.scenarios.importers.logs import Joined, join
from compaction_eval.scenarios.importers.records import Imported, Tally
from compaction_eval.scenarios.importers.repairs import MAX_DEPTH, is_deep, is_message
from compaction_eval.scenarios.importers.thread import Thread
from compaction_eval.scenarios.importers.usage import Usage

_USAGE = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")


def recognises(document: Document) -> bool:
    """Whether some conversation has what only this API's have."""
    return any(one is not None and one.is_anthropic for one in find(document))


def convert(document: Document) -> Imported:
    """All conversations of a document, and what was skipped or mended in them."""
    tally = Tally()
    chats = [_chat(each, tally) for each in join(find(document), tally)]
    return imported(document, chats, tally)


def _chat(joined: Joined, tally: Tally) -> Chat:
    found = joined.last
    thread = Thread(tally)
    if found.system:
        thread.user(found.system, "system")
    for message in joined.messages:
        if not isinstance(message, Mapping):
            tally.skipped.append("not an object")
        elif not is_message(message):
            tally.skipped.append("no role, or an unknown one")
        elif is_deep(message):
            tally.skipped.append(f"nested deeper than {MAX_DEPTH} levels")
        elif message["role"] == "assistant":
            thread.assistant(message.get("content"))
        else:
            thread.user(message.get("content"), message["role"])
    for number, usage in enumerate(joined.usages):
        thread.paid(Usage.read(usage, _USAGE), str(number))
    messages, _ = thread.finished()
    tools = [_tool(tool) for tool in found.tools]
    return Chat(messages, tools, found.labels, usage=thread.usage(), index=joined.index)


def _tool(tool: object) -> object:
    """A tool's schema as OpenAI's API has it; a server's own tool has none and stays as it is."""
    if not isinstance(tool, Mapping) or "input_schema" not in tool:
        return tool
    function = {"name": tool.get("name"), "description": tool.get("description")}
    given = {key: value for key, value in function.items() if value is not None}
    return {"type": "function", "function": {**given, "parameters": tool["input_schema"]}}
