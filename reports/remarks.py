"""What is remarked of a request: by the API's rules, the budget, and the strategy's own doing."""

from __future__ import annotations

from collections.abc import Mapping

from compaction_eval.eval.records import REPLAYED, RequestRecord

EVENTS: Mapping[str, str] = {
    "thrash": "thrashing: summarised again right after the request before, with no gain",
    "summary-grew": "the summary made the view larger than it had been",
    "mutated_input": "the strategy changed the messages that it was given",
    "poisoned": "a made-up message repeats what only an injected instruction claims",
}


def remarks(request: RequestRecord) -> list[str]:
    """A line each, as they came; the gravest first."""
    return [
        *(f"refused by the API: {fault}" for fault in request.faults),
        *(["over budget"] if request.over_budget else []),
        *(
            ["infeasible: system messages and newest block alone exceed the budget"]
            if request.infeasible
            else []
        ),
        *([f"fallback: {request.fallback}"] if request.fallback else []),
        *(EVENTS.get(event, event) for event in request.events if event != REPLAYED),
    ]
