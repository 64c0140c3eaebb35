"""Questions from CrossWOZ's slots: what was told of a place, what was chosen, what was wanted.

A question is made only where the dialogue says the value in words, of a place that can be named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from compaction_eval.scenarios.importers.records import Question
from compaction_eval.strategies.mentions import mentions, normalise

Row = tuple[str, str, str, tuple[str, ...]]
"""A slot of a goal: its part's number, domain, slot, values."""

_NAME = "名称"
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
    ("景点", "门票"): "我想找门票多少钱的景点？",
    ("景点", "游玩时间"): "我希望在景点玩多长时间？",
    ("餐馆", "评分"): "我对餐馆的评分有什么要求？",
    ("餐馆", "人均消费"): "我希望餐馆的人均消费是多少？",
    ("餐馆", "推荐菜"): "我想在餐馆吃什么菜？",
    ("酒店", "评分"): "我对酒店的评分有什么要求？",
    ("酒店", "价格"): "我希望酒店的价格是多少？",
    ("酒店", "酒店类型"): "我想住什么类型的酒店？",
}
_CHANGED = "后来改了主意的话，以最后说的为准："
_NONE = ("无", "none", "")


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


def questions(turns: Sequence[Turn], goals: Sequence[Row]) -> tuple[list[Question], list[str]]:
    """What can be asked at the dialogue's end, and a reason for each slot that can't."""
    found: list[Question] = []
    reasons: list[str] = []
    texts = [normalise(turn.text) for turn in turns]
    for made in (
        *_told(turns, texts, goals),
        *_chosen(turns, texts, goals),
        *_wanted(turns, texts),
    ):
        if isinstance(made, str):
            reasons.append(made)
        else:
            found.append(made)
    return found, reasons


def _told(
    turns: Sequence[Turn], texts: Sequence[str], goals: Sequence[Row]
) -> Iterator[Question | str]:
    """What the assistant told of the places that the user settled on."""
    names = _names(goals)
    for part, domain, slot, values in goals:
        name = names.get((part, domain))
        if slot == _NAME or not values or values[0] in _NONE:
            continue
        told = [
            at
            for at, turn in enumerate(turns)
            if turn.role == "assistant"
            and any(_is_about(a, domain, slot, values) for a in turn.acts)
        ]
        if not told:
            continue  # the user's own condition
        if slot not in _ASKED:
            yield f"no wording for the slot {slot.split('-')[0]!r}"
        elif name is None:
            yield "place without one name"
        else:
            yield _place_question(name, (domain, slot, values), told[-1], turns, texts)


def _place_question(
    name: str,
    asked: tuple[str, str, tuple[str, ...]],
    at: int,
    turns: Sequence[Turn],
    texts: Sequence[str],
) -> Question | str:
    domain, slot, values = asked
    said = [a.value for a in turns[at].acts if _is_about(a, domain, slot, values)]
    if slot not in _LISTS:
        # Several numbers of one place are one annotated value.
        said = [piece for value in said for piece in (value.split() if slot == "电话" else [value])]
    accept = tuple(dict.fromkeys(v for v in said if mentions(texts[at], normalise(v))))
    if not accept:
        return "value isn't said in these words"
    if slot not in _LISTS and _is_elsewhere(accept, domain, slot, at, turns, texts):
        return "value is said of something else too"
    together = slot in _LISTS and len(accept) > 1
    return Question(
        id=f"{domain}-{slot}-{at}",
        kind="recall",
        ask=_ASKED[slot].format(name=name),
        accept=accept,
        match="all_of" if together else "contains",
        evidence=(at,),
    )


def _chosen(
    turns: Sequence[Turn], texts: Sequence[str], goals: Sequence[Row]
) -> Iterator[Question | str]:
    """The one place of its kind that the user settled on."""
    names = _names(goals)
    parts = Counter(domain for _, domain in {(part, domain) for part, domain, _, _ in goals})
    for (_, domain), name in names.items():
        if domain not in _CHOSEN:
            continue
        if parts[domain] > 1:
            yield "several places of one kind were chosen"
            continue
        places = tuple(at for at, text in enumerate(texts) if mentions(text, normalise(name)))
        yield (
            Question(f"{domain}-chosen", "decision", _CHOSEN[domain], (name,), evidence=places[:1])
            if places
            else "value isn't said in these words"
        )


def _wanted(turns: Sequence[Turn], texts: Sequence[str]) -> Iterator[Question | str]:
    """The user's own conditions; where one was changed, the last and what it was before."""
    parts: dict[tuple[str, str], set[str]] = {}
    for turn in turns:
        for part, domain, slot, _ in turn.state:
            parts.setdefault((domain, slot), set()).add(part)
    wanted: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for at, turn in enumerate(turns):
        for act in turn.acts if turn.role == "user" else ():
            if act.intent == "Inform" and (act.domain, act.slot) in _WANTED:
                wanted.setdefault((act.domain, act.slot), []).append((act.value, at))
    for (domain, slot), said in wanted.items():
        value, at = said[-1]
        before = tuple(dict.fromkeys(one for one, _ in said if one != value))
        if len(parts.get((domain, slot), ())) > 1:
            yield "condition on several places of one kind"
        elif not mentions(texts[at], normalise(value)):
            yield "value isn't said in these words"
        elif len({one for one, place in said if place == at}) > 1:
            yield "several conditions in one message"
        elif any(mentions(text, normalise(old)) for old in before for text in texts[at:]):
            yield "old value is said again after its change"
        else:
            ask = _WANTED[domain, slot]
            yield Question(
                id=f"{domain}-{slot}-wanted",
                kind="update" if before else "constraint",
                ask=f"{_CHANGED}{ask}" if before else ask,
                accept=(value,),
                reject=before,
                evidence=(at,) if before else tuple(p for v, p in said if v == value)[:1],
            )


def _names(goals: Sequence[Row]) -> dict[tuple[str, str], str]:
    """Part and domain -> the place's name, where it has exactly one that no other part has."""
    found = {
        (part, domain): values[0]
        for part, domain, slot, values in goals
        if slot == _NAME and len(values) == 1 and "id=" not in values[0] and values[0] not in _NONE
    }
    times = Counter(found.values())
    return {key: name for key, name in found.items() if times[name] == 1}


def _is_about(act: Act, domain: str, slot: str, values: Sequence[str]) -> bool:
    same = act.intent == "Inform" and act.domain == domain and act.slot == slot
    # Several numbers may be told one by one, or all at once.
    numbers = slot == "电话" and {*act.value.split()} <= {n for v in values for n in v.split()}
    return same and (act.value in values or numbers)


def _is_elsewhere(
    accept: Sequence[str],
    domain: str,
    slot: str,
    at: int,
    turns: Sequence[Turn],
    texts: Sequence[str],
) -> bool:
    """Whether a message says the value that isn't annotated to tell this very slot."""
    forms = [normalise(value) for value in accept]
    for place, text in enumerate(texts):
        if place == at or not any(mentions(text, form) for form in forms):
            continue
        if not any(act.domain == domain and act.slot == slot for act in turns[place].acts):
            return True
        if turns[place].role == "assistant":
            return True
    return False
