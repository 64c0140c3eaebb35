"""Probes that can't work are refused, and those that can are not."""

from collections.abc import Callable

import pytest

from compaction_eval.scenarios.checker import check
from compaction_eval.scenarios.records import Scenario

Load = Callable[..., tuple[Scenario, ...]]
Faults = Callable[..., list[str]]


SHARED_OUT = "(a|aa)+#"
"""A pattern that can share out a run of the letter in more ways than can be tried."""


def scenario(turns: str, *probes: str) -> str:
    asked = "".join(f"  - {{id: p{number}, {probe}}}\n" for number, probe in enumerate(probes))
    return f"id: plan\ntitle: A plan\nlang: en\nturns:\n{turns}probes:\n{asked}"


GATE = """\
  - system: You plan trips.
  - user: The gate is K4.
    facts: {gate: K4}
  - assistant: Fine.
"""
MOVED = """\
  - user: It is not K4 any more, it is M9.
    facts: {gate: M9}
  - assistant: I see.
"""
LATER = "  - user: And lunch?\n  - assistant: At noon.\n"
ASK = "kind: recall, ask: Which gate?, fact: gate"


@pytest.mark.parametrize(
    ("turns", "probe", "fault"),
    [
        pytest.param(
            GATE.replace("You plan trips.", "Everybody leaves from K4.") + LATER,
            ASK,
            "plan.yaml:12:5: probe 'p0': its answer 'k4' stands in a system message, which every "
            "strategy keeps; let a user or a tool say it",
            id="the answer in the system prompt",
        ),
        pytest.param(
            GATE.replace("    facts: {gate: K4}\n", "")
            .replace("  - user: The gate is K4.", "  - user: Hello.")
            .replace("You plan trips.", "The gate is K4.\n    facts: {gate: K4}"),
            ASK,
            "plan.yaml:10:5: probe 'p0': its answer 'k4' stands in a system message, which every "
            "strategy keeps; let a user or a tool say it",
            id="the fact itself said in the system prompt",
        ),
        pytest.param(
            GATE + LATER + "  - user: So, K4 then.\n",
            ASK,
            "plan.yaml:13:5: probe 'p0': its answer 'k4' is repeated by the newest user message "
            "at 'end', line 11; ask later, leave it out there, or say the fact there anew",
            id="the answer in the newest message",
        ),
        pytest.param(
            GATE + LATER + "  - user: So, K4 then.\n  - assistant: Yes.\n",
            ASK,
            "plan.yaml:14:5: probe 'p0': its answer 'k4' is repeated by the newest user message "
            "at 'end', line 11; ask later, leave it out there, or say the fact there anew",
            id="the answer in the newest user message, which has been answered",
        ),
        pytest.param(
            GATE
            + "  - call: open\n    args: {}\n    result: Done.\n"
            + LATER
            + "tools: [open, K4]\n",
            ASK,
            "plan.yaml:16:5: probe 'p0': its answer 'k4' stands in `tools`, which every request "
            "carries; name the tool otherwise",
            id="the answer in the name of a tool",
        ),
        pytest.param(
            GATE
            + "  - user: My seat is row K4-2, upstairs.\n    facts: {seat: row K4-2}\n"
            + LATER,
            ASK,
            "plan.yaml:14:5: probe 'p0': its answer 'k4' also stands in the fact 'seat', 'row "
            "k4-2', so one can be taken for the other; change one of them",
            id="the answer in another fact",
        ),
        pytest.param(
            GATE
            + "  - user: My seat is row K4-2, upstairs.\n"
            + "    facts: {seat: {value: upstairs, also: row K4-2}}\n"
            + LATER,
            "kind: recall, ask: Which gate?, fact: gate",
            "plan.yaml:14:5: probe 'p0': its answer 'k4' also stands in the fact 'seat', 'row "
            "k4-2', so one can be taken for the other; change one of them",
            id="the answer in another form of another fact",
        ),
        pytest.param(
            GATE + MOVED + "  - user: K4 is closed.\n" + LATER,
            ASK,
            "plan.yaml:12:5: the old value 'k4' of 'gate' is said after it was updated on line 10, "
            "so a view that holds it isn't stale; reword this turn",
            id="an old value repeated after its update",
        ),
        pytest.param(
            GATE + MOVED.replace("not K4 any more, it is M9", "M9, which used to be K4") + LATER,
            ASK,
            "plan.yaml:9:5: the old value 'k4' of 'gate' is said after it was updated on line 10, "
            "so a view that holds it isn't stale; reword this turn",
            id="an old value that has the last word in its update",
        ),
        pytest.param(
            GATE
            + "  - user: Forget the gate.\n    retracts: [gate]\n  - user: K4 was nice.\n"
            + LATER,
            ASK,
            "plan.yaml:11:5: the old value 'k4' of 'gate' is said after it was retracted on line "
            "10, so a view that holds it isn't stale; reword this turn",
            id="a value repeated after its retraction",
        ),
        pytest.param(
            GATE + MOVED + LATER,
            "kind: update, ask: Which gate?, fact: gate, match: regex, accept: ['[km][0-9]']",
            "plan.yaml:15:5: probe 'p0': the old value 'k4' counts as the answer; make `accept` "
            "narrower",
            id="a pattern that the old value matches too",
        ),
        pytest.param(
            GATE + LATER,
            "kind: recall, ask: Which gate?, accept: [Q7]",
            "plan.yaml:12:5: probe 'p0': its answer 'q7' isn't in the conversation; write it as a "
            "turn words it, or let a turn say it",
            id="an answer that nobody says",
        ),
        pytest.param(
            GATE + LATER,
            "kind: decision, ask: Which gate?, fact: gate, accept: [noon]",
            "plan.yaml:12:5: probe 'p0': its answer 'noon' isn't where the fact 'gate' is said; "
            "write it as a turn words it, or let a turn say it",
            id="an answer that is said elsewhere than its fact",
        ),
        pytest.param(
            GATE + LATER,
            "kind: recall, ask: Which gate?, fact: gate, match: regex, accept: ['^k[0-9]$']",
            "plan.yaml:12:5: probe 'p0': its answer '^k[0-9]$' isn't where the fact 'gate' is "
            "said; a pattern is searched in a whole message, all in lower case and with single "
            "spaces",
            id="a pattern that is anchored at the value's ends",
        ),
        pytest.param(
            GATE + LATER,
            ASK + ", reject: [Q7, k4]",
            "plan.yaml:12:5: probe 'p0': its answer 'k4' is also rejected; take it out of `reject`",
            id="an answer that is right and wrong",
        ),
        pytest.param(
            GATE + LATER,
            "kind: recall, ask: What and when?, accept: [K4, noon], match: all_of",
            "plan.yaml:12:5: probe 'p0': its answer 'noon' isn't in one message; split the probe, "
            "or name its `fact`",
            id="parts that are said far apart",
        ),
        pytest.param(
            GATE + LATER,
            "kind: recall, ask: Which gate?, accept: [K4, Q7], match: all_of",
            "plan.yaml:12:5: probe 'p0': its answer 'q7' isn't in one message; split the probe, "
            "or name its `fact`",
            id="one part that nobody says",
        ),
        pytest.param(
            GATE + LATER,
            "kind: abstention, ask: Which gate?, fact: gate",
            "plan.yaml:12:5: probe 'p0': the fact 'gate' holds at 'end', so there is an answer; "
            "retract it before, or choose another kind",
            id="abstention from what is known",
        ),
    ],
)
def test_a_probe_that_cannot_work_is_refused(
    faults_of: Faults, turns: str, probe: str, fault: str
) -> None:
    assert faults_of(scenario(turns, probe)) == [fault]


