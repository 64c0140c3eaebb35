"""Labels and names in the Markdown of a run, a report and a gate are text, whatever they say."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from markdown_it import MarkdownIt
from tests.reports.gated import report, run

from compaction_eval.eval.summary import summary_rows
from compaction_eval.reports.difficulty import splits
from compaction_eval.reports.difficulty_files import Report
from compaction_eval.reports.difficulty_files import as_markdown as report_page
from compaction_eval.reports.dimensions import DIMENSIONS
from compaction_eval.reports.gate_page import gate_page
from compaction_eval.reports.markdown_page import markdown_page
from compaction_eval.reports.marks import Marks

ACTING = "a|b `c` <script>d</script></details> @octocat #123 GH-4 [e](http://f.test) https://g.test"
OWN_TAGS = re.compile(r"</?details>|<summary>[^<]*</summary>|\s+")


def of_run() -> str:
    whole = run(["correct", "missing", "stale"], name=ACTING, label=ACTING)
    return markdown_page(whole.manifest, summary_rows(whole), whole.cells, Marks())


def of_report() -> str:
    whole = run(["missing"], label=ACTING)
    found = splits(whole, summary_rows(whole), DIMENSIONS["kind"], Marks())
    return report_page(Report([found], Marks(), [ACTING]))


def of_gate() -> str:
    return gate_page(report(["correct"] * 3, ["missing"] * 3, "survival=0.9", name=ACTING))


@pytest.mark.parametrize("page", [of_run, of_report, of_gate])
def test_nothing_that_a_label_says_acts(page: Callable[[], str]) -> None:
    told = page()
    # Commands that can be copied stand in a block of code, where nothing acts.
    reader = MarkdownIt("commonmark").enable("table")
    text = []
    for token in reader.parse(told):
        if token.type == "html_block":
            assert OWN_TAGS.sub("", token.content) == ""
        for inside in token.children or ():
            # What splits a name is an empty comment.
            assert inside.type != "html_inline" or inside.content == "<!-- -->"
            assert inside.type not in ("link_open", "code_inline", "image")
            text.append(inside.content)
    shown = "".join(text)
    assert "@<!-- -->octocat" in shown
    assert "#<!-- -->123" in shown
    for acting in ("@octocat", "#123", "GH-4", "://"):
        assert acting not in shown
    # The last cell of each row is where the table's head has it.
    rows = [line for line in told.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows if "script" in row} <= {
        len(re.findall(r"\|", row)) for row in rows if set(row) <= set("|-: ")
    }
