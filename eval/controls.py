"""Whether a scenario measures anything: its controls, and whether it is long enough to compact.

The full history must answer every written probe, the question alone none, and the evidence alone
all of them. Each control makes of the full history what it makes of a view that it has compacted
at every request, so it is asked once for each question and nothing is replayed. Reuse probes are
left out: their sources were found in the conversation, not written.

How long a request is needs a tokenizer, whose vocabulary takes longer to load than a scenario to
check. So sizes are estimated first, and counted only where the estimate, were it off by a factor of
`MARGIN`, could be wrong about a scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from compaction_eval.eval.matrix import Budget
from compaction_eval.eval.questions import Question
from compaction_eval.eval.records import Verdict
from compaction_eval.eval.script import Script, prepare
from compaction_eval.eval.synthetic import Synthetic
from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Place, Scenario
from compaction_eval.strategies.base import Context, Strategy
from compaction_eval.strategies.empty_history import EmptyHistory
from compaction_eval.strategies.evidence_only import EvidenceOnly
from compaction_eval.strategies.full_history import FullHistory
from compaction_eval.strategies.tokens import TokenCounter

TIGHT, ROOMY = Budget.parse("15%"), Budget.parse("30%")
"""Budgets at which a scenario must make strategies compact."""
MARGIN = 2
_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Control:
    """A strategy whose verdicts are known beforehand."""

    strategy: Strategy
    sound: Callable[[Verdict], bool]
    otherwise: str
    """What is wrong with a probe that gets another verdict."""


def _answered(verdict: Verdict) -> bool:
    return verdict in ("correct", "not-asked")


def _unanswered(verdict: Verdict) -> bool:
    return verdict != "correct"


CONTROLS = (
    Control(FullHistory(), _answered, "the full history doesn't answer it"),
    Control(EmptyHistory(), _unanswered, "its question alone answers it"),
    Control(EvidenceOnly(), _answered, "the messages that hold its evidence don't answer it"),
)


@dataclass(slots=True)
class Findings:
    """What is wrong with scenarios: faults make a figure mean nothing, warnings make it weak."""

    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)


class RoughCounter(TokenCounter):
    """Estimates tokens by bytes of UTF-8: about four to a token, in English and Chinese alike."""

    def _tokenise(self, text: str) -> int:
        return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


def examine(scenarios: Sequence[Scenario], exact: TokenCounter | None = None) -> Findings:
    """What controls and sizes find in some scenarios, in their order, each thing once.

    `exact` is a counter whose vocabulary is loaded already; without one it is loaded only if sizes
    are in doubt.
    """
    found = Findings()
    for scenario in scenarios:
        written = replace(scenario, reuse=())
        script = prepare(written, exact or RoughCounter())
        found.faults += control_faults(script)
        if exact is None and any(size_faults(script, MARGIN)):
            exact = TokenCounter()
            script = prepare(written, exact)
        if exact is not None:
            found.warnings += size_faults(script)
    found.faults = list(dict.fromkeys(found.faults))
    return found


def control_faults(script: Script) -> Iterator[Fault]:
    """Each probe at each place that a control doesn't take as it must."""
    places = {probe.id: probe.place for probe in script.scenario.probes}
    for question in script.questions:
        if question.ask is None:
            continue
        for control in CONTROLS:
            verdict = control_verdict(script, question, control)
            if not control.sound(verdict):
                message = (
                    f"probe '{question.probe}': {control.otherwise} at '{question.place}' "
                    f"(the verdict is {verdict})"
                )
                yield Fault(places[question.probe], message)


def control_verdict(script: Script, question: Question, control: Control) -> Verdict:
    """The verdict on what a control leaves of the full history with the question at its end."""
    assert question.ask is not None
    conversation = script.conversation
    asked = conversation.view(0, question.at) + conversation.adopt((question.ask,))
    context = Context(
        budget=script.conversation_tokens,
        counter=conversation.counter,
        summarizer=None,
        language=script.scenario.lang,
        tools_tokens=script.tools_tokens,
        answer_key=script.answer_key,
    )
    left = conversation.adopt(control.strategy.compact(asked, context).view)
    return question.verdict(left, Synthetic().text)[0]


def size_faults(script: Script, margin: int = 1) -> Iterator[Fault]:
    """Budgets at which nothing is compacted, or at which most requests can't be made to fit.

    With a `margin`, also those at which that is so near that an estimate may miss it.
    """
    scenario = script.scenario
    place = Place(scenario.file)
    sizes = list(_sizes(script))
    for budget in (TIGHT, ROOMY):
        tokens = budget.of(script.conversation_tokens)
        if not any(full > tokens * margin and floor * margin <= tokens for full, floor in sizes):
            yield Fault(
                place,
                f"'{scenario.key}': at a budget of {budget.label} no request is both too long and "
                "possible to shorten, so nothing is compacted; make the conversation longer",
            )
        elif budget is TIGHT:
            tight = sum(floor * margin > tokens for _, floor in sizes)
            if 2 * tight > len(sizes):
                yield Fault(
                    place,
                    f"'{scenario.key}': at a budget of {budget.label} {tight} of {len(sizes)} "
                    "requests don't fit with the system messages and the newest block alone; make "
                    "the conversation longer, or its largest messages shorter",
                )


def _sizes(script: Script) -> Iterator[tuple[int, int]]:
    """Tokens of each request with the full history, and the least that it can take."""
    for at in script.main_line:
        yield script.history_tokens(at), script.floor[at]
    for question in script.questions:
        if question.ask is not None:
            asked = script.conversation.counter.message(question.ask)
            yield (
                script.history_tokens(question.at) + asked,
                script.system_floor[question.at] + asked,
            )
