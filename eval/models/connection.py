"""One endpoint and its connections, through the `openai` package: bytes in, bytes out.

What the package leaves open is bounded here: an attempt's time in all, and the size of a body.
Redirects aren't followed: a key goes to the address that it was given for, and to no other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from compaction_eval.eval.models.base import UnusableModelError
from compaction_eval.eval.models.patience import Patience, limit
from compaction_eval.eval.models.proxies import is_loopback
from compaction_eval.eval.models.secret import showable, without_secrets
from compaction_eval.eval.models.settings import ModelSettings

if TYPE_CHECKING:
    import httpx2
    from openai import OpenAI

INSTALL = "pip install 'compaction-eval[openai]'"
MOST_BYTES = 8 * 1024 * 1024
"""Of a reply's body; the longest answers of any model are a twentieth of it."""
_CONNECTING = 10.0
"""Seconds to wait for a connection, where an attempt may take longer."""


@dataclass(frozen=True, slots=True)
class Response:
    """What came back, whatever its status."""

    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes


class BrokenError(Exception):
    """An attempt that brought no response; its text is safe to show."""

    def __init__(
        self,
        kind: Literal["timeout", "connection", "malformed"],
        reason: str,
        *,
        connected: bool = True,
    ) -> None:
        super().__init__(reason)
        self.kind: Literal["timeout", "connection", "malformed"] = kind
        self.connected = connected
        """Whether the endpoint may have got the request, and so may take money for it."""


class _TooLongError(Exception):
    pass


class Connection:
    """Safe to be used by several threads at once; has to be closed."""

    def __init__(self, settings: ModelSettings, concurrency: int) -> None:
        self.settings = settings
        self._client = _client(settings, concurrency)

    def close(self) -> None:
        """Close all sockets."""
        self._client.close()

    def get(self, path: str) -> Response:
        """Raises BrokenError."""
        return self._send(lambda cast_to: self._client.get(path, cast_to=cast_to))

    def post(self, path: str, body: bytes, headers: Mapping[str, str] | None = None) -> Response:
        """Send JSON. Raises BrokenError."""
        options: Any = {"headers": {"Content-Type": "application/json", **(headers or {})}}
        return self._send(
            lambda cast_to: self._client.post(path, content=body, options=options, cast_to=cast_to)
        )

    def _send(self, send: Any) -> Response:
        import httpx2
        import openai

        try:
            response = send(httpx2.Response)
        except openai.APIStatusError as error:
            response = error.response
        except openai.APITimeoutError:
            limit = f"{self.settings.timeout:g} s"
            raise BrokenError("timeout", f"no whole reply within {limit}") from None
        except openai.APIConnectionError as error:
            why = showable(str(error.__cause__ or error), self.settings.secrets)
            met = not isinstance(error.__cause__, httpx2.ConnectError | httpx2.ProxyError)
            broke = f"the connection broke: {why}"
            raise BrokenError("connection", broke, connected=met) from None
        except _TooLongError:
            size = f"{MOST_BYTES // 2**20} MiB"
            raise BrokenError("malformed", f"the reply is longer than {size}") from None
        secrets = self.settings.secrets
        headers = {
            name.lower(): without_secrets(value.encode("utf-8", "replace"), secrets).decode()
            for name, value in response.headers.items()
        }
        body = without_secrets(response.content, secrets)
        return Response(response.status_code, headers, body)


def _client(settings: ModelSettings, concurrency: int) -> OpenAI:
    try:
        import httpx2
        import openai
    except ImportError as error:
        raise UnusableModelError(
            f"models are reached through the package openai, which isn't installed: {INSTALL}"
        ) from error

    class Bounded(httpx2.SyncByteStream):
        """A body that may not be endless."""

        def __init__(self, inner: httpx2.SyncByteStream) -> None:
            self.inner = inner

        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for chunk in self.inner:
                size += len(chunk)
                if size > MOST_BYTES:
                    raise _TooLongError
                yield chunk

        def close(self) -> None:
            self.inner.close()

    def before(request: httpx2.Request) -> None:
        # Here, behind the package's own log lines, which would show other headers than its own.
        for name, value in settings.headers.items():
            request.headers[name] = value.reveal()
        if settings.key is not None:
            request.headers["Authorization"] = f"Bearer {settings.key.reveal()}"
        elif "authorization" not in {name.lower() for name in settings.headers}:
            del request.headers["Authorization"]
        patience.until = time.monotonic() + settings.timeout

    def after(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = Bounded(response.stream)

    patience = Patience()
    connecting = min(_CONNECTING, settings.timeout)
    limits = httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    direct = is_loopback(settings.base_url)
    try:
        transport = httpx2.Client(
            timeout=httpx2.Timeout(settings.timeout, connect=connecting, pool=None),
            limits=limits,
            # With a transport of its own it asks the environment for no proxy.
            transport=httpx2.HTTPTransport(limits=limits) if direct else None,
            follow_redirects=False,
            event_hooks={"request": [before], "response": [after]},
            # Compressed bodies could be far longer than what their bytes say.
            headers={"Accept-Encoding": "identity"},
        )
    except ImportError as error:
        raise UnusableModelError(
            "the proxy in ALL_PROXY, HTTPS_PROXY or HTTP_PROXY speaks SOCKS, which takes the"
            " package socksio: pip install socksio"
        ) from error
    except OSError as error:
        raise UnusableModelError(
            f"the certificates in SSL_CERT_FILE or SSL_CERT_DIR can't be read: {error.strerror}"
        ) from error
    except (ValueError, httpx2.InvalidURL):
        # Without its words, and not chained: they may hold a part of the proxy's password.
        raise UnusableModelError(
            "the proxy in ALL_PROXY, HTTPS_PROXY or HTTP_PROXY has no address such as"
            " http://proxy.example:3128"
        ) from None
    limit(transport, patience)
    return openai.OpenAI(
        api_key="sent-elsewhere",
        base_url=settings.base_url,
        timeout=transport.timeout,
        max_retries=0,
        http_client=transport,
    )
