"""Which rows are controls, whatever label they go by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from compaction_eval.eval.records import SummaryRow
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.loading import CONTROLS, RECORDED
from compaction_eval.strategies.specs import Spec, parse_spec

RECENCY = "token-window"
"""The control that any cleverer strategy has to beat at the same budget."""
FULL_HISTORY = "none"
REFERENCES = frozenset(CONTROLS) - {RECENCY}
"""Controls that bound the scale; nobody would deploy them."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What a run's strategies are by label; one that isn't listed is read as a spec itself."""

    specs: Mapping[str, Spec] = field(default_factory=dict)
    """Strategies that were given a name of their own, by that name."""

    def is_control(self, row: SummaryRow) -> bool:
        """Whether the row is one of the four controls, with whatever parameters."""
        return self.registered_name(row.strategy) in CONTROLS

    def is_reference(self, row: SummaryRow) -> bool:
        """Whether the row bounds the scale: full history, nothing, or a perfect selection."""
        return self.registered_name(row.strategy) in REFERENCES

    def is_full_history(self, row: SummaryRow) -> bool:
        """Whether the row is the conversation as it stands."""
        return self.registered_name(row.strategy) == FULL_HISTORY

    def is_recency(self, row: SummaryRow) -> bool:
        """Whether the row is the recency control."""
        return self.registered_name(row.strategy) == RECENCY

    def is_recorded(self, row: SummaryRow) -> bool:
        """Whether the row is what the recorded agent's own tool did: nobody can choose that."""
        return self.registered_name(row.strategy) == RECORDED

    def is_choice(self, label: str) -> bool:
        """Whether someone could choose it: no control, and nothing that was recorded."""
        return self.registered_name(label) not in (*CONTROLS, RECORDED)

    def registered_name(self, label: str) -> str:
        """What a label uses: `token-window(pairs=keep)` is `token-window`."""
        return self._spec(label).use

    def _spec(self, label: str) -> Spec:
        return self.specs.get(label) or _read(label)


def marks_of(specs: Iterable[str]) -> Marks:
    """The marks of a run with these strategies, given as their specs' texts."""
    read = map(_read, specs)
    return Marks({spec.label: spec for spec in read if spec.name is not None})


def _read(text: str) -> Spec:
    """The text as a spec; one that isn't (a name with a parenthesis) stands for itself."""
    try:
        return parse_spec(text)
    except ConfigurationError:
        return Spec(text)
