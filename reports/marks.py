"""Which rows a reader must not take for contenders: controls, and whatever sees the answer key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from compaction_eval.eval.records import SummaryRow
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import Spec, parse_spec

REFERENCES = frozenset({"none", "empty", "evidence-only"})
"""Controls that bound the scale; nobody would deploy them."""
RECENCY = "token-window"
"""The control that any cleverer strategy has to beat at the same budget."""
CONTROLS = REFERENCES | {RECENCY}
_SEE_THE_KEY = frozenset({"evidence-only", "oracle"})


@dataclass(frozen=True, slots=True)
class Marks:
    """What the labels of a run stand for. A label that isn't listed is read as a spec itself."""

    specs: Mapping[str, Spec] = field(default_factory=dict)
    """Strategies and summarisers that were given a name of their own, by that name."""

    def is_control(self, row: SummaryRow) -> bool:
        """Whether the row is one of the four controls, with whatever parameters."""
        return self.registered_name(row.strategy) in CONTROLS

    def is_reference(self, row: SummaryRow) -> bool:
        """Whether the row bounds the scale: full history, nothing, or a perfect selection."""
        return self.registered_name(row.strategy) in REFERENCES

    def is_recency(self, row: SummaryRow) -> bool:
        """Whether the row is the recency control."""
        return self.registered_name(row.strategy) == RECENCY

    def sees_key(self, row: SummaryRow) -> bool:
        """Whether the row's figures rest on the answer key: its strategy's, or its summaries'."""
        return self.label_sees_key(row.strategy) or (
            row.summary_calls > 0 and self.label_sees_key(row.summarizer)
        )

    def label_sees_key(self, label: str) -> bool:
        """Whether the strategy or summariser is handed the answer key, or wraps one that is."""
        return _sees_key(self._spec(label))

    def registered_name(self, label: str) -> str:
        """What a label uses: `token-window(pairs=keep)` is `token-window`."""
        return self._spec(label).use

    def _spec(self, label: str) -> Spec:
        return self.specs.get(label) or _read(label)


def marks_of(specs: Iterable[str]) -> Marks:
    """The marks of a run with these strategies and summarisers, given as their specs' texts."""
    read = map(_read, specs)
    return Marks({spec.label: spec for spec in read if spec.name is not None})


def _read(text: str) -> Spec:
    """The text as a spec; one that isn't (a name with a parenthesis) stands for itself."""
    try:
        return parse_spec(text)
    except ConfigurationError:
        return Spec(text)


def _sees_key(spec: Spec) -> bool:
    return spec.use in _SEE_THE_KEY or any(_read(value).use == "oracle" for _, value in spec.params)
