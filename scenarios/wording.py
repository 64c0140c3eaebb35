"""How faults speak of keys and mappings: what is wrong, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

from compaction_eval.scenarios.keys import Section
from compaction_eval.scenarios.yaml_faults import FULL_WIDTH
from compaction_eval.scenarios.yaml_tree import Fields, Node, Scalar
from compaction_eval.strategies.errors import did_you_mean

SECTION_NAMES = {
    "scenario": "a scenario",
    "turn": "a turn",
    "call": "a call",
    "fact": "a fact",
    "filler": "filler",
    "transcript": "a transcript",
    "recorded": "a recorded compaction",
    "probe": "a probe",
    "stress": "`stress`",
}


def unknown_key(key: str, where: str, known: Iterable[str]) -> str:
    """What to say of a key that isn't known there."""
    known = list(known)
    if "：" in key:
        return FULL_WIDTH.format(key=key.split("：")[0])
    suggestion = did_you_mean(key, known)
    if not suggestion and key.split(":")[0] in known:
        return f"a space is missing after the colon of '{key.split(':')[0]}:'"
    return f"unknown key '{key}' in {where}" + (suggestion or f"; it has {listed_words(known)}")


def no_mapping(node: Node, where: str, keys: Section) -> str:
    """What to say of a node that should have been a mapping."""
    if isinstance(node, Scalar):
        if "：" in node.text:
            return FULL_WIDTH.format(key=node.text.split("：")[0])
        key = node.text.split(":")[0]
        if ":" in node.text and key in keys:
            return f"a space is missing after the colon of '{key}:'"
    return f"{where} is a mapping with {listed_words(keys)}"


def missing(key: str, name: str, node: Fields) -> str:
    """What to say of a required key that isn't there."""
    if key == "result":
        call = node.get("call")
        which = f" of '{call.text}'" if isinstance(call, Scalar) else ""
        return f'the call{which} has no result; add result: "" if the tool answered nothing'
    return f"{SECTION_NAMES[name]} needs '{key}'"


def listed_words(words: Iterable[str], most: int | None = None) -> str:
    """Words with commas between; those after the first `most` are counted."""
    shown = list(words)
    left = 0 if most is None else len(shown) - most
    return ", ".join(shown[:most]) + (f" and {left:,} more" if left > 0 else "")
