"""Parameters: one file, several variants, with `$name` standing for a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from math import prod

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.keys import SCENARIO
from compaction_eval.scenarios.shapes import value_faults
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, Scalar
from compaction_eval.strategies.errors import did_you_mean

Values = Mapping[str, str]
MOST_VARIANTS = 1000


def variants(root: Fields) -> Iterator[tuple[str, Node]]:
    """Each variant's name, such as `noise=20`, and the tree with its values put in.

    The combinations come in the order of the file, the last parameter changing fastest. Without
    (usable) parameters there is one, with an empty name.
    """
    params = root.get("params")
    names: list[str] = []
    choices: list[list[str]] = []
    if isinstance(params, Fields):
        for name, (_, node) in params.by_key.items():
            nodes = node.nodes if isinstance(node, Items) else (node,)
            names.append(name)
            choices.append([inner.text for inner in nodes if isinstance(inner, Scalar)])
    for combination in islice(product(*choices), MOST_VARIANTS):
        values = dict(zip(names, combination, strict=True))
        variant = ",".join(f"{name}={value}" for name, value in values.items())
        yield variant, substitute(root, values) if values else root


def substitute(node: Node, values: Values) -> Node:
    """The tree with each scalar that is `$name` as a whole replaced; other nodes as they are."""
    if isinstance(node, Scalar):
        value = values.get(node.text[1:]) if node.text.startswith("$") else None
        return node if value is None else Scalar(value, node.place)
    if isinstance(node, Items):
        return Items(tuple(substitute(inner, values) for inner in node.nodes), node.place)
    return Fields(
        {
            name: (key, value if name == "params" else substitute(value, values))
            for name, (key, value) in node.by_key.items()
        },
        node.place,
    )


def param_faults(root: Fields) -> list[Fault]:
    """Parameters that nothing uses, values that are given twice, and what is no value at all.

    The last is a fault of its shape, told here too: such a parameter leaves no variant whose tree
    could be looked at.
    """
    params = root.get("params")
    if not isinstance(params, Fields):
        return []
    used = {text[1:] for text in _texts(root) if text.startswith("$")}
    faults = value_faults(params, SCENARIO["params"], "params")
    sizes = [len(node.nodes) for _, node in params.by_key.values() if isinstance(node, Items)]
    if prod(sizes) > MOST_VARIANTS:
        message = f"{prod(sizes)} combinations of parameters; at most {MOST_VARIANTS} are run"
        faults.append(Fault(params.place, message))
    for name, (key, node) in params.by_key.items():
        if name not in used:
            message = f"nothing uses ${name}{did_you_mean(name, used)}"
            faults.append(Fault(key.place, message))
        nodes = node.nodes if isinstance(node, Items) else ()
        seen: set[str] = set()
        for inner in nodes:
            if isinstance(inner, Scalar) and inner.text in seen:
                faults.append(Fault(inner.place, f"the value {inner.text} is given twice"))
            elif isinstance(inner, Scalar):
                seen.add(inner.text)
    return faults


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, Items):
        for inner in node.nodes:
            yield from _texts(inner)
    else:
        for name, (_, inner) in node.by_key.items():
            if name != "params":
                yield from _texts(inner)
