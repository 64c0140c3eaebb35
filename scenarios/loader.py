"""A scenario file becomes records: one scenario per variant, or every fault of the file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compaction_eval.scenarios.checker import check
from compaction_eval.scenarios.corpus import Corpus, Readings
from compaction_eval.scenarios.drafting import Draft
from compaction_eval.scenarios.errors import Fault, FaultsError
from compaction_eval.scenarios.files import read_regular, refusal
from compaction_eval.scenarios.filling import Filling
from compaction_eval.scenarios.languages import language_fault
from compaction_eval.scenarios.params import param_faults, variants
from compaction_eval.scenarios.probes import read_probes
from compaction_eval.scenarios.raw_messages import read_transcript
from compaction_eval.scenarios.recorded import read_recorded
from compaction_eval.scenarios.recorded_messages import read_later, shortened
from compaction_eval.scenarios.records import Place, Scenario
from compaction_eval.scenarios.shapes import is_word, shape_faults
from compaction_eval.scenarios.stating import listed
from compaction_eval.scenarios.stress import read_stress
from compaction_eval.scenarios.tools import read_tools, undeclared
from compaction_eval.scenarios.turns import draft
from compaction_eval.scenarios.yaml_tree import Fields, parse
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.paths import path_text


def load_file(path: Path, without: frozenset[str] = frozenset()) -> tuple[Scenario, ...]:
    """The scenarios of one file, one for each variant of its parameters, in order.

    A file with a tag in `without` has none, and nothing but its tags is read. Faults are raised all
    at once, each with its place; the file is named as `path` names it.
    """
    try:
        data = read_regular(path)
    except OSError as error:
        raise FaultsError([Fault(Place(str(path)), f"can't be read: {refusal(error)}")]) from None
    root, faults = parse(data, str(path))
    read: list[tuple[Scenario, Corpus]] = []
    if isinstance(root, Fields) and not without.isdisjoint(listed(root.get("tags"))):
        return ()
    if isinstance(root, Fields):
        faults += param_faults(root)
        common = _Common(path, data)
        for variant, tree in variants(root):
            if isinstance(tree, Fields):
                read.append(_scenario(tree, variant, common, faults))
    elif root is not None:
        faults += shape_faults(root)
    if not faults:
        faults += [fault for scenario, corpus in read for fault in check(scenario, corpus)]
    if faults:
        raise FaultsError(in_order(faults))
    return tuple(scenario for scenario, _ in read)


def file_tags(path: Path) -> tuple[str, ...]:
    """The tags of a scenario file, nothing else of which is read; none where it can't be."""
    try:
        root, _ = parse(read_regular(path), str(path))
    except OSError:
        return ()
    return tuple(listed(root.get("tags"))) if isinstance(root, Fields) else ()


def in_order(faults: list[Fault]) -> list[Fault]:
    """Faults by place; what several variants have in common is said once."""
    return sorted(
        dict.fromkeys(faults),
        key=lambda fault: (fault.place.file, fault.place.line, fault.place.column),
    )


@dataclass(frozen=True, slots=True)
class _Common:
    """What the variants of a file have in common."""

    path: Path
    data: bytes
    filling: Filling = field(default_factory=Filling)
    readings: Readings = field(default_factory=Readings)


def _scenario(
    root: Fields, variant: str, common: _Common, faults: list[Fault]
) -> tuple[Scenario, Corpus]:
    """One variant, and the search over its messages."""
    faults += shape_faults(root)
    scenario_id, lang = root.text("id"), root.text("lang")
    if is_word(scenario_id) and scenario_id != common.path.stem:
        name = common.path.stem
        shown = path_text(name)
        message = f"the id '{scenario_id}' isn't the file's name '{shown}'; change one of them"
        faults.append(Fault(root.by_key["id"][1].place, message))
    reason = language_fault(lang) if is_word(lang) else None
    if reason:
        faults.append(Fault(root.by_key["lang"][1].place, reason))
    digest = hashlib.sha256(common.data)
    written = _conversation(root, lang or "en", common, digest, faults)
    tools = read_tools(root.get("tools"), faults)
    faults += undeclared(root.get("turns"), tools)
    messages = tuple(written.messages)
    corpus = Corpus(messages, readings=common.readings)
    scenario = Scenario(
        id=scenario_id,
        title=root.text("title"),
        lang=lang,
        messages=_lasting(root, written, common) or messages,
        variant=variant,
        tags=tuple(listed(root.get("tags"))),
        description=root.text("description").strip(),
        tools=tools,
        statements=tuple(written.statements),
        probes=read_probes(root.get("probes"), written, corpus, faults),
        reuse=_reuse(root, written, tools, common.readings) if not faults else (),
        poison=tuple(written.poison),
        recorded=read_recorded(root.get("recorded"), len(messages), faults),
        stress=read_stress(root.get("stress"), corpus, faults),
        places=shortened(written.places),
        filler=tuple(written.filler),
        file=str(common.path),
        digest=digest.hexdigest(),
    )
    return scenario, corpus


def _conversation(
    root: Fields, lang: str, common: _Common, digest: Any, faults: list[Fault]
) -> Draft:
    turns, transcript = root.get("turns"), root.get("transcript")
    if (turns is None) == (transcript is None):
        message = "a scenario has `turns`, or a `transcript`"
        if turns is not None:
            message += ", not both"
        faults.append(Fault(root.place if transcript is None else transcript.place, message))
    if isinstance(transcript, Fields):
        messages, places, data = read_transcript(transcript, common.path.parent, faults)
        digest.update(data)
        return Draft(messages, places, transcript=hashlib.sha256(data).hexdigest())
    return draft(turns, lang, common.filling, faults)


def _lasting(root: Fields, written: Draft, common: _Common) -> Sequence[Message]:
    """The messages of a transcript, to be read again when they are asked for; empty for turns."""
    transcript = root.get("transcript")
    if not isinstance(transcript, Fields) or not written.transcript:
        return ()
    path = common.path.parent / transcript.text("path")
    return read_later(path, written.transcript, len(written.messages))


def _reuse(
    root: Fields, written: Draft, tools: tuple[Any, ...], readings: Readings
) -> tuple[Any, ...]:
    calls, text = root.text("reuse") == "true", root.text("reuse_text") == "true"
    if not (calls or text):
        return ()
    from compaction_eval.scenarios.reuse import reuse_probes

    found = reuse_probes(written.messages, tools, readings, text=text)
    return found if calls else tuple(probe for probe in found if probe.where == "text")
