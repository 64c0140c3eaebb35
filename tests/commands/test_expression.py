"""The language of `-k`."""

import pytest

from compaction_eval.commands.expression import parse_expression
from compaction_eval.strategies.errors import ConfigurationError

TEXT = "staging-port noise=20 coding-agent count-slice(keep=10) 30% extractive"


@pytest.mark.parametrize(
    ("expression", "selected"),
    [
        ("staging", True),
        ("STAGING", True),
        ("absent", False),
        ("not absent", True),
        ("not not staging", True),
        ("staging and absent", False),
        ("staging and count-slice", True),
        ("absent or 30%", True),
        ("staging or absent and absent", True),
        ("(staging or absent) and absent", False),
        ("not staging or extractive", True),
        ("not (staging or extractive)", False),
        ("'count-slice(keep=10)'", True),
        ('"count-slice(keep=12)"', False),
        ("'not'", False),
        ("noise=20 AND NOT absent", True),
        ("((staging))", True),
    ],
)
def test_words_are_found_as_parts_of_the_cells_text(expression: str, selected: bool) -> None:
    assert parse_expression(expression)(TEXT.casefold()) is selected


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("", "it is empty"),
        ("  ", "it is empty"),
        ("a b", "'and' or 'or' is missing before 'b'"),
        ("a and", "a word is missing after 'and'"),
        ("or a", "a word is missing"),
        ("not", "a word is missing after 'not'"),
        ("(a", "a closing ')' is missing"),
        ("a)", "a ')' too many"),
        ("()", "a word is missing after '('"),
        ("'a", "a closing quote is missing"),
        ("(" * 5000 + "a" + ")" * 5000, "nested too deeply"),
    ],
)
def test_what_is_no_expression_is_refused_with_the_reason(expression: str, reason: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_expression(expression)
    assert reason in str(refused.value)


def test_nothing_in_an_expression_is_ever_executed() -> None:
    assert parse_expression("__import__")("x __import__ y")
    assert not parse_expression("1==1")("x")
