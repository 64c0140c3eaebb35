"""What a turn says: its facts, retractions and poison, each found in the turn's own text."""

from __future__ import annotations

from collections.abc import Sequence

from compaction_eval.scenarios.drafting import Draft
from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Poison, Statement
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, Scalar, text_of
from compaction_eval.strategies.errors import did_you_mean
from compaction_eval.strategies.mentions import mentions, mentions_any, normalise
from compaction_eval.strategies.messages import reading_text


def state_facts(turn: Fields, start: int, written: Draft, faults: list[Fault]) -> None:
    """Append what the turn that begins at message `start` says, in the order of its messages."""
    messages = written.messages
    facts, retracts, claims = turn.get("facts"), turn.get("retracts"), turn.get("poison")
    if start == len(messages) or (facts is None and retracts is None and claims is None):
        return
    texts = [normalise(reading_text(message)) for message in messages[start:]]
    found = [
        *_facts(facts, start, texts, written, faults),
        *_retractions(retracts, facts, start, texts, written, faults),
    ]
    written.statements += sorted(found, key=lambda statement: statement.message)
    written.poison += _poison(claims, start, texts, faults)


def _facts(
    node: Node | None, start: int, texts: Sequence[str], written: Draft, faults: list[Fault]
) -> list[Statement]:
    found = []
    for fact, (key, value_node) in node.by_key.items() if isinstance(node, Fields) else ():
        fields = value_node if isinstance(value_node, Fields) else None
        value = fields.text("value") if fields else text_of(value_node) or ""
        said = fields.text("said") if fields else None
        also = listed(fields.get("also")) if fields else []
        if not value.strip():
            continue  # a fault of its shape already
        words = said or value
        if not _says(texts, words):
            written.unsure.add(fact)
            faults.append(Fault(key.place, _not_said(fact, words, bool(said), texts)))
            continue
        forms = tuple(dict.fromkeys([value, *([said] if said else []), *also]))
        message = start + _last_with(texts, forms)
        found.append(Statement(fact, message, forms, False, key.place))
    return found


def _not_said(fact: str, words: str, worded: bool, texts: Sequence[str]) -> str:
    if any(normalise(words) in text for text in texts):
        return (
            f"fact '{fact}': '{words}' stands in its turn only as part of a longer word or number"
        )
    if worded:
        return f"fact '{fact}': its `said` words '{words}' aren't in its turn's text"
    return (
        f"fact '{fact}': '{words}' isn't in its turn's text; write it there, or give the "
        "turn's own words with `said`"
    )


def _retractions(
    node: Node | None,
    facts: Node | None,
    start: int,
    texts: Sequence[str],
    written: Draft,
    faults: list[Fault],
) -> list[Statement]:
    entries: list[tuple[Scalar, str]] = []
    if isinstance(node, Items):
        entries = [(inner, "") for inner in node.nodes if isinstance(inner, Scalar)]
    elif isinstance(node, Fields):
        entries = [(key, text_of(value) or "") for key, value in node.by_key.values()]
    elif isinstance(node, Scalar):
        entries = [(node, "")]
    standing = {one.fact: not one.retraction for one in written.statements}
    found = []
    for key, words in entries:
        fact = key.text
        if isinstance(facts, Fields) and fact in facts.by_key:
            message = (
                f"'{fact}' is stated and retracted in one turn; a new value alone is an update"
            )
            faults.append(Fault(key.place, message))
        elif fact in written.unsure:
            continue
        elif fact not in standing:
            message = f"no fact '{fact}' is said before this turn{did_you_mean(fact, standing)}"
            faults.append(Fault(key.place, message))
        elif not standing[fact]:
            faults.append(Fault(key.place, f"the fact '{fact}' is retracted already"))
        elif words and not _says(texts, words):
            message = f"the retracting words '{words}' aren't in this turn's text"
            faults.append(Fault(key.place, message))
        else:
            forms = (words,) if words else ()
            message_at = start + (_last_with(texts, forms) if words else len(texts) - 1)
            found.append(Statement(fact, message_at, forms, True, key.place))
    return found


def _poison(
    node: Node | None, start: int, texts: Sequence[str], faults: list[Fault]
) -> list[Poison]:
    by_message: dict[int, list[str]] = {}
    for claim in listed(node):
        if _says(texts, claim):
            by_message.setdefault(start + _last_with(texts, (claim,)), []).append(claim)
        elif node is not None:
            message = f"the poison '{claim}' isn't in this turn's text"
            faults.append(Fault(node.place, message))
    return [Poison(message, tuple(values)) for message, values in sorted(by_message.items())]


def _says(texts: Sequence[str], words: str) -> bool:
    """Whether one of some normalised texts mentions some words."""
    wanted = normalise(words)
    return any(mentions(text, wanted) for text in texts)


def _last_with(texts: Sequence[str], forms: Sequence[str]) -> int:
    """Index of the last text with one of the forms."""
    wanted = [normalise(form) for form in forms]
    return max(index for index, text in enumerate(texts) if mentions_any(text, wanted))


def listed(node: Node | None) -> list[str]:
    """The texts of a list, or of one text; those that are misshapen are left out."""
    nodes = node.nodes if isinstance(node, Items) else () if node is None else (node,)
    return [inner.text for inner in nodes if isinstance(inner, Scalar)]
