"""Importing twice gives the same bytes, in every format and for any hash seed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from compaction_eval.scenarios.importers import FORMATS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "importing.md").read_text("utf-8")
FENCED = r"## [^\n]+\n(?:(?!\n#).)*?import ([a-z-]+) (?:(?!\n#).)*?```json\n(.*?)```"


def examples() -> dict[str, str]:
    """Format -> the example that the page gives."""
    found = dict(re.findall(FENCED, PAGE, re.DOTALL))
    for name in FORMATS.keys() - found.keys():
        section = PAGE.split(f"\n### {name}\n")[1].split("\n#")[0]
        found[name] = "\n".join(
            line[4:] for line in section.splitlines() if line.startswith("    ")
        )
    return found


def written(folder: Path, out: Path, seed: str, *options: str) -> dict[str, bytes]:
    command = [sys.executable, str(ROOT / "run_eval.py"), "import", "auto", str(folder)]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run([*command, "-o", str(out), *options], check=True, env=environment)
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.parametrize("options", [(), ("--scrub",), ("--sample", "7", "--max-messages", "3")])
def test_all_formats_are_imported_to_the_same_bytes(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    for name, text in examples().items():
        if name == "bfcl-memory":
            names = ("memory_shop", "BFCL_v4_memory", "possible_answer")
            for part, line in zip(names, text.splitlines(), strict=True):
                (folder / f"{part}.json").write_text(line, "utf-8")
        else:
            (folder / f"{name}.json").write_text(text, "utf-8")
    first, second = (written(folder, tmp_path / seed, seed, *options) for seed in ("1", "77"))
    assert first == second
    assert len(first) == 2 * (7 if "--sample" in options else len(FORMATS))
