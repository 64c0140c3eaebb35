"""The keys of a scenario file, described once for the loader and the JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from compaction_eval.scenarios.properties import PROPERTIES
from compaction_eval.scenarios.records import Match, ProbeKind

Shape = Literal[
    "text",  # free text
    "texts",  # a list of free texts, or one
    "word",  # an identifier, or one of `values`
    "words",  # a list of identifiers, or one
    "number",  # a whole number, 0 or more
    "percent",  # a whole number from 0 to 100
    "flag",  # true or false
    "tree",  # a text, or a mapping of anything
    "trees",  # a list of anything
    "mapping",  # identifier -> `inner`
    "section",  # a mapping with the keys of `section`
    "sections",  # a list of such mappings
    "retracts",  # a list of identifiers, or one, or identifier -> text
    "fact",  # a text, or a mapping with the keys of FACT
]
MIXED_KINDS = ("chat", "tool_log", "listing", "json", "stacktrace")
"""What `mixed` filler is made of."""
FILLER_KINDS = (*MIXED_KINDS, "mixed", "tiny", "unbroken")
FILLER_LANGUAGES = ("en", "zh", "ja", "de")


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a mapping: what may stand there, and what it is for."""

    shape: Shape
    about: str
    required: bool = False
    values: tuple[str, ...] = ()
    """Of a word: the only ones allowed."""
    empty: bool = False
    """May be an empty list; may be an empty text, if in quotes."""
    section: str = ""
    """Of a section: its name in `SECTIONS`."""
    inner: Key | None = None
    """Of a mapping: its values."""


Section = Mapping[str, Key]

SCENARIO: Section = {
    "id": Key("word", "The file's name without its ending.", required=True),
    "title": Key("text", "One line for lists and reports.", required=True),
    "description": Key("text", "What the scenario is about, and what makes it hard."),
    "lang": Key("word", "ISO 639-1 code of the language that is spoken.", required=True),
    "tags": Key(
        "words", "Words to select by, `tag:x`; `long` and `edge` leave it out of the default run."
    ),
    "params": Key(
        "mapping",
        "Name -> values; one variant for each combination. `$name` stands for the value.",
        inner=Key("texts", "The values, in order."),
    ),
    "tools": Key("trees", "Names, or full schemas, of the tools; their tokens count.", empty=True),
    "turns": Key("sections", "The conversation.", section="turn"),
    "transcript": Key(
        "section", "A recorded conversation, in place of turns.", section="transcript"
    ),
    "recorded": Key(
        "sections", "Compactions that the recorded agent's own tool did.", section="recorded"
    ),
    "reuse": Key("flag", "Derive reuse probes from the calls of the conversation."),
    "reuse_text": Key("flag", "Derive them from the agent's own words as well."),
    "probes": Key("sections", "The questions.", section="probe", empty=True),
    "stress": Key(
        "section", "What compaction code must get right here; read by `stress`.", section="stress"
    ),
}

