"""One cell told in the terminal."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len

from compaction_eval.eval.records import CellRecord, PartRef, ProbeRecord
from compaction_eval.reports.request_story import refs
from compaction_eval.reports.story import print_story, story
from compaction_eval.reports.table import console
from compaction_eval.reports.verdict_story import expected
from compaction_eval.scenarios.records import Probe, ReuseProbe, Scenario


def tell(scenario: Scenario, cell: CellRecord, **options: Any) -> str:
    return "\n".join(line.plain for line in story(scenario, cell, **options))


def test_quiet_requests_share_a_line_and_the_others_have_their_own(
    scenario: Scenario, cell: CellRecord
) -> None:
    text = tell(scenario, cell)
    assert " #0–1 [=========" in text
    assert "before message 6: summarize, drops 4 messages\n" in text
    assert "kept 0  + new 5  Σ summary, new s0  Σ summarised now 1–4\n" in text


def test_a_summary_is_quoted_without_its_marker(scenario: Scenario, cell: CellRecord) -> None:
    assert " s0 (80 tokens in, 12 out): Staging listened on 8443." in tell(scenario, cell)


def test_faults_excess_and_fallbacks_are_remarked(scenario: Scenario, cell: CellRecord) -> None:
    text = tell(scenario, cell)
    assert "! refused by the API: openai.6 message 3: an orphan" in text
    assert "! over budget" in text
    assert "! fallback: raised ValueError" in text


def test_a_lost_fact_is_followed_to_the_compaction_that_lost_it(
    scenario: Scenario, cell: CellRecord
) -> None:
    text = tell(scenario, cell)
    lost = text[text.index("missing  host") :]
    assert "question: Which host?" in lost
    assert "expected: api.test" in lost
    assert "said in message 3 (tool): host: api.test listen: 8443" in lost
    assert (
        "left the view at request #2: summarize: dropped 4 messages, message 3 among them;"
        " summary s0 was made without it" in lost
    )


def test_a_place_is_the_position_of_the_message_that_comes_next(
    scenario: Scenario, cell: CellRecord
) -> None:
    """Messages that were sent, said or dropped are named by position too."""
    text = tell(scenario, cell)
    assert "before message 7, asks port" in text
    assert "port, asked at moved, before message 7, request #3" in text
    assert "at the end, asks host" in text
    assert "host, asked at the end, request #6" in text


def view(cell: CellRecord, index: int, *parts: PartRef) -> CellRecord:
    """The cell with another view at one of its requests."""
    requests = list(cell.requests)
    requests[index] = replace(requests[index], view=parts)
    return replace(cell, requests=tuple(requests))


def verdict(cell: CellRecord, **changes: Any) -> CellRecord:
    """The cell with one verdict alone: that on the port at the end."""
    return replace(cell, probes=(replace(cell.probes[1], **changes),))


def test_a_mixed_verdict_names_the_message_that_says_the_old_value_last(
    scenario: Scenario, cell: CellRecord
) -> None:
    """The answer didn't leave the view, so nothing says that it did."""
    for index in (4, 5):
        cell = view(cell, index, (0, 1), (5, 9), "s0")
    text = tell(scenario, verdict(cell, verdict="mixed", lost_at=4))
    assert "lost the last word at request #4: no compaction" in text
    assert (
        "message 5 (user) says the answer, and after it summary s0 says the old value:"
        " Staging listened on 8443."
    ) in text
    assert "left the view" not in text
    assert "without it" not in text


def test_a_message_that_says_both_is_told_as_one(scenario: Scenario, cell: CellRecord) -> None:
    synthetic = {"s0": {"role": "user", "content": "Port 9443, as opposed to 8443."}}
    cell = view(replace(cell, synthetic=synthetic), 5, (0, 1), "s0", (7, 9))
    text = tell(scenario, verdict(cell, verdict="mixed", lost_at=4))
    assert "message s0 says the answer, and after it says the old value: Port 9443, as" in text


def test_a_stale_verdict_tells_where_the_answer_left_and_what_is_left(
    scenario: Scenario, cell: CellRecord
) -> None:
    """Before it left, the old value had the last word for a request: that isn't where it left."""
    cell = view(view(cell, 2, (0, 1), (5, 6), "s0"), 4, (0, 1), "s0", (7, 8))
    cell = view(cell, 5, (0, 1), "s0", (7, 9))
    text = tell(scenario, verdict(cell, verdict="stale", lost_at=2))
    assert "left the view at request #4: " in text
    assert "\n    summary s0 says the old value: Staging listened on 8443." in text


