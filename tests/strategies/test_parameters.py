"""How the text of a spec becomes arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NewType, Optional

import pytest

from compaction_eval.strategies.coercion import coerce
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.parameters import bind

if TYPE_CHECKING:
    from decimal import Decimal


class Shade(Enum):
    DARK = "dark-grey"


Tokens = NewType("Tokens", int)


@pytest.mark.parametrize(
    ("text", "annotation", "value"),
    [
        ("10", int, 10),
        ("-3", int, -3),
        ("0.5", float, 0.5),
        ("2", float, 2.0),
        ("yes", bool, True),
        ("False", bool, False),
        ("10", str, "10"),
        ("40%", int | str, "40%"),
        ("40", int | str, 40),
        ("40", str | int, 40),  # text is tried last, whatever the order
        ("none", int | None, None),
        ("7", Optional[int], 7),  # noqa: UP045  # the older spelling is what users have
        ("none", str | None, None),
        ("none", str, "none"),
        ("keep", Literal["keep", "break"], "keep"),
        ("2", Literal[1, 2], 2),
        ("a| b|", tuple[str, ...], ("a", "b", "")),
        ("", tuple[str, ...], ()),
        ("1|2", list[int], [1, 2]),
        ("1|2", Sequence[float], (1.0, 2.0)),
        ("a|a", set[str], {"a"}),
        ("x/y.txt", Path, Path("x/y.txt")),
        ("dark-grey", Shade, Shade.DARK),
        ("DARK", Shade, Shade.DARK),
        ("5", Annotated[int, "tokens"], 5),
        ("5", Tokens, 5),
        ("5", Any, 5),
        ("0.5", Any, 0.5),
        ("true", Any, True),
        ("8:30", Any, "8:30"),
    ],
)
def test_text_becomes_a_value_of_the_annotated_type(
    text: str, annotation: Any, value: object
) -> None:
    got = coerce(text, annotation)
    assert (got, type(got)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "annotation", "reason"),
    [
        ("ten", int, "'ten' isn't a whole number"),
        ("1.5", int, "'1.5' isn't a whole number"),
        ("1,5", float, "'1,5' isn't a number"),
        ("maybe", bool, "'maybe' is neither true nor false"),
        ("kep", Literal["keep", "break"], "'kep' is none of keep, break; did you mean 'keep'?"),
        ("ten", int | None, "'ten' isn't a whole number"),
        ("1|x", tuple[int, ...], "'x' isn't a whole number"),
        ("light", Shade, "'light' is none of dark-grey"),
    ],
)
def test_a_bad_value_says_what_was_expected(text: str, annotation: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        coerce(text, annotation)
    assert str(error.value) == reason


@dataclass(frozen=True, slots=True)
class Record:
    keep: int = 10
    pairs: Literal["break", "keep"] = "break"
    made: int = field(default=0, init=False)


class Plain:
    def __init__(self, keep: int, *, label="x", share=0.5, limit=None):  # type: ignore[no-untyped-def]  # as users write
        pass


def function(messages, budget, *, limit: Decimal | None = None, keep=4):  # type: ignore[no-untyped-def]  # as users write
    pass


def open_ended(messages, budget, **more):  # type: ignore[no-untyped-def]  # as users write
    pass


TAKEN = frozenset({"messages", "budget"})


@pytest.mark.parametrize(
    ("target", "params", "taken", "arguments"),
    [
        (Record, {"keep": "3", "pairs": "keep"}, frozenset(), {"keep": 3, "pairs": "keep"}),
        (Plain, {"keep": "3", "label": "7", "share": "1", "limit": "7"}, frozenset(),
         {"keep": 3, "label": "7", "share": 1.0, "limit": 7}),
        # An annotation that can't be resolved when running leaves the default's type.
        (function, {"keep": "3", "limit": "9"}, TAKEN, {"keep": 3, "limit": 9}),
        (open_ended, {"any": "3"}, TAKEN, {"any": 3}),
        (partial(function, limit=None), {"keep": "3"}, TAKEN, {"keep": 3}),
    ],
)  # fmt: skip
def test_parameters_are_bound_by_annotation_or_default(
    target: Any, params: dict[str, str], taken: frozenset[str], arguments: dict[str, object]
) -> None:
    assert bind("it", target, params.items(), lambda *_: None, taken) == arguments


@pytest.mark.parametrize(
    ("target", "params", "taken", "reason"),
    [
        (Record, {"kep": "3"}, frozenset(), "it has no parameter 'kep'; did you mean 'keep'?"),
        (Record, {"zzz": "3"}, frozenset(), "it has no parameter 'zzz'; it has keep, pairs"),
        (Record, {"made": "3"}, frozenset(), "it has no parameter 'made'; it has keep, pairs"),
        (Record, {"keep": "x"}, frozenset(), "it: parameter keep: 'x' isn't a whole number"),
        (Plain, {}, frozenset(), "it needs the parameter 'keep': add keep=VALUE"),
        (function, {"budget": "3"}, TAKEN, "it: 'budget' is given by the run and can't be set"),
        (lambda messages, budget: None, {"zzz": "3"}, TAKEN,
         "it has no parameter 'zzz'; it takes none"),
    ],
)  # fmt: skip
def test_what_cannot_be_bound_is_told_on_one_line(
    target: Any, params: dict[str, str], taken: frozenset[str], reason: str
) -> None:
    with pytest.raises(ConfigurationError) as error:
        bind("it", target, params.items(), lambda *_: None, taken)
    assert str(error.value) == reason
