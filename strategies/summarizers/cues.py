"""Words by which people mark what matters: constraints, decisions, changes, preferences, goals."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CONSTRAINT = """never must mustn't don't shouldn't can't cannot without avoid required require
requires limit budget deadline allergic allergy forbidden mandatory do_not not_allowed
niemals nie muss müssen darf dürfen nicht keine keinen keinesfalls höchstens mindestens ohne frist
allergisch verboten immer"""
_DECISION = """decide decided decision agree agreed settled chose chosen instead rather_than
approved confirmed go_with we'll_use we'll_take we'll_go let's_use let's_take let's_go let's_do
entschieden beschlossen entscheidung stattdessen nehmen lieber"""
_CHANGE = """actually correction change changed changes moved from_now update updated switch
switched replace replaced replaces longer cancel cancelled canceled second_thought anymore
geändert ab_sofort jetzt statt doch verschoben"""
_PREFERENCE = """prefer prefers preferred preference love hate dislike favourite favorite called
owner lives live works contact responsible name's my_name i'd_like i'd_love i'd_rather on_call
bevorzuge mag heiße wohne arbeite verantwortlich zuständig ansprechpartner"""
_GOAL = """goal need needs want wants task todo pending remaining owe error fatal failed
fails cause caused result ziel brauche brauchen möchte offen fehler ursache ergebnis
gefunden"""

_HAN = (
    (
        "constraint",
        r"必须|不要|不能|不得|不可以|不许|(?<![特分区性级类识])别(?![的人处墅])|禁止|务必|一定要|至少|最多"
        r"|以内|不超过|预算|截止|过敏|统一|只能|必ず|しないで|以内|予算|アレルギー|以上は|てください",
    ),
    (
        "decision",
        r"决定|确定|就?定在|那就定|选定|敲定|采用|说好|改用|決め|決定|にします|に決ま",
    ),
    (
        "change",
        r"改[到成为用在]|换[成到了]|更正|更新|现在是|不是|取消|不再|变[成为更]|提高到|[升降][到为]|搬到"
        r"|変更|ではなく|訂正|キャンセル|になりました",
    ),
    (
        "preference",
        r"喜欢|讨厌|偏好|习惯|叫做?|名字|负责|联系人|住在|职业|直接[找问]|希望|好き|嫌い|名前|担当|住んで",
    ),
    (
        "goal",
        r"目标|需要|想[要找请]|待办|接下来|未完成|错误|失败|原因|结果|发现|因为|目標|必要|エラー|結果",
    ),
)
_FACTORS = {"constraint": 1.5, "decision": 1.4, "change": 1.4, "preference": 1.3, "goal": 1.15}
_MOST = 2.2

_BY_WORD = {
    word: kind
    for kind, words in (
        ("goal", _GOAL),
        ("preference", _PREFERENCE),
        ("change", _CHANGE),
        ("decision", _DECISION),
        ("constraint", _CONSTRAINT),
    )
    for word in words.split()
}
_WORDS = re.compile(r"[a-zß-ÿ]+(?:'[a-z]+)?")
_BY_HAN = tuple((kind, re.compile(pattern)) for kind, pattern in _HAN)
_HAS_HAN = re.compile(r"[\u3040-\u9fff]")


def _kinds(text: str) -> Iterator[str]:
    """The kinds of cue in a text, possibly several times."""
    before = ""
    for word in _WORDS.findall(text.lower().replace("’", "'")):
        for cue in (word, f"{before}_{word}"):
            if cue in _BY_WORD:
                yield _BY_WORD[cue]
        before = word
    if _HAS_HAN.search(text):
        for kind, pattern in _BY_HAN:
            if pattern.search(text):
                yield kind


def cues(text: str) -> frozenset[str]:
    """Which cues a text holds: `constraint`, `decision`, `change`, `preference`, `goal`."""
    return frozenset(_kinds(text))


def emphasis(found: frozenset[str]) -> float:
    """How much more than its plain words a text with these cues says."""
    factor = 1.0
    for kind, gain in _FACTORS.items():
        if kind in found:
            factor *= gain
    return min(factor, _MOST)
