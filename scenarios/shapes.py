"""Whether a tree has the keys and the kinds of values that `keys.py` describes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.keys import (
    FACT,
    MESSAGE_KINDS,
    SECTIONS,
    TURN,
    TURN_KINDS,
    Key,
    Section,
    turn_keys,
)
from compaction_eval.scenarios.wording import (
    SECTION_NAMES,
    listed_words,
    missing,
    no_mapping,
    unknown_key,
)
from compaction_eval.scenarios.yaml_faults import FULL_WIDTH
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, Scalar
from compaction_eval.strategies.errors import did_you_mean

WORD = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_WORD = re.compile(WORD)


def shape_faults(root: Node) -> list[Fault]:
    """Every unknown, missing or misshapen key of a scenario's tree, in no particular order."""
    return section_faults(root, "scenario")


def section_faults(node: Node, name: str) -> list[Fault]:
    """The same for one mapping, by the name of its section in `SECTIONS`."""
    faults: list[Fault] = []
    _section(node, name, SECTIONS[name], faults)
    return faults


def value_faults(node: Node, key: Key, name: str) -> list[Fault]:
    """The same for the value of one key."""
    faults: list[Fault] = []
    _value(node, key, name, faults)
    return faults


def _section(node: Node, name: str, keys: Section, faults: list[Fault]) -> None:
    if not isinstance(node, Fields):
        faults.append(Fault(node.place, no_mapping(node, SECTION_NAMES[name], keys)))
        return
    if name == "turn":
        keys = _turn(node, faults)
    for key, (key_node, value) in node.by_key.items():
        if key in keys:
            _value(value, keys[key], key, faults)
        elif name != "turn" or key not in TURN:
            faults.append(Fault(key_node.place, unknown_key(key, SECTION_NAMES[name], keys)))
    for key, described in keys.items():
        if described.required and key not in node.by_key:
            faults.append(Fault(node.place, missing(key, name, node)))


def _turn(node: Fields, faults: list[Fault]) -> Section:
    """The keys of this turn's kind; faults unless it has one kind and only what goes with it."""
    kinds = [kind for kind in TURN_KINDS if kind in node.by_key]
    if len(kinds) != 1:
        strangers = [key for key in node.by_key if key not in TURN]
        if kinds:
            message = f"one turn has one of {listed_words(kinds)}, not both"
            if "assistant" in kinds:
                message += "; words beside a call are its `say`"
            faults.append(Fault(node.place, message))
        elif not any(did_you_mean(key, TURN_KINDS) or "：" in key for key in strangers):
            message = f"a turn needs one of {listed_words(TURN_KINDS)}"
            faults.append(Fault(node.place, message))
        return TURN
    keys = turn_keys(kinds[0])
    for key, (key_node, _) in node.by_key.items():
        if key in TURN and key not in keys:
            message = f"'{key}' has no meaning in a turn with '{kinds[0]}'"
            if key == "args" or key == "result":
                message += "; it belongs to `call`"
            elif kinds[0] in ("filler", "mark"):
                message += f"; put it into one of {listed_words(MESSAGE_KINDS)}"
            faults.append(Fault(key_node.place, message))
    return keys


def _value(node: Node, key: Key, name: str, faults: list[Fault]) -> None:
    match key.shape:
        case "text":
            _text(node, name, faults, empty=key.empty)
        case "word":
            _word(node, name, key.values, faults)
        case "number":
            _number(node, name, faults)
        case "percent":
            _percent(node, name, faults)
        case "flag":
            _word(node, name, ("true", "false"), faults)
        case "texts" | "words":
            nodes = node.nodes if isinstance(node, Items) else (node,)
            if not nodes:
                faults.append(Fault(node.place, f"'{name}' is an empty list"))
            for inner in nodes:
                if key.shape == "texts":
                    _text(inner, name, faults)
                else:
                    _word(inner, name, key.values, faults)
        case "trees" | "sections":
            if not isinstance(node, Items):
                faults.append(Fault(node.place, f"'{name}' is a list: each entry begins with `- `"))
            elif not node.nodes and not key.empty:
                faults.append(Fault(node.place, f"'{name}' is an empty list"))
            elif key.shape == "sections":
                for inner in node.nodes:
                    _section(inner, key.section, SECTIONS[key.section], faults)
        case "section":
            _section(node, key.section, SECTIONS[key.section], faults)
        case "mapping" | "fact" | "retracts":
            _by_id(node, key, name, faults)
        case "tree":
            if isinstance(node, Items):
                message = f"'{name}' is a mapping, or one text that is the JSON itself, and no list"
                faults.append(Fault(node.place, message))
            _no_cut(node, name, faults)


