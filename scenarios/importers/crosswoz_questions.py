"""Questions from CrossWOZ's slots: what was told of a place, what was chosen, what was wanted.

A question is made only where the dialogue says the value in words, of a place that can be named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from compaction_eval.scenarios.importers.crosswoz_slots import (
    LATIN,
    NAME,
    NUMBERS,
    Row,
    Turn,
    changes,
    is_about,
    is_elsewhere,
    is_told,
    names,
)
from compaction_eval.scenarios.importers.records import Question
from compaction_eval.strategies.mentions import mentions, normalise

_ASKED: Mapping[str, str] = {
    "电话": "{name}的电话是多少？",
    "地址": "{name}的地址在哪里？",
    "评分": "{name}的评分是多少？",
    "价格": "{name}的价格是多少？",
    "人均消费": "{name}的人均消费是多少？",
    "门票": "{name}的门票是多少钱？",
    "营业时间": "{name}的营业时间是几点到几点？",
    "游玩时间": "{name}大概要玩多长时间？",
    "酒店类型": "{name}是哪种类型的酒店？",
    "推荐菜": "{name}有哪些推荐菜？",
    "周边景点": "{name}周边有哪些景点？",
    "周边餐馆": "{name}周边有哪些餐馆？",
    "周边酒店": "{name}周边有哪些酒店？",
}
_LISTS = ("推荐菜", "周边景点", "周边餐馆", "周边酒店")
_CHOSEN: Mapping[str, str] = {
    "景点": "我最后选了哪个景点？",
    "餐馆": "我最后选了哪家餐馆？",
    "酒店": "我最后选了哪家酒店？",
}
_WANTED: Mapping[tuple[str, str], str] = {
    ("景点", "评分"): "我对景点的评分有什么要求？",
    ("景点", "门票"): "我对景点的门票价格有什么要求？",
    ("景点", "游玩时间"): "我希望在景点玩多长时间？",
    ("餐馆", "评分"): "我对餐馆的评分有什么要求？",
    ("餐馆", "人均消费"): "我想找人均消费多少的餐馆？",
    ("餐馆", "推荐菜"): "我想在餐馆吃什么菜？",
    ("酒店", "评分"): "我对酒店的评分有什么要求？",
    ("酒店", "价格"): "我想住什么价位的酒店？",
    ("酒店", "酒店类型"): "我想住什么类型的酒店？",
}
_CHANGED = "我后来改了要求，选了{name}，它"
"""In place of a name: the place didn't meet what was asked for at first."""


def questions(turns: Sequence[Turn], goals: Sequence[Row]) -> tuple[list[Question], list[str]]:
    """What can be asked at the dialogue's end, and a reason for each slot that can't."""
    found: list[Question] = []
    reasons: list[str] = []
    for made in (*_told(turns, goals), *_chosen(turns, goals), *_wanted(turns)):
        if isinstance(made, str):
            reasons.append(made)
        else:
            found.append(made)
    return found, reasons


def _told(turns: Sequence[Turn], goals: Sequence[Row]) -> Iterator[Question | str]:
    """What the assistant told of the places that the user settled on."""
    named, changed = names(goals), changes(turns)
    for part, domain, slot, values in goals:
        told = [
            at
            for at, turn in enumerate(turns)
            if turn.role == "assistant"
            and any(is_about(a, domain, slot, values) for a in turn.acts)
        ]
        if slot == NAME or not is_told(values) or not told:
            continue  # the place itself, what nobody knows, or the user's own condition
        name = named.get((part, domain))
        if slot not in _ASKED:
            yield f"no wording for the slot {slot.split('-')[0]!r}"
        elif name is None:
            yield "place without one name"
        else:
            old = changed.get((part, domain, slot), ())
            yield _of_place(name, (domain, slot, values), old, told[-1], turns)


def _of_place(
    name: str,
    asked: tuple[str, str, tuple[str, ...]],
    old: Sequence[str],
    at: int,
    turns: Sequence[Turn],
) -> Question | str:
    domain, slot, values = asked
    said = [act.value for act in turns[at].acts if is_about(act, domain, slot, values)]
    if slot == NUMBERS:
        said = [number for value in said for number in value.split()]
    accept = tuple(dict.fromkeys(v for v in said if mentions(turns[at].said, normalise(v))))
    if not accept:
        return "value isn't said in these words"
    if slot not in _LISTS and is_elsewhere(accept, domain, slot, at, turns):
        return "value is said of something else too"
    if any(_says(turn, one) for one in old for turn in turns[at:]):
        return "old value is said again after its change"
    if any(mentions(normalise(one), normalise(new)) for one in old for new in accept):
        return "old and new value can't be told apart"
    return Question(
        id=f"{LATIN.get(domain, domain)}-{LATIN.get(slot, slot)}",
        kind="update" if old else "recall",
        ask=_ASKED[slot].format(name=_CHANGED.format(name=name) if old else name),
        accept=accept,
        reject=tuple(old),
        match="all_of" if slot in _LISTS and len(accept) > 1 else "contains",
        evidence=(at,),
    )


def _chosen(turns: Sequence[Turn], goals: Sequence[Row]) -> Iterator[Question | str]:
    """The one place of its kind that the user settled on."""
    parts = Counter(domain for _, domain in {(part, domain) for part, domain, _, _ in goals})
    for (_, domain), name in names(goals).items():
        if domain not in _CHOSEN:
            continue
        if parts[domain] > 1:
            yield "several places of one kind were chosen"
            continue
        saying = [at for at, turn in enumerate(turns) if _says(turn, name)]
        by_user = [at for at in saying if turns[at].role == "user"]
        evidence = tuple((by_user or saying)[:1])
        ask = _CHOSEN[domain]
        yield Question(f"{LATIN[domain]}-chosen", "decision", ask, (name,), evidence=evidence)


def _wanted(turns: Sequence[Turn]) -> Iterator[Question | str]:
    """The user's own conditions; where they said another later, the last."""
    parts: dict[tuple[str, str], set[str]] = {}
    for turn in turns:
        for part, domain, slot, _ in turn.state:
            parts.setdefault((domain, slot), set()).add(part)
    given_up = {(domain, slot) for _, domain, slot in changes(turns)}
    wanted: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for at, turn in enumerate(turns):
        for act in turn.acts if turn.role == "user" else ():
            if act.intent == "Inform" and (act.domain, act.slot) in _WANTED:
                wanted.setdefault((act.domain, act.slot), []).append((act.value, at))
    for (domain, slot), said in wanted.items():
        value, at = said[-1]
        old = tuple(dict.fromkeys(one for one, _ in said if one != value))
        if len(parts.get((domain, slot), ())) > 1:
            yield "condition on several places of one kind"
        elif not old and (domain, slot) in given_up:
            yield "condition was given up later"
        elif not _says(turns[at], value):
            yield "value isn't said in these words"
        elif any(_says(turn, one) for one in old for turn in turns[at:]):
            yield "old value is said again after its change"
        else:
            yield Question(
                id=f"{LATIN[domain]}-{LATIN[slot]}-wanted",
                kind="update" if old else "constraint",
                ask=_WANTED[domain, slot],
                accept=(value,),
                reject=old,
                evidence=(at,) if old else tuple(place for _, place in said)[:1],
            )


def _says(turn: Turn, value: str) -> bool:
    return mentions(turn.said, normalise(value))
