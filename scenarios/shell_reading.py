"""Whether a shell command only reads, judged by its words and without running anything.

What isn't understood counts as changing something.
"""

from __future__ import annotations

import re

READERS = frozenset(
    [
        "awk",
        "basename",
        "cat",
        "cd",
        "column",
        "comm",
        "cut",
        "date",
        "diff",
        "dirname",
        "du",
        "echo",
        "egrep",
        "fgrep",
        "file",
        "find",
        "grep",
        "head",
        "jq",
        "less",
        "ls",
        "nl",
        "pwd",
        "readlink",
        "realpath",
        "rg",
        "sed",
        "sort",
        "stat",
        "tail",
        "tr",
        "tree",
        "true",
        "uniq",
        "wc",
        "which",
    ]
)
GIT_READERS = frozenset(
    [
        "blame",
        "diff",
        "grep",
        "log",
        "ls-files",
        "ls-tree",
        "rev-parse",
        "shortlog",
        "show",
        "status",
    ]
)
LONGEST = 5_000
"""Characters of a command; longer ones are programs."""
_HARMLESS = re.compile(r"[12&]?>\s*/dev/null|2>&1")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_SETTING = re.compile(r"[A-Za-z_]\w*=")
_CHANGING_OPTIONS = frozenset(
    ["-i", "-delete", "-exec", "-execdir", "-ok", "--in-place", "--output"]
)


def only_reads(command: str) -> bool:
    """Whether each command of a line is one that only reads, and none writes into a file."""
    if len(command) > LONGEST or "$(" in command or "`" in command:
        return False
    bare = _QUOTED.sub("'", _HARMLESS.sub(" ", command))
    if ">" in bare or "<<" in bare or "&" in bare.replace("&&", ""):
        return False
    parts = [part.split() for part in _SEPARATOR.split(bare)]
    told = [words for words in parts if words]
    return bool(told) and all(map(_reads, told))


def _reads(words: list[str]) -> bool:
    while words and _SETTING.match(words[0]):
        words = words[1:]
    if not words:
        return True
    name, options = words[0], words[1:]
    if name == "git":
        return next((w for w in options if not w.startswith("-")), "") in GIT_READERS
    return name in READERS and not any(
        option in _CHANGING_OPTIONS or (name == "sed" and option.startswith("-i"))
        for option in options
    )
