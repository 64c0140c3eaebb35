"""`show`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Call = Callable[..., Result]


def test_the_story_of_one_cell_is_printed_and_nothing_is_written(call: Call, folder: Path) -> None:
    before = set(folder.iterdir())
    result = call("show", "tiny.yaml", "--strategy", "token-window", "--budget", "60%")
    assert result.exit_code == 0
    assert "token-window, budget 60% (49 of 82 tokens)" in result.stdout
    assert "missing  p" in result.stdout
    assert set(folder.iterdir()) == before


def test_a_failing_strategy_ends_with_3_and_the_reason(call: Call) -> None:
    result = call("show", "tiny.yaml", "--strategy", "./mine.py:boom")
    assert result.exit_code == 3
    assert "error: raised RuntimeError: no luck (mine.py:5)" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("tiny.yaml", "--strategy", "token-windw"), "did you mean 'token-window'?"),
        (("tiny.yaml", "--strategy", "none", "--probe", "q"), "has no probe 'q'; there are p"),
        (("tiny.yaml", "--strategy", "none", "--variant", "x"), "no variant 'x'; it has none"),
        (("tiny.yaml", "--strategy", "none", "--budget", "x"), "budget 'x'"),
        (("absent.yaml", "--strategy", "none"), "absent.yaml"),
        ((".", "--strategy", "none"), "are 2 scenarios; name one of other, tiny"),
    ],
)
def test_a_mistake_takes_one_line_and_ends_with_2(
    call: Call, folder: Path, arguments: tuple[str, ...], reason: str
) -> None:
    if arguments[0] == ".":
        text = (folder / "tiny.yaml").read_text()
        (folder / "other.yaml").write_text(text.replace("id: tiny", "id: other"))
    result = call("show", *arguments)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert reason in line


def test_a_variant_is_chosen_by_its_values(call: Call, folder: Path) -> None:
    text = (folder / "tiny.yaml").read_text()
    text = text.replace("turns:\n", "params: {noise: [0, 2]}\nturns:\n", 1).replace(
        "  - user: Now", "  - filler: {kind: chat, turns: $noise, seed: 3}\n  - user: Now"
    )
    (folder / "tiny.yaml").write_text(text)
    first = call("show", "tiny.yaml", "--strategy", "none")
    assert "Variant noise=0; --variant takes noise=0, noise=2" in first.stderr
    second = call("show", "tiny.yaml", "--strategy", "none", "--variant", "noise=2")
    assert second.stdout.startswith("tiny[noise=2]: ")
