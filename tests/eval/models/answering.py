"""A small endpoint on 127.0.0.1 that answers each request as a test's function says."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Seen:
    """A request that came in."""

    number: int
    """Among the completions, from 1; 0 for everything else."""
    path: str
    headers: Mapping[str, str]
    """By lower-case name."""
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Told:
    """What is sent back."""

    status: int = 200
    body: Any = None
    """Bytes and texts as they are, anything else as JSON."""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut_at: int | None = None
    """The connection is closed after so many bytes."""
    wait: float = 0.0
    """Seconds before it is sent."""
    trickle: float = 0.0
    """Seconds between its bytes."""


Behaviour = Callable[[Seen], Told]


def completion(text: str | None = "9443", **more: Any) -> Told:
    """A completion; `finish`, `message` and `usage` replace its usual parts."""
    message = more.get("message", {"role": "assistant", "content": text})
    choice = {"index": 0, "message": message, "finish_reason": more.get("finish", "stop")}
    usage = more.get("usage", {"prompt_tokens": 20, "completion_tokens": 3, "total_tokens": 23})
    return Told(body={"object": "chat.completion", "choices": [choice], "usage": usage})


def error(status: int, message: str = "No.", **more: Any) -> Told:
    """An error in OpenAI's form."""
    headers = more.pop("headers", {})
    return Told(status, {"error": {"message": message, "type": "error", **more}}, headers)


class Endpoint(ThreadingHTTPServer):
    """The server; `behaviour` and `listed` may be replaced at any time."""

    daemon_threads = False
    block_on_close = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behaviour: Behaviour = lambda _: completion()
        self.listed: Told = Told(body={"object": "list", "data": [{"id": "small"}]})
        self.seen: list[Seen] = []
        self.most_in_flight = 0
        self._in_flight = 0
        self._lock = threading.Lock()
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def completions(self) -> list[Seen]:
        return [one for one in self.seen if one.number]

    def note(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Seen:
        with self._lock:
            asks = path.endswith("/chat/completions")
            seen = Seen(len(self.completions) + 1 if asks else 0, path, headers, body)
            self.seen.append(seen)
            return seen

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
        yield
        with self._lock:
            self._in_flight -= 1

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients may leave in the middle of anything."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 5
    server: Endpoint

    def do_GET(self) -> None:
        self._send(self.server.listed, self.server.note(self.path, self._headers(), {}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        seen = self.server.note(self.path, self._headers(), body)
        with self.server.counted():
            told = self.server.behaviour(seen)
            self.server.closing.wait(told.wait)
        self._send(told, seen)

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _send(self, told: Told, seen: Seen) -> None:
        data = told.body
        if not isinstance(data, bytes):
            data = data.encode() if isinstance(data, str) else json.dumps(data).encode()
        self.send_response(told.status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(data)),
            **told.headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(OSError):
            for start in range(0, len(data), 1) if told.trickle else ():
                self.wfile.write(data[start : start + 1])
                if self.server.closing.wait(told.trickle):
                    return
            if not told.trickle:
                self.wfile.write(data[: told.cut_at])
        if told.cut_at is not None:
            self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Nothing is printed."""


@contextmanager
def serving() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        thread = threading.Thread(target=endpoint.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield endpoint
        finally:
            endpoint.closing.set()
            endpoint.shutdown()
            thread.join()


def until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Wait for something that another thread does; False where it doesn't come."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True
