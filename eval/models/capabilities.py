"""What an endpoint lacks: found out by its own complaint, remembered, and asked for no more.

Endpoints that ignore what they don't know can't be told from those that follow it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

_COMPLAINT = re.compile(
    r"unsupported|not[ _]support|n't support|not (?:be )?(?:allowed|permitted|recogni[sz]ed"
    r"|available|implemented|enabled)|forbidden|unknown|unrecogni[sz]ed|unexpected|deprecated"
    r"|only the default|must alternate|requires --|invalid schema|disabled",
    re.IGNORECASE,
)
"""That something can't be used at all; a value that is too large is no such complaint."""
_SYSTEM = re.compile(r"\b(?:system|developer)\b|must alternate", re.IGNORECASE)
_TOOLS = re.compile(
    r"support\w* .{0,40}\btool(?:s\b|[ _-](?:use|call|choice))"
    r"|\btool(?:s\b|[ _-](?:use|call\w*|choice)).{0,60}"
    r"(?:support|requires|enabled|disabled|unknown|forbidden|permitted|allowed|unexpected)",
    re.IGNORECASE,
)
"""Not that a message with the role `tool` stands in the wrong place, which is the view's fault."""
_SCHEMA = re.compile(r"response_format|json_schema|json_object|structured output|guided", re.I)
_LIMITS = re.compile(r"\bmax_tokens\b|\bmax_completion_tokens\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What may be asked of a model; every change from the first state takes something away."""

    seed: bool = True
    temperature: bool = True
    top_p: bool = True
    reasoning_effort: bool = True
    tools: bool = True
    system: Literal["system", "developer", "user"] = "system"
    """The role that system messages are sent in; `user` puts their text before the first one."""
    limit: Literal["max_tokens", "max_completion_tokens", "none"] = "max_tokens"
    """What the longest answer is called. The older name first: where the newer one is unknown,
    it is often ignored without a word."""
    schema: Literal["json_schema", "json_object", "none"] = "json_schema"

    @property
    def lacking(self) -> dict[str, str | bool]:
        """For a manifest: what isn't as usual."""
        usual = asdict(Capabilities())
        return {name: value for name, value in asdict(self).items() if value != usual[name]}

    def after(self, complaint: str, parameter: str | None, sent: Set[str]) -> Capabilities | None:
        """What is left once an endpoint complained in these words, or of this parameter.

        `sent` holds the fields of this class that the request made use of. None: the complaint is
        about something else.
        """
        text = complaint[:2_000]
        if not _COMPLAINT.search(text):
            return None
        about = parameter or text
        left = self
        flags = ("seed", "temperature", "top_p", "reasoning_effort")
        flag = next((one for one in flags if _names(one, about) and getattr(self, one)), "")
        if "limit" in sent and _LIMITS.search(about):
            left = self._other_limit()
        elif flag in sent:
            less: dict[str, Any] = {flag: False}
            left = replace(self, **less)
        elif "schema" in sent and _SCHEMA.search(about):
            left = self._weaker_schema()
        elif "tools" in sent and (_TOOLS.search(text) or about in ("tools", "tool_choice")):
            left = replace(self, tools=False)
        elif "system" in sent and _SYSTEM.search(text):
            wanted = self.system == "system" and "developer" in text
            left = replace(self, system="developer" if wanted else "user")
        return None if left == self else left

    def _other_limit(self) -> Capabilities:
        newer = self.limit == "max_tokens"
        return replace(self, limit="max_completion_tokens" if newer else "none")

    def _weaker_schema(self) -> Capabilities:
        strict = self.schema == "json_schema"
        return replace(self, schema="json_object" if strict else "none")


def _names(parameter: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){parameter}(?![\w-])", text) is not None


class Discovery:
    """What is known of one model at one endpoint; shared by threads."""

    def __init__(self) -> None:
        self._known = Capabilities()
        self._tried: set[str] = set()
        self._lock = threading.Lock()
        self._first = threading.Lock()

    @property
    def known(self) -> Capabilities:
        """What is known by now."""
        with self._lock:
            return self._known

    @contextmanager
    def attempt(self, wanted: Set[str]) -> Iterator[Capabilities]:
        """What an attempt may use; the first that wants something new goes alone.

        Without this, each of the requests in flight at the start would find out for itself.
        """
        with self._lock:
            alone = not wanted <= self._tried
        if not alone:
            yield self.known
            return
        with self._first:
            with self._lock:
                alone = not wanted <= self._tried
            if alone:
                yield self.known
                return
        yield self.known

    def has_tried(self, wanted: Set[str]) -> None:
        """An attempt that wanted these ended without a complaint about one of them."""
        with self._lock:
            self._tried |= wanted

    def learn(self, used: Capabilities, left: Capabilities) -> None:
        """A request that used the former showed that only the latter is there."""
        with self._lock:
            if self._known == used:
                self._known = left
