"""How much of what matters the extractive summariser keeps, against two plain baselines.

The floors stand well below what is measured (see the comments), so that honest changes pass and
a broken one doesn't.
"""

from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.mentions import mentions, normalise
from compaction_eval.strategies.messages import Message, content_text
from compaction_eval.strategies.sentences import sentences
from compaction_eval.strategies.summarizers.extractive import Extractive
from compaction_eval.strategies.summary import summary_length

DIALOGUES: list[dict[str, Any]] = yaml.load(
    Path(__file__).with_name("summary_dialogues.yaml").read_text(encoding="utf-8"),
    Loader=yaml.BaseLoader,
)
CHAT = {
    "en": [
        "I had a coffee with the people from the other floor, they are moving desks again.",
        "That's quite usual at this time of the year, everybody is rearranging something.",
        "The weather is meant to get better towards the end of the week, they said.",
        "Let's hope so, the rain has been going on for far too long.",
        "Somebody left the window open in the kitchen and all the leaflets flew about.",
        "Ha, that sounds like a lively start to the day.",
        "I read an article about old railway stations, there are more than I would have thought.",
        "Many of them have been turned into cafes or small museums by now.",
    ],
    "zh": [
        "今天早上电梯又坏了，大家只好走楼梯上来，都累得够呛。",
        "确实挺辛苦的，希望物业能早点修好。",
        "楼下新开了一家咖啡店，味道还可以，就是排队的人太多。",
        "刚开业的时候人总是比较多，过一阵子应该会好一些。",
        "最近天气忽冷忽热的，办公室里好几个同事都感冒了。",
        "换季的时候是要多注意身体，多喝点热水。",
        "周末本来打算去爬山，结果下雨没去成。",
        "天气的事情说不准，下次再找机会吧。",
    ],
}


def noise_line(kind: str, i: int) -> str:
    """One line of tool output that nobody will ask for."""
    clock = f"2026-03-02 0{i % 6}:{i * 17 % 60:02}:{i * 7 % 60:02}"
    if kind == "log":
        what = ("finished job", "evicted keys", "GET /health", "queued batch")[i % 4]
        return f"{clock} {('INFO', 'DEBUG', 'WARN')[i % 3]} worker-{i % 5} {what} {1000 + i * 37}"
    if kind == "log-zh":
        where = ("任务调度", "缓存服务", "消息队列")[i % 3]
        return f"{clock} {where} 处理完成，编号{1000 + i * 37}，耗时{i * 13 % 90}毫秒"
    if kind == "json":
        return f'{{"id": "evt_{7000 + i * 31}", "type": "page.view", "ts": {1772400000 + i * 611}}}'
    if kind == "listing":
        return f"-rw-r--r-- 1 dev dev {300 + i * 271} Mar {1 + i % 28} src/{'ab'[i % 2]}/v_{i}.ts"
    return f'  File "/srv/app/{"ab"[i % 2]}/loader.py", line {40 + i * 23}, in load'


def messages_of(dialogue: dict[str, Any]) -> tuple[Message, ...]:
    """The dialogue's messages, its noise written out."""
    found: list[tuple[str, str]] = []
    for entry in dialogue["messages"]:
        ((role, content),) = entry.items()
        if role != "noise":
            found.append((role, content.strip()))
            continue
        kind, count = content["kind"], int(content["count"])
        if kind.startswith("chat-"):
            speakers = cycle(("user", "assistant"))
            found += zip(speakers, islice(cycle(CHAT[kind[5:]]), count), strict=False)
        else:
            found.append(("tool", "\n".join(noise_line(kind, i) for i in range(count))))
    return tuple(cast("Message", {"role": role, "content": text}) for role, text in found)


def once(dialogue: dict[str, Any], limit: int) -> str:
    """All of it summarised at once."""
    return Extractive().summarize(
        SummaryRequest(messages_of(dialogue), None, limit, dialogue["lang"])
    )


def rolling(dialogue: dict[str, Any], limit: int) -> str:
    """Summarised eight messages at a time, each time merging the summary so far."""
    messages = messages_of(dialogue)
    previous: str | None = None
    for start in range(0, len(messages), 8):
        stretch = messages[start : start + 8]
        request = SummaryRequest(stretch, previous, limit, dialogue["lang"])
        previous = Extractive().summarize(request)
    return previous or ""


def prefix(parts: Iterable[str], limit: int) -> list[str]:
    """As many of the parts as fit."""
    taken: list[str] = []
    for part in parts:
        if summary_length(" ".join([*taken, part])) > limit:
            break
        taken.append(part)
    return taken


def first(dialogue: dict[str, Any], limit: int) -> str:
    """Baseline: the oldest sentences."""
    talk = [s for message in messages_of(dialogue) for s in sentences(content_text(message))]
    return " ".join(prefix(talk, limit))


def newest(dialogue: dict[str, Any], limit: int) -> str:
    """Baseline: the newest sentences."""
    talk = [s for message in messages_of(dialogue) for s in sentences(content_text(message))]
    return " ".join(reversed(prefix(reversed(talk), limit)))


def kept(way: Any, lang: str, limit: int, part: str | None = None) -> float:
    """The mean share of facts which that way of summarising keeps."""
    shares = []
    for dialogue in DIALOGUES:
        if dialogue["lang"] == lang and part in (None, dialogue["set"]):
            text = normalise(way(dialogue, limit))
            facts = dialogue["facts"]
            shares.append(sum(mentions(text, normalise(fact)) for fact in facts) / len(facts))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("way", [once, rolling])
@pytest.mark.parametrize(
    ("lang", "part", "floor"),
    [
        ("en", "tuned", 0.85),  # measured 1.00, rolling 1.00
        ("zh", "tuned", 0.85),  # measured 1.00, rolling 1.00
        ("en", "held-out", 0.8),  # measured 0.94, rolling 0.94
        ("zh", "held-out", 0.75),  # measured 0.94, rolling 0.88
    ],
)
def test_most_facts_survive_in_300_wide_characters(
    way: Any, lang: str, part: str, floor: float
) -> None:
    assert kept(way, lang, 300, part) >= floor


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("limit", "margin"), [(300, 0.3), (150, 0.15)])
def test_it_keeps_clearly_more_than_the_newest_or_the_first_sentences(
    lang: str, limit: int, margin: float
) -> None:
    # Measured at 300: en 0.97 and zh 0.94, newest sentences 0.19 and 0.34, first 0.47 and 0.28.
    # At 150: en 0.69 and zh 0.63, newest 0.13 and 0.31, first 0.34 and 0.25.
    ours = min(kept(once, lang, limit), kept(rolling, lang, limit))
    assert ours >= kept(newest, lang, limit) + margin
    assert ours >= kept(first, lang, limit) + margin


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=[dialogue["id"] for dialogue in DIALOGUES])
@pytest.mark.parametrize("way", [once, rolling])
def test_a_replaced_value_never_has_the_last_word(dialogue: dict[str, Any], way: Any) -> None:
    text = normalise(way(dialogue, 300))
    for old, new in dialogue.get("stale", {}).items():
        assert text.rfind(normalise(old)) <= text.rfind(normalise(new))


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=[dialogue["id"] for dialogue in DIALOGUES])
def test_the_dialogues_say_all_their_facts(dialogue: dict[str, Any]) -> None:
    text = normalise("\n".join(content_text(message) for message in messages_of(dialogue)))
    assert all(mentions(text, normalise(fact)) for fact in dialogue["facts"])
    assert summary_length(text) > 900, "300 must be a strong cut"