def test_what_was_taken_back_is_told_with_the_message_that_still_says_it(
    scenario: Scenario, cell: CellRecord
) -> None:
    back = replace(scenario.statements[1], forms=("forget the port",), retraction=True)
    taken_back = replace(scenario, statements=(scenario.statements[0], back))
    cell = view(cell, 5, (0, 4), (7, 9))
    text = tell(taken_back, verdict(cell, verdict="stale", lost_at=2))
    assert (
        "message 3 (tool) says what was taken back, and nothing in the view takes it back: host"
        in text
    )
    assert "left the view" not in text


def test_what_nobody_said_is_told_with_the_summary_that_made_it_up(
    scenario: Scenario, cell: CellRecord
) -> None:
    probe = Probe("port", "abstention", "Which password?", (("end", 9),), reject=("hunter2",))
    synthetic = {"s0": {"role": "user", "content": "The password is hunter2."}}
    cell = replace(cell, synthetic=synthetic)
    text = tell(
        replace(scenario, probes=(probe,)),
        verdict(cell, kind="abstention", verdict="wrong", source=None),
    )
    assert "message s0 says what nobody said: The password is hunter2." in text
    assert "left the view" not in text


def test_what_was_kept_takes_one_line(scenario: Scenario, cell: CellRecord) -> None:
    lines = tell(scenario, cell).splitlines()
    at = next(
        i for i, line in enumerate(lines) if line.startswith("  correct  port, asked at the end")
    )
    assert "missing" in lines[at + 1]


def test_one_probe_alone_can_be_told(scenario: Scenario, cell: CellRecord) -> None:
    text = tell(scenario, cell, probe="host")
    assert "missing  host" in text
    assert "asks port" not in text
    assert "correct  port" not in text


def test_a_value_that_the_agent_used_again_is_told_with_its_call(
    scenario: Scenario, cell: CellRecord
) -> None:
    reuse = ReuseProbe("r1", "staging.yaml", 8, 2, "write_file")
    record = ProbeRecord("r1", "reuse", "request", 8, "missing", request=4, source=2, lost_at=2)
    text = tell(replace(scenario, reuse=(reuse,)), replace(cell, probes=(record,)))
    assert "r1, used in message 8" in text
    assert "the agent passed staging.yaml to write_file" in text


def test_a_value_in_the_agents_words_is_told_without_a_tool(
    scenario: Scenario, cell: CellRecord
) -> None:
    reuse = ReuseProbe("t1", "staging.yaml", 8, 2, "", where="text", recoverable=True)
    record = ProbeRecord("t1", "reuse-text", "request", 8, "missing", request=4, source=2)
    text = tell(replace(scenario, reuse=(reuse,)), replace(cell, probes=(record,)))
    assert "the agent wrote staging.yaml; a call that it had made would have told it again" in text


def test_values_that_come_free_are_only_counted(scenario: Scenario, cell: CellRecord) -> None:
    record = ProbeRecord("r1", "reuse", "request", 8, "correct", request=4, source=7, free=True)
    free = replace(cell, probes=(*cell.probes, record))
    assert tell(scenario, free).endswith(
        "Not shown: 1 reuse probe outside all shares (values that come free)"
    )
    assert "r1, used in message 8" in tell(scenario, free, probe="r1")


def test_a_fact_lost_only_on_the_fork_is_said_to_be(scenario: Scenario, cell: CellRecord) -> None:
    record = replace(cell.probes[2], lost_at=None)
    text = tell(scenario, replace(cell, probes=(record,)))
    assert "left the view at the question itself" in text


def test_an_error_is_all_that_is_told_of_a_failed_cell(
    scenario: Scenario, cell: CellRecord
) -> None:
    failed = replace(cell, requests=(), probes=(), error="raised RuntimeError: no luck")
    assert tell(scenario, failed).splitlines()[-1] == "error: raised RuntimeError: no luck"


