"""Whether a value is named as a former or a denied one, and so isn't given as the answer.

A cue counts only next to the value, within its clause: an answer that names two values and doesn't
say which of them holds has named both.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from compaction_eval.strategies.mentions import Mention

BEFORE = 40
"""Characters before a value in which a cue may stand."""
AFTER = 48
CLAUSE = 160
"""Characters that a change may take to tell."""
_BEFORE = re.compile(
    r"""(?:
      \b(?:was|were|been|had|used\ to\ (?:be|run|listen|live|stand)|previously|formerly|originally
        |start(?:ed|ing)\ (?:out\ )?(?:with|at|on|as)|began\ (?:with|at|on|as)
        |initially|earlier|at\ first|first|old|older|former|previous|original|initial|outdated
        |superseded|stale|instead\ of|rather\ than|replac(?:es|ed|ing)(?!\ by)
        |supersed(?:es|ed|ing)(?!\ by)
        |from
        |not|no\ longer|isn't|aren't|wasn't|never|than|unlike|until|cancell?ed|dropped|discarded
        |rejected|ruled\ out|ignor(?:e|es|ed|ing)|disregard(?:ed|ing)?|against|over)
        (?:\ (?:on|at|in|to|for|by|with|a|an|the|as|set|be|port|value|it|is|was|one|listed|planned
        |scheduled|called|named|said|about|version|using|use)){0,4}[\s:('"*`_~-]*
      |~~\s*
      |(?:原来|原先|之前|以前|最初|一开始|起初|本来|先前|早先|原定|从前|旧|曾经?|不是|不再是|不再
        |而非|由|从|取代
        |替换|原为|原|并非|不要|[没沒]有?(?:托|交|给|选|用|定|放){0,3}|別|舊|原來|之前是|從|曾
          |不)(?:[是用的在叫为為了定说過过]|版本|端口
          |值|地址|日期)*[\s:"'“‘「(*`_]*
      |(?:以前|元々?|もともと|もと|当初|最初|旧|前|かつて|それまで|従来)(?:は|の|に|、|まで|では
        |、?は)?[\s:"'「(*`_]*
      |\b(?:war|waren|gewesen|zuvor|vorher|fr\u00fcher|urspr\u00fcnglich|zun\u00e4chst|anfangs
        |ehemals|statt|anstatt
        |anstelle|nicht|von|vom|alte[rnms]?|bisher|bislang|bisherige[rnms]?|davor|vormals|ersetzt
        |galt|hiess|lautete|ehemalige[rnms]?|keinesfalls)
        (?:\ (?:mehr|es|der|die|das|dem|den|des|am|um|auf|ein|eine|einen|port|noch|als|von|bei
          |im)){0,3}[\s:('"*`_~-]*
    )\Z""",
    re.VERBOSE,
)
_AFTER = re.compile(
    r"""\A['"*`_)\]~\s,]*(?:
      (?:->|=>|\u2192|\u21d2|~~)
      |(?:to|into)\s['"*`_(]{0,3}[\w/.$#-]
      |(?:\w+\s){0,3}?(?:before(?!\ you)|previously|earlier|originally|at\ first|formerly
        |initially
        |any\ ?more|no\ longer|outdated|obsolete|deprecated|retired|is\ old|in\ the\ past|until
          |beforehand)\b
      |(?:[^.!?;]{0,12}\s)?(?:(?:was|were|is|has\ been|had\ been|got)\s(?:later\ |since\ |then[ ]
        |now\ |
        subsequently\ )?(?:the\ (?:old|former|previous|original|first)|considered|discussed
        |only\ (?:used|for|in)
          |replaced|changed|superseded
        |dropped|moved|updated|withdrawn|retracted|removed|revoked|cancell?ed|raised|lowered
          |rejected
        |discarded|taken\ back))
      |(?:at\ first|first),?\s(?:then|but|and)
      |[^。!?;,、]{0,8}?(?:改成|改为|改到|改用|改了|改為|换成|換成|变成|變成|调整为|调整到|提前到
        |推迟到|升到|升级到
        |降到|涨到|作废|取消|废弃|不再|以前|被替换|被取代|已过时|之前的|撤回)
      |[^。!?;]{0,6}?(?:から(?!ず)|ではなく|じゃなく|でしたが|だったが|でした|だった|に代わ|は廃止
        |は外れ|は退
        |は撤回|は古い|をやめ|の代わり)
      |(?:[^.!?;]{0,16}\s)?(?:zuvor|vorher|urspr\u00fcnglich|nicht\ mehr|ge\u00e4ndert|ersetzt
        |abgel\u00f6st|verworfen
        |zur\u00fcckgezogen|ist\ (?:veraltet|hinf\u00e4llig|passé|vom\ tisch)|fr\u00fcher
          |\u00fcberholt)\b
      |auf\s['"*`_(]{0,3}[\w/.$#-]
    )""",
    re.VERBOSE,
)
_AT_FIRST = re.compile(
    r"""
    \b(?:initially|originally|previously|formerly|at\ first|earlier\ on|early\ on|used\ to|before
      |urspr\u00fcnglich|fr\u00fcher|zun\u00e4chst|anfangs|vorher|zuvor)\b
    |原来|原先|原定|最初|一开始|起初|当初|もともと|以前は
    """,
    re.VERBOSE,
)
"""What says of a whole sentence that it is about the past."""
_CHANGE = re.compile(
    r"""(?:
      \b(?:now|became|becomes|onto|jetzt|nun|inzwischen|mittlerweile)\b[^.!?]{0,14}
      |\b(?:changed|moved|switched|updated|raised|lowered|cut|went|postponed|replaced|pushed
        |brought\ forward|corrected|renamed|ended\ up)\b[^.!?]{0,24}\b(?:to|by|with|onto|at|on)\b
        [^.!?]{0,8}
      |(?:改成|改为|改到|改用|改為|换成|換成|变成|变为|调整为|调整到|提前到|推迟到|升级到|升到
        |降到|定为|定在)[^。,]{0,6}
      |\b(?:verschoben|ge\u00e4ndert|verlegt|umgestellt|ersetzt)\b[^.!?]{0,14}
    )\Z""",
    re.VERBOSE,
)
"""What, between an old value and the current one, says that the one became the other."""
_REVERSED = re.compile(
    r"""
    \b(?:in\ place|instead|rather|replac\w+\b(?!\ by)|supersed\w+|not|no|statt|nicht|anstelle)\b
    |n't\b|不是|而非|代替
    """,
    re.VERBOSE,
)
"""What turns that round."""
_HEDGE = re.compile(
    r"""
    \b(?:might|may|could|perhaps|maybe|possibly|or|vielleicht|oder|k\u00f6nnte)\b
    |可能|也许|或|还是|かも|または
    """,
    re.VERBOSE,
)
_END = re.compile(r"[.!?](?=\s)|[。!?;]")
_EITHER = re.compile(
    r"\A['\"*`_)\s,]*(?:or|oder|或者?|还是|還是|または|か|もしくは|/|and|und|和|と)['\"*`_(\s]*\Z"
)


def is_former(text: str, mention: Mention, current: Sequence[Mention] = ()) -> bool:
    """Whether a tidy text names the value at a mention as one that doesn't hold.

    `current` are the mentions of the value that does, in order.
    """
    before = text[max(0, mention.start - BEFORE) : mention.start]
    after = text[mention.end : mention.end + AFTER]
    if _BEFORE.search(before) or _AFTER.match(after):
        return True
    return _in_the_past(text, mention, current) or _changed(text, mention, current)


def _in_the_past(text: str, mention: Mention, current: Sequence[Mention]) -> bool:
    """Whether the sentence up to the mention is about the past, and about no current value."""
    start = max(0, mention.start - CLAUSE)
    for end in _END.finditer(text, start, mention.start):
        start = end.end()
    at = bisect_left(current, start, key=lambda one: one.start)
    if at < len(current) and current[at].start < mention.start:
        return False
    return _AT_FIRST.search(text, start, mention.start) is not None


def _changed(text: str, mention: Mention, current: Sequence[Mention]) -> bool:
    """Whether the sentence goes on to say that the value was changed to the current one."""
    at = bisect_left(current, mention.end, key=lambda one: one.start)
    if at == len(current) or current[at].start - mention.end > CLAUSE:
        return False
    between = text[mention.end : current[at].start]
    return bool(_CHANGE.search(between)) and not any(
        unfit.search(between) for unfit in (_HEDGE, _END, _REVERSED)
    )


def is_alternative(text: str, one: Mention, other: Mention) -> bool:
    """Whether nothing but "or" (or a slash, or "and") stands between two mentions."""
    first, second = sorted((one, other))
    return bool(_EITHER.match(text[first.end : second.start]))
