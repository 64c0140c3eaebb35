"""Whether an answer says that it doesn't know, that nothing holds any more, or that it guesses.

Patterns over tidy (so casefolded) texts, in English, Chinese, Japanese and German. Each names the
speaker's knowledge or what was said, so that a plain "not" or "no" is no abstention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_SAID = (
    "mentioned|specified|stated|provided|given|discussed|said|told|included|recorded|established"
    "|shared|disclosed|known|available|named|listed|noted|documented|described|defined|indicated"
    "|set out|covered|addressed|present|contained|found|agreed|revealed|clarified|raised"
)
_UNKNOWN_EN = rf"""
    \bi\ (?:really\ |honestly\ |simply\ |just\ |currently\ )?(?:do\ not|don't|cannot|can't
      |can\ not|could\ not|couldn't
      |am\ unable\ to|was\ unable\ to|didn't|did\ not|am\ not\ able\ to)\ (?:actually[ ]
        |currently\ |really\ )?
      (?:know|recall|remember|find|see|tell|determine|say|answer|locate|identify|confirm|give
        |have\b)
    |\b(?:i'm|i\ am|we're|we\ are)\ (?:really\ |honestly\ )?(?:not\ (?:sure|certain|aware)|unsure
      |unaware|uncertain)
    |\b(?:i|we)\ (?:have|had|see|find|found)\ no\ (?:\w+\ )?(?:information|record|knowledge|idea
      |way|mention|details?|data|note)
    |\bno\ idea\b|\bdunno\b|\b(?:lost|losing)\ track\b|\b(?:not|n't)\ (?:entirely[ ]
      |quite\ )?clear\b
    |(?:\bnot|n't)\ (?:a\ )?part\ of\b|\bunable\ to\b|\bnot\ that\ i\b
    |(?:\bnot|n't|\bnever)\ \w+\ (?:anywhere|(?:in|during|within|from)\ (?:the|this|our|my|your
      |any)
      \ (?:\w+\ )?(?:conversation|chat|discussion|context|messages?|history|summary|thread
      |transcript|information|exchange|notes?)\b)
    |\b(?:missing|absent)\ (?:from|in)\ (?:the|this|our|my|what)\b
    |\b(?:without|no)\ (?:any\ )?(?:earlier|previous|prior|further)\ (?:conversation|context
      |messages?)\b
    |\bnothing\ (?:\w+\ )?in\ (?:the|this|our|my|your|what)\b
    |\b(?:cannot|can't|could\ not|couldn't|can\ not)\ be\ (?:determined|answered|established|found
      |known|inferred|derived|told)\b
    |(?:\bnot|\bnever|n't|\bwithout\ being)\ (?:yet\ |been\ |being\ |explicitly[ ]
      |actually\ |specifically\ |ever\ |directly
      |\ |clearly\ ){{0,3}}(?:{_SAID})\b
    |\bno\ (?:\w+\ ){{0,3}}?(?:information|mention|record|indication|details?|reference|data)\b
    |\bno\ (?:[\w'-]+\ ){{1,6}}?(?:was|were|is|are|has\ been|have\ been)\ (?:ever[ ]
      |explicitly\ )?(?:{_SAID})\b
    |\b(?:nobody|no\ one|none\ of\ \w+|neither\ of\ \w+|nothing)\ (?:\w+\ ){{0,6}}?(?:says|said
      |mentions|mentioned|told|tells|states|stated|specifies|specified)\b
    |\b(?:does\ not|doesn't|did\ not|didn't|do\ not|don't|never)\ (?:\w+ly\ )?(?:say|said|mention
      |mentioned|specify|specified|state|stated|tell|told|include|contain|provide|provided|give
      |gave|name|named|indicate|come\ up|came\ up)\b
    |\b(?:lack|lacks|lacking|without|missing)\ (?:the\ |any\ |enough\ |sufficient\ |that[ ]
      |this\ )?(?:context|information|details?|data)\b
    |\bunable\ to\ (?:find|determine|answer|tell|say|recall|locate|identify|confirm)
    |\b(?:insufficient|not\ enough|lack\ of)\ (?:information|context|details?)
    |\b(?:there\ is|there's)\ no\ (?:way\ (?:to|of)\ know|\w+\ in\ (?:the|this
      |our)\ (?:conversation|chat|history|context))
    |\b(?:remains?|is|are|it's|was)\ (?:still\ |currently\ )?(?:unknown|unclear|unspecified
      |undisclosed)\b
    |\A(?:unknown|unclear|unspecified|n/a|not\ available|none\ given|no\ answer|not\ sure
      |insufficient\ data)\b
