"""A conversation as the checks of its probes read it: searched, with what holds at each place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.forms import Form
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.blocks import blocks
from compaction_eval.strategies.mentions import normalise
from compaction_eval.strategies.messages import is_system


@dataclass(slots=True)
class Said:
    """A conversation, searched."""

    scenario: Scenario
    corpus: Corpus
    system: tuple[int, ...] = field(init=False)
    """Positions of the system messages."""
    schemas: tuple[str, ...] = field(init=False)
    """Tools as a request carries them, normalised."""
    _values: dict[int, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    _blocks: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scenario = self.scenario
        self.system = tuple(at for at, one in enumerate(scenario.messages) if is_system(one))
        schemas = (json.dumps(tool, ensure_ascii=False) for tool in scenario.tools)
        self.schemas = tuple(map(normalise, schemas))

    def positions(self, form: Form) -> Sequence[int]:
        """Positions of the messages that say a form, ascending."""
        if form.kind == "text":
            return self.corpus.holders(form.text)
        texts = map(self.corpus.text, range(len(self.corpus)))
        return [at for at, text in enumerate(texts) if form.find(text)]

    def values(self, place: int) -> dict[str, tuple[str, ...]]:
        """Fact -> the forms of its current value, normalised, at a place."""
        if place not in self._values:
            values: dict[str, tuple[str, ...]] = {}
            for one in self.scenario.statements:
                if one.message < place:
                    values[one.fact] = () if one.retraction else tuple(map(normalise, one.forms))
            self._values[place] = values
        return self._values[place]

    def block(self, position: int) -> tuple[int, ...]:
        """The block that a message belongs to."""
        if not self._blocks:
            for block in blocks(self.scenario.messages):
                self._blocks.update(dict.fromkeys(block, block))
        return self._blocks[position]
