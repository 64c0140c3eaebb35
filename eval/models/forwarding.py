"""Handing a request on to a real endpoint, and its answer back, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from http.client import HTTPException, HTTPMessage
from typing import IO
from urllib.error import HTTPError
from urllib.request import BaseHandler, HTTPRedirectHandler, ProxyHandler, Request, build_opener

from compaction_eval.eval.models.chaos import TAG
from compaction_eval.eval.models.chaos_bodies import Response
from compaction_eval.eval.models.proxies import is_loopback

_PATIENCE = 600.0  # seconds; the client's own timeout is shorter
_OWN_HOP = frozenset(
    (
        "connection",
        "content-length",
        "date",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "server",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        TAG.lower(),
    )
)
"""Headers that are about one connection, or that each side makes by itself."""


class UnreachableError(Exception):
    """The endpoint can't be reached, or broke off."""


class _Staying(HTTPRedirectHandler):
    """Hands redirections back, so that credentials go to no other host."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


def forward(url: str, body: bytes, headers: Mapping[str, str]) -> Response:
    """The endpoint's response, of whatever status. GET without a body, POST with one.

    Raises UnreachableError.
    """
    request = Request(url, data=body or None, headers=_kept(headers))
    direct: tuple[BaseHandler, ...] = (ProxyHandler({}),) if is_loopback(url) else ()
    try:
        with build_opener(_Staying, *direct).open(request, timeout=_PATIENCE) as response:
            return Response(response.status, response.read(), _kept(dict(response.headers)))
    except HTTPError as error:
        with error:
            return Response(error.code, error.read(), _kept(dict(error.headers)))
    except (OSError, HTTPException) as error:
        raise UnreachableError(type(error).__name__) from error


def _kept(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in _OWN_HOP}