"""
_UNKNOWN_ZH = r"""
    [无無][法从從][^,。!?]{0,14}(?:得出|得知|知道|确定|判断|推断|回答|给出|提供|告知|看出)
    |[没沒]有?(?:[^,。!?]{0,6})(?:谈|聊|讨论|討論|约定)过?|不知道|不清楚|不确定|不確定|不晓得
      |不太清楚|不得而知|不详|不明确|不明確|未知
    |[无無][法从從](?:确定|確定|得知|知道|知晓|回答|判断|判斷|确认|確認|找到|获知|給出|给出|提供
      |查到|说明)
    |[没沒]有?(?:明确|明確|具体|具體|被|在[^,。]{0,12}|任何人?|再|人|谁|誰|特别|曾)?(?:地)?(?:提到
      |提及|提过|提過|说过|說過|说明|說明|说|說|给出|給出|提供|记录|記錄|找到|告诉|告訴|写明|指定
      |透露|交代|讲|講|提|涉及|看到|查到|相关)
    |[没沒]有?(?:[^,。!?]{0,16})(?:信息|数据|資訊|资料|資料|线索|说法|記錄|记录)
    |(?:从未|從未|并未|並未|尚未|未曾|未)(?:明确|明確|具体|在[^,。]{0,12})?(?:提及|提到|说明|說明
      |给出|給出|提供|指定|知|明确|告知|记录|記錄|找到|透露|说|交代|涉及)
    |查不到|找不到|看不到|想不起|答不上|[记記]不(?:得|清|起)|不[记記]得|[没沒]有?印象
      |[没沒]法(?:确定
      |回答|知道|判断)
"""
_UNKNOWN_JA = r"""
    (?:わか|分か|判)(?:りません|らない|りかね)|不明|知りません|知らない|存じ(?:ません|上げません
      |ておりません)
    |(?:記載|言及|説明|記録|情報|指定|提示|話|記述|やり取り|回答|お答え
      |該当)[^。、]{0,8}?(?:され(?:てい|ており|ていた)?(?:ない|ません)|ない|ありません
        |ございません|なし
      |なかった|見当たりません|できません|出てい(?:ない|ません)|出てきません)
    |見当たりません|見つかりません|見当たらない|見つからない|覚えてい(?:ない|ません)
    |(?:確認|特定|断定|判断)(?:は)?でき(?:ません|ない)|聞いてい(?:ない|ません)|伺ってい(?:ない
      |ません)|述べられてい(?:ない|ません)|触れられてい(?:ない|ません)
    |(?:聞い|伺っ|触れられ|言われ|教えられ|知らされ|伝えられ|書かれ|記され|語られ|決まっ|把握し
      |承知し)
      て(?:い|お)(?:ない|ません|りません|らず)
"""
_UNKNOWN_DE = r"""
    \bweiss\ (?:ich\ )?(?:(?:es|das|dazu|dar\u00fcber|davon|leider|aber
      |das\ leider)\ ){0,3}(?:nicht|nichts|keine?n?)\b
    |\bnicht\ (?:\w+\ )?(?:bekannt|erw\u00e4hnt|angegeben|genannt|gesagt|festgelegt|ersichtlich
      |sicher|mitgeteilt|spezifiziert|ermittelbar|hervor|besprochen|beantworten|sagen|nennen
      |bestimmen|erkennen|finden|feststellen|auffindbar|vermerkt|dokumentiert|enthalten|erinnern
      |erfasst|gesprochen|vorgekommen|aufgetaucht|behandelt|thematisiert|verraten|erz\u00e4hlt
      |geteilt|geredet|gefallen)\b
    |\b(?:nie|niemals)\ (?:erw\u00e4hnt|genannt|gesagt|angegeben|mitgeteilt|besprochen)\b
    |\b(?:wurde|wird|ist|gibt|habe|liegen
      |enth\u00e4lt)\b[^.!?]{0,60}\bkeine?n?\ (?:\w+\ )?(?:angaben?|informationen|information
      |ahnung|erw\u00e4hnung|auskunft|hinweise?|daten)\b
    |\bkeine?\ (?:\w+\ )?(?:angaben?|informationen|information|ahnung|erw\u00e4hnung|auskunft
      |hinweis)\b
    |\bkeine?n?\ [^.!?]{1,40}\b(?:erw\u00e4hnt|genannt|angegeben|mitgeteilt|gesagt)\b
    |\b(?:unbekannt|unklar)\b|\bkeine\ rede\b|\bfehl(?:en|t)\b[^.!?]{0,40}\b(?:informationen
      |information|angaben?|kontext|daten)\b
    |\bsteht\ (?:\w+\ ){0,3}?(?:nicht|nirgends
      |nirgendwo)\b|\bniemand\ (?:\w+\ ){0,4}(?:gesagt|erw\u00e4hnt
      |genannt)\b
