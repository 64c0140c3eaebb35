"""How a figure is written."""

import pytest

from compaction_eval.reports.figures import plural, ratio, share, tokens


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0.0, "0%"),
        (1.0, "100%"),
        (0.5, "50.0%"),
        (0.9999, "99.9%"),
        (0.0001, "0.1%"),
        (-0.123, "-12.3%"),
        (-1.5, "-150.0%"),
    ],
)
def test_a_share_is_never_rounded_to_all_or_nothing(value: float | None, shown: str) -> None:
    assert share(value) == shown


def test_tokens_have_thousands_apart_and_no_zero_for_unmeasured() -> None:
    assert (tokens(1234567.4), tokens(None), tokens(-20)) == ("1,234,567", "–", "-20")


def test_a_share_of_nothing_is_unmeasured() -> None:
    assert ratio(3, 0) is None


def test_one_is_singular() -> None:
    assert [plural(n, "cell") for n in (0, 1, 2)] == ["0 cells", "1 cell", "2 cells"]
