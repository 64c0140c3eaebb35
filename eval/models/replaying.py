"""`--replay FILE`: a cassette answers; no endpoint, no key and no network is needed."""

from __future__ import annotations

from collections.abc import Iterator

from compaction_eval.eval.models.base import ChatRequest, NotRecordedError, Reply
from compaction_eval.eval.models.cassette import Recorded, Recording, digests
from compaction_eval.eval.models.keys import request_key
from compaction_eval.strategies.errors import did_you_mean


class Replayer:
    """A model of which only recorded replies are known."""

    def __init__(self, name: str, recording: Recording, source: str) -> None:
        """`source` names the recording for people, such as its file."""
        self._name = name
        self._recording = recording
        self._source = source

    @property
    def name(self) -> str:
        """The model as the user named it, and as it was named when it was recorded."""
        return self._name

    def complete(self, request: ChatRequest) -> Reply:
        """The recorded reply. NotRecordedError tells who asked and what differs from the nearest
        recorded request."""
        found = self._recording.get(request_key(self._name, request))
        if found is not None:
            return found.reply
        who = request.whereabouts or f"a request for: {request.purpose}"
        raise NotRecordedError(
            f"{self._source}: {who}: not recorded: {self._difference(request)}; "
            "record again where a model can be reached"
        )

    def _difference(self, request: ChatRequest) -> str:
        key = request_key(self._name, request)
        models = sorted({one.model for one in self._recording})
        if not models:
            return "the recording is empty"
        if self._name not in models:
            hint = did_you_mean(self._name, models)
            return f"there is nothing of {self._name}, only of {', '.join(models)}{hint}"
        if any(one.digest == key.digest for one in self._recording if one.model == self._name):
            return f"this request was recorded, but not with the repeat number {request.repeat}"
        wanted = dict(digests(request))
        told = [
            (len(parts), kind, parts)
            for kind, one in self._nearby(request)
            for parts in [[name for name, value in one.parts if wanted.get(name) != value]]
        ]
        if not told:
            return "nothing was recorded there, and nothing with the same last message"
        _, kind, parts = min(told)
        return f"{kind} differs in its {', '.join(parts)}"

    def _nearby(self, request: ChatRequest) -> Iterator[tuple[str, Recorded]]:
        """Recorded requests of the same place, or else with the same last message."""
        mine = [
            one
            for one in self._recording.values()
            if one.key.model == self._name and one.purpose == request.purpose
        ]
        here = [one for one in mine if one.where and one.where == request.whereabouts]
        if here:
            yield from (("the request that was recorded there", one) for one in here)
            return
        last = dict(digests(request))["last message"]
        for one in mine:
            if dict(one.parts).get("last message") == last:
                yield "the nearest recorded request", one
