"""What a run writes down: plain, frozen records; everything after the replay reads only these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from compaction_eval.eval.models.base import Outcome
from compaction_eval.scenarios.records import Where

Verdict = Literal[
    "correct", "mixed", "stale", "missing", "abstained", "wrong", "error", "not-asked"
]
REUSE_KINDS = frozenset({"reuse", "reuse-text"})
"""Kinds of found probes: of values in the agent's calls, and of those in its own words."""
PartRef = tuple[int, int] | str
"""A stretch of script messages (start, stop), or the id of a synthetic message such as `s0`."""

REPLAYED = "replayed-summary"
"""The event of a request with a summary that was made when the conversation was recorded: what its
summariser read then isn't known."""


@dataclass(frozen=True, slots=True)
class CellKey:
    """What is being measured: one line of the matrix."""

    scenario: str
    """The scenario's id."""
    variant: str
    strategy: str
    """The label in tables: the spec as given, or its `name`."""
    budget: str
    """`30%` or `2000`."""
    summarizer: str
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One request: what the model would have been sent."""

    at: int
    """Messages of the script said before it."""
    probe: str | None
    """The probe whose question ends it; null on the main line."""
    tokens: int
    """Tokens of the view, tool schemas apart."""
    full: int
    """Tokens of the full history at this place, question included, tool schemas apart."""
    view: tuple[PartRef, ...]
    action: str = "none"
    dropped: tuple[PartRef, ...] = ()
    summary: str | None = None
    """Id of the synthetic message that holds a summary made at this request."""
    fallback: str | None = None
    blocks_dropped: int = 0
    orphans_dropped: int = 0
    faults: tuple[str, ...] = ()
    """The first broken rules of the run's validity profile, such as `openai.6: message 3 …`."""
    refused_by: tuple[str, ...] = ()
    """Every validity profile under which the request would be refused."""
    over_budget: bool = False
    infeasible: bool = False
    events: tuple[str, ...] = ()
    """`thrash`, `summary-grew`, `replayed-summary`, `mutated_input`, `poisoned`."""
    summary_calls: int = 0
    summary_tokens_in: int = 0
    summary_tokens_out: int = 0
    reused_tokens: int = 0
    """Tokens of the longest common prefix with the previous main-line request."""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """What a model answered when it was asked a probe's question at the end of the view."""

    verdict: Verdict
    """`error` where the request ended in a fault: no answer, and no zero."""
    unanswerable: bool = False
    """Whether no value holds there, so that `abstained` is right too."""
    share: float | None = None
    """Share of the parts found in the answer, for `all_of` and `set`."""
    outcome: Outcome = "answered"
    """How the request ended; of an answer after tool calls, the second one."""
    reason: str = ""
    """Of an error: what happened, in a line."""
    text: str = ""
    """The answer as it was given, its beginning if it is long."""
    calls: int = 0
    """Tool calls that came in place of a first answer."""
    tokens_in: int | None = None
    """As the endpoint counted them, of both requests where there were two."""
    tokens_out: int | None = None
    judge: Verdict | None = None
    """What the judge made of the same answer; None where none was asked, or none understood."""
    judge_reason: str = ""
    """What the judge gave as its reason, or why it has no verdict."""
    judge_tokens_in: int | None = None
    judge_tokens_out: int | None = None

    @property
    def right(self) -> bool:
        """Whether the matchers take it for a right answer."""
        return self._is_right(self.verdict)

    @property
    def judged_right(self) -> bool | None:
        """Whether the judge does; None where there is no verdict of one."""
        return None if self.judge is None else self._is_right(self.judge)

    def _is_right(self, verdict: Verdict) -> bool:
        return verdict == "correct" or (self.unanswerable and verdict == "abstained")


@dataclass(frozen=True, slots=True)
class ProbeRecord:
    """One verdict."""

    probe: str
    kind: str
    """A kind of written probe, or one of `REUSE_KINDS`."""
    place: str
    """The mark's name, `end`, or for reuse `request`."""
    at: int
    """Messages of the script said before the question or the request."""
    verdict: Verdict
    share: float | None = None
    """Share of the parts found, for `all_of` and `set`."""
    age_tokens: int | None = None
    age_messages: int | None = None
    age_compactions: int | None = None
    request: int = 0
    """Index into the cell's requests."""
    source: int | None = None
    """Position of the message that says it."""
    source_tokens: int | None = None
    """Tokens said before that message."""
    lost_at: int | None = None
    """Index of the main-line request at which the evidence left the view for good."""
    free: bool = False
    own: bool = False
    where: Where = "call"
    """Of a found probe: where the agent used the value."""
    chance: bool = False
    """Of a found probe: the agent may have had the value from elsewhere."""
    recoverable: bool = False
    """Of a found probe: a call that the agent had made would have told the value again."""
    answer: AnswerRecord | None = None
    """What a model answered; None where none was asked."""


