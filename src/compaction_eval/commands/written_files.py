"""Which files of a folder reports wrote, so that those of an earlier one don't stay beside a later.

`files.sha256` has a line for each, with the digest of what was written: what somebody has changed
since, or put there, is told from it and left alone. `sha256sum -c files.sha256` reads it too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from compaction_eval.eval.writing import replace_file
from compaction_eval.reports.figures import plural
from compaction_eval.reports.printable import one_line
from compaction_eval.scenarios.wording import listed_words

LIST = "files.sha256"
_LINE = re.compile(r"(?P<digest>[0-9a-f]{64})  (?P<name>[^/\\\x00]+)")
_MOST = 8


def tidied(folder: Path, written: Iterable[Path]) -> list[str]:
    """Remove what an earlier report wrote and this one didn't, and list what this one wrote.

    Returns lines on what was removed, and on what was left since it has changed. Raises OSError.
    """
    before = _listed(folder / LIST)
    now = {path.name: _digest(path) for path in written}
    removed, changed = [], []
    for name, digest in before.items():
        file = folder / name
        if name in now or file.is_symlink() or not file.is_file():
            continue
        if _digest(file) == digest:
            file.unlink()
            removed.append(name)
        else:
            changed.append(name)
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(now.items()))
    replace_file(folder / LIST, text.encode())
    return [
        *_told("Removed", "of the report that was there before", removed),
        *_told("Left", "of an earlier report, changed since", changed),
    ]


def _listed(file: Path) -> Mapping[str, str]:
    """Names and digests of a list; none where there is no list, or what isn't one."""
    try:
        lines = file.read_text("utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return {}
    found = (_LINE.fullmatch(line) for line in lines)
    return {match["name"]: match["digest"] for match in found if match is not None}


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _told(done: str, which: str, names: list[str]) -> list[str]:
    if not names:
        return []
    listed = listed_words([one_line(name) for name in sorted(names)], most=_MOST)
    return [f"{done}: {plural(len(names), 'file')} {which}: {listed}"]
