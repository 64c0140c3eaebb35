"""What a view is asked and how it is judged, on conversations written by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.eval.cells import measure
from compaction_eval.eval.questions import Question
from compaction_eval.eval.records import CellKey
from compaction_eval.eval.script import Script, prepare
from compaction_eval.scenarios.records import Place, Probe, ReuseProbe, Scenario, Statement
from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import Message, reading_text
from compaction_eval.strategies.tokens import TokenCounter


def user(text: str) -> Any:
    return {"role": "user", "content": text}


def said(fact: str, message: int, *forms: str) -> Statement:
    return Statement(fact, message, forms, False, Place("s.yaml"))


def retracted(fact: str, message: int, *words: str) -> Statement:
    return Statement(fact, message, words, True, Place("s.yaml"))


def text_of(message: Message) -> str:
    return normalise(reading_text(message))


def prepared(texts: list[str], statements: tuple[Statement, ...], **probe: Any) -> Script:
    """A conversation of user messages with one probe, asked at the end unless said otherwise."""
    fields = {"id": "p", "kind": "recall", "ask": "What is it?", "at": (("end", len(texts)),)}
    scenario = Scenario(
        id="s",
        title="",
        lang="en",
        messages=tuple(map(user, texts)),
        statements=statements,
        probes=(Probe(**{**fields, **probe}),),
    )
    return prepare(scenario, TokenCounter())


def judged(script: Script, *pieces: Any) -> Any:
    """The verdict on a view of these positions of the script and loose texts, question added."""
    question = script.questions[0]
    messages = [script.conversation.messages[p] if isinstance(p, int) else user(p) for p in pieces]
    view = script.conversation.adopt([*messages, question.ask or user("go on")])
    verdict, share = question.verdict(view, text_of)
    return verdict if share is None else (verdict, share)


UPDATED = (
    ["Port 8443, please.", "Fine.", "Make that 9443 from now on.", "Done."],
    (said("port", 0, "8443"), said("port", 2, "9443", "94-43")),
)
RESTATED = (
    ["Port 8443.", "No, 9443.", "Back to 8443 after all.", "Fine."],
    (said("port", 0, "8443", "the old port"), said("port", 1, "9443"), said("port", 2, "8443")),
)
REFRESHED = (
    ["Port 8443.", "Fine.", "As I said, 8443.", "Yes."],
    (said("port", 0, "8443"), said("port", 2, "8443")),
)
NESTED = (
    ["Ship to Lund.", "No, to Lund East.", "Fine."],
    (said("to", 0, "Lund"), said("to", 1, "Lund East")),
)
WIDENED = (
    ["Ship to Lund East.", "No, to Lund.", "Fine."],
    (said("to", 0, "Lund East"), said("to", 1, "Lund")),
)
TAKEN_BACK = (
    ["The owner is Mei.", "Fine.", "Drop the owner note.", "The owner note is gone."],
    (said("owner", 0, "Mei"), retracted("owner", 2, "drop the owner note", "owner note is gone")),
)
SILENTLY = (
    ["The owner is Mei.", "Fine.", "Nobody owns it.", "Yes."],
    (said("owner", 0, "Mei"), retracted("owner", 2)),
)
SAID_AGAIN = (
    ["The owner is Mei.", "Nobody owns it.", "Mei owns it again.", "Fine."],
    (said("owner", 0, "Mei"), retracted("owner", 1), said("owner", 2, "Mei")),
)
REPLACED = (
    ["The owner is Mei.", "Nobody owns it.", "Ola owns it.", "Fine."],
    (said("owner", 0, "Mei"), retracted("owner", 1), said("owner", 2, "Ola")),
)


@pytest.mark.parametrize(
    ("talk", "fact", "view", "verdict", "reason"),
    [
        (UPDATED, "port", (0, 1, 2, 3), "correct", "the full history"),
        (UPDATED, "port", (2,), "correct", "the update alone"),
        (UPDATED, "port", (0, 1), "stale", "the old value alone"),
        (UPDATED, "port", (1, 3), "missing", "neither"),
        (UPDATED, "port", (), "missing", "nothing but the question"),
        (UPDATED, "port", ("The port is 9443.",), "correct", "a summary has it"),
        (UPDATED, "port", ("The port is 94-43.",), "correct", "in its other form"),
        (UPDATED, "port", ("Was 8443, is 9443.",), "correct", "the new one has the last word"),
        (UPDATED, "port", ("Is 9443, was 8443.",), "mixed", "the old one has"),
        (UPDATED, "port", (2, 0), "mixed", "whatever message says it"),
        (UPDATED, "port", ("The port is 8443.", 2), "correct", "an old summary before the update"),
        (UPDATED, "port", (2, "The port is 8443."), "mixed", "a stale summary after it"),
        (RESTATED, "port", (0, 1, 2, 3), "correct", "a value that came back"),
        (RESTATED, "port", (1, 3), "stale", "what was in between is superseded"),
        (RESTATED, "port", (0,), "correct", "its first statement is as good"),
        (RESTATED, "port", ("It's the old port.",), "correct", "its first form as well"),
        (RESTATED, "port", (2, 1), "mixed", "the superseded one has the last word"),
        (REFRESHED, "port", (0,), "correct", "said twice, no update"),
        (NESTED, "to", (0, 1), "correct", "the old value lies inside the new one"),
        (NESTED, "to", (1,), "correct", "and isn't said by it"),
        (NESTED, "to", (0,), "stale", "it is by its own message"),
        (WIDENED, "to", (0, 1), "correct", "the new value lies inside the old one"),
        (WIDENED, "to", (0,), "stale", "and isn't said by it"),
        (TAKEN_BACK, "owner", (0, 1, 2, 3), "not-asked", "the full history says both"),
        (TAKEN_BACK, "owner", (0, 2), "not-asked", "the retraction is in view"),
        (TAKEN_BACK, "owner", (0, 3), "not-asked", "its words are, in another message"),
        (TAKEN_BACK, "owner", (0, "User said: drop the owner note."), "not-asked", "in a summary"),
        (TAKEN_BACK, "owner", (0, 1), "stale", "the value without its retraction"),
        (TAKEN_BACK, "owner", ("Mei owns it.",), "stale", "a summary that kept only the value"),
        (TAKEN_BACK, "owner", (1,), "not-asked", "silence is right"),
        (TAKEN_BACK, "owner", (), "not-asked", "so an empty view scores nothing"),
        (SILENTLY, "owner", (0, 2), "not-asked", "a retraction without words is its message"),
        (SILENTLY, "owner", (0, "Nobody owns it."), "stale", "and only that"),
        (SAID_AGAIN, "owner", (0, 1, 2), "correct", "stated again after a retraction"),
        (SAID_AGAIN, "owner", (1, 3), "missing", "then it is asked for again"),
        (REPLACED, "owner", (0, 1, 2), "correct", "another value after a retraction"),
        (REPLACED, "owner", (0, 1), "stale", "makes the first one stale"),
    ],
)
def test_a_view_is_judged_by_its_last_word(
    talk: Any, fact: str, view: tuple[Any, ...], verdict: str, reason: str
) -> None:
    assert judged(prepared(*talk, fact=fact), *view) == verdict, reason


@pytest.mark.parametrize(
    ("place", "view", "verdict"),
    [(1, (0,), "correct"), (2, (0,), "correct"), (3, (0,), "stale"), (3, (2,), "correct")],
)
def test_what_is_asked_for_is_what_holds_at_the_place(
    place: int, view: tuple[int, ...], verdict: str
) -> None:
    script = prepared(*UPDATED, fact="port", at=(("here", place),))
    assert judged(script, *view) == verdict


ORDER = ["Two boxes go to Lund on Monday.", "Fine, 1,250 crowns.", "Rack B-7 then."]


@pytest.mark.parametrize(
    ("probe", "view", "verdict", "reason"),
    [
        ({"accept": ("Lund", "the depot")}, (0,), "correct", "any accepted form"),
        ({"accept": ("Lund",), "match": "exact"}, (0,), "correct", "exact is for answers"),
        ({"accept": ("Lund",), "reject": ("1,250",)}, (0, 1), "correct", "reject isn't searched"),
        ({"accept": ("1250",)}, (1,), "missing", "a text is no number"),
        ({"accept": ("1250.0",), "match": "number"}, (1,), "correct", "a number is one"),
        ({"accept": ("1251",), "match": "number"}, (1,), "missing", "another isn't"),
        ({"accept": (r"rack b-\d",), "match": "regex"}, (2,), "correct", "a pattern"),
        ({"accept": (r"rack c-\d",), "match": "regex"}, (2,), "missing", "another"),
        (
            {"accept": ("Lund", "Monday", "two boxes"), "match": "all_of"},
            (0,),
            ("correct", 1.0),
            "all parts are there",
        ),
        (
            {"accept": ("Lund", "1,250"), "match": "all_of"},
            (0,),
            ("missing", 0.5),
            "one of two parts: missing, with its share",
        ),
        ({"accept": ("Lund", "B-7"), "match": "set"}, (0, 2), ("correct", 1.0), "in two messages"),
        ({"accept": ("Lund", "B-7"), "match": "set"}, (), ("missing", 0.0), "nothing of it"),
        ({"accept": ("Lund", "LUND"), "match": "set"}, (0,), ("correct", 1.0), "one part twice"),
    ],
)
def test_a_probe_without_a_fact_is_judged_by_what_it_accepts(
    probe: dict[str, Any], view: tuple[int, ...], verdict: Any, reason: str
) -> None:
    assert judged(prepared(ORDER, (), evidence=0, **probe), *view) == verdict, reason


PRICED = (
    ["It costs 1,250.", "Fine.", "It costs 1,300 now.", "Fine."],
    (said("price", 0, "1,250"), said("price", 2, "1,300", "thirteen hundred")),
)
REASONED = (
    ["Bolts, as it rusts.", "Fine.", "Rivets: light, and quick to fit.", "Fine."],
    (said("joint", 0, "bolts"), said("joint", 2, "rivets")),
)


@pytest.mark.parametrize(
    ("talk", "probe", "view", "verdict", "reason"),
    [
        (PRICED, {"match": "number"}, ("1300.00 crowns",), "correct", "the fact's number by value"),
        (PRICED, {"match": "number"}, ("1250 crowns",), "stale", "the old one too"),
        (PRICED, {"match": "number"}, ("thirteen hundred",), "correct", "a form in words is text"),
        (PRICED, {"match": "contains"}, ("1300 crowns",), "missing", "without it they're texts"),
        (REASONED, {"accept": ("light",)}, (2,), "correct", "accept says what an answer is"),
        (REASONED, {"accept": ("light",)}, (0,), "stale", "the fact says what is stale"),
        (
            REASONED,
            {"accept": ("light", "quick"), "match": "all_of"},
            (0,),
            ("missing", 0.0),
            "parts are there or missing",
        ),
        (REASONED, {"accept": ("bolts",)}, (0,), "correct", "what is accepted is never stale"),
    ],
)
def test_a_fact_is_the_evidence_and_accept_and_match_judge_the_answer(
    talk: Any, probe: dict[str, Any], view: tuple[Any, ...], verdict: Any, reason: str
) -> None:
    fact = talk[1][0].fact
    assert judged(prepared(*talk, fact=fact, **probe), *view) == verdict, reason


@pytest.mark.parametrize(
    ("talk", "probe", "view", "verdict", "reason"),
    [
        ((ORDER, ()), {"reject": ("blue", "red")}, (0, 1, 2), "not-asked", "nobody said a colour"),
        ((ORDER, ()), {"reject": ("blue", "red")}, (), "not-asked", "nor does an empty view"),
        ((ORDER, ()), {"reject": ("blue", "red")}, ("Red boxes.",), "wrong", "it was made up"),
        ((ORDER, ()), {"reject": ("Lund",)}, (0,), "not-asked", "what was said isn't made up"),
        ((ORDER, ()), {"reject": ("Lund",)}, ("Lund",), "not-asked", "not in a summary either"),
        (
            (ORDER, ()),
            {"reject": ("red",), "accept": ("unknown",)},
            ("The colour is unknown.",),
            "not-asked",
            "accept is for answers and isn't searched",
        ),
        (TAKEN_BACK, {"fact": "owner"}, (0, 1), "stale", "a retracted fact"),
        (TAKEN_BACK, {"fact": "owner", "reject": ("Ola",)}, ("Ola.",), "wrong", "and a false one"),
        (TAKEN_BACK, {"fact": "owner", "reject": ("Mei",)}, (0, 2), "not-asked", "it was said"),
    ],
)
def test_a_view_can_only_fail_where_the_right_answer_is_none(
    talk: Any, probe: dict[str, Any], view: tuple[Any, ...], verdict: str, reason: str
) -> None:
    script = prepared(*talk, kind="abstention", **probe)
    assert judged(script, *view) == verdict, reason


def test_reject_is_searched_for_abstention_probes_only() -> None:
    script = prepared(*TAKEN_BACK, fact="owner", reject=("Ola",))
    assert judged(script, "Ola owns it.") == "not-asked"


def test_a_fact_that_isnt_said_yet_asks_for_nothing() -> None:
    """Else `none` could be blamed; the checker refuses such a probe."""
    script = prepared(*UPDATED, fact="port", at=(("start", 0),))
    assert judged(script) == "not-asked"


@pytest.mark.parametrize(
    "probe", [{"accept": ("8443",)}, {"kind": "abstention", "reject": ("8443", "9443")}]
)
def test_the_question_itself_is_never_searched(probe: dict[str, Any]) -> None:
    script = prepared(["Hello."], (), ask="Is it 8443 or 9443?", **probe)
    question = script.questions[0]
    assert question.ask is not None
    assert judged(script) in ("missing", "not-asked")
    assert judged(script, "It is 8443.") in ("correct", "wrong")


@pytest.mark.parametrize(
    ("talk", "probe", "source", "reason"),
    [
        (UPDATED, {"fact": "port"}, 2, "the last statement"),
        (REFRESHED, {"fact": "port"}, 2, "said again, it is fresh again"),
        (RESTATED, {"fact": "port"}, 2, "also when it came back"),
        (TAKEN_BACK, {"fact": "owner"}, 2, "a retraction is a statement"),
        (UPDATED, {"fact": "port", "accept": ("9443",)}, 2, "the fact is the evidence"),
        ((ORDER, ()), {"accept": ("B-7",), "evidence": 2}, 2, "the earliest accepted form"),
        ((ORDER, ()), {"kind": "abstention", "reject": ("red",)}, None, "nobody said it"),
    ],
)
def test_age_runs_from_where_the_answer_was_last_said(
    talk: Any, probe: dict[str, Any], source: int | None, reason: str
) -> None:
    assert prepared(*talk, **probe).questions[0].source == source, reason


def test_reuse_probes_ask_at_their_requests_for_their_values() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"p": "A-17"}'}}
    messages: Any = (user("It's A-17."), {"role": "assistant", "tool_calls": [call]}, user("A-17"))
    probe = ReuseProbe("reuse-1-1", "A-17", 1, 0, "f", free=True, own=True)
    scenario = Scenario("s", "", "en", messages, reuse=(probe,))
    (question,) = prepare(scenario, TokenCounter()).questions
    assert (question.kind, question.place, question.at, question.source) == (
        "reuse",
        "request",
        1,
        0,
    )
    assert (question.free, question.own, question.ask) == (True, True, None)
    assert question.positions == (0,)  # what is said at the request or later is no memory


def test_a_value_in_the_agents_words_is_a_kind_of_its_own() -> None:
    messages: Any = (user("It's A-17."), {"role": "assistant", "content": "A-17."})
    probe = ReuseProbe("t", "A-17", 1, 0, "", where="text", chance=True, recoverable=True)
    script = prepare(Scenario("s", "", "en", messages, reuse=(probe,)), TokenCounter())
    (question,) = script.questions
    assert (question.kind, question.where) == ("reuse-text", "text")
    assert (question.chance, question.recoverable) == (True, True)
    assert script.answer_key.evidence == ()


def test_questions_come_by_place_then_as_written_then_reuse() -> None:
    at = {"late": 2, "early": 1}
    probes = tuple(
        Probe(id, "recall", "?", tuple((name, at[name]) for name in names), accept=("x",))
        for id, names in [("b", ["late", "early"]), ("a", ["early"])]
    )
    messages = (user("x"), user("x"))
    script = prepare(Scenario("s", "", "en", messages, probes=probes), TokenCounter())
    assert [(one.probe, one.place) for one in script.questions] == [
        ("b", "early"),
        ("a", "early"),
        ("b", "late"),
    ]


VALUES = ["8443", "9443", "Lund", "Lund East", "75", "75.5", "1,750", "北京", "北京东"]


@given(st.data())
def test_the_full_history_is_always_correct(data: st.DataObject) -> None:
    """Whatever is said of a fact and in whatever order: at every place what holds has the last
    word, as long as nobody repeats an old value; and what was taken back isn't asked for."""
    texts, statements = ["Hello."], []
    for _ in range(data.draw(st.integers(1, 6))):
        texts += ["Fine."] * data.draw(st.integers(0, 1))
        if data.draw(st.integers(0, 4)) or not statements:
            value = data.draw(st.sampled_from(VALUES))
            texts.append(f"Now it is {value}.")
            statements.append(said("f", len(texts) - 1, value))
        else:
            texts.append("Forget it.")
            words = data.draw(st.sampled_from([(), ("forget it",)]))
            statements.append(retracted("f", len(texts) - 1, *words))
    first = statements[0].message + 1
    at = tuple((f"m{place}", place) for place in range(first, len(texts) + 1))
    script = prepared(texts, tuple(statements), fact="f", at=at)
    for question in script.questions:
        view = script.conversation.view(0, question.at)
        view += [question.ask or user("")]
        last = [one for one in statements if one.message < question.at][-1]
        expected = "not-asked" if last.retraction else "correct"
        assert question.verdict(view, text_of)[0] == expected
        assert question.verdict(script.conversation.view(0, 1), text_of)[0] != "correct"


