"""Code that doesn't end is ended, softly where Python runs, with the process where it doesn't."""

import asyncio
import contextlib
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from compaction_eval.strategies.base import Context
from compaction_eval.strategies.errors import StrategyError
from compaction_eval.strategies.factories import guarded_strategy_factory
from compaction_eval.strategies.guard import Limits
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.specs import Spec
from compaction_eval.strategies.timelimit import TimeLimitExceeded, paused, time_limit

SRC = Path(__file__).parents[2] / "src"
pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no interval timer"
)


def unresolved(*_: object) -> None:
    """No parameter here points at anything."""


def loops(messages: Any, budget: int) -> Any:
    while True:
        pass


def loops_over_exceptions(messages: Any, budget: int) -> Any:
    while True:
        with contextlib.suppress(Exception):
            time.sleep(60)


def swallows_it_once(messages: Any, budget: int) -> Any:
    try:
        time.sleep(60)
    except:  # noqa: E722  # the very thing that users write
        time.sleep(60)


def generates_for_ever(messages: Any, budget: int) -> Any:
    while True:
        yield messages[0]


async def sleeps(messages: Any, budget: int) -> Any:
    await asyncio.sleep(60)


@pytest.mark.parametrize(
    "function", [loops, loops_over_exceptions, swallows_it_once, generates_for_ever, sleeps]
)
def test_a_strategy_that_does_not_end_is_an_error(
    function: Any, talk: list[Message], context: Context
) -> None:
    limits = Limits(__file__, 0.05)
    strategy = guarded_strategy_factory(
        function, Spec("mine"), "strategy 'mine'", limits, unresolved
    )()
    with pytest.raises(StrategyError, match=r"exceeded the time limit of 0\.05 s") as error:
        strategy.compact(talk, context)
    if function is loops:
        line = loops.__code__.co_firstlineno
        assert re.search(rf"\(test_timelimit\.py:({line + 1}|{line + 2})\)$", str(error.value))
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_what_ends_in_time_leaves_nothing_armed() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(60):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) == before


def test_no_limit_arms_nothing() -> None:
    with time_limit(None, hard=True):
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_within_a_limit_the_outer_one_governs() -> None:
    with time_limit(60):
        with time_limit(0.001):
            time.sleep(0.01)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 50


def test_a_limit_can_be_set_again_after_one_was_exceeded() -> None:
    for _ in range(2):
        with pytest.raises(TimeLimitExceeded), time_limit(0.01):
            time.sleep(60)


def test_other_threads_are_left_alone() -> None:
    armed: list[float] = []

    def work() -> None:
        with time_limit(60, hard=True):
            armed.append(signal.getitimer(signal.ITIMER_REAL)[0])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert armed == [0]


def test_code_that_holds_the_interpreter_ends_a_worker() -> None:
    code = f"""
import sys; sys.path.insert(0, {str(SRC)!r})
import itertools
from compaction_eval.strategies.timelimit import time_limit
with time_limit(0.1, hard=True):
    sum(itertools.repeat(0))
"""
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    assert time.monotonic() - began < 30


def pauses_and_loops() -> None:
    with paused():
        time.sleep(0.1)
    while True:
        pass


def test_the_clock_stands_still_while_something_of_ours_waits() -> None:
    with time_limit(0.2), paused():
        time.sleep(0.4)
    with pytest.raises(TimeLimitExceeded), time_limit(0.2):
        pauses_and_loops()


def test_without_a_limit_there_is_nothing_to_pause() -> None:
    with paused():
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
