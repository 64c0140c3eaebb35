"""`keep-recent-summary`: over budget, a note stands for all but the last few messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.cutting import recent_start, sliceable, without_summary
from compaction_eval.strategies.messages import Message
from compaction_eval.strategies.options import History, Pairs, RoleChoice, System, at_least
from compaction_eval.strategies.recent_summary import RecentPlan, replace_older
from compaction_eval.strategies.summary import SummaryPlace, summary_text

_LEFT_OUT = {
    "zh": "此前有 {} 条消息未保留。",
    "ja": "これより前のメッセージ {} 件は省かれています。",
    "de": "Ausgelassene frühere Nachrichten: {}.",
}
_LEFT_OUT_EN = "Earlier messages left out: {}."


@dataclass(frozen=True, slots=True)
class KeepRecentSummary:
    """Keeps system messages, one note, and the last `keep_recent` messages, whatever those cost.

    Without a summary the note says how many messages were left out.
    """

    keep_recent: int = 4
    """Messages kept as they are, neither system messages nor the note counted."""
    summary_limit: int = 120
    """Longest summary, in wide characters."""
    summary_role: RoleChoice = "user"
    summary_place: SummaryPlace = "front"
    system: System = "keep"
    pairs: Pairs = "break"
    history: History = "replace"

    def __post_init__(self) -> None:
        at_least(1, keep_recent=self.keep_recent, summary_limit=self.summary_limit)

    @property
    def name(self) -> str:
        """The registered name."""
        return "keep-recent-summary"

    def compact(self, messages: Sequence[Message], context: Context) -> Compaction:
        """The note and the last messages, if the budget is exceeded and there are more."""
        if context.count(messages) <= context.budget:
            return Compaction(messages)
        keep_system = self.system == "keep"
        body, old = without_summary(sliceable(messages))
        bound = recent_start(body, self.keep_recent, keep_system) or 0
        plan = RecentPlan(
            keep_system=keep_system,
            whole_blocks=self.pairs == "keep",
            role=self.summary_role,
            place=self.summary_place,
            summary_limit=self.summary_limit,
            style="note",
        )

        def count_only(dropped: int) -> str:
            earlier = summary_text(old) if old is not None else ""
            return left_out(earlier, dropped, context.language)

        return replace_older(body, old, bound, context, plan, count_only) or Compaction(messages)


def left_out(note: str, dropped: int, language: str) -> str:
    """A note that says how many messages were left out, those that it told of already included.

    What else the note says stays in front.
    """
    wording = _LEFT_OUT.get(language.split("-")[0].lower(), _LEFT_OUT_EN)
    before, after = wording.split("{}")
    told = re.search(rf"(?:^|\n){re.escape(before)}([0-9]+){re.escape(after)}$", note)
    if told is None:
        lines = [note] if note else []
    else:
        dropped += int(told[1])
        lines = [note[: told.start()]] if told.start() else []
    return "\n".join([*lines, wording.format(dropped)])