def test_a_hostile_transcript_cannot_steer_the_terminal(
    scenario: Scenario, cell: CellRecord
) -> None:
    evil = "\x1b]0;pwned\x07\x1b[2J\r\u202e api.test " + "A" * 5000
    messages = list(scenario.messages)
    messages[3] = {"role": "tool", "tool_call_id": "call_1", "content": evil}
    hostile = replace(scenario, title=evil, messages=tuple(messages))
    synthetic = {"s0": {"role": "user", "content": evil}}
    request = replace(cell.requests[4], faults=(evil,), fallback=evil, events=(evil,))
    requests = (*cell.requests[:4], request, *cell.requests[5:])
    stream = io.StringIO()
    told = replace(cell, synthetic=synthetic, requests=requests)
    print_story(hostile, told, console(stream, 100))
    text = stream.getvalue()
    assert not {c for c in text if ord(c) < 32 and c != "\n"}
    assert "\u202e" not in text
    assert max(map(cell_len, text.splitlines())) <= 100
    assert len(text.splitlines()) < 90


@pytest.mark.parametrize(("at", "forms"), [(4, ("8443",)), (9, ("9443",)), (2, ())])
def test_the_expected_answer_is_the_one_that_held_when_asked(
    scenario: Scenario, at: int, forms: tuple[str, ...]
) -> None:
    assert expected(scenario, scenario.probes[0], at) == forms


def test_a_probe_with_answers_of_its_own_expects_those(scenario: Scenario) -> None:
    probe = Probe("why", "decision", "Why?", (("end", 9),), fact="port", accept=("a", "b"))
    assert expected(scenario, probe, 9) == ("a", "b")


def test_positions_are_written_with_the_last_one_included() -> None:
    assert refs(((0, 1), "s1", (4, 9))) == "0, s1, 4–8"
    assert refs(()) == "nothing"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_long_lines_are_wrapped_under_their_own_indent(
    scenario: Scenario, cell: CellRecord, width: int
) -> None:
    stream = io.StringIO()
    print_story(scenario, cell, console(stream, width))
    lines = stream.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= width
    lost = next(i for i, line in enumerate(lines) if "left the view" in line)
    assert lines[lost + 1].startswith("      ")


@pytest.mark.parametrize("width", [60, 80])
def test_wide_signs_and_words_without_spaces_stay_within_the_terminal(
    scenario: Scenario, cell: CellRecord, width: int
) -> None:
    wide = "配电间的备用钥匙挂在乙六钩，" * 30
    messages = list(scenario.messages)
    messages[3] = {"role": "tool", "tool_call_id": "call_1", "content": f"{wide}api.test"}
    probes = (scenario.probes[0], replace(scenario.probes[1], ask=wide))
    told = replace(scenario, title=wide, messages=tuple(messages), probes=probes)
    synthetic = {"s0": {"role": "user", "content": f"{wide}{'x' * 300}"}}
    stream = io.StringIO()
    print_story(told, replace(cell, synthetic=synthetic), console(stream, width))
    text = stream.getvalue()
    assert max(map(cell_len, text.splitlines())) <= width
    # A title is told whole, on as many lines as it takes.
    assert wide in "".join(line.strip() for line in text.splitlines())


def test_one_probe_alone_has_its_facts_story_first(scenario: Scenario, cell: CellRecord) -> None:
    text = tell(scenario, cell, probe="host")
    assert "\n\nhost: ✓ in view #1, ✗ lost #2–6\n\n" in text
    assert "correct port" not in text


def test_what_became_of_the_facts_comes_first(scenario: Scenario, cell: CellRecord) -> None:
    lines = tell(scenario, cell).splitlines()
    assert lines[3] == "Answers that the views held: 2 correct, 1 missing"
    first = "Facts at #4, the last request without a question: 1 ✓ in view, 1 ✗ lost"
    assert lines[4:7] == [first, "  ✗ lost   host  since #2 (summarize)", ""]


def test_a_request_tells_which_facts_turned_there_and_what_it_asks(
    scenario: Scenario, cell: CellRecord
) -> None:
    lines = tell(scenario, cell).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("   #2 "))
    assert lines[at + 3] == "      ✗ lost: host"
    assert "      missing host: ✗ lost since #2" in lines
    assert "      correct port: ✓ in view" in lines


def test_each_coloured_state_has_its_sign_or_word(scenario: Scenario, cell: CellRecord) -> None:
    coloured = {
        line.plain[span.start : span.end]
        for line in story(scenario, cell)
        for span in line.spans
        if span.style
    }
    assert coloured >= {"✗ lost", "✓ in view", "correct", "missing", "+ new 5"}
    assert "Σ summarised now 1–4" in coloured
