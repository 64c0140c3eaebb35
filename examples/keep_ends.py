"""A plain function as a strategy: keep both ends of a conversation, cut the middle.

    python run_eval.py run --strategy ./examples/keep_ends.py:keep_ends
    python run_eval.py run --strategy "./examples/keep_ends.py:keep_ends(share=0.8)"

The front holds what was asked for, the end what is being done. Nothing here needs this package:
the function takes message dicts and returns message dicts.
"""


def keep_ends(messages, budget, count, *, share: float = 1.0):
    """Keep system messages, the first user request, and the newest messages that fit.

    `count(messages)` gives the tokens of a request; `share` is the part of the budget to fill.
    """
    if count(messages) <= budget:
        return messages

    first_user = next((m for m in messages if m["role"] == "user"), None)
    pinned = [m for m in messages if m["role"] in ("system", "developer") or m is first_user]
    pinned_ids = {id(m) for m in pinned}

    kept_ids = pinned_ids
    for start in range(len(messages) - 1, -1, -1):
        # A tool's answer can't open what is kept: its call would be missing, and the API refuses.
        if messages[start]["role"] == "tool":
            continue
        candidate = pinned_ids | {id(m) for m in messages[start:]}
        view = [m for m in messages if id(m) in candidate]
        # The newest messages are kept even where they alone are too large.
        if count(view) > budget * share and kept_ids != pinned_ids:
            break
        kept_ids = candidate
    return [m for m in messages if id(m) in kept_ids]
