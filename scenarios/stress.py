"""The `stress` section: what compaction code must get right in a scenario, and under what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from compaction_eval.scenarios.budgets import Budget
from compaction_eval.scenarios.corpus import Corpus
from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.forms import text_forms
from compaction_eval.scenarios.records import Place, Stress
from compaction_eval.scenarios.shapes import section_faults
from compaction_eval.scenarios.stating import listed
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, Scalar
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.specs import parse_spec


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
    if keeps and "keeps" not in holds:
        message = "`keeps` has texts, but `holds` doesn't name the property; add `keeps` there"
        faults.append(Fault(node.by_key["holds"][1].place, message))
    elif "keeps" in holds and not keeps:
        message = "`holds` names `keeps`, but no texts are given; add the key `keeps` with them"
        faults.append(Fault(_entry(node.by_key["holds"][1], "keeps"), message))
    faults += [*_named_twice(node.get("holds")), *_budget_faults(node.get("budget"))]
    faults += _summarizer_faults(node.get("summarizer"))
    return Stress(
        budget=node.text("budget"),
        holds=holds,
        summarizer=node.text("summarizer") or "extractive",
        keeps=keeps,
        valid=node.text("valid") != "false",
        reported=tuple(listed(node.get("reported"))),
        place=(node.get("summarizer") or node).place,
    )


def _entry(node: Node, text: str) -> Place:
    """Where a text stands in a list of texts, or alone."""
    nodes = node.nodes if isinstance(node, Items) else (node,)
    return next(one.place for one in nodes if isinstance(one, Scalar) and one.text == text)


def _named_twice(node: Node | None) -> Iterator[Fault]:
    seen: set[str] = set()
    for inner in node.nodes if isinstance(node, Items) else ():
        if isinstance(inner, Scalar) and inner.text in seen:
            yield Fault(inner.place, f"'{inner.text}' is named twice")
        elif isinstance(inner, Scalar):
            seen.add(inner.text)


def _budget_faults(node: Node | None) -> Iterator[Fault]:
    if isinstance(node, Scalar):
        try:
            Budget.parse(node.text)
        except ConfigurationError as error:
            yield Fault(node.place, str(error))


def _summarizer_faults(node: Node | None) -> Iterator[Fault]:
    """What is wrong with a specification; code of one's own isn't imported for it."""
    if not isinstance(node, Scalar):
        return
    from compaction_eval.strategies.loading import BUILT_IN, is_model, load_summarizer

    try:
        spec = parse_spec(node.text)
        if is_model("summarizers", spec):
            raise ConfigurationError(
                f"summarizer '{spec.use}' is a model; a scenario is replayed without any"
            )
        own = spec.use not in BUILT_IN["summarizers"] and (":" in spec.use or "/" in spec.use)
        if not own:
            load_summarizer(spec, Path(node.place.file).parent)
    except ConfigurationError as error:
        for line in str(error).splitlines():
            yield Fault(node.place, line)
