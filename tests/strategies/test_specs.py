"""What a spec's text means, and what is said when it means nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import Spec, parse_spec, spec_from_mapping

READ = [
    ("token-window", Spec("token-window")),
    ("  token-window ( ) ", Spec("token-window")),
    ("count-slice(keep=10)", Spec("count-slice", (("keep", "10"),))),
    ("count-slice( keep = 10 , pairs=keep, )",
     Spec("count-slice", (("keep", "10"), ("pairs", "keep")))),
    ("count-slice(keep=10, name=last-ten)", Spec("count-slice", (("keep", "10"),), "last-ten")),
    ("threshold-gate(keep-recent=2)", Spec("threshold-gate", (("keep_recent", "2"),))),
    ("a(share=40%, path=/x/y.txt, at=8:30, of=a|b)",
     Spec("a", (("share", "40%"), ("path", "/x/y.txt"), ("at", "8:30"), ("of", "a|b")))),
    ('a(text="quoted, text")', Spec("a", (("text", "quoted, text"),))),
    (r'a(text="say \"hi\"\n(now")', Spec("a", (("text", 'say "hi"\n(now'),))),
    (r'a(text="C:\work")', Spec("a", (("text", r"C:\work"),))),
    ('a(text="")', Spec("a", (("text", ""),))),
    ("a(equation=x=1)", Spec("a", (("equation", "x=1"),))),
    ('faulty(inner=scripted(answers="a, b)", n=1), every=2)',
     Spec("faulty", (("inner", 'scripted(answers="a, b)", n=1)'), ("every", "2")))),
    ("./mine.py:compact(limit=3)", Spec("./mine.py:compact", (("limit", "3"),))),
    ("./drafts (old)/mine(2).py:compact(limit=3)",
     Spec("./drafts (old)/mine(2).py:compact", (("limit", "3"),))),
    ("pkg.mod:Name", Spec("pkg.mod:Name")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "spec"), READ)
def test_a_spec_is_read(text: str, spec: Spec) -> None:
    assert parse_spec(text) == spec
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "spec '' names nothing: write NAME, or NAME(key=value, key2=value2)"),
        ("(keep=3)", "spec '(keep=3)' names nothing: write NAME, or NAME(key=value, key2=value2)"),
        ("a(keep=3", "spec 'a(keep=3': a closing ')' is missing"),
        ('a(keep="3)', "spec 'a(keep=\"3)': a closing '\"' is missing"),
        ("a(keep=f(3)", "spec 'a(keep=f(3)': a closing ')' is missing"),
        ("a(keep=3))", "spec 'a(keep=3))': a ')' too many"),
        ("a(keep=3) b", "spec 'a(keep=3) b': text after the ')'"),
        ("a(10)", "spec 'a(10)': expected key=value, found '10'"),
        ("a(keep: 10)",
         "spec 'a(keep: 10)': expected key=value, found 'keep: 10'; did you mean 'keep=10'?"),
        ("a(keep=1, keep=2)", "spec 'a(keep=1, keep=2)': keep is given twice"),
        ("a(keep=1,,b=2)", "spec 'a(keep=1,,b=2)': expected key=value, found ''"),
        ('a(t="x" y)', "spec 'a(t=\"x\" y)': text after a closing quote: \"x\" y"),
        ("a(name=)", "spec 'a(name=)': the name is empty"),
        ("count-slice:keep=10",
         "spec 'count-slice:keep=10' isn't a name; did you mean 'count-slice(keep=10)'?"),
        ("count-slice keep=10",
         "spec 'count-slice keep=10' isn't a name; did you mean 'count-slice(keep=10)'?"),
    ],
)  # fmt: skip
def test_what_is_no_spec_is_told_on_one_line(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        parse_spec(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        (Spec("token-window"), "token-window"),
        (Spec("count-slice", (("keep", "10"), ("pairs", "keep"))),
         "count-slice(keep=10, pairs=keep)"),
        (Spec("count-slice", (("keep", "10"),), "last-ten"), "last-ten"),
        (Spec("a", (("t", "x, y"),)), 'a(t="x, y")'),
    ],
)  # fmt: skip
def test_a_label_is_the_name_or_the_spec(spec: Spec, label: str) -> None:
    assert spec.label == label


texts = st.text(max_size=12) | st.sampled_from(["a, b", '"', "(", ")", "\\", "\\n", " x ", "a=b"])
keys = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True).filter(lambda key: key != "name")


@given(
    st.from_regex(r"[a-z][a-z0-9-]{0,8}|\./[a-z (]{0,6}\.py:[a-z]{1,4}", fullmatch=True),
    st.dictionaries(keys, texts, max_size=4),
    st.none() | texts.filter(bool),
)
def test_a_spec_survives_being_written_and_read(
    use: str, params: dict[str, str], name: str | None
) -> None:
    spec = Spec(use, tuple(params.items()), name)
    assert parse_spec(str(spec)) == spec


def test_a_mapping_is_a_spec() -> None:
    mapping = {"use": "count-slice", "keep": "10", "name": "last-ten"}
    assert spec_from_mapping(mapping) == Spec("count-slice", (("keep", "10"),), "last-ten")


def test_a_mapping_may_hold_a_whole_spec_and_more() -> None:
    spec = spec_from_mapping({"use": "count-slice(keep=10)", "pairs": "keep"})
    assert spec == Spec("count-slice", (("keep", "10"), ("pairs", "keep")))


def test_a_mapping_that_says_a_parameter_twice_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="keep is given twice"):
        spec_from_mapping({"use": "count-slice(keep=10)", "keep": "3"})


def test_a_mapping_without_use_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="needs the key 'use'"):
        spec_from_mapping({"strategy": "count-slice"})