@given(st.lists(st.sampled_from(["8443", "9443", "fine"]), max_size=8), st.data())
def test_the_search_of_places_finds_what_reading_the_view_finds(
    texts: list[str], data: st.DataObject
) -> None:
    """The quick path looks only where something is said; the slow one reads every message."""
    texts = ["8443", *texts, "9443"]
    statements = (said("f", 0, "8443"), said("f", len(texts) - 1, "9443"))
    script = prepared(texts, statements, fact="f")
    (question,) = script.questions
    start = data.draw(st.integers(0, len(texts)))
    stop = data.draw(st.integers(start, len(texts)))
    view = script.conversation.view(start, stop)
    view += [user(data.draw(st.sampled_from(VALUES)))]
    copies = script.conversation.adopt([dict(message) for message in view])
    assert question.verdict(view, text_of) == question.verdict(copies, text_of)


def test_questions_are_asked_by_a_user() -> None:
    question: Question = prepared(*UPDATED, fact="port", ask="Which port?").questions[0]
    assert question.ask == {"role": "user", "content": "Which port?"}


def test_a_view_on_which_a_pattern_takes_too_long_is_an_error_of_its_cell() -> None:
    script = prepared(
        ["Port 8443, please.", "Fine."], (), accept=("8443|(a|aa)+#",), match="regex", evidence=0
    )

    class Sighs:
        name = "sighs"

        def compact(self, messages: Any, context: Context) -> Compaction:
            return Compaction([user("a" * 90), messages[-1]], "summarize")

    key = CellKey("s", "", "sighs", "30%", "none")
    counter = script.conversation.counter
    cell = measure(key, script, Sighs, None, counter, 100, "openai")
    assert cell.error is not None
    assert "'8443|(a|aa)+#' takes longer than 1 s on a text" in cell.error
    assert cell.probes == ()
