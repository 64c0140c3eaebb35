"""A YAML file as a tree in which every scalar is text and every node knows its place.

YAML's usual reading turns `8:30` into 510, `0755` into 493 and `no` into False; here nothing is
turned into anything. What makes a file mean something else than it looks like is a fault:
duplicate keys, aliases, tags, tabs, full-width colons, bytes that aren't UTF-8.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from compaction_eval.scenarios.errors import Fault
from compaction_eval.scenarios.records import Place
from compaction_eval.scenarios.yaml_faults import explain, not_utf8

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
# Line ends as YAML counts them; str.splitlines knows more (form feeds) and would shift the lines.
_LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_COMMENT = re.compile(r"[ \t]+#")
_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text."""

    text: str
    place: Place
    plain: bool = False
    """Written without quotes, and no block."""
    cut: bool = False
    """Plain, and followed by a comment on its line, so that it may have been meant to go on."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    nodes: tuple[Node, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping: key -> the key's own node and the value's, in the order of the file."""

    by_key: dict[str, tuple[Scalar, Node]]
    place: Place

    def get(self, key: str) -> Node | None:
        """The value of a key, or None."""
        entry = self.by_key.get(key)
        return None if entry is None else entry[1]

    def text(self, key: str) -> str:
        """The text of a key; the empty text where it is missing or has something else."""
        return text_of(self.get(key)) or ""


Node: TypeAlias = Scalar | Items | Fields


def text_of(node: Node | None) -> str | None:
    """The text of a scalar; None for every other node, and for none."""
    return node.text if isinstance(node, Scalar) else None


def parse(data: bytes, file: str) -> tuple[Node | None, list[Fault]]:
    """The tree of a file's bytes and what is wrong with it; no tree where it isn't YAML at all."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return None, [not_utf8(data, error, file)]
    lines = _lines(text)
    odd = _UNPRINTABLE.search(text)
    if odd is not None:
        before = _lines(text[: odd.start()])
        place = Place(file, len(before), len(before[-1]) + 1)
        message = f"the character U+{ord(odd[0]):04X} can't stand in YAML; remove it"
        return None, [Fault(place, message)]
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        return None, [explain(error, lines, file)]
    except RecursionError:
        return None, [Fault(Place(file), "nested too deeply to be read")]
    if root is None:
        return None, [Fault(Place(file), "the file is empty; a scenario starts with `id: …`")]
    builder = _Builder(file, lines)
    return builder.build(root), builder.faults


def _lines(text: str) -> list[str]:
    if text.isascii() and "\r" not in text:
        return text.split("\n")
    return _LINE_END.split(text)


class _Builder:
    """Turns PyYAML's nodes into ours."""

    def __init__(self, file: str, lines: list[str]):
        self.file = file
        self.lines = lines
        self.faults: list[Fault] = []
        self._built: dict[int, Node] = {}

    def build(self, node: yaml.Node) -> Node:
        known = self._built.get(id(node))
        if known is not None:
            return known  # an alias: its anchor is a fault already, and is walked once only
        mark = node.start_mark
        place = Place(self.file, mark.line + 1, mark.column + 1)
        self._refuse_properties(mark, place)
        built: Node
        if isinstance(node, yaml.ScalarNode):
            plain = not node.style
            built = Scalar(node.value, place, plain, plain and self._is_cut(node))
        elif isinstance(node, yaml.SequenceNode):
            built = Items(tuple(map(self.build, node.value)), place)
        else:
            built = Fields(self._entries(node), place)
        self._built[id(node)] = built
        return built

    def _entries(self, node: yaml.Node) -> dict[str, tuple[Scalar, Node]]:
        entries: dict[str, tuple[Scalar, Node]] = {}
        for key_node, value_node in node.value:
            key = self.build(key_node)
            value = self.build(value_node)
            if not isinstance(key, Scalar):
                self.faults.append(Fault(key.place, "a key must be a text"))
            elif key.text in entries:
                first = entries[key.text][0].place.line
                message = f"the key '{key.text}' is given twice, first on line {first}"
                self.faults.append(Fault(key.place, message))
            else:
                entries[key.text] = (key, value)
        return entries

    def _refuse_properties(self, mark: Any, place: Place) -> None:
        line = self.lines[mark.line] if mark.line < len(self.lines) else ""
        start = line[mark.column : mark.column + 1]
        if start == "&":
            message = "anchors and aliases aren't supported; write the value out, or quote the text"
            self.faults.append(Fault(place, message))
        elif start == "!":
            message = "tags aren't supported (every value is text); remove it, or quote the text"
            self.faults.append(Fault(place, message))

    def _is_cut(self, node: yaml.ScalarNode) -> bool:
        mark = node.end_mark
        return bool(_COMMENT.match(self.lines[mark.line], mark.column))
