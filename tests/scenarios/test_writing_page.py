"""docs/writing-a-scenario.md: its example works, and it leaves no key out."""

import re
from collections.abc import Callable
from pathlib import Path

from compaction_eval.eval.controls import Findings, examine
from compaction_eval.scenarios.keys import SECTIONS
from compaction_eval.scenarios.records import Scenario

PAGE = (Path(__file__).parents[2] / "docs" / "writing-a-scenario.md").read_text("utf-8")
Load = Callable[..., tuple[Scenario, ...]]


def test_the_example_of_the_page_loads_without_a_fault(load: Load) -> None:
    example = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[0]
    quiet, noisy = load(example, "museum-lamps")
    assert (quiet.variant, noisy.variant) == ("noise=4", "noise=12")
    assert len(noisy.messages) == len(quiet.messages) + 16
    assert examine([quiet, noisy]) == Findings()
    light = quiet.probes[0]
    assert [name for name, _ in light.at] == ["dimmed", "end"]
    assert [one.value for one in quiet.statements if one.fact == "light"] == ["48 lux", "35 lux"]


def test_the_page_explains_every_key_and_every_allowed_word() -> None:
    named = set(re.findall(r"`([^`\n]+)`", PAGE))
    words = {word for name in named for word in re.findall(r"[\w-]+", name)}
    for section in SECTIONS.values():
        for name, key in section.items():
            assert {name, *key.values} <= words
