"""Requests told: their size against the budget, what became of the messages and of the facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from compaction_eval.eval.records import REPLAYED, PartRef, RequestRecord
from compaction_eval.reports.fact_story import asked_lines, turn_lines
from compaction_eval.reports.figures import plural
from compaction_eval.reports.message_states import message_states, positions
from compaction_eval.reports.printable import excerpt, one_line
from compaction_eval.reports.remarks import remarks
from compaction_eval.reports.standing import Standing
from compaction_eval.reports.states import message_words
from compaction_eval.reports.verdict_story import before
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.messages import Message, reading_text
from compaction_eval.strategies.summary import is_summary, summary_text

_BAR = 10
_INDENT = " " * 6


@dataclass(frozen=True, slots=True)
class Requests:
    """The requests of a cell that are told, and of what."""

    scenario: Scenario
    standing: Standing
    shown: Sequence[int]
    """Their indices, ascending."""
    probe: str | None = None
    """The probe that is followed alone; None for all."""
    followed: frozenset[str] | None = None
    """Ids of the facts that are followed alone; None for all."""

    def lines(self, width: int) -> Iterator[Text]:
        """A line or more for each request; quiet ones in a row share one."""
        quiet: list[int] = []
        alike: tuple[int, object] = (-1, None)
        for index in self.shown:
            turns = list(turn_lines(self.standing, index, self.followed))
            asked = list(asked_lines(self.standing, index, self.probe))
            if _is_quiet(self._request(index)) and not turns and not asked:
                quiet.append(index)
                continue
            yield from self._quiet(quiet)
            quiet = []
            # Questions asked at one place mostly find the same.
            if self._request(index).probe is None or alike[1] != self._deed(index):
                alike = (index, self._deed(index))
                yield from self._told(index, width)
            else:
                yield Text(f"{self._head(f'#{index}', self._request(index))}: as at #{alike[0]}")
            yield from (Text.assemble(_INDENT, line) for line in (*turns, *asked))
        yield from self._quiet(quiet)

    def _request(self, index: int) -> RequestRecord:
        return self.standing.cell.requests[index]

    def _head(self, where: str, request: RequestRecord) -> str:
        budget = self.standing.cell.budget_tokens
        probe = f", asks {one_line(request.probe)}" if request.probe else ""
        size = _bar(request.tokens, budget)
        return f"{where:>5} {size} {before(self.scenario, request.at)}{probe}"

    def _deed(self, index: int) -> object:
        """What a request did and sent, its question apart."""
        request = self._request(index)
        states = message_states(self.standing, index)
        others = [(state, parts) for state, parts in states.items() if state != "question"]
        return (request.at, request.action, request.summary, others, remarks(request))

    def _quiet(self, quiet: Sequence[int]) -> Iterator[Text]:
        if quiet:
            first, last = quiet[0], quiet[-1]
            where = f"#{first}" if first == last else f"#{first}–{last}"
            yield Text(f"{self._head(where, self._request(last))}: nothing to do", "dim")

    def _told(self, index: int, width: int) -> Iterator[Text]:
        request = self._request(index)
        if _is_quiet(request):
            yield Text(f"{self._head(f'#{index}', request)}: nothing to do", "dim")
            return
        done = one_line(request.action) if request.action != "none" else "nothing done"
        if request.dropped:
            done += f", drops {plural(positions(request.dropped), 'message')}"
        style = "red" if request.faults else "yellow" if request.over_budget else ""
        yield Text(f"{self._head(f'#{index}', request)}: {done}", style or "bold")
        yield from self._messages(index, width)
        if request.summary is not None:
            yield self._summary(request, width)
        for remark in remarks(request):
            yield Text(f"{_INDENT}! {one_line(remark, max(width, 600))}", style or "yellow")

    def _messages(self, index: int, width: int) -> Iterator[Text]:
        """What became of the messages, on as many lines as that needs; no state is broken."""
        line = Text(_INDENT)
        for state, parts in message_states(self.standing, index).items():
            told = message_words(state)
            if state != "question":
                told.append(f" {refs(parts)}", "dim" if state in ("kept", "gone") else "")
            if len(line) > len(_INDENT) and line.cell_len + told.cell_len + 2 > width:
                yield line
                line = Text(_INDENT)
            line.append("  " if len(line) > len(_INDENT) else "").append_text(told)
        yield line

    def _summary(self, request: RequestRecord, width: int) -> Text:
        message: Message = self.standing.cell.synthetic.get(request.summary or "", {})
        words = summary_text(message) if is_summary(message) else reading_text(message)
        cost = f"{request.summary_tokens_in:,} tokens in, {request.summary_tokens_out:,} out"
        if REPLAYED in request.events:
            cost = f"as it was recorded, {plural(request.summary_tokens_out, 'token')}"
        head = f"{_INDENT}{one_line(request.summary or '')} ({cost}): "
        return Text.assemble((head, "magenta"), excerpt(words, (), max(width - len(head), 20)))


def _is_quiet(request: RequestRecord) -> bool:
    return request.action == "none" and not request.dropped and not remarks(request)


def _bar(tokens: int, budget: int) -> str:
    """`[=====     ]  1,200/2,400`, full where the budget is used up or exceeded."""
    filled = min(_BAR, round(_BAR * tokens / budget)) if budget > 0 else _BAR
    return f"[{'=' * filled}{' ' * (_BAR - filled)}] {tokens:>7,}/{budget:,}"


def refs(parts: Sequence[PartRef]) -> str:
    """Message positions as people read them: `0, s1, 14–22`, the last one included."""
    return ", ".join(map(_ref, parts)) or "nothing"


def _ref(part: PartRef) -> str:
    if isinstance(part, str):
        return one_line(part)
    start, stop = part
    return str(start) if stop - start == 1 else f"{start}–{stop - 1}"
