"""Plant every defect and try every harmless change: `python -m tests.defects [--write]`.

`--write` puts the table into docs/detection.md. Exits 1 below 95%, or for a false alarm.
"""

from __future__ import annotations

import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.defects.harmless import HARMLESS
from tests.defects.judging import (
    find_all,
    find_imports,
    groups,
    in_order,
    judge_harmless,
    share,
    table,
    totals,
)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "detection.md"
PART = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
LEAST = 0.95


def main(arguments: list[str]) -> int:
    """Print the table; the share caught comes last."""
    workers = os.cpu_count() or 1
    numbers = range(len(HARMLESS))
    with ProcessPoolExecutor(workers) as pool:
        found = pool.map(find_all, groups())
        imports = pool.submit(find_imports)
        tried = pool.map(judge_harmless, [numbers[n::8] for n in range(8)])
        findings = in_order([*(one for some in found for one in some), *imports.result()])
        known = {one.name: one for some in tried for one in some}
    harmless = [known[one.name] for one in HARMLESS]
    parts = {"table": f"{table(findings)}\n", "totals": f"```\n{totals(findings, harmless)}\n```\n"}
    if "--write" in arguments:
        text = PAGE.read_text("utf-8")
        PAGE.write_text(PART.sub(lambda m: f"{m[1]}{parts[m[2]]}{m[3]}", text), "utf-8")
    print(parts["table"])
    print(totals(findings, harmless))
    caught, compared = share(findings)
    return int(caught < LEAST * compared or any(one.outcome == "fail" for one in harmless))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
