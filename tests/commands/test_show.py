"""`show`."""

from __future__ import annotations

import json
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
        (("tiny.yaml", "--strategy", "none("), "--strategy: spec 'none('"),
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


def test_a_transcript_that_a_run_gave_a_number_is_found_by_it(call: Call, folder: Path) -> None:
    """A scenario had its id; the command that the run prints names it with the number."""
    messages = [
        {"role": "user", "content": "Restart the pump P-7731 at noon."},
        {"role": "assistant", "content": "It will start at noon."},
        {"role": "user", "content": "Which one?"},
        {"role": "assistant", "content": "The pump P-7731."},
    ]
    (folder / "tiny.json").write_text(json.dumps(messages))
    given = ("--transcript", "tiny.json", "--strategy", "none")
    assert call("show", "tiny", *given).stdout.startswith("tiny: ")
    assert call("show", "tiny-2", *given).stdout.startswith("tiny-2: ")
    assert call("show", "tiny-3", *given).stdout.startswith("tiny-3: ")
    assert call("show", "other-2", *given).exit_code == 2


def test_the_last_line_leads_to_the_page_where_there_is_a_run(call: Call, folder: Path) -> None:
    cell = ("--strategy", "token-window", "--budget", "60%")
    measured = call("run", "-q", "--scenario", "tiny.yaml", *cell, "--out", "kept")
    assert measured.exit_code == 0
    told = call("show", "tiny.yaml", *cell, "--run", "kept")
    *_, last = told.stdout.splitlines()
    assert "report kept -o page.html, then page.html#s=tiny&a=token-window&b=60%25&" in last
    assert "&f=" in last
    assert "page.html" not in call("show", "tiny.yaml", *cell).stdout


def test_a_facts_story_goes_on_after_its_question_as_on_the_page(call: Call, folder: Path) -> None:
    more = "  - {id: q, kind: recall, ask: And which port again?, fact: port}\n"
    with (folder / "tiny.yaml").open("a", encoding="utf-8") as file:
        file.write(more)
    cell = ("--strategy", "./mine.py:last_two", "--budget", "60%")
    first = call("show", "tiny.yaml", *cell, "--probe", "p").stdout
    second = call("show", "tiny.yaml", *cell, "--probe", "q").stdout
    (story,) = (line for line in first.splitlines() if line.startswith("port: "))
    assert "✗ lost #" in story
    assert story in second.splitlines()
