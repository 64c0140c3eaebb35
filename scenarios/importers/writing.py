"""Conversations into scenario files: `ID.yaml`, and `ID.jsonl` beside it with the messages.

The same conversation always gives the same bytes. Messages are written as JSON, which keeps every
text, lone surrogates and control characters too; only what a reader of lines might take for the
end of one is escaped.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping

from compaction_eval.scenarios.importers.languages import language
from compaction_eval.scenarios.importers.records import Conversation, Question
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.strategies.messages import tool_calls

_LINE_ENDS_AND_SURROGATES = re.compile("[\x85\u2028\u2029\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
"""A half of a sign, which YAML has no way to say; messages stand in JSON, which has."""
_LONGEST_KEY = 1_000
"""Characters after which YAML takes no key for one unless it is marked."""
# All that YAML wouldn't read back from between quotes as it stands.
_NOT_IN_YAML = re.compile(
    "[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def scenario_files(
    conversation: Conversation, id: str, lang: str | None = None
) -> dict[str, bytes]:
    """File name -> content of the two files of a conversation; `lang` None: judged by its text."""
    lines = [_json(message, _LINE_ENDS_AND_SURROGATES) for message in conversation.messages]
    transcript = "".join(f"{line}\n" for line in lines).encode()
    tags = ["imported", *(["tools"] if any(map(tool_calls, conversation.messages)) else [])]
    text = [
        f"id: {id}",
        f"title: {_json(conversation.title, _NOT_IN_YAML)}",
        f"lang: {lang or language(conversation.messages)}",
        f"tags: [{', '.join(tags)}]",
        *_description(conversation),
        "transcript:",
        f"  path: {id}.jsonl",
        f"  sha256: {hashlib.sha256(transcript).hexdigest()}",
        "reuse: true",
        "reuse_text: true",
    ]
    if conversation.tools:
        text.append("tools:")
        text.extend(f"  - {_flow(_tool(tool))}" for tool in conversation.tools)
    if conversation.compactions:
        text.append("recorded:")
        text.extend(f"  - {_flow(_recorded(one))}" for one in conversation.compactions)
    if conversation.questions:
        text.append("probes:")
        text.extend(f"  - {_flow(_probe(one))}" for one in conversation.questions)
    return {f"{id}.yaml": ("\n".join(text) + "\n").encode(), f"{id}.jsonl": transcript}


def _description(conversation: Conversation) -> list[str]:
    said = _SURROGATE.sub("\ufffd", conversation.description)
    return [f"description: {_json(said, _NOT_IN_YAML)}"] if said else []


def _tool(tool: Mapping[str, object]) -> object:
    """A tool as a scenario gives it: by its name alone, where that is all there is."""
    return tool["name"] if list(tool) == ["name"] else tool


def _recorded(compaction: RecordedCompaction) -> Mapping[str, object]:
    """A compaction as a scenario gives it; messages are counted from 1 there."""
    told: dict[str, object] = {"at": compaction.at, "kept_from": compaction.kept_from + 1}
    told["summary"] = _SURROGATE.sub("\ufffd", compaction.summary)
    known = {
        "trigger": _SURROGATE.sub("\ufffd", compaction.trigger) or None,
        "tokens_before": compaction.tokens_before,
        "tokens_after": compaction.tokens_after,
        "cached_after": compaction.cached_after,
    }
    return told | {key: value for key, value in known.items() if value is not None}


def _probe(question: Question) -> Mapping[str, object]:
    """A question as a scenario gives it; messages are counted from 1 there."""
    probe: dict[str, object] = {"id": question.id, "kind": question.kind, "ask": question.ask}
    if question.accept:
        probe["accept"] = list(question.accept)
    if question.reject:
        probe["reject"] = list(question.reject)
    if question.match != "contains":
        probe["match"] = question.match
    if question.evidence:
        probe["evidence"] = question.evidence[0] + 1
    return probe


def _flow(value: object) -> str:
    """A value as JSON that is YAML too: a long key, which YAML must be told of, is told."""
    if isinstance(value, Mapping):
        inner = ((_json(key, _NOT_IN_YAML), _flow(one)) for key, one in value.items())
        written = (f"{'? ' * (len(key) > _LONGEST_KEY)}{key}: {one}" for key, one in inner)
        return f"{{{', '.join(written)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return _json(value, _NOT_IN_YAML)


def _json(value: object, escaped: re.Pattern[str]) -> str:
    """A value as JSON, with the characters that a pattern names as escapes."""
    text = json.dumps(value, ensure_ascii=False)
    return escaped.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
