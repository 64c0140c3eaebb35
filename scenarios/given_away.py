"""Values that what is in view anyway gives away, though it holds them nowhere whole.

An agent puts a path together from the folder and the rest, writes a member of an object whose
name it sees, or follows a convention: the tests of `lib/pump.py` are in `tests/test_pump.py`, and a
folder has its `index.ts`. Only what can be told by plain rules is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from compaction_eval.scenarios.reused_values import is_distinctive
from compaction_eval.scenarios.telling import is_file_name, is_made_up_name
from compaction_eval.scenarios.well_known import WELL_KNOWN
from compaction_eval.strategies.mentions import normalise

_BEFORE = re.compile(r"(?<![\w~@./\-])")
_BEFORE_REST = re.compile(r"(?<![\w~@./\-])|(?<=(?<![\w./])\./)")
_AFTER = re.compile(r"(?![\w\-]|\.\w)")
_GOES_ON = re.compile("/")
_WORD, _NO_WORD = re.compile(r"(?<!\w)"), re.compile(r"(?!\w)")
_PATH = re.compile(r"[\w.~@/\-]+")
_TESTING = re.compile(r"tests?[_\-.](?P<after>.+)|(?P<before>.+)[_\-.](?:tests?|spec)")
_ROOTS = frozenset(["__tests__", "lib", "spec", "specs", "src", "test", "tests"])
"""Folders by whose names alone the tree of the tests differs from that of the code."""
_ITSELF = frozenset(["self", "this"])
_SHORTEST_STEM = 4
_ABSOLUTE = ("/", "~")
_LONG_REST = 3
"""Names in the rest of an absolute path from which on only its root is missing."""


class Clues:
    """What is in view at a request; all texts are normalised.

    `newest` is the newest block, `always` the system messages before the request, and `beside` the
    values that the calls of the request's own message use.
    """

    def __init__(
        self, newest: Iterable[str], always: Iterable[str] = (), beside: Iterable[str] = ()
    ):
        self._newest = tuple(newest)
        self._always = tuple(always)
        self._beside = tuple(beside)

    def give(self, written: str) -> bool:
        """Whether a value, as the agent wrote it, can be told from the clues without its source."""
        if "/" in written:
            path = normalise(written)
            return self._joins(path) or self._has_conventional(path)
        names = _needed_names(written)
        return bool(names) and all(_any_has(self._newest, name, _WORD, _NO_WORD) for name in names)

    def _joins(self, path: str) -> bool:
        """Whether a folder in view and the rest of a path, in the newest block, make it up.

        Of an absolute path a long rest does alone: where a project lies nearly every view says.
        """
        return any(
            is_distinctive(rest)
            and _any_has(self._newest, rest, _BEFORE_REST, _AFTER)
            and (
                _any_has_folder((*self._newest, *self._always), folder)
                or (path.startswith(_ABSOLUTE) and rest.count("/") + 1 >= _LONG_REST)
            )
            for folder, rest in _splits(path)
        )

    def _has_conventional(self, path: str) -> bool:
        """Whether a path only adds to one in view what everybody would add."""
        folder, _, name = path.rpartition("/")
        if name in WELL_KNOWN:
            others = (one for one in self._beside if one != path)
            if _any_has_folder((*self._newest, *others), folder):
                return True
        tested = _tested(name)
        if tested is None:
            return False
        inner = _inner(folder)
        folders = self._files.get(tested, ())
        return any(not inner or one[-len(inner) :] == inner for one in folders)

    @cached_property
    def _files(self) -> Mapping[str, Sequence[list[str]]]:
        """Name of a file without its ending -> the folders, as `_inner` has them, it stands in."""
        found: dict[str, list[list[str]]] = {}
        seen = (match.group() for text in self._newest for match in _PATH.finditer(text))
        for path in (*seen, *self._beside):
            folder, _, name = path.rstrip(".").rpartition("/")
            if is_file_name(name):
                found.setdefault(name.rpartition(".")[0], []).append(_inner(folder))
        return found


def _splits(path: str) -> Iterator[tuple[str, str]]:
    """Each way to take a path for a folder and a rest; neither is empty."""
    at = path.find("/", 1)
    while at > 0:
        if path[at + 1 :]:
            yield path[:at], path[at + 1 :]
        at = path.find("/", at + 1)


def _any_has_folder(texts: Iterable[str], folder: str) -> bool:
    """Whether a folder stands in a text; one of a single name only where a path goes on there."""
    return bool(folder) and _any_has(texts, folder, _BEFORE, _AFTER if "/" in folder else _GOES_ON)


def _any_has(
    texts: Iterable[str], what: str, before: re.Pattern[str], after: re.Pattern[str]
) -> bool:
    """Whether it stands in a text between what two patterns ask for.

    By plain searches: there are as many values as a message has words, too many to compile.
    """
    return any(
        before.match(text, at) and after.match(text, at + len(what))
        for text in texts
        for at in _places(text, what)
    )


def _places(text: str, what: str) -> Iterator[int]:
    at = text.find(what)
    while at >= 0:
        yield at
        at = text.find(what, at + 1)


def _tested(name: str) -> str | None:
    """`test_pump.py`, `pump.spec.ts` -> `pump`, what a file of tests is about; None for others."""
    match = _TESTING.fullmatch(name.rpartition(".")[0])
    stem = match and (match["after"] or match["before"])
    return stem if stem and len(stem) >= _SHORTEST_STEM else None


def _inner(folder: str) -> list[str]:
    """The names of a folder's path without those that the trees of code and tests don't share."""
    return [name for name in folder.split("/") if name not in ("", ".") and name not in _ROOTS]


def _needed_names(written: str) -> list[str]:
    """The names in `pump.drain_all_tanks` that nobody writes by chance, all if each one may be.

    Empty for what isn't made of several names: addresses, file names, numbers, single names.
    """
    if is_file_name(written) or any(mark in written for mark in "@-"):
        return []
    names = [name for name in re.split(r"\W+", written) if name]
    if len(names) < 2 or any(name[0].isdigit() for name in names):
        return []
    others = [name for name in names if name not in _ITSELF]
    return [normalise(name) for name in filter(is_made_up_name, others)] or list(
        map(normalise, others)
    )
