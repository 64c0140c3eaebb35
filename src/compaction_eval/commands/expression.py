"""The language of `-k`: words joined by and, or, not and parentheses, matched as parts of a text.

-k "zh and not token-window"
-k "(rolling or window) and '30%'"
"""

from __future__ import annotations

import re
from collections.abc import Callable

from compaction_eval.strategies.errors import ConfigurationError

Test = Callable[[str], bool]
"""Whether a casefolded text is selected."""

_TOKEN = re.compile(
    r"""\s*(?:(?P<paren>[()])|"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<word>[^\s()"']+))"""
)
_DEEPEST = 100


def parse_expression(text: str) -> Test:
    """The test that an expression describes; ConfigurationError where it isn't one."""
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.at = 0
        self.depth = 0

    def _tokens(self) -> list[tuple[str, str]]:
        """Kind and text of each token: `(`, `)`, `and`, `or`, `not`, or `word`."""
        tokens = []
        position = 0
        end = len(self.text.rstrip())
        while position < end:
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self._fault("a closing quote is missing")
            position = match.end()
            if match["paren"]:
                tokens.append((match["paren"], match["paren"]))
            elif match["word"] and match["word"].casefold() in ("and", "or", "not"):
                tokens.append((match["word"].casefold(), match["word"]))
            else:
                quoted = match["double"] if match["double"] is not None else match["single"]
                tokens.append(("word", match["word"] if quoted is None else quoted))
        return tokens

    def whole(self) -> Test:
        if not self.tokens:
            raise self._fault("it is empty")
        test = self._any()
        if self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            missing = (
                "a ')' too many" if kind == ")" else f"'and' or 'or' is missing before '{text}'"
            )
            raise self._fault(missing)
        return test

    def _any(self) -> Test:
        test = self._all()
        while self._take("or"):
            test = _either(test, self._all())
        return test

    def _all(self) -> Test:
        test = self._one()
        while self._take("and"):
            test = _both(test, self._one())
        return test

    def _one(self) -> Test:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._fault("it is nested too deeply")
        try:
            if self._take("not"):
                return _negated(self._one())
            if self._take("("):
                inner = self._any()
                if not self._take(")"):
                    raise self._fault("a closing ')' is missing")
                return inner
            if self.at < len(self.tokens) and self.tokens[self.at][0] == "word":
                self.at += 1
                return _contains(self.tokens[self.at - 1][1].casefold())
        finally:
            self.depth -= 1
        after = f" after '{self.tokens[self.at - 1][1]}'" if self.at else ""
        raise self._fault(f"a word is missing{after}")

    def _take(self, kind: str) -> bool:
        found = self.at < len(self.tokens) and self.tokens[self.at][0] == kind
        self.at += found
        return found

    def _fault(self, message: str) -> ConfigurationError:
        return ConfigurationError(
            f"-k: '{self.text}': {message}; join words by and, or, not and parentheses, "
            "and quote a word that has parentheses itself"
        )


def _contains(word: str) -> Test:
    return lambda text: word in text


def _negated(one: Test) -> Test:
    return lambda text: not one(text)


def _both(one: Test, other: Test) -> Test:
    return lambda text: one(text) and other(text)


def _either(one: Test, other: Test) -> Test:
    return lambda text: one(text) or other(text)
