"""Each mistake that people make in scenarios gets its place, its reason and a way out."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.loader import load_file

Faults = Callable[..., list[str]]

HEAD = "id: plan\ntitle: A plan\nlang: en\nturns:\n"
TALK = """\
  - system: You help.
  - user: The gate is K4, and the train leaves at 8:30.
    facts: {gate: K4}
  - assistant: Noted in passing.
  - mark: told
  - user: What about lunch?
  - assistant: There is a buffet.
"""
PROBE = "probes:\n  - {id: gate, kind: recall, ask: Which gate?, fact: gate}\n"


def scenario(old: str = "", new: str = "") -> str:
    text = HEAD + TALK + PROBE
    assert old in text
    return text.replace(old, new, 1) if old else text


CASES = [
    (
        "a fact that isn't in its turn",
        scenario("facts: {gate: K4}", "facts: {gate: K5}"),
        "plan.yaml:7:13: fact 'gate': 'K5' isn't in its turn's text; write it there, or give the "
        "turn's own words with `said`",
    ),
    (
        "a value that stands there only inside a longer one",
        scenario("facts: {gate: K4}", "facts: {gate: '30', minute: ':3'}"),
        "plan.yaml:7:25: fact 'minute': ':3' stands in its turn only as part of a longer word or "
        "number",
    ),
    (
        "said words that aren't said",
        scenario("facts: {gate: K4}", "facts: {gate: {value: K4, said: gate four}}"),
        "plan.yaml:7:13: fact 'gate': its `said` words 'gate four' aren't in its turn's text",
    ),
    (
        "a probe on an unknown fact",
        scenario("fact: gate}", "fact: gates}"),
        "plan.yaml:13:54: no turn says a fact 'gates'; did you mean 'gate'?",
    ),
    (
        "a misspelled key in braces",
        scenario("fact: gate}", "fcat: gate}"),
        "plan.yaml:13:48: unknown key 'fcat' in a probe; did you mean 'fact'?",
    ),
    (
        "a probe id used twice",
        scenario(PROBE, PROBE + PROBE.split("\n")[1] + "\n"),
        "plan.yaml:14:10: the probe id 'gate' is taken by line 13",
    ),
    (
        "a key given twice",
        scenario("lang: en", "lang: en\ntitle: Another"),
        "plan.yaml:4:1: the key 'title' is given twice, first on line 2",
    ),
    (
        "an id that isn't the file's name",
        scenario("id: plan", "id: plans"),
        "plan.yaml:1:5: the id 'plans' isn't the file's name 'plan'; change one of them",
    ),
    (
        "a tab",
        scenario("    facts: {gate", "\tfacts: {gate"),
        "plan.yaml:7:1: a tab indents this line; use spaces",
    ),
    (
        "a full-width colon after a turn's kind",
        scenario("user: What about", "user：What about"),
        "plan.yaml:10:5: a full-width colon `：` makes no key; write `user: ` with an ASCII colon "
        "and a space",
    ),
    (
        "a full-width colon between other keys",
        scenario("title: A plan", "title：A plan"),
        "plan.yaml:2:6: a full-width colon `：` makes no key; write `title: ` with an ASCII colon "
        "and a space",
    ),
    (
        "a full-width colon in braces",
        scenario("{gate: K4}", "{gate：K4}"),
        "plan.yaml:7:13: a full-width colon `：` makes no key; write `gate: ` with an ASCII colon "
        "and a space",
    ),
    (
        "no space after a colon",
        scenario("user: What about", "user:What about"),
        "plan.yaml:10:5: a space is missing after the colon of 'user:'",
    ),
    (
        "a text that a hash cuts",
        scenario("What about lunch?", "What about platform #9?"),
        "plan.yaml:10:11: the text of 'user' ends before ` #`, which starts a comment; quote the "
        "text",
    ),
    (
        "a question that a hash cuts",
        scenario(PROBE, PROBE.replace("{", "").replace("}", "").replace(", ", "\n    ")).replace(
            "Which gate?", "Which gate # if any?"
        ),
        "plan.yaml:15:10: the text of 'ask' ends before ` #`, which starts a comment; quote the "
        "text",
    ),
    (
        "a hash in a text that goes on",
        scenario("What about lunch?", "What about #1\n      and #2"),
        "plan.yaml:10:22: ` #` starts a comment and ends the text; quote the text, or use a `|` "
        "block",
    ),
    (
        "an answer that the question gives away",
        scenario("Which gate?", "Is it gate K4?"),
        "plan.yaml:13:5: probe 'gate': the question gives its answer 'k4' away; ask without it",
    ),
    (
        "a mark that doesn't exist",
        scenario("fact: gate}", "fact: gate, at: [told, tuld, lunch]}"),
        "plan.yaml:13:71: no turn is `mark: tuld`; did you mean 'told'?",
    ),
    (
        "a missing result",
        scenario("  - mark: told\n", "  - mark: told\n  - call: look\n    args: {at: menu}\n"),
        "plan.yaml:10:5: the call of 'look' has no result; add result: \"\" if the tool answered "
        "nothing",
    ),
    (
        "an unquoted colon inside a text",
        scenario("What about lunch?", "One thing: lunch?"),
        "plan.yaml:10:20: `: ` inside an unquoted text; quote the text, or check the indentation",
    ),
    (
        "an alias",
        scenario("What about lunch?", "*lunch"),
        "plan.yaml:10:11: a text that begins with `*` must be quoted",
    ),
    (
        "an anchor",
        scenario("What about lunch?", "&lunch What?"),
        "plan.yaml:10:11: anchors and aliases aren't supported; write the value out, or quote the "
        "text",
    ),
    (
        "a tag",
        scenario("What about lunch?", "!!str What?"),
        "plan.yaml:10:11: tags aren't supported (every value is text); remove it, or quote the "
        "text",
    ),
    (
        "an open quote",
        scenario("What about lunch?", "'What about lunch?"),
        "plan.yaml:10:11: this quote is never closed",
    ),
    (
        "a probe asked before its fact",
        scenario("  - mark: told\n", "")
        .replace("  - user: The", "  - mark: told\n  - user: The")
        .replace("fact: gate}", "fact: gate, at: told}"),
        "plan.yaml:13:64: asked at 'told', before its fact 'gate' is said on line 7",
    ),
    (
        "an unknown kind",
        scenario("kind: recall", "kind: recal"),
        "plan.yaml:13:22: unknown kind 'recal'; did you mean 'recall'?",
    ),
    (
        "two kinds in one turn",
        scenario("  - assistant: Noted in passing.", "  - assistant: Noted.\n    call: look"),
        "plan.yaml:8:5: one turn has one of assistant, call, not both; words beside a call are its "
        "`say`",
    ),
    (
        "a language that isn't a code",
        scenario("lang: en", "lang: cn"),
        "plan.yaml:3:7: 'cn' is no two-letter language code (ISO 639-1); did you mean 'zh'?",
    ),
    (
        "a retraction of what was never said",
        scenario("lunch?\n", "lunch?\n    retracts: [gates]\n"),
        "plan.yaml:11:16: no fact 'gates' is said before this turn; did you mean 'gate'?",
    ),
    (
        "a pattern that doesn't compile",
        scenario("fact: gate}", "accept: ['K(4'], match: regex}"),
        "plan.yaml:13:56: the pattern 'K(4' doesn't compile: missing ), unterminated subpattern at "
        "position 1",
    ),
    (
        "a number that is none",
        scenario("fact: gate}", "accept: [K4], match: number}"),
        "plan.yaml:13:56: `match: number`, but 'K4' is no number",
    ),
    (
        "neither fact nor accept",
        scenario(", fact: gate}", "}"),
        "plan.yaml:13:5: the probe needs `fact` or `accept`, to know the right answer",
    ),
    (
        "an abstention probe without a wrong answer",
        scenario("kind: recall, ask: Which gate?, fact: gate", "kind: abstention, ask: Who is it?"),
        "plan.yaml:13:5: an abstention probe needs `reject` (what a wrong answer would say), or a "
        "`fact` that was retracted",
    ),
    (
        "a parameter that is misspelled where it is used",
        scenario("lang: en", "lang: en\nparams: {noise: [1]}").replace(
            "  - mark: told", "  - filler: {kind: chat, turns: $nose}"
        ),
        "plan.yaml:4:10: nothing uses $noise; did you mean 'nose'?",
    ),
    (
        "a tool name that the API would refuse",
        scenario("  - mark: told\n", "  - call: 查询\n    result: 无\n"),
        "plan.yaml:9:11: '查询' is no name; use ASCII letters, digits and `_ . -`",
    ),
    (
        "far too much filler",
        scenario("  - mark: told", "  - filler: {kind: chat, turns: 100000}"),
        "plan.yaml:9:13: at most 9999 turns of filler, not 100000",
    ),
    (
        "far too many variants",
        scenario("lang: en", f"lang: en\nparams: {{a: {list(range(40))}, b: {list(range(40))}}}")
        .replace("What about lunch?", "$a")
        .replace("There is a buffet.", "$b"),
        "plan.yaml:4:9: 1600 combinations of parameters; at most 1000 are run",
    ),
    (
        "an empty file",
        "# nothing\n",
        "plan.yaml:1:1: the file is empty; a scenario starts with `id: …`",
    ),
    (
        "two documents",
        scenario() + "---\nid: other\n",
        "plan.yaml:14:1: `---` starts a second document; one file holds one scenario",
    ),
    (
        "a parameter without a value",
        scenario("turns:", "params: {n: []}\nturns:").replace("A plan", "$n"),
        "plan.yaml:4:13: 'n' is an empty list",
    ),
    (
        "a parameter whose value is a mapping",
        scenario("turns:", "params: {n: {a: b}}\nturns:").replace("A plan", "$n"),
        "plan.yaml:4:13: 'n' is a text; put it in quotes, or use a `|` block",
    ),
    (
        "an update of what never changes",
        scenario("kind: recall", "kind: update"),
        "plan.yaml:13:22: `kind: update`, but the fact 'gate' never changes; let a later turn say "
        "another value, or choose another kind",
    ),
    (
        "a called tool that `tools` doesn't name",
        scenario("turns:", "tools: [lok]\nturns:").replace(
            "assistant: Noted in passing.", 'call: look\n    result: ""'
        ),
        "plan.yaml:9:11: `tools` doesn't name 'look', which is called; did you mean 'lok'?",
    ),
    (
        "one of several calls that `tools` doesn't name",
        scenario("turns:", "tools: [gates, {name: trains}]\nturns:").replace(
            "assistant: Noted in passing.",
            'calls: [{call: trains, result: ""}, {call: hi, result: ""}]',
        ),
        "plan.yaml:9:48: `tools` doesn't name 'hi', which is called; it names gates, trains",
    ),
    (
        "arguments that are a list",
        scenario("assistant: Noted in passing.", 'call: look\n    args: [a, b]\n    result: ""'),
        "plan.yaml:9:11: 'args' is a mapping, or one text that is the JSON itself, and no list",
    ),
    (
        "a budget that is none",
        scenario("turns:", "stress: {budget: lots, holds: [valid]}\nturns:"),
        "plan.yaml:4:18: budget 'lots' is neither a number of tokens nor a percentage; write for "
        "example 2000 or 30%",
    ),
    (
        "a budget above the whole conversation",
        scenario("turns:", "stress: {budget: 300%, holds: [valid]}\nturns:"),
        "plan.yaml:4:18: budget '300%' must be above 0% and at most 100%",
    ),
    (
        "a summariser's parameter that is misspelt",
        scenario(
            "turns:",
            "stress: {budget: 9, holds: [valid], summarizer: faulty(fault=refuzal)}\nturns:",
        ),
        "plan.yaml:4:49: summarizer 'faulty': parameter fault: 'refuzal' is none of raises, "
        "timeout, empty, short, inflated, refusal, chat; did you mean 'refusal'?",
    ),
    (
        "a summariser whose bracket isn't closed",
        scenario("turns:", "stress: {budget: 9, holds: [valid], summarizer: faulty(fault}\nturns:"),
        "plan.yaml:4:49: spec 'faulty(fault': a closing ')' is missing",
    ),
    (
        "a property named twice",
        scenario("turns:", "stress: {budget: 9, holds: [valid, valid]}\nturns:"),
        "plan.yaml:4:36: 'valid' is named twice",
    ),
    (
        "texts to keep without the property",
        scenario("turns:", "stress: {budget: 9, holds: [valid], keeps: [K4]}\nturns:"),
        "plan.yaml:4:28: `keeps` has texts, but `holds` doesn't name the property; add `keeps` "
        "there",
    ),
    (
        "the property without texts to keep",
        scenario("turns:", "stress: {budget: 9, holds: [valid, keeps]}\nturns:"),
        "plan.yaml:4:36: `holds` names `keeps`, but no texts are given; add the key `keeps` with "
        "them",
    ),
]


@pytest.mark.parametrize(("text", "fault"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_a_typical_mistake_is_told_with_place_reason_and_remedy(
    faults_of: Faults, text: str, fault: str
) -> None:
    assert faults_of(text)[0] == fault


def test_the_scenario_without_a_mistake_loads(load: Callable[..., object]) -> None:
    assert load(scenario())


def test_a_character_that_is_not_utf8_is_named_with_its_place(faults_of: Faults) -> None:
    text = scenario().replace("lunch", "Grütze").encode("latin-1")
    assert faults_of(text) == ["plan.yaml:10:24: byte 0xfc isn't UTF-8; save the file as UTF-8"]


def test_a_control_character_is_named_with_its_place(faults_of: Faults) -> None:
    text = scenario("lunch", "lun\x07ch")
    assert faults_of(text) == [
        "plan.yaml:10:25: the character U+0007 can't stand in YAML; remove it"
    ]


def test_all_faults_of_a_file_are_told_at_once_and_in_order(faults_of: Faults) -> None:
    text = (
        scenario("title: A plan", "titel: A plan")
        .replace("K4}", "K9}")
        .replace("mark: told", "mark: end")
        .replace("kind: recall", "kind: memory")
    )
    assert [line.split(": ")[0] for line in faults_of(text)] == [
        "plan.yaml:1:1",
        "plan.yaml:2:1",
        "plan.yaml:7:13",
        "plan.yaml:9:11",
        "plan.yaml:13:22",
    ]


def test_a_fault_of_all_variants_is_told_once(faults_of: Faults) -> None:
    text = scenario("lang: en", "lang: en\nparams: {meal: [lunch, dinner]}")
    text = text.replace("What about lunch?", "$meal").replace("K4}", "K9}")
    assert len(faults_of(text)) == 1


def test_a_misshapen_turn_causes_no_further_faults(faults_of: Faults) -> None:
    """A fact of a turn with a typing error is still known to the probes."""
    text = scenario("- user: The gate", "- usr: The gate")
    assert faults_of(text) == ["plan.yaml:6:5: unknown key 'usr' in a turn; did you mean 'user'?"]


def test_a_file_that_cannot_be_read_is_a_fault(faults_of: Faults) -> None:
    from pathlib import Path

    from compaction_eval.scenarios.errors import FaultsError
    from compaction_eval.scenarios.loader import load_file

    with pytest.raises(FaultsError, match=r"^no/such\.yaml:1:1: can't be read: No such file"):
        load_file(Path("no/such.yaml"))


def test_a_retraction_is_a_change_that_an_update_may_ask_about(load: Callable[..., object]) -> None:
    gone = "user: No gate after all. Lunch?\n    retracts: [gate]"
    text = scenario("user: What about lunch?", gone).replace("kind: recall", "kind: update")
    assert load(text.replace("fact: gate}", "fact: gate, at: told}"))


RAW = """\
messages:
      - role: assistant
        content: null
        tool_calls: [{id: a, type: function, function: {name: look, arguments: '{}'}}]
      - {role: tool, tool_call_id: a, content: nothing}"""


def test_raw_messages_may_call_what_tools_does_not_name(load: Callable[..., object]) -> None:
    text = scenario("turns:", "tools: [lok]\nturns:")
    assert load(text.replace("assistant: Noted in passing.", RAW))


def test_a_named_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plan.yaml")
    with pytest.raises(FaultsError, match="can't be read: Not a regular file"):
        load_file(tmp_path / "plan.yaml")
