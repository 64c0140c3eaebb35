"""What an answer to a probe is held against, at one place of the conversation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compaction_eval.eval.recall.spelling import other_spellings, plain_spelling
from compaction_eval.eval.recall.wording import tidy
from compaction_eval.scenarios.forms import Form, accepted_forms, text_forms, value_forms
from compaction_eval.scenarios.records import Probe, Scenario
from compaction_eval.scenarios.timeline import standing


@dataclass(frozen=True, slots=True)
class Expected:
    """The values that make an answer right, old or wrong; written forms as a person reads them."""

    kind: str
    ask: str
    current: tuple[Form, ...] = ()
    """Any of these is the answer; empty where no value holds."""
    parts: tuple[Form, ...] = ()
    """All of these together are; `current` is empty then."""
    stale: tuple[Form, ...] = ()
    """Values that were superseded or taken back."""
    rejected: tuple[Form, ...] = ()
    """Values that make an answer wrong."""
    retraction: tuple[Form, ...] = ()
    """The words that took the value back."""
    exact: bool = False
    """Whether the answer must consist of nothing else."""
    retracted: bool = False
    unanswerable: bool = False
    """Whether no value holds: it was taken back, or nobody ever said one."""
    language: str | None = None
    """By whose custom numbers are read, in the answer as in the forms; None where both have to be
    as written: under `exact`, and beside patterns, which were written for a text as it is."""
    accepted_words: tuple[str, ...] = ()
    """What is accepted, as the scenario writes it, for a judge."""
    stale_words: tuple[str, ...] = ()
    rejected_words: tuple[str, ...] = ()


def expected_of(scenario: Scenario, probe: Probe, at: int) -> Expected:
    """What counts as the answer to a probe after `at` messages."""
    stands = None if probe.fact is None else standing(scenario.statements, probe.fact, at)
    retracted = stands is not None and stands.last.retraction
    unsaid = stands is None and (probe.kind == "abstention" or not probe.accept)
    superseded = () if stands is None else stands.superseded
    written = probe.accept or (() if stands is None or retracted else stands.current)
    in_parts = probe.match in ("all_of", "set") and bool(probe.accept) and not retracted
    accepted = accepted_forms(probe.accept, probe.match)
    if not accepted and stands is not None and not retracted:
        accepted = value_forms(stands.current, probe.match)
    language = None if probe.match in ("exact", "regex") else scenario.lang
    current = () if retracted or in_parts else as_read(accepted, language)
    return Expected(
        kind=probe.kind,
        ask=probe.ask,
        current=current,
        parts=_parts(accepted, language) if in_parts else (),
        stale=_without(as_read(value_forms(superseded, probe.match), language), current),
        rejected=_without(as_read(text_forms(probe.reject), language), current),
        retraction=(
            as_read(text_forms(stands.last.forms), language) if stands and retracted else ()
        ),
        exact=probe.match == "exact",
        retracted=retracted,
        unanswerable=retracted or unsaid,
        language=language,
        accepted_words=() if retracted else tuple(written),
        stale_words=superseded,
        rejected_words=probe.reject,
    )


def as_read(forms: Iterable[Form], language: str | None) -> tuple[Form, ...]:
    """The forms as they stand in an answer that is read in a language, and as they may stand."""
    found = dict.fromkeys(_parts(forms, language))
    if language is not None:
        texts = [one.text for one in found if one.kind == "text"]
        found |= dict.fromkeys(Form(other) for text in texts for other in other_spellings(text))
    return tuple(found)


def _parts(forms: Iterable[Form], language: str | None) -> tuple[Form, ...]:
    """As they stand, each once; patterns as they are."""
    return tuple(dict.fromkeys(_read(one, language) for one in forms))


def _read(form: Form, language: str | None) -> Form:
    if form.kind == "regex":
        return form
    text = form.text if language is None else plain_spelling(form.text, language)
    return Form(tidy(text) if form.kind == "text" else text, form.kind)


def _without(forms: Iterable[Form], current: tuple[Form, ...]) -> tuple[Form, ...]:
    return tuple(form for form in forms if form not in current)
