"""A model whose finished replies are kept, and which is asked once for what is asked twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from compaction_eval.eval.models.base import ChatModel, ChatRequest, Reply
from compaction_eval.eval.models.keys import RequestKey, endpoint_of, request_key
from compaction_eval.eval.models.reply_json import KEPT
from compaction_eval.eval.models.store import ResponseStore


class StoredModel:
    """Looks into a store first; asks, and keeps what the model finished.

    Threads that ask the same while the first one waits get what that one gets, also when it is a
    fault that isn't kept. Limits on requests and money belong inside: what is found costs nothing.
    """

    def __init__(self, inner: ChatModel, store: ResponseStore, endpoint: str) -> None:
        """`endpoint` is the URL that the model is reached at; credentials in it aren't kept."""
        self._inner = inner
        self._store = store
        self._endpoint = endpoint_of(endpoint)
        self._lock = threading.Lock()
        self._awaited: dict[RequestKey, Future[Reply]] = {}

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self._inner.name

    def complete(self, request: ChatRequest) -> Reply:
        """The reply from the store, marked so, or a new one. Raises ModelError as the inner does,
        and StoreError."""
        key = request_key(self.name, request)
        mine: Future[Reply] = Future()
        with self._lock:
            first = self._awaited.setdefault(key, mine)
        if first is not mine:
            return replace(first.result(), from_store=True)
        try:
            return _settle(mine, lambda: self._find_or_ask(key, request))
        finally:
            with self._lock:
                del self._awaited[key]

    def _find_or_ask(self, key: RequestKey, request: ChatRequest) -> Reply:
        found = self._store.find(self._endpoint, key)
        if found is not None:
            return found
        reply = self._inner.complete(request)
        if reply.outcome not in KEPT:
            return reply
        self._store.keep(self._endpoint, key, reply)
        # Another process may have been faster: then all use its reply.
        first = self._store.find(self._endpoint, key)
        return reply if first is None or first == reply else replace(first, from_store=False)


def _settle(future: Future[Reply], work: Callable[[], Reply]) -> Reply:
    """Do the work, and let all who wait for the future have what came of it, also an error."""
    try:
        reply = work()
    except BaseException as error:
        future.set_exception(error)
        raise
    future.set_result(reply)
    return reply
