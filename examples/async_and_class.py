"""An async function and a class with state as strategies.

python run_eval.py run --strategy ./examples/async_and_class.py:mask_tool_output
python run_eval.py run --strategy "./examples/async_and_class.py:EveryOther(keep=8)"
"""

from dataclasses import dataclass, field


async def mask_tool_output(messages, budget, count, *, recent: int = 3):
    """Over budget, replace the output of all but the `recent` newest tools by a placeholder.

    Async, as a function would be that asks a service what to keep. Each call runs on an event
    loop of its own, so open clients in here and not at the top of the module.
    """
    if count(messages) <= budget:
        return messages
    tools = [m for m in messages if m["role"] == "tool"]
    old = {id(m) for m in tools[: max(len(tools) - recent, 0)]}
    # New dicts for what changes: the messages given are copies, but changing them is reported.
    return [{**m, "content": "[output removed]"} if id(m) in old else m for m in messages]


@dataclass
class EveryOther:
    """Cut on every second overflow only: fewer breaks of the prompt cache, more tokens between.

    The parameters of the constructor are the parameters of the spec. Each conversation gets an
    instance of its own, so it may remember what happened so far.
    """

    keep: int = 10
    overflows: int = field(default=0, init=False)

    def compact(self, messages, context):
        """`context` has `budget`, `count(messages)`, `summarize(messages)`, `language`."""
        if context.count(messages) <= context.budget:
            return messages
        self.overflows += 1
        if self.overflows % 2 == 0:
            return messages
        system = [m for m in messages if m["role"] == "system"]
        rest = [m for m in messages if m["role"] != "system"][-self.keep :]
        while len(rest) > 1 and rest[0]["role"] == "tool":
            rest = rest[1:]
        return system + rest
