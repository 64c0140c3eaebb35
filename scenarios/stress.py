"""The `stress` section: what compaction code must get right in a scenario, and under what."""

from __future__ import annotations

from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.forms import text_forms
from compaction_eval.scenarios.records import Stress
from compaction_eval.scenarios.shapes import section_faults
from compaction_eval.scenarios.stating import listed
from compaction_eval.scenarios.yaml_tree import Fields, Node


def read_stress(node: Node | None, corpus: Corpus, faults: list[Fault]) -> Stress | None:
    """The section as a record; None where it is missing or misshapen (a fault already)."""
    if not isinstance(node, Fields) or section_faults(node, "stress"):
        return None
    keeps = tuple(listed(node.get("keeps")))
    holds = tuple(listed(node.get("holds")))
    for text in keeps:
        if not any(corpus.holders(form.text) for form in text_forms([text])):
            place = node.by_key["keeps"][1].place
            faults.append(Fault(place, f"no message holds '{text}', which is to be kept"))
    if ("keeps" in holds) != bool(keeps):
        message = "the property `keeps` and the texts under `keeps` belong together"
        faults.append(Fault(node.place, message))
    return Stress(
        budget=node.text("budget"),
        holds=holds,
        summarizer=node.text("summarizer") or "extractive",
        keeps=keeps,
        valid=node.text("valid") != "false",
        reported=tuple(listed(node.get("reported"))),
    )
