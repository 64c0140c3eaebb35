"""Defects of summaries: what is asked, what the summariser is shown and says, where it is put."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tests.defects.planting import Defect, Make, Patch, before, given, planned, requests, texts

from compaction_eval.strategies import (
    block_summary,
    count_summary,
    keep_recent_summary,
    recent_summary,
    summarizing,
    window_summary,
)
from compaction_eval.strategies.messages import role
from compaction_eval.strategies.summarizers import extractive, pieces, selection

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
FILE_PATH = re.compile(r"[\w.@-]*(?:/[\w.@-]+)+")


def forgetting(sound: Any) -> Any:
    """`attempt_summary` that isn't told of the summary so far."""
    return lambda context, rendered, previous, **named: sound(context, rendered, None, **named)


def appending(sound: Any) -> Any:
    """`attempt_summary` that puts the new summary behind the old one."""

    def attempt(context: Any, rendered: Any, previous: Any, **named: Any) -> Any:
        made = sound(context, rendered, previous, **named)
        if made.text is None or not previous:
            return made
        return replace(made, text=f"{previous}\n{made.text}")

    return attempt


def left_standing(sound: Any) -> Any:
    """`without_summary` that takes the old summary for a message like any other."""
    return lambda messages: (messages, None)


def first_only(sound: Any) -> Any:
    """`render` of the first message alone."""
    return lambda messages, **named: sound(list(messages)[:1], **named)


def without_role(speaker: str) -> Make:
    """A summariser that isn't shown one role's messages."""
    return requests(
        lambda request: replace(
            request, messages=tuple(one for one in request.messages if role(one) != speaker)
        )
    )


def increased(text: str) -> str:
    """Each number one higher."""
    return re.sub(r"\d+", lambda found: str(int(found[0]) + 1), text)


def without_changes(sound: Any) -> Any:
    """Candidates without those whose sentence takes something back or changes it."""
    return lambda *arguments: (one for one in sound(*arguments) if not one.piece.changes)


def blind_to(kind: str) -> Make:
    """`emphasis` that doesn't know one kind of cue."""
    return lambda sound: lambda found: sound(found - {kind})


def newest_superseded(sound: Any) -> Any:
    """`superseded` of the candidates in the other order: the old value stays, the new one goes."""
    return lambda candidates, rarity: sound(list(reversed(candidates)), rarity)


def accepting(sound: Any) -> Any:
    """`rejection` that finds nothing wrong."""
    return lambda *_, **__: None


