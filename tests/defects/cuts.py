"""Defects of what a strategy keeps: messages, blocks and requests lost, split, doubled, moved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.defects.planting import Defect, Patch, after

from compaction_eval.strategies import block_cutting, block_summary, token_summary, window_summary
from compaction_eval.strategies.base import Compaction
from compaction_eval.strategies.cutting import omit
from compaction_eval.strategies.messages import content_text, is_system, role, tool_calls


def without_system_after_three(made: Compaction, messages: Any, state: dict[str, int]) -> Any:
    """From the third compaction of a conversation on, without system messages."""
    state["cuts"] = state.get("cuts", 0) + (made.action != "none")
    if state["cuts"] < 3:
        return made
    lost = [at for at, message in enumerate(made.view) if is_system(message)]
    return replace(made, view=omit(made.view, lost)) if lost else made


def without_middle(made: Compaction, messages: Any, state: dict[str, int]) -> Any:
    """Without the plain message nearest to the middle, where something was cut."""
    if made.action == "none":
        return made
    plain = [at for at, one in enumerate(made.view) if _is_plain(one) and at < len(made.view) - 1]
    if not plain:
        return made
    middle = min(plain, key=lambda at: abs(at - len(made.view) // 2))
    return replace(made, view=omit(made.view, [middle]))


def _is_plain(message: Any) -> bool:
    return role(message) in ("user", "assistant") and not tool_calls(message)


def swapped(made: Compaction, messages: Any, state: dict[str, int]) -> Any:
    """The two messages before the newest in the other order, where something was cut."""
    view = made.view
    if made.action == "none" or len(view) < 4:
        return made
    at = len(view) - 3
    return replace(made, view=[*view[:at], view[at + 1], view[at], *view[at + 2 :]])


def doubled(made: Compaction, messages: Any, state: dict[str, int]) -> Any:
    """The oldest kept user message twice, where something was cut."""
    place = next((at for at, one in enumerate(made.view) if role(one) == "user"), None)
    if made.action == "none" or place is None:
        return made
    copy = dict(made.view[place])
    return replace(made, view=[*made.view[:place], copy, *made.view[place:]])


def with_second_system(made: Compaction, messages: Any, state: dict[str, int]) -> Any:
    """The system message once more at the end of the leading ones, at each cut."""
    if made.action == "none" or not is_system(made.view[0]):
        return made
    return replace(made, view=[dict(made.view[0]), *made.view])


def masked_outputs(made: Compaction, messages: Any, state: dict[str, int]) -> Any:
    """All but the newest two kept tool answers as a placeholder, where something was cut."""
    answers = [at for at, one in enumerate(made.view) if role(one) == "tool"][:-2]
    if made.action == "none" or not answers:
        return made
    kept = list(made.view)
    for at in answers:
        kept[at] = {**kept[at], "content": "[output removed]"}
    return replace(made, view=kept)


def headless_outputs(made: Compaction, messages: Any, state: dict[str, int]) -> Any:
    """Tool answers that stay in view cut to their first 80 characters."""
    kept = [
        {**one, "content": content_text(one)[:80]}
        if role(one) == "tool" and len(content_text(one)) > 80
        else one
        for one in made.view
    ]
    return replace(made, view=kept) if made.action != "none" else made


def first_answer_only(sound: Any) -> Any:
    """Blocks that hold a call and its first answer; the others are blocks of their own."""

    def blocks(messages: Any) -> Any:
        for block in sound(messages):
            yield block[:2]
            yield from ((position,) for position in block[2:])

    return blocks


def without_first_request(sound: Any) -> Any:
    """Plans that don't hold the first user message."""
    return lambda messages, context, plan: sound(
        messages, context, replace(plan, rules=replace(plan.rules, hold_first=False))
    )


def newest_message_only(sound: Any) -> Any:
    """The newest message in place of its block, so that its call isn't spared."""
    return lambda messages, keep_system: sound(messages, keep_system)[-1:]


CUTS = (
    Defect(
        "window-one-less",
        "A window of ten messages keeps nine.",
        "count-slice",
        broken="count-slice(keep=9)",
    ),
    Defect(
        "system-lost-after-third-cut",
        "The system prompt is lost at the third compaction.",
        "window-summary",
        wrap=after(without_system_after_three),
    ),
    Defect(
        "system-dropped",
        "System messages slide out of the window like any other.",
        "token-window",
        broken="token-window(system=drop)",
        wants="standing-orders",
    ),
    Defect(
        "system-repeated",
        "Each cut puts the system message in front once more.",
        "block-truncation",
        wrap=after(with_second_system),
    ),
    Defect(
        "parallel-results-split",
        "Of several parallel calls only the first answer belongs to the block.",
        "block-truncation",
        patches=(Patch(block_cutting, "iter_blocks", first_answer_only),),
        wants="wide-reads",
    ),
    Defect(
        "pairs-broken",
        "The cut falls between a call and its answer, and the orphan stays.",
        "token-window(pairs=keep)",
        broken="token-window(pairs=break)",
    ),
    Defect(
        "pairs-broken-by-count",
        "A window counted in messages keeps answers whose call is gone.",
        "count-slice(pairs=keep)",
        broken="count-slice(pairs=break)",
    ),
    Defect(
        "request-lost-in-tool-loop",
        "The user's request slides out while the agent still works on it.",
        "rolling-summary",
        broken="rolling-summary(request=window)",
    ),
    Defect(
        "request-lost-at-gate",
        "At the threshold the request goes with the messages before it.",
        "threshold-gate",
        broken="threshold-gate(request=window)",
    ),
    Defect(
        "first-request-lost",
        "What the user asked for at the very beginning isn't held.",
        "window-summary",
        patches=(Patch(window_summary, "cut_and_summarize", without_first_request),),
    ),
    Defect(
        "middle-lost",
        "Each cut also drops one plain message from the middle of what stays.",
        "block-truncation",
        wrap=after(without_middle),
    ),
    Defect(
        "order-swapped",
        "The two messages before the newest change places at each cut.",
        "block-truncation",
        wrap=after(swapped),
    ),
    Defect(
        "message-doubled",
        "Each cut leaves the oldest user message twice.",
        "rolling-summary",
        wrap=after(doubled),
    ),
    Defect(
        "outputs-masked",
        "All but the newest two tool answers in view become a placeholder.",
        "block-truncation",
        wrap=after(masked_outputs),
    ),
    Defect(
        "outputs-beheaded",
        "Tool answers that stay in view are cut to their first 80 characters.",
        "window-summary",
        wrap=after(headless_outputs),
    ),
    Defect(
        "recent-one-less",
        "One message less than the recent four is kept beside the note.",
        "keep-recent-summary",
        broken="keep-recent-summary(keep_recent=3)",
    ),
    Defect(
        "recent-tokens-off-by-one",
        "The walk over the newest messages stops one message early.",
        "token-summary",
        patches=(
            Patch(
                token_summary,
                "newest_within",
                lambda sound: lambda sizes, most: max(sound(sizes, most) - 1, 1),
            ),
        ),
    ),
    Defect(
        "recent-bound-ignored",
        "The number of recent messages is ignored, only the budget cuts.",
        "threshold-gate",
        patches=(Patch(block_summary, "recent_start", lambda sound: lambda *_: None),),
    ),
    Defect(
        "newest-block-split",
        "Only the newest message is spared, not the call that it answers.",
        "block-truncation",
        patches=(Patch(block_cutting, "newest_positions", newest_message_only),),
        wants="wide-reads",
    ),
)
