"""One time limit for all that an attempt reads and writes, however small its pieces.

A socket's own limit begins anew with every piece, so a reply whose headers trickle in, or one
interim reply (RFC 9110, 15.2) after another, would be waited for without an end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2


class Patience(threading.local):
    """Until when, by `time.monotonic`, the thread's attempt may go on; None: without an end."""

    until: float | None = None

    def left(self, timeout: float | None) -> float | None:
        """Of a piece's own limit what the attempt leaves it, in seconds."""
        if self.until is None:
            return timeout
        left = self.until - time.monotonic()
        return left if timeout is None else min(timeout, left)


def limit(client: httpx2.Client, patience: Patience) -> None:
    """Have all sockets of a client end with the attempt; each runs in one thread, as `httpx2` has
    it."""
    import httpcore2

    class Stream(httpcore2.NetworkStream):
        def __init__(self, inner: httpcore2.NetworkStream) -> None:
            self._inner = inner

        def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
            left = patience.left(timeout)
            if left is not None and left <= 0:
                raise httpcore2.ReadTimeout("the reply came too slowly")
            return self._inner.read(max_bytes, left)

        def write(self, buffer: bytes, timeout: float | None = None) -> None:
            left = patience.left(timeout)
            if left is not None and left <= 0:
                raise httpcore2.WriteTimeout("the request was taken too slowly")
            self._inner.write(buffer, left)

        def start_tls(self, *args: Any, **kwargs: Any) -> httpcore2.NetworkStream:
            return Stream(self._inner.start_tls(*args, **kwargs))

        def close(self) -> None:
            self._inner.close()

        def get_extra_info(self, info: str) -> Any:
            return self._inner.get_extra_info(info)

    class Backend(httpcore2.NetworkBackend):
        def __init__(self, inner: httpcore2.NetworkBackend) -> None:
            self._inner = inner

        def connect_tcp(self, *args: Any, **kwargs: Any) -> httpcore2.NetworkStream:
            return Stream(self._inner.connect_tcp(*args, **kwargs))

        def sleep(self, seconds: float) -> None:
            self._inner.sleep(seconds)

    # The package takes no backend of ours by any public way; a test through sockets tells if this
    # way ends one day.
    transports: Iterable[Any] = (client._transport, *client._mounts.values())
    for transport in transports:
        pool: Any = getattr(transport, "_pool", None)
        if hasattr(pool, "_network_backend"):
            pool._network_backend = Backend(pool._network_backend)
