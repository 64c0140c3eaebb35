"""When a summary mustn't replace anything, and how one that is merely long is made to fit.

The patterns are few and stand at fixed places: to take a good summary for a bad one loses facts
just as surely as the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from compaction_eval.strategies.parroting import is_parroted
from compaction_eval.strategies.prose_language import prose_language
from compaction_eval.strategies.sentences import sentences
from compaction_eval.strategies.summary import summary_length
from compaction_eval.strategies.tokens import TokenCounter

SHORTEST = 10
"""A summary of that many characters or fewer says nothing."""
INFLATED = 2
"""From that many times the wanted length on, a summary is refused rather than shortened."""

_TASK = (
    r"(?:help|assist|summari[sz]e|comply|provide|fulfil|continue|create|process|do (?:that|this))"
)
_REFUSAL = re.compile(
    r"(?:i['’]?m|i am) (?:very |so )?(?:sorry|unable to|not able to)\b"
    r"|(?:sorry|apologies)[,.]? (?:but )?i (?:can['’]?t|cannot|can not|am unable|am not able)\b"
    rf"|(?:unfortunately,? )?i (?:cannot|can['’]?t|can not|won['’]?t|must decline to) {_TASK}"
    r"|as an ai\b|there (?:is|was) (?:nothing|no (?:conversation|dialogue|transcript)) to summari"
    r"|(?:非常|很)?(?:抱歉|对不起)[，,。!！]?\s*(?:但|不过)?我?(?:无法|不能|没办法|没有办法|暂时)"
    r"|我(?:无法|不能|没办法|没有办法).{0,6}(?:帮|协助|提供|完成|回答|总结|概括|满足|处理|生成)"
    r"|作为(?:一个|一名)?(?:ai|人工智能|(?:大型)?语言模型)"
    r"|申し訳(?:ありません|ございません)が|(?:すみません|恐れ入ります)が、?(?:お|要約)"
    r"|お(?:答え|手伝い)できません"
    r"|(?:es )?tut mir leid"
    r"|(?:entschuldigung, )?(?:aber )?(?:leider )?(?:kann|darf) ich .{0,60}nicht"
    r"|ich kann .{0,60}nicht (?:helfen|zusammenfassen|beantworten|erstellen|bearbeiten|weiter)",
    re.IGNORECASE,
)
_CHAT_OPENING = re.compile(
    r"(?:sure|of course|certainly|absolutely|okay|ok|got it|great)[,.!]+ (?:i['’ ]|let me|let['’]s|"
    r"happy to|what |which |how |here['’]?s what i|go ahead|please )"
    r"|(?:i['’]?d be|i['’]?m|i would be) (?:happy|glad) to|happy to help|(?:great|good) question"
    r"|(?:how|what) can i (?:help|do)|you['’]re welcome|hello[,.! ]|hi there|hi[,!] "
    r"|thank(?:s| you) for (?:sharing|asking|reaching|your|the)"
    r"|(?:好的|没问题|当然|明白了?|收到)[，,！!。]\s*(?:我(?:会|来|可以|马上|这就|先|将)|请|让我|那我)"
    r"|当然可以|不客气|很高兴(?:为|能|帮)|请问|您好|你好|有什么(?:可以|能)帮"
    r"|(?:はい|もちろん)[、。！]|かしこまりました|承知(?:しました|いたしました)|どういたしまして|こんにちは"
    r"|(?:gern|gerne|klar|natürlich|selbstverständlich)[,.!]+ (?:ich|wie|was|welche)"
    r"|wie kann ich|hallo[,.! ]|gern geschehen",
    re.IGNORECASE,
)
_CHAT_CLOSING = re.compile(
    r"(?:please )?(?:just )?let me know (?:if|what|when|which|how|whether)\b"
    r"|(?:would you like|do you want|shall i|should i) .*\?$|is there anything else"
    r"|(?:还有|还需要|有)(?:什么|其他|别的).{0,16}[吗？?]|需要我.{0,20}[吗？?]|请(?:随时)?告诉我"
    r"|(?:ほかに|他に)何か|.{0,30}お知らせください|.{0,30}いかがでしょうか"
    r"|(?:soll|darf) ich .*\?$|möchten sie .*\?$|(?:lass|lassen sie) (?:es )?mich wissen",
    re.IGNORECASE,
)
_SUMMARY_WORD = re.compile(
    r"summar|recap|overview|so far|摘要|总结|概[述要]|要約|まとめ|zusammen|überblick", re.IGNORECASE
)
_ERROR = re.compile(
    r"traceback \(most recent call last\)|<!doctype html|<html"
    r"|\{\s*[\"'](?:error|errors|detail)[\"']\s*:"
    r"|(?:(?:api|http|request|server|model|openai) )?error(?: code)?\s?[:：]\s?\(?(?:http )?"
    r"[45]\d\d\b"
    r"|(?:http )?[45]\d\d (?:bad|unauthorized|forbidden|too many|internal|service|gateway)"
    r"|(?:error: )?(?:internal server error|service (?:temporarily )?unavailable|bad gateway|"
    r"gateway timeout|too many requests|rate limit (?:exceeded|reached)|(?:the )?request timed out|"
    r"(?:maximum )?context length|insufficient quota|invalid api key)(?:[.,:!]| exceeded|$)"
    r"|(?:请求|调用|模型|服务)(?:失败|超时|出错|异常|(?:暂时)?不可用)(?:[，,。.：:！!]|$)",
    re.IGNORECASE,
)
_LONGEST_ERROR = 200
"""Characters; a longer text that opens with an error may be a summary that tells of one."""


def rejection(
    text: str,
    *,
    dropped_tokens: int,
    limit: int | None,
    counter: TokenCounter,
    previous: str | None,
    language: str = "",
    shown: Sequence[str] = (),
) -> str | None:
    """Why this text mustn't stand for the dropped messages, or nothing when it may.

    `dropped_tokens`: tokens of the messages it would replace, beside the previous summary (0: not
    known, not compared). `limit`: the wanted length in wide characters; up to twice as long is
    a matter for `fit_summary`. A summary is to be in the conversation's `language`, an ISO 639-1
    code, or in that of the texts that were `shown`.
    """
    stripped = text.strip()
    if not stripped:
        return "the summary is empty"
    if len(stripped) <= SHORTEST:
        return f"the summary has only {len(stripped)} characters"
    if _REFUSAL.match(stripped):
        return "the summary is a refusal"
    if _ERROR.match(stripped) and len(stripped) <= _LONGEST_ERROR:
        return "the summary is an error text"
    if _is_chat(stripped):
        return "the summary continues the conversation"
    if is_parroted(stripped, [*shown, previous or ""]):
        return "the summary repeats the instruction"
    length = summary_length(stripped)
    if limit is not None and length > INFLATED * limit:
        return f"the summary is inflated: length {length}, wanted {limit}"
    replaced = dropped_tokens + (counter.text(previous) if previous else 0)
    if dropped_tokens > 0 and counter.text(stripped) >= replaced:
        return f"the summary is no shorter than the {replaced} tokens that it replaces"
    return _other_language(stripped, language, shown)


def _other_language(text: str, language: str, shown: Sequence[str]) -> str | None:
    """Why a summary doesn't keep the language, where both its own and the other are plain."""
    own = prose_language(text) if shown else None
    if own is None or own == language.split("-")[0].lower():
        return None
    other = prose_language("\n".join(shown))
    if other is None or own == other:
        return None
    return f"the summary is in another language ({own}) than what it replaces ({other})"


