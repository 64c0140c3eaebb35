"""The pieces of JUnit XML, in the shape that Jenkins and GitLab read.

`testsuites`, a `testsuite` for each strategy, budget and summariser, its cases with at most one of
`failure`, `error` and `skipped`. Characters that XML can't hold are escaped as `\\x1b`.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from compaction_eval.reports.printable import one_line, printable

Row = tuple[str, str, str]
"""Strategy, budget, summariser."""
_COUNTED = ("failure", "error", "skipped")
_PLURALS = {"failure": "failures", "error": "errors", "skipped": "skipped"}


class Suites:
    """A file in the making."""

    def __init__(self) -> None:
        self._root = ET.Element("testsuites", name="compaction-eval")
        self._rows: dict[Row, ET.Element] = {}

    def named(self, name: str) -> ET.Element:
        """A new suite of that name."""
        return ET.SubElement(self._root, "testsuite", name=one_line(name))

    def row(self, row: Row) -> ET.Element:
        """The suite of a strategy, budget and summariser."""
        if row not in self._rows:
            self._rows[row] = self.named(f"{row[0]} at {row[1]} with {row[2]}")
        return self._rows[row]

    def text(self) -> str:
        """The whole file, counted up."""
        for suite in self._root:
            _count(suite)
        for name in ("tests", *_PLURALS.values()):
            self._root.set(name, str(sum(int(suite.get(name, "0")) for suite in self._root)))
        ET.indent(self._root, " ")
        told = ET.tostring(self._root, encoding="unicode")
        return f'<?xml version="1.0" encoding="utf-8"?>\n{told}\n'


def case(suite: ET.Element, group: str, name: str) -> ET.Element:
    """A test case that passes so far."""
    return ET.SubElement(
        suite, "testcase", classname=one_line(group), name=one_line(name), time="0"
    )


def says(case: ET.Element, kind: str, message: str, text: str) -> None:
    """Make a case a `failure` or an `error`."""
    ET.SubElement(case, kind, message=one_line(message), type=kind).text = printable(text)


def put_at(case: ET.Element, place: tuple[str, int] | None) -> None:
    """Say in which file and line the case is written."""
    if place is not None:
        case.set("file", one_line(place[0]))
        case.set("line", str(place[1]))


def add_properties(element: ET.Element, values: Mapping[str, object]) -> None:
    """Add named values; those that weren't measured are left out."""
    known = {name: value for name, value in values.items() if value is not None}
    if known:
        properties = ET.SubElement(element, "properties")
        for name, value in known.items():
            ET.SubElement(properties, "property", name=name, value=one_line(str(value)))


def _count(suite: ET.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for kind in _COUNTED:
        suite.set(_PLURALS[kind], str(sum(one.find(kind) is not None for one in cases)))
    suite.set("time", "0")