def _by_id(node: Node, key: Key, name: str, faults: list[Fault]) -> None:
    """`mapping`, `retracts`, and one `fact` of the mapping `facts`."""
    if key.shape == "fact" and isinstance(node, Fields):
        _section(node, "fact", FACT, faults)
    elif key.shape == "fact":
        _text(node, name, faults)
    elif key.shape == "retracts" and not isinstance(node, Fields):
        _value(node, Key("words", ""), name, faults)
    elif isinstance(node, Fields):
        for inner_name, (inner_key, value) in node.by_key.items():
            if _word_of_any(inner_key, name, faults):
                _value(value, key.inner or Key("text", ""), inner_name, faults)
    else:
        example = "`{name: [value, …]}`" if name == "params" else f"`{name}: {{id: value}}`"
        faults.append(Fault(node.place, f"'{name}' is a mapping: {example}"))


def _text(node: Node, name: str, faults: list[Fault], *, empty: bool = False) -> None:
    if not isinstance(node, Scalar):
        message = f"'{name}' is a text; put it in quotes, or use a `|` block"
        faults.append(Fault(node.place, message))
    elif node.cut:
        _no_cut(node, name, faults)
    elif not node.text.strip() and (node.plain or not empty):
        message = f"'{name}' has no text"
        if empty:
            message += f'; write {name}: "" if it is empty'
        faults.append(Fault(node.place, message))


def _no_cut(node: Node, name: str, faults: list[Fault]) -> None:
    """Faults for every text below a node that a ` #` may have cut off."""
    if isinstance(node, Scalar):
        if node.cut:
            message = (
                f"the text of '{name}' ends before ` #`, which starts a comment; quote the text"
            )
            faults.append(Fault(node.place, message))
    elif isinstance(node, Items):
        for inner in node.nodes:
            _no_cut(inner, name, faults)
    else:
        for inner_name, (_, inner) in node.by_key.items():
            _no_cut(inner, inner_name, faults)


def _word_of_any(node: Node, name: str, faults: list[Fault]) -> bool:
    return _word(node, name, (), faults)


def _word(node: Node, name: str, values: Iterable[str], faults: list[Fault]) -> bool:
    if not isinstance(node, Scalar):
        message = f"'{name}' is one word here, not a list or mapping"
    elif values and node.text not in values:
        message = f"unknown {name} '{node.text}'{did_you_mean(node.text, values)}"
        if "did you mean" not in message:
            message += f"; it is one of {listed_words(values)}"
    elif not values and not _WORD.fullmatch(node.text):
        if not node.text:
            message = f"'{name}' has no value"
        elif "：" in node.text:
            message = FULL_WIDTH.format(key=node.text.split("：")[0])
        else:
            message = f"'{node.text}' is no name; use ASCII letters, digits and `_ . -`"
    else:
        return True
    faults.append(Fault(node.place, message))
    return False


def _percent(node: Node, name: str, faults: list[Fault]) -> None:
    if not _number(node, name, faults):
        return
    digits = node.text.lstrip("0") if isinstance(node, Scalar) else ""
    if len(digits) > 3 or int(digits or "0") > 100:
        faults.append(Fault(node.place, f"'{name}' is a percentage from 0 to 100, not {digits}"))


def _number(node: Node, name: str, faults: list[Fault]) -> bool:
    if isinstance(node, Scalar) and node.text.isascii() and node.text.isdigit():
        return True
    shown = f"'{node.text}'" if isinstance(node, Scalar) else "a list or mapping"
    message = f"'{name}' is a whole number, 0 or more, not {shown}"
    if isinstance(node, Scalar) and node.text.startswith("$"):
        message = f"no parameter '{node.text[1:]}' is declared under `params`"
    faults.append(Fault(node.place, message))
    return False


def is_word(text: str) -> bool:
    """Whether a text can be an id."""
    return _WORD.fullmatch(text) is not None