"""
_NONE = r"""
    \b(?:none|nobody|no\ one|nothing|no\ longer|not\ any\ ?more|any\ ?more|n't\ any|undecided
      |unassigned|unset)\b
    |\b(?:retracted|withdrawn|withdrew|cancell?ed|dropped|removed|revoked|rescinded|taken\ back
      |took\ (?:that|it)\ back|called\ off|discarded|undone|reverted|unlocked|unpinned|scrapped
      |abandoned|deleted
      |fell\ through|falls\ through)\b
    |\bthere(?:'s|\ is|\ are|\ was)\ (?:currently\ |now\ |none|no\ |nothing|nobody)
    |\bthere\ (?:isn't|aren't)\b
    |\A(?:no|currently\ no|at\ the\ moment\ no|now\ no)\ \w+
    |[没沒]有(?:了|人|任何|哪|再|别的|设|開|开|放|锁|抄送|固定)|\A[^,。]{0,12}[没沒](?:有)?\b|不再
      |已?取消|撤(?:了|销|回|掉)|作废|不放了|收回|拿掉|去掉|[没沒]人|哪儿也不|哪里都不|不用了
      |不(?:抄送|锁定|放在)|解除
    |\A無\Z|\A无[。]?\Z
    |いません|ありません|ない(?:です|。|\Z)|なし|取り消|撤回|中止|やめ|廃止|外し|解除
    |\b(?:niemand(?:en|em)?|keiner|keine[snm]?|kein|nicht\ mehr|zur\u00fcckgezogen
      |zur\u00fcckgenommen|aufgehoben|gestrichen|abgesagt|entfernt|verworfen|nichts)\b
"""
_GUESS = r"""
    \b(?:i'd\ guess|i\ guess|i\ would\ guess|my\ (?:best\ )?guess|i\ would\ assume|i'd\ assume
      |i\ assume|i\ think\ it|i\ believe\ it|i\ suspect|presumably|(?:is|it's|was
      |be)\ (?:most\ )?(?:probably|likely|perhaps|maybe)|probably\ (?:is|was|the|around)
      |most\ likely)\b
    |我猜|大概是|估计是|估計是|应该是|應該是|可能是|多半是|想必是|推测是
    |おそらく|恐らく|多分|たぶん|と思います|と推測|でしょう
    |\b(?:vermutlich|wahrscheinlich|vielleicht|ich\ (?:glaube|denke|sch\u00e4tze|vermute
      |nehme\ an))\b
"""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in patterns), re.VERBOSE)


_UNKNOWN = _any(_UNKNOWN_EN, _UNKNOWN_ZH, _UNKNOWN_JA, _UNKNOWN_DE)
_NOTHING = _any(_NONE)
_GUESSES = _any(_GUESS)


def abstains(text: str) -> bool:
    """Whether a tidy text says that the answer isn't known, or was never said."""
    return _UNKNOWN.search(text) is not None


def denies(text: str) -> bool:
    """Whether it says that there is no such value, or none any more."""
    return _NOTHING.search(text) is not None


def guesses(text: str) -> bool:
    """Whether it puts up a guess; one beside an abstention is an answer all the same."""
    return _GUESSES.search(text) is not None


def languages() -> Iterable[str]:
    """The languages whose abstentions are known."""
    return ("en", "zh", "ja", "de")