def is_chatter(sentence: str) -> bool:
    """Whether a sentence only keeps the talk going: a refusal, a courtesy, an offer of help."""
    return any(p.match(sentence) for p in (_REFUSAL, _CHAT_OPENING, _CHAT_CLOSING))


def fit_summary(text: str, limit: int) -> str:
    """The text, or as many of its first sentences as `limit` wide characters hold.

    A first sentence that is too long by itself is cut between words. Line breaks stay.
    """
    stripped = text.strip()
    if summary_length(stripped) <= limit:
        return stripped
    end = 0
    at = 0
    for sentence in sentences(stripped):
        at = stripped.index(sentence, at) + len(sentence)
        if summary_length(stripped[:at]) > limit:
            break
        end = at
    return stripped[:end] or _cut(stripped, limit)


def _cut(text: str, limit: int) -> str:
    """As much of the text as fits, to the last gap between words if there is one, and a mark."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if summary_length(text[:middle] + "…") <= limit:
            low = middle
        else:
            high = middle - 1
    if low == 0:
        return ""
    end = low
    while end > 0 and text[end - 1].isascii() and text[end].isascii() and not text[end].isspace():
        end -= 1
    return (text[: end or low]).rstrip() + "…"


def _is_chat(text: str) -> bool:
    if _CHAT_OPENING.match(text) and not _SUMMARY_WORD.search(text[:120]):
        return True
    return _CHAT_CLOSING.match(sentences(text)[-1]) is not None
