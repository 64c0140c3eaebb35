"""Keys and passwords in a text, found by how they begin or by what announces them."""

from __future__ import annotations

import re
from collections.abc import Iterator


def _ascii(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


_PREFIXED = _ascii(
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]))(?:"
    r"(sk-(?:ant-|proj-|or-)?|[spr]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|"
    r"hf_|hv[sb]\.|npm_|pypi-|ya29\.|SG\.|AIza|dop_v1_|shpat_)"
    r"[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,})*|"
    r"(AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|"
    r"(eyJ)[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{4,})"
)
_PREFIXES = (
    *("sk-", "k_live_", "k_test_", "gh", "github_pat_", "glpat-", "xox", "hf_", "npm_", "pypi-"),
    *("ya29.", "SG.", "AIza", "dop_v1_", "shpat_", "AKIA", "ASIA", "eyJ", "hvs.", "hvb."),
)
TELLING = ("key", "secret", "token", "passw", "passphrase", "credential", "signature")
"""Words in the name of something that may be a key."""
# What is called isn't a value.
_VALUE = r"([A-Za-z0-9+/=_.~!@#%^*-]{8,}+)(?!\()"
_QUOTE = r"(?:\\*[\"'])"
# What has to stand in a text, in lower case, for a pattern to be tried on it.
_ANNOUNCED = [
    (("bearer", "basic"), _ascii(r"(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})")),
    (
        TELLING,
        _ascii(
            r"(?i)(?:(?:api|access|private|secret|signing|encryption|account)[_-]?key|secret|"
            r"token(?!s|i)|passw(?:or)?d|passphrase|credential|signature)[A-Za-z0-9_-]{0,20}"
            rf"{_QUOTE}?\s*(?:[:=]|=>)\s*{_QUOTE}?{_VALUE}"
        ),
    ),
    # --password VALUE, `login NAME password VALUE`, <password>VALUE</password>
    (
        TELLING,
        _ascii(
            r"(?i)(?:--?[a-z-]{0,20}(?:password|passwd|token|secret|api-?key)[ =]+|"
            rf"\blogin\s+\S+\s+password\s+){_QUOTE}?{_VALUE}"
        ),
    ),
    (TELLING, _ascii(r"(?i)<\w{0,20}(?:password|passwd|token|secret|apikey)>([^<\s\\]{8,200})<")),
    (("sshpass",), _ascii(rf"\bsshpass\s+-p\s*{_QUOTE}?{_VALUE}")),
    (
        ("mysql", "mariadb"),
        _ascii(rf"\b(?:mysql|mariadb)\w*(?:\s[^\n|;&]{{0,200}})?\s-p{_QUOTE}?{_VALUE}"),
    ),
    (
        ("curl",),
        _ascii(rf"\bcurl(?:\s[^\n|;]{{0,300}})?\s(?:-u|--user)[ =]?{_QUOTE}?[^\s:\"']+:{_VALUE}"),
    ),
    (("sig=",), _ascii(r"[?&]sig=([A-Za-z0-9+/_-]{8,})")),
    (("auth",), _ascii(rf"(?i)(?<![a-z])auth{_QUOTE}\s*:\s*{_QUOTE}([A-Za-z0-9+/=]{{12,}})")),
    (("hooks.slack",), _ascii(r"hooks\.slack\.com/services/\w+/\w+/(\w{8,})")),
    (("api/webhooks",), _ascii(r"/api/webhooks/\d+/([A-Za-z0-9_-]{8,})")),
    ((":aa",), _ascii(r"(?<![A-Za-z0-9])(?:bot)?\d{8,10}:AA([A-Za-z0-9_-]{30,})")),
]
_COOKIES = _ascii(
    rf"(?i)(?:\bcookie{_QUOTE}?\s*:\s*|"
    rf"\bcurl(?:\s[^\n|;]{{0,300}})?\s(?:-b|--cookie)[ =]?){_QUOTE}?"
    r"([^\r\n\"'\\]{8,8000})"
)
_COOKIE = _ascii(r"=(?:s%3A|%22)?([A-Za-z0-9+/=_.~!%-]{8,})")
_VARIABLE = _ascii(r"\b[A-Z0-9_]{0,40}PASSW(?:OR)?D=(?:\\*[\"'])?([A-Za-z]{8,60})(?![\w(.\[/-])")
_NO_PASSWORDS = frozenset({"changeme", "password", "yourpassword", "mypassword", "placeholder"})
_PEM = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(.{20,8000}?)-----END", re.DOTALL)
# Within JSON a line begins after an escape, whose letter isn't the line's.
_PEM_LINE = _ascii(r"(?:(?<=\\[nrtbf])|(?<![A-Za-z0-9+/=\\]))[A-Za-z0-9+/=]{16,}")


def tells_of_key(name: str) -> bool:
    """Whether what stands under a name may be a key."""
    return any(word in name.lower() for word in TELLING)


def credentials(text: str) -> Iterator[tuple[str, int]]:
    """Each key of a text, and how many characters at its beginning tell only its kind."""
    if any(prefix in text for prefix in _PREFIXES):
        for match in _PREFIXED.finditer(text):
            prefix = next(filter(None, match.groups()))
            yield match[0].rstrip("."), len(prefix)
    for value in _announced(text):
        value = value.rstrip(".")
        if _looks_random(value) and not _PREFIXED.match(value):
            yield value, 0
    if "PASSW" in text:
        for match in _VARIABLE.finditer(text):
            if match[1].lower() not in _NO_PASSWORDS:
                yield match[1], 0
    if "PRIVATE KEY" in text:
        for match in _PEM.finditer(text):
            for line in _PEM_LINE.finditer(match[1]):
                yield line[0], 0


def _announced(text: str) -> Iterator[str]:
    """What stands where a key is expected."""
    lower = text.lower()
    for words, pattern in _ANNOUNCED:
        if any(word in lower for word in words):
            yield from (match[1] for match in pattern.finditer(text))
    if "cookie" in lower or "curl" in lower:
        for match in _COOKIES.finditer(text):
            yield from (cookie[1] for cookie in _COOKIE.finditer(match[1]))


def _looks_random(value: str) -> bool:
    """Whether a value is no word, number or path: letters and digits, many different ones."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    return digits > 0 and letters > 0 and len(set(value)) >= 5 and not value.startswith(("/", "."))
