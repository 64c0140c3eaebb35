"""An endpoint on 127.0.0.1 that speaks the chat-completions protocol and misbehaves on purpose.

It answers by itself, with a function, or stands before a real endpoint and hands on what meets no
fault, credentials included, to that host alone. Client and faults are joined by real sockets.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from compaction_eval.eval.models.chaos import OK, TAG, Attempts, Chaos, body_key
from compaction_eval.eval.models.chaos_bodies import Response, as_json, completion, decoded, fault
from compaction_eval.eval.models.forwarding import UnreachableError, forward

Answer = Callable[[Mapping[str, Any]], str]
"""From a chat-completions request, as decoded JSON, to the answer's text."""

_SILENT = ("hang", "close")
_PIECES = 20  # of a slow body
_MOMENT = 0.05  # seconds between two looks at whether to go on with a hang


@dataclass(frozen=True, slots=True)
class Seen:
    """A request that came in."""

    key: str
    attempt: int
    fault: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A running server."""

    url: str
    """The base URL for clients."""
    seen: list[Seen] = field(default_factory=list)
    """The chat requests so far, as they came."""


@contextmanager
def answering(chaos: Chaos, answer: Answer, *, delay: float = 0.0) -> Iterator[Endpoint]:
    """A server that answers by itself, after `delay` seconds."""

    def true_answer(_path: str, body: bytes, _headers: Mapping[str, str]) -> Response:
        if not body:
            return as_json(200, {"object": "list", "data": []})
        time.sleep(delay)
        request = decoded(body)
        return completion(answer(request), request)

    with _serving(chaos, true_answer, "/v1") as endpoint:
        yield endpoint


@contextmanager
def standing_before(chaos: Chaos, url: str, *, attempted: int = 0) -> Iterator[Endpoint]:
    """A server that hands requests on to the endpoint with that base URL, and its answers back.

    `attempted`: how often each request was tried before there was this server.
    """
    parts = urlsplit(url)
    host = f"{parts.scheme}://{parts.netloc}"

    def true_answer(path: str, body: bytes, headers: Mapping[str, str]) -> Response:
        return forward(host + path, body, headers)

    with _serving(chaos, true_answer, parts.path.rstrip("/"), attempted) as endpoint:
        yield endpoint


TrueAnswer = Callable[[str, bytes, Mapping[str, str]], Response]


@contextmanager
def _serving(
    chaos: Chaos, true_answer: TrueAnswer, path: str, attempted: int = 0
) -> Iterator[Endpoint]:
    server = _Server(chaos, true_answer, path, attempted)
    thread = threading.Thread(target=server.serve_forever, args=(_MOMENT,), daemon=True)
    thread.start()
    try:
        yield server.endpoint
    finally:
        server.shutdown()
        server.end_connections()
        server.server_close()  # waits for all threads
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # so that closing waits for them
    request_queue_size = 128

    def __init__(self, chaos: Chaos, true_answer: TrueAnswer, path: str, attempted: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.chaos = chaos
        self.true_answer = true_answer
        self.endpoint = Endpoint(f"http://127.0.0.1:{self.server_port}{path}")
        self.attempts = Attempts(attempted)
        self.ended = threading.Event()
        self.open: set[socket.socket] = set()
        self.lock = threading.Lock()

    def end_connections(self) -> None:
        """End waiting and what clients keep open."""
        self.ended.set()
        with self.lock:
            for connection in self.open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        with self.server.lock:
            self.server.open.add(self.connection)
        if self.server.ended.is_set():
            self.close_connection = True

    def finish(self) -> None:
        with self.server.lock:
            self.server.open.discard(self.connection)
        with suppress(OSError):
            super().finish()

    def do_GET(self) -> None:
        self._send(self._true_answer(b""))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        key = body_key(body, self.headers.get(TAG, ""))
        attempt = self.server.attempts.next(key)
        name = self.server.chaos.fault(key, attempt)
        self.server.endpoint.seen.append(Seen(key, attempt, name))
        if name in _SILENT:
            if name == "hang":
                self._hang()
            self.close_connection = True
        elif name in (OK, "slow"):
            self._send(self._true_answer(body), slow=name == "slow")
        else:
            response = fault(name, self.server.chaos, decoded(body), dict(self.headers))
            self._send(response, cut=name == "cut")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a log might show what nobody should see."""

    def _true_answer(self, body: bytes) -> Response | None:
        with suppress(UnreachableError):
            return self.server.true_answer(self.path, body, dict(self.headers))
        return None

    def _send(self, response: Response | None, *, cut: bool = False, slow: bool = False) -> None:
        """Send a response, or as one that never came close the connection for None."""
        self.close_connection = self.close_connection or cut or response is None
        if response is None:
            return
        self.send_response_only(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        body = response.body[: len(response.body) // 2] if cut else response.body
        if not slow:
            self.wfile.write(body)
            return
        size = len(body) // _PIECES + 1
        for start in range(0, len(body), size):
            self.server.ended.wait(self.server.chaos.slow / _PIECES)
            self.wfile.write(body[start : start + size])

    def _hang(self) -> None:
        """Wait until the time is over, the client has gone away, or the server ends."""
        end = time.monotonic() + self.server.chaos.hang
        while time.monotonic() < end and not self.server.ended.is_set():
            readable, _, _ = select.select([self.connection], [], [], _MOMENT)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                return
            if readable:
                self.server.ended.wait(_MOMENT)
