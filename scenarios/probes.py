"""Probes: what is asked, where, and by what it is judged."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.drafting import Draft
from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.forms import Form, accepted_forms, as_number
from compaction_eval.scenarios.patterns import pattern_fault, slowness
from compaction_eval.scenarios.records import Place, Probe
from compaction_eval.scenarios.shapes import section_faults
from compaction_eval.scenarios.stating import listed
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, text_of
from compaction_eval.strategies.blocks import iter_blocks
from compaction_eval.strategies.errors import did_you_mean
from compaction_eval.strategies.mentions import normalise


def read_probes(
    node: Node | None, written: Draft, corpus: Corpus, faults: list[Fault]
) -> tuple[Probe, ...]:
    """The probes of a conversation; those that are misshapen (a fault already) are left out."""
    probes: list[Probe] = []
    first: dict[str, Place] = {}
    for fields in node.nodes if isinstance(node, Items) else ():
        if not isinstance(fields, Fields) or section_faults(fields, "probe"):
            continue
        probe = _probe(fields, written, corpus, faults)
        if probe.id in first:
            message = f"the probe id '{probe.id}' is taken by line {first[probe.id].line}"
            faults.append(Fault(_at(fields, "id"), message))
        else:
            first[probe.id] = probe.place
            probes.append(probe)
    return tuple(probes)


def _probe(fields: Fields, written: Draft, corpus: Corpus, faults: list[Fault]) -> Probe:
    found: list[Fault] = []
    kind, match = fields.text("kind"), fields.text("match") or "contains"
    fact = fields.text("fact") or None
    accept, reject = tuple(listed(fields.get("accept"))), tuple(listed(fields.get("reject")))
    found += _answer_faults(fields, kind, match, fact, accept, reject)
    if fact is not None:
        found += _fact_faults(fields, fact, match, accept, written)
    if match == "regex" and not found:
        found += _slow_patterns(_at(fields, "accept"), accept, corpus)
    at = _places(fields.get("at"), written, len(corpus), found)
    evidence = None
    found += _evidence_faults(fields, kind, fact, len(corpus))
    if fact is None and accept and kind != "abstention" and not found:
        evidence = (
            int(fields.text("evidence")) - 1
            if fields.get("evidence") is not None
            else _evidence(
                accepted_forms(accept, match), match in ("all_of", "set"), corpus, written
            )
        )
    if not found:
        found += _too_early(fields, fact, evidence, at, written)
    faults += found
    return Probe(
        id=fields.text("id"),
        kind=kind,  # type: ignore[arg-type]  # one of the kinds: its shape has been checked
        ask=fields.text("ask"),
        at=tuple(at),
        fact=fact,
        accept=accept,
        reject=reject,
        match=match,  # type: ignore[arg-type]  # the same
        evidence=evidence,
        place=fields.place,
        kept=fields.text("kept").strip(),
    )


def _answer_faults(
    fields: Fields,
    kind: str,
    match: str,
    fact: str | None,
    accept: Sequence[str],
    reject: Sequence[str],
) -> list[Fault]:
    """What doesn't fit together among `fact`, `accept`, `reject` and `match`."""
    if kind == "abstention":
        if fact is None and not reject:
            message = (
                "an abstention probe needs `reject` (what a wrong answer would say), or a `fact`"
            )
            return [Fault(fields.place, message + " that was retracted")]
        return []
    if fact is None and not accept:
        return [Fault(fields.place, "the probe needs `fact` or `accept`, to know the right answer")]
    if match in ("regex", "all_of", "set") and not accept:
        message = f"`match: {match}` needs `accept`; a fact's value has no patterns and parts"
        return [Fault(_at(fields, "match"), message)]
    if match == "number":
        wrong = [value for value in accept if as_number(value) is None]
        return [
            Fault(_at(fields, "accept"), f"`match: number`, but '{v}' is no number") for v in wrong
        ]
    if match == "regex":
        return _pattern_faults(_at(fields, "accept"), accept)
    return []


