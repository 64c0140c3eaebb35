"""How long is waited before another attempt."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from compaction_eval.eval.models.waiting import Waiting

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(("retry", "longest"), [(0, 0.5), (1, 1), (3, 4), (7, 60), (5_000, 60)])
def test_the_wait_is_drawn_below_a_bound_that_doubles(retry: int, longest: float) -> None:
    draws = [Waiting(chance=lambda share=share: share).before(retry, {}) for share in (0, 0.5, 1)]  # type: ignore[misc]  # a default binds it
    assert draws == [0, longest / 2, longest]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:20 GMT"}, 20),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after": "86400"}, 86_400),
        ({"retry-after": "Sun, 01 Mar 2026 13:00:00 GMT"}, 3_600),
    ],
)
def test_what_the_endpoint_asks_for_is_kept(headers: dict[str, str], seconds: float) -> None:
    assert Waiting(now=lambda: NOON, chance=lambda: 0.0).before(0, headers) == seconds


@pytest.mark.parametrize("value", ["", "soon", "-5", "nan", "inf", "Sun, 99 Mar 2026 12:00:00 GMT"])
def test_what_nobody_can_keep_counts_as_nothing_said(value: str) -> None:
    assert Waiting(chance=lambda: 1.0).before(1, {"retry-after": value}) == 1.0
