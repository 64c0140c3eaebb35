"""From files and folders to a folder of scenarios: one file after the other, and all or nothing.

No more than one file's conversations are held at a time. Where a sample is drawn or private
values are replaced, everything is read twice: what is drawn, and what is private, hangs on all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from compaction_eval.scenarios.importers import Format
from compaction_eval.scenarios.importers.drawing import Key, drawn
from compaction_eval.scenarios.importers.naming import Ids
from compaction_eval.scenarios.importers.reading import Reader
from compaction_eval.scenarios.importers.records import Account, Conversation
from compaction_eval.scenarios.importers.scrubbing import Scrubber
from compaction_eval.scenarios.importers.sources import Source, sources
from compaction_eval.scenarios.importers.staging import Staging
from compaction_eval.scenarios.importers.window import Window
from compaction_eval.scenarios.importers.writing import scenario_files
from compaction_eval.scenarios.records import Place
from compaction_eval.scenarios.reuse import reuse_probes
from compaction_eval.strategies.errors import ConfigurationError

_UNDRAWN = "message of a conversation that wasn't drawn"


@dataclass(frozen=True, slots=True)
class Choice:
    """What of the given files is imported, and how."""

    formats: Mapping[str, Format]
    lang: str | None = None
    """None: judged by each conversation's text."""
    keep_going: bool = False
    sample: int | None = None
    seed: int = 0
    window: Window = field(default_factory=Window)
    scrub: bool = False
    force: bool = False


@dataclass(slots=True)
class Outcome:
    """What was imported, and an account of everything that wasn't."""

    files: list[tuple[Path, int, Account]] = field(default_factory=list)
    """Each file that was read: its conversations that were written, and its account."""
    mistakes: list[str] = field(default_factory=list)
    left_out: int = 0
    """Lines or entries that couldn't be read or understood, of files that could."""
    unread: int = 0
    """Files of which nothing could be read."""
    passed: dict[Path, str] = field(default_factory=dict)
    """Files found in folders that are no transcripts, and why."""
    drawn_from: tuple[int, int] = (0, 0)
    """Conversations and files that a sample was drawn from."""
    scrubbed: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Kind -> different private values that were replaced, and places."""
    silent: list[tuple[Place | None, str]] = field(default_factory=list)
    """Where each conversation without anything to measure begins, and its title."""
    conversations: int = 0
    questions: int = 0
    compactions: int = 0
    reuse: int = 0
    free: int = 0
    own: int = 0
    sure: int = 0
    """Reuse probes that are in the headline, and can't be there by chance."""
    recoverable: int = 0
    """Of those, the ones that the agent could have read again."""
    words: int = 0
    """Reuse probes in the agent's own words."""
    words_free: int = 0

    def add(self, conversation: Conversation) -> None:
        """Count a conversation that is written."""
        every = reuse_probes(conversation.messages, conversation.tools, text=True)
        probes = [probe for probe in every if probe.where != "text"]
        sure = [probe for probe in probes if not (probe.free or probe.chance)]
        self.conversations += 1
        self.questions += len(conversation.questions)
        self.compactions += len(conversation.compactions)
        self.reuse += len(probes)
        self.free += sum(probe.free for probe in probes)
        self.own += sum(probe.own for probe in probes)
        self.sure += len(sure)
        self.recoverable += sum(probe.recoverable for probe in sure)
        self.words += len(every) - len(probes)
        self.words_free += sum(probe.free for probe in every) - sum(probe.free for probe in probes)
        if not conversation.questions and all(probe.free for probe in every):
            self.silent.append((conversation.place, conversation.title))


def import_into(folder: Path, given: Sequence[Path], choice: Choice) -> Outcome:
    """Import files, and those in folders, into a folder.

    Raises ConfigurationError, and leaves the folder as it was, for what can't be read or written;
    with `keep_going` only where nothing can be read.
    """
    found = sources(given, folder)
    reader = Reader(choice.formats, found, choice.keep_going)
    scrubber = Scrubber() if choice.scrub else None
    outcome, chosen = Outcome(), None
    if choice.sample is not None or scrubber is not None:
        keys = list(_first_look(reader, scrubber))
        reader.raise_mistakes()
        if choice.sample is not None:
            chosen = drawn(keys, choice.sample, choice.seed)
            names = {name for name, _ in chosen}
            found = [source for source in found if source.name in names]
            outcome.drawn_from = (len(keys), len({name for name, _ in keys}))
    ids = Ids()
    with Staging(folder) as staging:
        for source in found:
            for conversation in _of_file(source, reader, choice.window, chosen, outcome):
                if reader.mistakes and not choice.keep_going:
                    continue
                clean = scrubber.scrubbed(conversation) if scrubber is not None else conversation
                staging.add(scenario_files(clean, ids.take(clean.name), choice.lang))
                outcome.add(clean)
        reader.raise_mistakes()
        if not outcome.conversations:
            hint = "; look at --from and --max-messages" if choice.window != Window() else ""
            raise ConfigurationError(f"no conversation is left to import{hint}")
        staging.finish(force=choice.force, read=reader.paths)
    outcome.mistakes = [line for lines in reader.mistakes.values() for line in lines]
    outcome.passed, outcome.unread = reader.passed, reader.unread
    if scrubber is not None:
        outcome.scrubbed = {str(kind): told for kind, told in scrubber.account().items()}
    return outcome


def _first_look(reader: Reader, scrubber: Scrubber | None) -> Iterator[Key]:
    """The key of each conversation; a scrubber sees all of them."""
    for source in reader.sources:
        one = reader.read(source)
        for number, conversation in enumerate(one.conversations if one is not None else ()):
            if scrubber is not None:
                scrubber.look(conversation)
            yield source.name, number


def _of_file(
    source: Source,
    reader: Reader,
    window: Window,
    chosen: frozenset[Key] | None,
    outcome: Outcome,
) -> Iterator[Conversation]:
    """The conversations of a file as they are to be written; then its account is complete."""
    one = reader.read(source)
    if one is None:
        return
    outcome.left_out += len(one.faults)
    skipped, kept, written = Counter[str](), 0, 0
    for number, conversation in enumerate(one.conversations):
        if chosen is not None and (source.name, number) not in chosen:
            skipped[_UNDRAWN] += len(conversation.messages)
            continue
        left, reasons = window.cut(conversation)
        skipped.update(reasons)
        if left is not None:
            kept += len(left.messages)
            written += 1
            yield left
    account = one.account.without(skipped, one.account.kept - kept)
    outcome.files.append((source.path, written, account))