def unfit(sound: Any) -> Any:
    """`fit_summary` that cuts in the middle of a word or number."""
    return lambda text, limit: text[: 3 * limit // 2]


ROLLING, WINDOW = "rolling-summary", "window-summary"
RECENT, COUNT, TOKEN = "keep-recent-summary", "count-summary", "token-summary"

ASKING = (
    Defect(
        "old-summary-forgotten",
        "The summariser isn't given the summary so far, which is replaced all the same.",
        ROLLING,
        patches=(Patch(block_summary, "attempt_summary", forgetting),),
    ),
    Defect(
        "old-note-forgotten",
        "Each new note is made of the dropped messages alone.",
        RECENT,
        patches=(Patch(recent_summary, "attempt_summary", forgetting),),
    ),
    Defect(
        "summary-appended",
        "The new summary is put behind the old one instead of replacing it.",
        ROLLING,
        patches=(Patch(block_summary, "attempt_summary", appending),),
    ),
    Defect(
        "summaries-piled-up",
        "Summaries aren't known again, so that each cut adds one more.",
        COUNT,
        patches=(Patch(count_summary, "without_summary", left_standing),),
    ),
    Defect(
        "only-first-summarised",
        "Of several dropped messages only the first is summarised.",
        WINDOW,
        patches=(Patch(block_summary, "render", first_only),),
    ),
    Defect(
        "arguments-not-shown",
        "The summariser isn't shown the arguments of calls.",
        WINDOW,
        patches=(Patch(block_summary, "render", given(arguments=0)),),
    ),
    Defect(
        "outputs-not-shown",
        "The summariser isn't shown tool answers.",
        ROLLING,
        wrap_summarizer=without_role("tool"),
        place="summariser",
    ),
    Defect(
        "outputs-shown-by-head",
        "The summariser is shown only the first 100 characters of a tool answer.",
        WINDOW,
        patches=(
            Patch(window_summary, "cut_and_summarize", planned(output=100, output_cut="head")),
        ),
    ),
    Defect(
        "users-not-shown",
        "The summariser isn't shown what the user said.",
        TOKEN,
        wrap_summarizer=without_role("user"),
        place="summariser",
    ),
    Defect(
        "harness-summarised",
        "Feedback of the agent's own harness is summarised as if the user had said it.",
        ROLLING,
        patches=(Patch(block_summary, "render", given(keep_internal=True)),),
    ),
    Defect(
        "summary-limit-halved",
        "Summaries may have half of the length that was asked for.",
        WINDOW,
        broken="window-summary(summary_limit=150)",
    ),
    Defect(
        "note-limit-halved",
        "The note may have half of the length that was asked for.",
        RECENT,
        broken="keep-recent-summary(summary_limit=60)",
    ),
    Defect(
        "hardly-worth-it",
        "A stretch is summarised only from thirty times the tokens that were asked for.",
        "threshold-gate",
        broken="threshold-gate(min_tokens=2400)",
    ),
)

PUTTING = (
    Defect(
        "summary-behind-newest",
        "The summary stands behind the newest message instead of in front.",
        ROLLING,
        broken="rolling-summary(summary_place=end)",
    ),
    Defect(
        "summary-in-front-of-recent",
        "The summary stands in front of the recent messages instead of behind them.",
        COUNT,
        broken="count-summary(summary_place=front)",
    ),
    Defect(
        "wrong-language",
        "Every conversation is summarised as if it were in English.",
        WINDOW,
        wrap=before(lambda context: replace(context, language="en")),
    ),
    Defect(
        "error-used-as-summary",
        "What a summariser says of its failure is used as the summary.",
        ROLLING,
        patches=(Patch(summarizing, "rejection", accepting),),
        summarizer="faulty(fault=refusal, every=3)",
    ),
    Defect(
        "empty-summary-used",
        "An empty text replaces the summary.",
        WINDOW,
        patches=(Patch(summarizing, "rejection", accepting),),
        summarizer="faulty(fault=empty, every=3)",
    ),
    Defect(
        "chat-used-as-summary",
        "A summariser that goes on with the talk has its answer used as the summary.",
        "threshold-gate",
        patches=(Patch(summarizing, "rejection", accepting),),
        summarizer="faulty(fault=chat, every=2)",
    ),
    Defect(
        "left-out-miscounted",
        "The note that counts the messages left out forgets those of earlier notes.",
        RECENT,
        patches=(
            Patch(
                keep_recent_summary,
                "left_out",
                lambda sound: lambda note, dropped, language: sound("", dropped, language),
            ),
        ),
        summarizer="faulty(fault=raises, every=2)",
    ),
)

SAYING = (
    Defect(
        "numbers-dropped",
        "The summariser leaves numbers out.",
        WINDOW,
        wrap_summarizer=texts(lambda text: NUMBER.sub("…", text)),
        place="summariser",
    ),
    Defect(
        "numbers-wrong",
        "The summariser gets each number wrong by one.",
        ROLLING,
        wrap_summarizer=texts(increased),
        place="summariser",
    ),
    Defect(
        "paths-forgotten",
        "The summariser leaves file paths out.",
        WINDOW,
        wrap_summarizer=texts(lambda text: FILE_PATH.sub("a file", text)),
        place="summariser",
    ),
    Defect(
        "changes-skipped",
        "The extractive summariser skips sentences that change or take back something.",
        ROLLING,
        patches=(Patch(extractive, "_candidates", without_changes),),
        place="summariser",
    ),
    Defect(
        "decisions-not-ranked",
        "Decisions count no more than other sentences.",
        WINDOW,
        patches=(Patch(pieces, "emphasis", blind_to("decision")),),
        place="summariser",
    ),
    Defect(
        "constraints-not-ranked",
        "Constraints count no more than other sentences.",
        ROLLING,
        patches=(Patch(pieces, "emphasis", blind_to("constraint")),),
        place="summariser",
    ),
    Defect(
        "stale-stays",
        "Of two values for one thing both stay in the summary.",
        WINDOW,
        patches=(Patch(selection, "superseded", lambda sound: lambda *_: set()),),
        place="summariser",
    ),
    Defect(
        "stale-wins",
        "Of two values for one thing the older one stays in the summary.",
        ROLLING,
        patches=(Patch(selection, "superseded", newest_superseded),),
        place="summariser",
    ),
    Defect(
        "everyone-equal",
        "The user's words count no more than tool output.",
        TOKEN,
        patches=(Patch(selection, "_SPEAKER", lambda sound: {}),),
        place="summariser",
    ),
    Defect(
        "values-unweighted",
        "A piece that holds many values ranks no higher than one that holds few.",
        COUNT,
        patches=(Patch(selection, "_LENGTH", lambda sound: 0.2),),
        place="summariser",
    ),
    Defect(
        "cut-inside-words",
        "A summary that is too long is cut in the middle of a word or number.",
        RECENT,
        patches=(Patch(summarizing, "fit_summary", unfit),),
        place="summariser",
        summarizer="faulty(fault=inflated, times=1)",
    ),
    Defect(
        "summariser-fails-often",
        "Every second summary fails, and the old one stays.",
        WINDOW,
        wrap_summarizer=lambda inner: Failing(inner),
        place="summariser",
    ),
)


class Failing:
    """A summariser that raises at every second call."""

    def __init__(self, inner: Any):
        self.inner = inner
        self.name = inner.name
        self.calls = 0

    def summarize(self, request: Any) -> str:
        self.calls += 1
        if self.calls % 2:
            raise TimeoutError("no answer")
        return str(self.inner.summarize(request))


SUMMARIES = (*ASKING, *PUTTING, *SAYING)