@pytest.mark.parametrize(
    ("turns", "probe"),
    [
        pytest.param(GATE + LATER, ASK, id="a plain fact"),
        pytest.param(GATE + "  - assistant: K4 it is.\n", ASK, id="the agent repeats the answer"),
        pytest.param(GATE + MOVED + LATER, ASK, id="the update names the old value first"),
        pytest.param(
            GATE
            + MOVED
            + MOVED.replace("K4", "M9 either")
            .replace("is M9.", "is K4.")
            .replace("gate: M9", "gate: K4")
            + LATER,
            ASK,
            id="a value comes back",
        ),
        pytest.param(
            GATE.replace("K4", "Lund")
            + MOVED.replace("K4", "Lund").replace("M9", "Lund East")
            + "  - user: Lund East is far.\n"
            + LATER,
            ASK,
            id="the old value lies inside the new one, and nowhere else",
        ),
        pytest.param(
            GATE.replace("K4", "Lund East")
            + MOVED.replace("K4", "Lund East").replace("M9", "Lund")
            + "  - user: Lund is near.\n"
            + LATER,
            ASK,
            id="the new value lies inside the old one",
        ),
        pytest.param(
            GATE + MOVED + LATER,
            "kind: temporal, ask: Which gate was it at first?, accept: [K4]",
            id="a former value",
        ),
        pytest.param(
            GATE + "  - user: Forget the gate.\n    retracts: [gate]\n" + LATER,
            "kind: abstention, ask: Which gate?, fact: gate",
            id="a retracted fact",
        ),
        pytest.param(
            GATE + LATER,
            "kind: abstention, ask: Which seat?, reject: [12A]",
            id="what was never said",
        ),
        pytest.param(
            "  - user: K4 because of the lift, not of the view.\n    facts: {gate: K4}\n" + LATER,
            "kind: decision, ask: Why that gate?, fact: gate, accept: [lift, view], match: all_of",
            id="the parts of a reason",
        ),
        pytest.param(
            "  - user: The fee is 1,250.00 crowns.\n" + LATER,
            "kind: recall, ask: How much?, accept: ['1250'], match: number",
            id="a number in another spelling",
        ),
        pytest.param(
            "  - user: Ticket AB-1234 it is.\n" + LATER,
            "kind: artifact, ask: Which ticket?, accept: ['[A-Z]{2}-[0-9]{4}'], match: regex",
            id="a pattern",
        ),
        pytest.param(
            """\
  - calls:
      - {call: look, result: the lift}
      - {call: look, result: the view}
"""
            + LATER,
            "kind: decision, ask: What was found?, accept: [lift, view], match: set",
            id="parts in one tool block",
        ),
    ],
)
def test_a_probe_that_works_is_let_through(load: Load, turns: str, probe: str) -> None:
    assert load(scenario(turns, probe))


