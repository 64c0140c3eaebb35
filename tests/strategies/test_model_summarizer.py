"""A summariser that asks a model: what it sends, how long material is handed over, what is kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.errors import ConfigurationError, StrategyError
from compaction_eval.strategies.loading import load_strategy, load_summarizer
from compaction_eval.strategies.messages import Message, content_text
from compaction_eval.strategies.prompts import prompt
from compaction_eval.strategies.specs import parse_spec
from compaction_eval.strategies.summarizers.in_parts import InParts, WithinWindow
from compaction_eval.strategies.summarizers.model import ModelSummarizer, Reached
from compaction_eval.strategies.summary_checks import rejection
from compaction_eval.strategies.tokens import TokenCounter

COUNTER = TokenCounter()


def _said(words: str, role: str = "user") -> Message:
    return cast("Message", {"role": role, "content": words})


class Recording:
    """A model that notes what it is asked and answers with the number of the request."""

    def __init__(self) -> None:
        self.asked: list[tuple[Sequence[Message], int]] = []

    def __call__(self, messages: Sequence[Message], max_tokens: int) -> str:
        self.asked.append((messages, max_tokens))
        return f"Summary number {len(self.asked)}."


def test_the_model_is_sent_the_prompt_that_is_billed() -> None:
    model = Recording()
    request = SummaryRequest((_said("Port 9443, please."),), previous="Likes tea.", limit=300)
    assert ModelSummarizer("openai:tiny", model).summarize(request) == "Summary number 1."
    assert model.asked == [(prompt(request), 450)]


def test_a_short_summary_still_leaves_a_model_room_to_think() -> None:
    model = Recording()
    ModelSummarizer("openai:tiny", model).summarize(SummaryRequest((_said("Hello"),), limit=20))
    assert model.asked[0][1] == 256


def test_what_the_model_raises_is_raised() -> None:
    def fail(messages: Sequence[Message], max_tokens: int) -> str:
        raise TimeoutError("no answer for 60 s")

    with pytest.raises(TimeoutError, match="60 s"):
        ModelSummarizer("openai:tiny", fail).summarize(SummaryRequest((_said("Hello"),)))


def _long_request(previous: str | None = "The owner is Mei Lindqvist.") -> SummaryRequest:
    words = tuple(_said(f"Order {number}: " + "parcel " * 40) for number in range(30))
    return SummaryRequest(words, previous=previous, limit=300)


def test_long_material_is_summarised_in_parts_that_each_fit_and_together_hold_all() -> None:
    model = Recording()
    request = _long_request()
    InParts(ModelSummarizer("m", model), COUNTER, 700).summarize(request)
    sent = ["\n".join(map(content_text, messages)) for messages, _ in model.asked]
    assert len(sent) > 2
    assert all(COUNTER.request(messages) <= 700 for messages, _ in model.asked)
    for number in range(30):
        assert sum(f"Order {number}:" in text for text in sent) == 1


def test_each_part_is_shown_the_whole_summary_so_far() -> None:
    model = Recording()
    last = InParts(ModelSummarizer("m", model), COUNTER, 700).summarize(_long_request())
    sent = ["\n".join(map(content_text, messages)) for messages, _ in model.asked]
    assert "The owner is Mei Lindqvist." in sent[0]
    for number, text in enumerate(sent[1:], 1):
        assert f"Summary number {number}." in text
    assert last == f"Summary number {len(sent)}."


def test_material_that_fits_is_asked_for_once() -> None:
    model = Recording()
    InParts(ModelSummarizer("m", model), COUNTER, 100_000).summarize(_long_request())
    assert len(model.asked) == 1


def test_a_message_that_fits_into_no_part_is_shown_with_its_beginning_and_end() -> None:
    model = Recording()
    giant = _said("First parcel. " + "filling\n" * 3000 + "Last parcel.")
    request = SummaryRequest((giant,), limit=300)
    InParts(ModelSummarizer("m", model), COUNTER, 700).summarize(request)
    (messages, _), *more = model.asked
    text = "\n".join(map(content_text, messages))
    assert not more
    assert COUNTER.request(messages) <= 700
    assert "First parcel." in text
    assert "Last parcel." in text


@pytest.mark.parametrize(
    ("text", "language", "shown", "kept"),
    [
        ("The owner is Mei and the port of the service is 9443; that was not new.", "zh", "zh", 0),
        ("负责人是林若溪，服务监听 9443 端口。", "en", "en", 0),
        ("负责人是林若溪，服务监听 9443 端口。", "zh", "en", 1),
        ("负责人是林若溪，服务监听 9443 端口。", "en", "zh", 1),
        ("port: 9443; owner: Mei Lindqvist", "zh", "zh", 1),
    ],
)
def test_a_summary_keeps_the_language_of_the_talk_or_of_what_was_shown(
    text: str, language: str, shown: str, kept: bool
) -> None:
    talk = {
        "en": "Please say that the port of the service is 9443, and the owner is Mei, not Jonas.",
        "zh": "请把服务的端口改为 9443，负责人改为林若溪，不要再写旧的名字。",
    }
    reason = rejection(
        text,
        dropped_tokens=2000,
        limit=300,
        counter=COUNTER,
        previous=None,
        language=language,
        shown=[talk[shown]],
    )
    assert (reason is None) == bool(kept)
    assert kept or "another language" in str(reason)


@pytest.mark.parametrize("junk", ["", "I'm sorry, but I can't help with that.", "x " * 4000])
def test_a_part_whose_summary_is_junk_ends_the_attempt(junk: str) -> None:
    asked: list[int] = []

    def answer(messages: Sequence[Message], max_tokens: int) -> str:
        asked.append(len(messages))
        return "The first orders came." if len(asked) == 1 else junk

    with pytest.raises(StrategyError, match="failed at part 2: the summary is"):
        InParts(ModelSummarizer("m", answer), COUNTER, 700).summarize(_long_request())
    assert len(asked) == 2


def test_a_window_holds_request_and_answer_with_a_tenth_to_spare() -> None:
    model = Recording()
    WithinWindow(ModelSummarizer("m", model), COUNTER, 1500).summarize(_long_request())
    assert len(model.asked) > 1
    assert all(COUNTER.request(sent) + answer <= 1350 for sent, answer in model.asked)


def test_a_spec_of_a_model_is_reached_by_its_name_also_inside_another() -> None:
    names: list[str] = []

    def models(name: str) -> Reached:
        names.append(name)
        return Reached(Recording(), 4000)

    def load(text: str) -> object:
        loaded = load_summarizer(parse_spec(text), Path(), models=models)
        assert loaded is not None
        assert (loaded.foreign, loaded.sees_answer_key) == (False, False)
        assert loaded.models == (text.removeprefix("faulty(inner=").removesuffix(", every=2)"),)
        return loaded()

    made = load("openai:a/b:7b(temperature=0.2)")
    assert isinstance(made, ModelSummarizer)
    assert (made.name, made.context_tokens) == ("openai:a/b:7b(temperature=0.2)", 4000)
    load("model")
    load("faulty(inner=openai:c, every=2)")
    assert names == ["openai:a/b:7b(temperature=0.2)", "model", "openai:c"]


def test_code_from_outside_may_hold_a_model(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        """\
from compaction_eval.strategies.base import Summarizer

