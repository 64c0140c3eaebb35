"""docs/edge-suite.md has every property with its sentence, and says where it applies.

`UPDATE_DOCS=1 pytest tests/eval/test_edge_page.py` writes the tables anew.
"""

from __future__ import annotations

import os
import re
from itertools import groupby
from pathlib import Path

from compaction_eval.eval.properties.registry import JUDGES
from compaction_eval.scenarios.properties import PROPERTIES

PAGE = Path(__file__).parents[2] / "docs" / "edge-suite.md"
TABLES = re.compile(r"(<!-- properties -->\n).*?(<!-- /properties -->)", re.DOTALL)


def tables() -> str:
    """One table for each family, in the order of the properties."""
    lines = []
    names = sorted(PROPERTIES, key=lambda name: families().index(PROPERTIES[name].family))
    for family, group in groupby(names, key=lambda name: PROPERTIES[name].family):
        lines += [
            f"### {family.capitalize()}",
            "",
            "| property | what holds | judged |",
            "|---|---|---|",
        ]
        lines += [f"| `{n}` | {PROPERTIES[n].about} | {applies(n)} |" for n in group]
        lines.append("")
    return "\n".join(lines)


def families() -> list[str]:
    return list(dict.fromkeys(one.family for one in PROPERTIES.values()))


def applies(name: str) -> str:
    """What its judge's docstring says: where the property applies."""
    text = " ".join((JUDGES[name].__doc__ or "").split())
    return f"{text[:1].lower()}{text[1:]}".rstrip(".")


def test_every_property_is_on_the_page_with_its_sentence_and_where_it_applies() -> None:
    text = PAGE.read_text("utf-8")
    fresh = TABLES.sub(lambda match: f"{match[1]}{tables()}\n{match[2]}", text)
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(fresh, "utf-8")
    assert TABLES.search(text) is not None
    assert PAGE.read_text("utf-8") == fresh
    for name, one in PROPERTIES.items():
        assert f"| `{name}` | {one.about} | " in fresh
