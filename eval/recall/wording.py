"""The words of an answer, as they are graded: without reasoning, calls and typography."""

from __future__ import annotations

import re

from compaction_eval.strategies.mentions import normalise

GRADED = 50_000
"""Characters of an answer that are looked at: about ten times the longest one asked for."""
_TAGS = "think|thinking|thought|reasoning|reflection|scratchpad|analysis|seed:think"
_OPEN = rf"<(?P<tag>{_TAGS})\b[^<>]{{0,80}}>|\[(?P<square>THINK)\]|◁(?P<wedge>think)▷"
_REASONING = re.compile(
    rf"(?:{_OPEN}).*?(?:</(?P=tag)\s*>|\[/(?P=square)\]|◁/(?P=wedge)▷|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_REASONING_END = re.compile(rf"\A.*(?:</(?:{_TAGS})\s*>|\[/THINK\]|◁/think▷)", re.DOTALL | re.I)
"""The end of a reasoning that the prompt's template had opened."""
_CHANNELS = re.compile(r"<\|channel\|>\s*(\w+)[^<]{0,80}<\|message\|>")
_CALL = re.compile(
    r"<(?P<tag>tool_call|function_call|tool_calls|function_calls)\b[^<>]{0,80}>.*?(?:</(?P=tag)\s*>|\Z)"
    r"|\[TOOL_CALLS\].*\Z",
    re.DOTALL,
)
"""Calls that a server without a parser for them hands on as text."""
_FRAME = re.compile(r"</?(?:answer|final_answer|final|response|output)>|<\|[\w|]{1,30}\|>", re.I)
_ESCAPED = re.compile(r"\\(?=[_*`~#\[\](){}.!<>$%&+\-])")
_HIDDEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_ALIKE = {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-"),
    **dict.fromkeys(map(ord, "‘’‚‛ʼ′"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″"), '"'),
}
_EDGES = "*_`~#>\"' .,;:!?()[]{}<>$|-。、，；：！？「」『』（）《》【】…"


def spoken(text: str) -> str:
    """What an answer says to the one who asked: reasoning and calls in words taken out."""
    text = text[:GRADED]
    channels = list(_CHANNELS.finditer(text))
    if channels:
        # Only the last channel is meant for the reader, and none if the reasoning never ended.
        last = channels[-1]
        text = text[last.end() :] if last[1].casefold() == "final" else text[: channels[0].start()]
    text = _REASONING.sub(" ", text)
    text = _REASONING_END.sub(" ", text)
    return _FRAME.sub(" ", _CALL.sub(" ", text)).strip()


def tidy(text: str) -> str:
    """A text normalised, dashes and quotes of one kind, without hidden signs and escapes."""
    plain = _ESCAPED.sub("", text.translate(_HIDDEN))
    return normalise(normalise(plain).translate(_ALIKE))


def bare(text: str) -> str:
    """A tidy text without what only frames it: emphasis, quotes, brackets, a full stop."""
    return text.strip(_EDGES)
