"""CrossWOZ's slots as they are annotated: of what a message tells, of what the user settled on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from compaction_eval.strategies.mentions import mentions, normalise

NAME = "名称"
NUMBERS = "电话"
LATIN: Mapping[str, str] = {
    "景点": "sight",
    "餐馆": "restaurant",
    "酒店": "hotel",
    "电话": "phone",
    "地址": "address",
    "评分": "rating",
    "价格": "price",
    "人均消费": "cost",
    "门票": "ticket",
    "营业时间": "hours",
    "游玩时间": "visit",
    "酒店类型": "type",
    "推荐菜": "dishes",
    "周边景点": "sights-near",
    "周边餐馆": "restaurants-near",
    "周边酒店": "hotels-near",
}
"""Domains and slots as parts of a probe's id, which is ASCII."""
_NONE = ("无", "none", "")

Row = tuple[str, str, str, tuple[str, ...]]
"""A slot of a goal: its part's number, domain, slot, values."""


class Act(NamedTuple):
    """One annotated act of a message."""

    intent: str
    domain: str
    slot: str
    value: str


class Turn(NamedTuple):
    """A message with its acts and, of the user's, the slots as they stand."""

    role: str
    text: str
    acts: tuple[Act, ...]
    state: tuple[Row, ...]

    @property
    def said(self) -> str:
        """Its text, normalised."""
        return normalise(self.text)


def names(goals: Sequence[Row]) -> dict[tuple[str, str], str]:
    """Part and domain -> the place's name, where it has exactly one that no other part has."""
    found = {
        (part, domain): values[0]
        for part, domain, slot, values in goals
        if slot == NAME and len(values) == 1 and "id=" not in values[0] and is_told(values)
    }
    times = Counter(found.values())
    return {key: name for key, name in found.items() if times[name] == 1}


def is_told(values: Sequence[str]) -> bool:
    """Whether a slot has a value at all."""
    return bool(values) and values[0] not in _NONE


def is_about(act: Act, domain: str, slot: str, values: Sequence[str]) -> bool:
    """Whether an act tells one of some values of a slot."""
    same = act.intent == "Inform" and act.domain == domain and act.slot == slot
    # Several numbers may be told one by one, or all at once.
    numbers = slot == NUMBERS and {*act.value.split()} <= {n for v in values for n in v.split()}
    return same and (act.value in values or numbers)


def is_elsewhere(
    accept: Sequence[str], domain: str, slot: str, at: int, turns: Sequence[Turn]
) -> bool:
    """Whether a message says a value that isn't annotated to be the user's wish for this slot."""
    forms = [normalise(value) for value in accept]
    for place, turn in enumerate(turns):
        if place == at or not any(mentions(turn.said, form) for form in forms):
            continue
        same = any(act.domain == domain and act.slot == slot for act in turn.acts)
        if not same or turn.role == "assistant":
            return True
    return False


def changes(turns: Sequence[Turn]) -> Mapping[tuple[str, str, str], tuple[str, ...]]:
    """Part, domain and slot -> what the user wanted first, where they settled for another value."""
    return dict(_changes(turns))


def _changes(turns: Sequence[Turn]) -> Iterator[tuple[tuple[str, str, str], tuple[str, ...]]]:
    wanted = {
        (act.domain, act.slot, act.value)
        for turn in turns
        for act in turn.acts
        if turn.role == "user" and act.intent == "Inform"
    }
    standing: dict[tuple[str, str, str], tuple[str, ...]] = {}
    for turn in turns:
        for part, domain, slot, values in turn.state:
            key = (part, domain, slot)
            before = standing.get(key, ())
            standing[key] = values
            said = tuple(value for value in before if (domain, slot, value) in wanted)
            if slot != NAME and said and is_told(values) and values != before:
                yield key, said