MESSAGE_KINDS: Section = {
    "system": Key("text", "A system message."),
    "user": Key("text", "A user message."),
    "assistant": Key("text", "An assistant message without calls."),
    "call": Key("word", "An assistant message that calls this tool, and the tool's answer."),
    "calls": Key("sections", "Parallel calls in one assistant message.", section="call"),
    "messages": Key("trees", "Messages as OpenAI's API has them, for odd cases."),
}
TURN_KINDS: Section = {
    **MESSAGE_KINDS,
    "filler": Key("section", "Generated talk or tool output.", section="filler"),
    "mark": Key("word", "A name for this place; probes ask there with `at`."),
}
CALL: Section = {
    "call": Key("word", "The tool's name.", required=True),
    "args": Key("tree", "Its arguments: a mapping of texts, or one text that is the JSON itself."),
    "result": Key("text", "What the tool answered.", required=True, empty=True),
}
_SAY = Key("text", "The assistant's words beside its calls.")
EXTRAS: Section = {
    "facts": Key(
        "mapping", "Facts that this turn says: id -> value.", inner=Key("fact", "", section="fact")
    ),
    "retracts": Key("retracts", "Ids of facts that this turn takes back, or id -> its words."),
    "poison": Key("texts", "Claims that only an injected instruction in this turn makes."),
}
FACT: Section = {
    "value": Key("text", "The value.", required=True),
    "said": Key("text", "How this turn words it, where it isn't the value itself."),
    "also": Key("texts", "Other forms that count as the value."),
}
FILLER: Section = {
    "kind": Key("word", "What is generated.", required=True, values=FILLER_KINDS),
    "turns": Key("number", "How many exchanges.", required=True),
    "seed": Key("number", "Another seed gives other texts; 1 if missing."),
    "before": Key("percent", "Only the exchanges before this percentage of `turns`."),
    "after": Key("percent", "Only the exchanges from this percentage of `turns` on."),
}
TRANSCRIPT: Section = {
    "path": Key(
        "text", "A JSON Lines file, one message a line, relative to this one.", required=True
    ),
    "sha256": Key("word", "SHA-256 of that file, in hex.", required=True),
}
RECORDED: Section = {
    "at": Key("number", "The last message before it, counted from 1.", required=True),
    "kept_from": Key(
        "number",
        "The first message that stayed as it was, counted from 1; `at` and one where none did.",
        required=True,
    ),
    "summary": Key(
        "text", "The tool's own text, as its model was given it.", required=True, empty=True
    ),
    "trigger": Key("text", "What set it off, as the tool calls it."),
    "tokens_before": Key("number", "Tokens of the context before it, as the tool counted them."),
    "tokens_after": Key("number", "Tokens of the first request after it."),
    "cached_after": Key("number", "Of those, read from the provider's cache."),
}
PROBE: Section = {
    "id": Key("word", "The probe's name, once per scenario.", required=True),
    "kind": Key("word", "What is tested.", required=True, values=get_args(ProbeKind)),
    "ask": Key("text", "The question.", required=True),
    "fact": Key("word", "The fact that is asked for."),
    "accept": Key("texts", "What counts as the answer, where it isn't the fact's value."),
    "reject": Key("texts", "What makes an answer wrong."),
    "match": Key(
        "word", "How the answer is compared; `contains` if missing.", values=get_args(Match)
    ),
    "evidence": Key(
        "number",
        "The message that gives the answer, counted from 1; the earliest that says what is "
        "accepted if missing.",
    ),
    "at": Key("words", "Marks at which it is asked; `end` if missing."),
    "kept": Key("text", "Why it stays although all strategies pass it, or none does."),
}
STRESS: Section = {
    "budget": Key("text", "Tokens, or a percentage such as 30%.", required=True),
    "holds": Key(
        "words",
        "The properties that this scenario is about.",
        required=True,
        values=tuple(PROPERTIES),
    ),
    "summarizer": Key("text", "How summaries are made; `extractive` if missing."),
    "keeps": Key("texts", "Texts that must be in the view at every request after they were said."),
    "valid": Key(
        "flag", "Whether the conversation itself obeys the API's rules; `true` if missing."
    ),
    "reported": Key("texts", "Where such a fault was reported: addresses."),
}


def turn_keys(kind: str) -> Section:
    """The keys of a turn of one kind, that kind's own first."""
    if kind in ("filler", "mark"):
        return {kind: TURN_KINDS[kind]}
    if kind == "call":
        return {**CALL, "say": _SAY, **EXTRAS}
    return {kind: TURN_KINDS[kind], **({"say": _SAY} if kind == "calls" else {}), **EXTRAS}


TURN: Section = {
    **TURN_KINDS,
    "args": CALL["args"],
    "result": replace(CALL["result"], required=False),
    "say": _SAY,
    **EXTRAS,
}
"""All keys that some turn may have."""

SECTIONS: Mapping[str, Section] = {
    "scenario": SCENARIO,
    "turn": TURN,
    "call": CALL,
    "fact": FACT,
    "filler": FILLER,
    "transcript": TRANSCRIPT,
    "recorded": RECORDED,
    "probe": PROBE,
    "stress": STRESS,
}