@dataclass(frozen=True, slots=True)
class CellRecord:
    """All that one cell measured; a cell with an `error` has nothing else."""

    key: CellKey
    budget_tokens: int
    conversation_tokens: int
    tools_tokens: int = 0
    requests: tuple[RequestRecord, ...] = ()
    probes: tuple[ProbeRecord, ...] = ()
    synthetic: dict[str, Any] = field(default_factory=dict)
    """Synthetic messages by id, as sent."""
    apart: bool = False
    """More than half of its requests are infeasible: shown apart, in no headline. Without any
    request: the strategy replays recorded compactions, and the scenario has none."""
    never_fired: bool = False
    """The full history outgrew the budget and the strategy changed nothing."""
    facts_left: tuple[tuple[int, str, bool], ...] = ()
    """Each of `facts_dropped`: position of the message that says it, the fact's id, whether the
    summariser was shown it; empty in runs of earlier versions."""
    error: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    """For a scenario of the edge suite: property -> empty where it held at each request to which
    it applies, else the first reason. One that applied nowhere is absent."""
    facts_dropped: int | None = None
    """Statements of asked facts that held when their message left the main line's view; this and
    the next two are None where no summary was asked for there."""
    facts_shown: int | None = None
    """Of those, the ones in messages that the summariser was given."""
    facts_kept: int | None = None
    """Of those, the ones that are in the summary which came of it."""
    message_tokens: tuple[int, ...] = ()
    """Tokens of each message of the conversation, framing included; none in older results."""
    message_blocks: tuple[int, ...] = ()
    """Content blocks of each: what a cache with breakpoints counts by."""
    system_messages: int = 0
    """Messages of the system with which the conversation opens."""

    @property
    def nothing_recorded(self) -> bool:
        """Whether there was nothing to replay, so that the cell counts nowhere."""
        return self.apart and not self.requests


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One line of the table: a strategy at a budget with a summariser, over all its scenarios.

    Shares are 0 to 1, or null where nothing was measured. `survival`, `stale`, `mixed`, `recall`
    and `reuse` are means over scenarios of the scenario's own share; `…_pooled` are shares of all
    verdicts. Cells that stand apart are in the request and token counts only; these are null where
    no cell was measured at all.
    """

    strategy: str
    budget: str
    summarizer: str
    sees_answer_key: bool
    """Whether the figures rest on the answer key: the strategy's view of it, or its summaries'."""
    scenarios: int
    """Scenarios behind the shares."""
    cells: int
    cells_apart: int
    errors: int
    probes: int
    """Verdicts behind the shares, written and reuse probes together."""
    survival: float | None
    stale: float | None
    mixed: float | None
    recall: float | None
    reuse: float | None
    survival_pooled: float | None
    stale_pooled: float | None
    mixed_pooled: float | None
    recall_pooled: float | None
    reuse_pooled: float | None
    reuse_probes: int
    reuse_sure: float | None
    """Of the reuse probes whose values can't well be there by chance."""
    reuse_recoverable: float | None
    """Of the sure ones that a repeated call would have told again."""
    reuse_irreplaceable: float | None
    """Of the sure ones that no repeated call would have told again."""
    reuse_text: float | None
    """Of the values in the agent's own words, which are in no other share."""
    reuse_sure_pooled: float | None
    reuse_recoverable_pooled: float | None
    reuse_irreplaceable_pooled: float | None
    reuse_text_pooled: float | None
    reuse_text_probes: int
    """Verdicts behind `reuse_text`; they are no part of `probes`."""
    reuse_lost_recoverable: int | None
    """Verdicts on sure reuse probes that were lost, where a repeated call would have helped."""
    reuse_lost_for_good: int | None
    """The other lost ones among the sure."""
    retained_tokens: float | None
    sent_tokens: int | None
    full_tokens: int | None
    conversation_tokens: int | None
    saved_gross: int | None
    saved_net: int | None
    requests: int | None
    invalid_requests: int | None
    over_budget_requests: int | None
    infeasible_requests: int | None
    compactions: int | None
    summary_calls: int | None
    summary_tokens_in: int | None
    summary_tokens_out: int | None
    fallbacks: int | None
    never_fired: int | None
    """Cells in which the history outgrew the budget and nothing was changed."""
    thrash: int | None
    """Requests that summarised again right after the one before, with no gain."""
    summary_grew: int | None
    """Requests at which the summary made the view larger than it had been."""
    mutated_input: int | None
    poisoned: int | None
    refused_by: dict[str, int] | None
    """Requests that would be refused, by validity profile."""
    facts_dropped: int | None = None
    """Statements of asked facts that held when their message left the view, in cells in which a
    summary was asked for; this and the next two are null where none was."""
    facts_shown: int | None = None
    """Of those, the ones in messages that the summariser was given."""
    facts_kept: int | None = None
    """Of those, the ones that are in the summary which came of it."""
    answers: int | None = None
    """Answers behind `recall`. From here on: null where no model was asked."""
    answer_errors: int | None = None
    """Questions without an answer, since the request ended in a fault."""
    answer_context_errors: int | None = None
    """Those of them for which the view was longer than the model's window."""
    kept_recalled: int | None = None
    """Answers that were right, where the view held what was asked."""
    kept_missed: int | None = None
    """Answers that weren't, where the view held it: the model's failure."""
    lost_recalled: int | None = None
    """Answers that were right all the same: guessed, or known from elsewhere."""
    lost_missed: int | None = None
    """Answers that couldn't be right: the compaction's failure."""
    answer_tokens_in: int | None = None
    """Tokens that the endpoint counted for the questions; null too where it doesn't say."""
    answer_tokens_out: int | None = None
    judged: int | None = None
    """Answers with a verdict of the matchers and one of the judge."""
    judge_agreement: float | None = None
    """Share of these on which both say right, or both say not."""
    judge_kappa: float | None = None
    """Cohen's kappa of the two; null where one of them always says the same."""
    judge_right: int | None = None
    """Answers that the judge takes for right."""
    judge_more: int | None = None
    """Answers that the judge accepts and the matchers don't."""
    judge_less: int | None = None
    """Answers that the matchers accept and the judge doesn't."""
    survival_low: float | None = None
    """95% interval of the share over scenarios; null, like the next ones, with too few of them."""
    survival_high: float | None = None
    recall_low: float | None = None
    recall_high: float | None = None
    reuse_low: float | None = None
    reuse_high: float | None = None