def _evidence_faults(fields: Fields, kind: str, fact: str | None, messages: int) -> list[Fault]:
    """Evidence that is no message of the conversation, or that nobody would look at."""
    if fields.get("evidence") is None:
        return []
    where = _at(fields, "evidence")
    if fact is not None or kind == "abstention":
        return [Fault(where, "`evidence` goes with `accept` alone; a fact says itself where it is")]
    if not 1 <= int(fields.text("evidence")) <= messages:
        return [Fault(where, f"`evidence` is a message, counted from 1 to {messages}")]
    return []


def _pattern_faults(place: Place, patterns: Sequence[str]) -> list[Fault]:
    return [Fault(place, fault) for fault in map(pattern_fault, patterns) if fault]


def _slow_patterns(place: Place, patterns: Sequence[str], corpus: Corpus) -> list[Fault]:
    texts = [corpus.text(at) for at in range(len(corpus))]
    return [Fault(place, fault) for one in patterns if (fault := slowness(one, texts))]


def _fact_faults(
    fields: Fields, fact: str, match: str, accept: Sequence[str], written: Draft
) -> list[Fault]:
    said = [one for one in written.statements if one.fact == fact]
    if not said and fact not in written.unsure:
        known = {one.fact: None for one in written.statements}
        message = f"no turn says a fact '{fact}'{did_you_mean(fact, known)}"
        if known and "did you mean" not in message:
            message += f"; there are {', '.join(known)}"
        return [Fault(_at(fields, "fact"), message)]
    values = {None if one.retraction else normalise(one.value) for one in said}
    if fields.text("kind") == "update" and len(values) == 1 and fact not in written.unsure:
        message = f"`kind: update`, but the fact '{fact}' never changes"
        message += "; let a later turn say another value, or choose another kind"
        return [Fault(_at(fields, "kind"), message)]
    if match == "number" and not accept:
        wrong = [one for one in said if not one.retraction and as_number(one.value) is None]
        where = _at(fields, "match")
        return [Fault(where, f"`match: number`, but '{one.value}' is no number") for one in wrong]
    return []


def _places(
    node: Node | None, written: Draft, end: int, found: list[Fault]
) -> list[tuple[str, int]]:
    if node is None:
        return [("end", end)]
    marks = {**written.marks, "end": end}
    at: dict[str, int] = {}
    for inner in node.nodes if isinstance(node, Items) else (node,):
        name = text_of(inner) or ""
        if name in at:
            found.append(Fault(inner.place, f"'{name}' is named twice"))
        elif name in marks:
            at[name] = marks[name]
        else:
            suggestion = did_you_mean(name, marks) or f"; there are {', '.join(marks)}"
            found.append(Fault(inner.place, f"no turn is `mark: {name}`{suggestion}"))
    return list(at.items())


def _too_early(
    fields: Fields,
    fact: str | None,
    evidence: int | None,
    at: Sequence[tuple[str, int]],
    written: Draft,
) -> list[Fault]:
    """Places at which the answer hasn't been said yet."""
    said = [one.message for one in written.statements if one.fact == fact]
    first = min(said, default=None) if fact is not None else evidence
    if first is None:
        return []
    where = _at(fields, "at")
    line = written.places[first].line
    what = f"fact '{fact}'" if fact is not None else "answer"
    return [
        Fault(where, f"asked at '{name}', before its {what} is said on line {line}")
        for name, place in at
        if place <= first
    ]


def _evidence(forms: Sequence[Form], all_parts: bool, corpus: Corpus, written: Draft) -> int | None:
    """The earliest message with an accepted form; of several parts, with all if there is one."""
    holders = [frozenset(_holding(form, corpus)) for form in forms]
    if not holders or not any(holders):
        return None
    if all_parts:
        together = frozenset.intersection(*holders)
        if together:
            return min(together)
        if all(holders):
            for block in iter_blocks(written.messages):
                if all(not held.isdisjoint(block) for held in holders):
                    return min(at for at in block if any(at in held for held in holders))
    return min(frozenset.union(*holders))


def _holding(form: Form, corpus: Corpus) -> Sequence[int]:
    """Positions of the messages that say a form, ascending."""
    if form.kind == "text":
        return corpus.holders(form.text)
    return [at for at in range(len(corpus)) if form.find(corpus.text(at))]


def _at(fields: Fields, key: str) -> Place:
    """Where a key's value stands; the whole mapping's place if it is missing."""
    node = fields.get(key)
    return fields.place if node is None else node.place