class Checked:
    def __init__(self, inner: Summarizer):
        self.inner = inner
    def summarize(self, request):
        return "Checked: " + self.inner.summarize(request)

class Twice:
    def __init__(self, inner: Summarizer):
        self.inner = inner
    def compact(self, messages, context):
        return messages
""",
        "utf-8",
    )

    def models(name: str) -> Reached:
        return Reached(Recording())

    own = load_summarizer(parse_spec("./own.py:Checked(inner=openai:a)"), tmp_path, models=models)
    assert own is not None
    assert (own.foreign, own.models) == (True, ("openai:a",))
    request = SummaryRequest((_said("Port 9443, please."),))
    assert own().summarize(request) == "Checked: Summary number 1."
    strategy = load_strategy(parse_spec("./own.py:Twice(inner=model)"), tmp_path, models=models)
    assert strategy.models == ("model",)


def test_without_anyone_to_reach_it_a_model_says_so_when_it_is_asked() -> None:
    loaded = load_summarizer(parse_spec("openai:a"), Path())
    assert loaded is not None
    with pytest.raises(StrategyError, match="has no model to ask"):
        loaded().summarize(SummaryRequest((_said("Hello"),)))
    with pytest.raises(ConfigurationError, match="takes no parameters"):
        load_summarizer(parse_spec("model(seed=1)"), Path())
