"""What a piece of text says, as weighted terms: values, names and plain words, in four languages.

The weights are rough on purpose; they only have to put a number, a name or a path before a word,
and a word before a particle.
"""

from __future__ import annotations

import re
from typing import NamedTuple

NUMBER, IDENTIFIER, NAME, WORD = "number", "identifier", "name", "word"


class Term(NamedTuple):
    """One thing that a piece says."""

    key: str
    kind: str
    weight: float


_LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
# The runs that are scanned in the hope of a mark behind them (`@`, `/`, a digit) are bounded: tried
# from each place of a long run, they'd cost its length squared.
_TOKEN = re.compile(
    rf"""
    (?P<plain>[a-zß-öø-ÿ]+(?:['’][a-z]+)?(?=[.:]?(?:[\s,;!?)]|$)))  # most words, found at once
  | (?P<link>https?://[^\s"'<>)\]，。；]+ | [\w.+-]{{1,120}}@[\w-]{{1,120}}\.[\w.-]+)
  | (?P<stamp>\d{{4}}-\d\d-\d\d[T\ ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)
  | (?P<path>(?:[~.]{{0,2}}/|[A-Za-z]:\\)[\w.@+-]+(?:[/\\][\w.@+-]+)*/?
    | [\w.@+-]{{1,120}}(?:/[\w.@+-]+)+/?)
  | (?P<money>[$€£¥￥]\s?\d[\d.,]*[kKmM]?)
  | (?P<number>\d+(?:[.,:/-]\d+)*(?:\s?%|[A-Za-z]{{1,3}}(?![\w]))?(?![\w-]))
  | (?P<mixed>(?=[\w.-]{{0,120}}\d)[A-Za-z\d](?:[\w-]|[.](?=\w))*)
  | (?P<code>[A-Za-z]{{1,120}}(?:_[A-Za-z0-9]+)+ | [a-z]{{1,120}}(?:[A-Z][a-z0-9]+)+
    | [a-z][\w-]{{0,120}}(?:\.[a-z]\w+)+)
  | (?P<caps>[A-Z]{{2,}}[A-Za-z]*)
  | (?P<title>[A-ZÀ-ÖØ-Þ][{_LATIN}'’-]*)
  | (?P<word>[{_LATIN}]['’{_LATIN}-]*)
  | (?P<count>[零〇一二两三四五六七八九十百千万半]+
      (?:点半?|[元块个人天号月日年周次台份位成倍秒分时名件]|小时|分钟|公里)
    | (?:周|星期|礼拜)[一二三四五六日天末] | [月火水木金土日]曜日?)
  | (?P<kana>[\u30a1-\u30fa\u30fc]{{2,}})
  | (?P<han>[\u3400-\u9fff\u3005\uac00-\ud7af]+)
    """,
    re.VERBOSE | re.ASCII,
)
_KINDS = {
    "link": (IDENTIFIER, 3.0),
    "path": (IDENTIFIER, 3.0),
    "money": (NUMBER, 3.5),
    "number": (NUMBER, 3.0),
    "mixed": (IDENTIFIER, 3.0),
    "code": (IDENTIFIER, 2.5),
    "caps": (NAME, 1.5),
    "title": (NAME, 2.0),
    "count": (NUMBER, 2.5),
    "stamp": (NUMBER, 1.0),
    "kana": (WORD, 0.8),
}
_QUOTED = re.compile(
    r"“([^”]{2,60})”|「([^」]{2,30})」|《([^》]{2,30})》|`([^`]{2,60})`|\"([^\"]{2,60})\""
)
_STOP_HAN = re.compile(
    r"[的了是我你您他她它们这那就都也和在有不吧呢吗啊哦嗯把被让给到去来会能可以要想说看做很太还再又"
    r"而且但因为所如果么什怎哪些个之与及或等着过地得上下里中一]+"
)
_STOP_WORDS = """
a about after again all also am an and any anything are as at be because been before being
but by can come could did do does doing done don't for from get go going good got had has have
he her here him his how i i'd i'll i'm i've if in into is isn't it it's its just know let let's
like look make many may me more most much my need no not now of off on one only or other our
out over please really right same say see she should so some something sure take than that
that's the their them then there they thing things think this those to too up us use very want
was way we we'd we'll we're well were what when where which while who why will with would yes
you you'd you'll your thanks thank okay ok hello hi great fine info debug true false null none
aber alle als also am an auch auf aus bei bin bis bitte da das dass dem den der des die dir
doch du ein eine einem einen einer er es für gut haben hat ich ihr im in ist ja jetzt kann kein
können mal man mehr mein mich mir mit muss nach nicht noch nur oder schon sehr sich sie sind so
über um und uns unser vom von vor war was wenn werden wie wir wird wo zu zum zur danke
little nice rather lot bit guten tag hallo verstanden klar frau herr dr
understood noted done goes"""
_TIME_WORDS = """
monday tuesday wednesday thursday friday saturday sunday january february march april june
july august september october november december tomorrow tonight noon midnight two three four
five six seven eight nine ten twelve twenty thirty fifty hundred thousand million montag
dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober
dezember morgen zwei drei vier fünf sechs sieben acht neun zehn zwölf"""
_STOP = frozenset(_STOP_WORDS.split())
_TIMES = frozenset(_TIME_WORDS.split())


def terms(text: str, language: str) -> tuple[Term, ...]:
    """The distinct terms of a piece, in the order of their first mention."""
    found: dict[str, Term] = {}
    titled: Term | None = None
    for match in _TOKEN.finditer(text):
        group = str(match.lastgroup)
        word = match[0]
        key = word.casefold().strip("-'’.")
        if group == "han":
            for chunk in _STOP_HAN.split(word):
                if len(chunk) > 1:
                    found.setdefault(chunk, Term(chunk, WORD, min(0.25 * len(chunk), 1.5)))
            continue
        if group == "code" and text[match.end() : match.end() + 1] == "(":
            group = "word"  # the name of a function that is called says little by itself
        term = _latin(group, word, key, starts=match.start() == 0, german=language == "de")
        if group == "title" and titled is not None and term is not None:
            # Two capitalised words in a row are a name even where one alone needn't be.
            for part in (titled, term):
                found[part.key] = Term(part.key, NAME, 2.0)
        titled = term if group == "title" else None
        if term is not None:
            found.setdefault(key, term)
    for match in _QUOTED.finditer(text):
        quoted = next(part for part in match.groups() if part)
        key = quoted.casefold()
        found.setdefault(key, Term(key, NAME, 1.5))
    return tuple(found.values())


def _latin(group: str, word: str, key: str, *, starts: bool, german: bool) -> Term | None:
    """The term that a token stands for; nothing for a stop word."""
    if key in _TIMES:
        return Term(key, NUMBER, 2.0)
    if group in ("word", "plain") or (group == "title" and (starts or german)):
        return Term(key, WORD, 0.5) if len(key) > 2 and key not in _STOP else None
    if group == "title" and (key in _STOP or len(key) < 2):
        return None
    kind, weight = _KINDS[group]
    if group == "number" and len(word) == 1:
        weight = 1.5
    elif len(word) > 40:
        weight = 2.0
    return Term(key, kind, weight)
