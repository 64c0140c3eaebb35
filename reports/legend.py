"""What the columns of a table mean, for whoever reads it."""

from __future__ import annotations

from collections.abc import Iterable

from compaction_eval.reports.columns import INTERVAL, Column

LEGEND = (
    "survival: share of the probes whose answer the view still holds, mean over conversations, of"
    " which variants and repeats count as one; stale: only an old value is in view; mixed: both"
    " are, and the old one comes last. Probes of kind abstention, where no value holds, count only"
    " where the view went wrong: read how many those are, not their share.",
    "recall: share of the probes that the model answered rightly from the view; nobody's fault but"
    " the model's where the view still held it.",
    "reuse: share of the values that the recorded agent used again and could still see, mean over"
    " conversations.",
    f"{INTERVAL}: of the first share, over conversations. Strategies are told apart by their"
    " differences in each conversation, which vary less; corrected for being several.",
    "sure: the same without values that may be there by chance.",
    "lost for good: of those, the ones lost that no repeated call would have told again.",
    "in words: share of the values in the agent's own words that it could still see.",
    "retained: mean tokens of the view when something was asked; saved: of the full history's"
    " tokens, gross, and net of the summariser's.",
    "invalid requests: the API would refuse them; over budget: they could have been made to fit.",
    "infeasible: requests whose system messages and newest block alone exceed the budget; no"
    " strategy can make them fit.",
    "fallbacks: requests at which a strategy did less than it meant to, as after a bad summary.",
)


def legend(columns: Iterable[Column]) -> list[str]:
    """What the shown columns mean, a line each."""
    titles = {column.title for column in columns}
    return [line for line in LEGEND if line.startswith("retained") or line.split(":")[0] in titles]
