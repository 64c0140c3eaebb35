"""`openai:NAME`: a ChatModel behind an OpenAI-compatible endpoint.

Each request is tried until it is answered, refused, or out of time; whatever happens, its reply
says so. Raised is only what the next request would meet as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from compaction_eval.eval.models.base import (
    ChatRequest,
    LimitReachedError,
    Reply,
    UnusableModelError,
)
from compaction_eval.eval.models.bodies import body_of, tag_of, wanted
from compaction_eval.eval.models.capabilities import Capabilities, Discovery
from compaction_eval.eval.models.connection import BrokenError, Connection, Response
from compaction_eval.eval.models.failures import Failure, failure_of
from compaction_eval.eval.models.limits import Account, Bill
from compaction_eval.eval.models.naming import ModelName
from compaction_eval.eval.models.prices import Price
from compaction_eval.eval.models.replies import malformed, read_json, read_reply
from compaction_eval.eval.models.secret import showable
from compaction_eval.eval.models.settings import URL_SETTING, URL_VARIABLE
from compaction_eval.eval.models.waiting import Waiting

COMPLETIONS = "/chat/completions"


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What one HTTP request came to."""

    reply: Reply
    again: bool = False
    headers: Mapping[str, str] | None = None
    left: Capabilities | None = None
    """Not None: the endpoint complained of what it lacks, and this is left."""


class OpenAIModel:
    """Safe to be used by several threads at once."""

    def __init__(
        self,
        name: ModelName,
        connection: Connection,
        discovery: Discovery,
        account: Account,
        waiting: Waiting,
        price: Price | None = None,
    ) -> None:
        self._name = name
        self._connection = connection
        self._discovery = discovery
        self._account = account
        self._waiting = waiting
        self._price = price
        self._has_answered = False

    @property
    def name(self) -> str:
        """The model with its parameters, such as `openai:NAME(temperature=0.2)`."""
        return self._name.text

    @property
    def model(self) -> str:
        """The model as its endpoint calls it."""
        return self._name.model

    @property
    def endpoint(self) -> str:
        """The base URL."""
        return self._connection.settings.base_url

    @property
    def capabilities(self) -> Capabilities:
        """What the endpoint turned out to lack, for the manifest."""
        return self._discovery.known

    def complete(self, request: ChatRequest) -> Reply:
        """Ask, as often as it takes. Raises LimitReachedError and UnusableModelError."""
        settings = self._connection.settings
        fixed = replace(request, max_tokens=self._name.max_tokens or request.max_tokens)
        start = self._waiting.clock()
        retry = 0
        while True:
            attempt = self._attempt(fixed)
            if attempt.left is not None:
                continue
            reply = attempt.reply
            if not attempt.again:
                return reply
            if retry >= settings.retries:
                return _told_last(reply, f"the last of {retry + 1} attempts" if retry else "")
            wait = self._waiting.before(retry, attempt.headers or {})
            if self._waiting.clock() - start + wait > settings.deadline:
                limit = f"{settings.deadline:g} s"
                return _told_last(reply, f"attempt {retry + 1}; no time for another in {limit}")
            self._waiting.wait(wait)
            retry += 1

    def _attempt(self, request: ChatRequest) -> _Attempt:
        """One HTTP request."""
        uses = wanted(request, self._name)
        with self._discovery.attempt(uses) as may:
            self._check_going_on()
            with self._account.sending(request, self._price) as bill:
                if self._waiting.stopping.is_set():  # it may have waited for others' bills
                    bill.nothing()
                self._check_going_on()
                attempt = self._sent(request, may, uses, bill)
            if attempt.left is None:
                self._discovery.has_tried(uses)
            else:
                self._discovery.learn(may, attempt.left)
        return attempt

    def _check_going_on(self) -> None:
        if self._waiting.stopping.is_set():
            raise LimitReachedError(f"{self.name}: the run was stopped")

    def _sent(
        self, request: ChatRequest, may: Capabilities, uses: frozenset[str], bill: Bill
    ) -> _Attempt:
        try:
            tag = tag_of(request) if self._connection.settings.tagged else None
            response = self._connection.post(COMPLETIONS, body_of(request, self._name, may), tag)
        except BrokenError as error:
            if not error.connected:
                bill.nothing()
            return _Attempt(Reply(error.kind, reason=str(error)), again=True)
        return self._understood(response, may, uses, bill)

    def _understood(
        self, response: Response, may: Capabilities, uses: frozenset[str], bill: Bill
    ) -> _Attempt:
        failure = failure_of(response)
        if failure is not None:
            bill.nothing()
            left = None
            if failure.status != 429 and failure.outcome != "context-length":
                left = may.after(failure.text, failure.parameter, uses)
            if left is None:
                self._check_use(failure)
            return _Attempt(self._reply_of(failure), failure.again, response.headers, left)
        kind = response.headers.get("content-type", "")
        try:
            reply = read_reply(read_json(response.body), kind)
        except ValueError:
            reply = malformed("no JSON" if response.body else "without a body", kind)
        bill.told(reply, self._account.counter)
        if reply.outcome == "malformed":
            return _Attempt(reply, again=True)
        self._has_answered = True
        return _Attempt(reply)

    def _reply_of(self, failure: Failure) -> Reply:
        words = showable(failure.message, self._connection.settings.secrets)
        reason = f"HTTP {failure.status}{': ' if words else ''}{words}"
        return Reply(failure.outcome, reason=reason)

    def _check_use(self, failure: Failure) -> None:
        """Raise for what makes every request pointless."""
        settings = self._connection.settings
        words = showable(failure.message, settings.secrets)
        told = f" ({words})" if words else ""
        where = f"{self.name}: {self.endpoint}"
        address = f"set {URL_VARIABLE}, or {URL_SETTING} in the configuration"
        if failure.status == 401:
            # Their words would repeat parts of the key.
            state = (
                f"doesn't accept the key in {settings.key_variable}; it may be expired or of"
                " another account"
                if settings.key
                else f"wants a key; set the variable {settings.key_variable}"
            )
            raise UnusableModelError(f"{where} {state} (HTTP 401)")
        if failure.without_money:
            raise LimitReachedError(f"{where}: the account's quota is used up{told}")
        if self._has_answered or failure.outcome == "filtered":
            return
        if failure.status == 403:
            raise UnusableModelError(
                f"{where} forbids this to the key in {settings.key_variable}{told}"
            )
        if failure.status == 404:
            raise UnusableModelError(
                f"{where} has no model '{self.model}', or no {COMPLETIONS}{told}; {address}"
            )
        if 300 <= failure.status < 400:
            raise UnusableModelError(f"{where} is elsewhere:{told or ' it redirects'}; {address}")


def _told_last(reply: Reply, note: str) -> Reply:
    return replace(reply, reason=f"{reply.reason} ({note})") if note else reply
