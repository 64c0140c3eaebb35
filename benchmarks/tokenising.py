"""A million tokens: each text tokenised once, and a replay beside one pass of tiktoken."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.conversations import scenario
from benchmarks.measuring import Figure, median_seconds, peak_mebibytes
from benchmarks.replaying import prepared, replayed
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.messages import call_arguments, call_name, content_text, tool_calls
from compaction_eval.strategies.vocabulary import encoding

STRATEGIES = ("count-slice", "token-window", "block-truncation")
BUDGETS = ("8000", "30%")


def figures() -> Iterator[Figure]:
    """Ratios of whole replays, preparation included, to one tiktoken pass over the same texts."""
    million = scenario(5_000, 266)
    texts = _texts(million)
    encode = encoding("o200k_base").encode_ordinary
    tokens = sum(len(encode(text)) for text in texts)
    once = median_seconds(lambda: [encode(text) for text in texts])
    yield Figure("tokens in the generated conversation", tokens, "tokens", 1_000_000, at_least=True)
    for strategy in STRATEGIES:
        for budget in BUDGETS:
            seconds = median_seconds(lambda s=strategy, b=budget: _whole(million, s, b))
            what = f"{strategy} at {budget} over a million tokens, times one tiktoken pass"
            yield Figure(what, seconds / once, "x", 3)
    script, counter = prepared(million)
    questions = {question.ask["content"] for question in script.questions if question.ask}
    for strategy in STRATEGIES:
        replayed(script, counter, strategy, "30%")
    distinct = len({*texts, *questions} - {""})
    made = counter.texts_tokenised - ("" in counter.known)
    yield Figure("texts tokenised, for each distinct text", made / distinct, "x", 1)
    yield Figure("peak memory", peak_mebibytes(), "MiB", 1024)


def _whole(million: Scenario, strategy: str, budget: str) -> None:
    script, counter = prepared(million)
    replayed(script, counter, strategy, budget)


def _texts(million: Scenario) -> list[str]:
    texts: dict[str, None] = {}
    for message in million.messages:
        texts[content_text(message)] = None
        for call in tool_calls(message):
            texts[call_name(call)] = None
            texts[call_arguments(call)] = None
    return list(texts)