def test_filler_that_holds_an_answer_is_refused_with_the_variant(faults_of: Faults) -> None:
    turns = (
        GATE.replace("K4", "spelling") + "  - filler: {kind: chat, turns: $n, seed: 2}\n" + LATER
    )
    text = scenario(turns, ASK).replace("lang: en", "lang: en\nparams: {n: [0, 90]}")
    assert faults_of(text) == [
        "plan.yaml:10:5: the filler of n=90 happens to hold 'spelling', which probe 'p0' is "
        "about; choose another seed"
    ]


def test_an_answer_stands_in_no_question_under_any_match(faults_of: Faults) -> None:
    for answer in ("accept: [K4, fine], match: all_of", "accept: ['k[0-9]'], match: regex"):
        text = scenario(GATE + LATER, f"kind: recall, ask: Is K4 the gate?, fact: gate, {answer}")
        assert "gives its answer" in faults_of(text)[0]


def test_a_loaded_scenario_has_no_faults_left(load: Load) -> None:
    assert check(load(scenario(GATE + LATER, ASK))[0]) == []


def test_a_pattern_that_takes_too_long_is_a_fault_at_its_place(faults_of: Faults) -> None:
    probe = f"kind: recall, ask: Which gate?, fact: gate, match: regex, accept: ['k4|{SHARED_OUT}']"
    turns = GATE + LATER.replace("lunch", "l" + "a" * 90)
    (fault,) = faults_of(scenario(turns, probe))
    assert fault.startswith(f"plan.yaml:12:80: the pattern 'k4|{SHARED_OUT}' takes longer than 0.5")
    assert "on this conversation; make it narrower" in fault


def test_a_question_that_takes_a_pattern_too_long_is_a_fault_too(faults_of: Faults) -> None:
    ask = "Which g" + "a" * 90 + "te?"
    probe = f"kind: recall, ask: {ask}, fact: gate, match: regex, accept: ['k4|{SHARED_OUT}']"
    (fault,) = faults_of(scenario(GATE + LATER, probe))
    assert fault.startswith("plan.yaml:12:5: probe 'p0': the pattern ")
    assert "takes longer than 1 s on a text" in fault
