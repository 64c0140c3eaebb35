"""Language codes: ISO 639-1, and what people write instead of one."""

from __future__ import annotations

from compaction_eval.strategies.errors import did_you_mean

_CODES = """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de
    dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia
    id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo
    lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl
    ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk
    tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
ISO_639_1 = frozenset(_CODES.split())
_MEANT = {"cn": "zh", "jp": "ja", "cz": "cs", "dk": "da", "gr": "el", "ua": "uk"}
_MEANT |= {"eng": "en", "english": "en", "chinese": "zh", "japanese": "ja", "german": "de"}


def language_fault(code: str) -> str | None:
    """Why a text is no language code, with the code that was probably meant, or None."""
    if code in ISO_639_1:
        return None
    lowered = code.lower()
    base = lowered.replace("_", "-").split("-")[0]
    meant = _MEANT.get(lowered) or (base if base in ISO_639_1 else None)
    suggestion = f"; did you mean '{meant}'?" if meant else did_you_mean(lowered, ISO_639_1)
    return f"'{code}' is no two-letter language code (ISO 639-1){suggestion}"
