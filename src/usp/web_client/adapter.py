"""Runs any promised web client as a fetcher: with the same retries, limits, decoding and tree.

Laws: one request at a time, since old clients expect no other; what the client raises is the program's own and goes
through; the client is asked for a body only when somebody reads it. A client follows redirects by itself and dials
unseen: the guard sees the final URL, never the addresses.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from usp.crawl.outcome import judged
from usp.exceptions import InvalidWebClientException
from usp.fetching.fetcher import Fetch
from usp.limits import PIECE
from usp.messages import Failure, Request, Response
from usp.problems import Outcome
from usp.running.interrupts import interruptible
from usp.web_client.abstract_client import (
    RETRYABLE_HTTP_STATUS_CODES,
    AbstractWebClient,
    AbstractWebClientSuccessResponse,
    WebClientErrorResponse,
)
from usp.web_client.answers import is_error, is_success, status_and_phrase
from usp.web_client.worker import Worker

HEADERS = ("cf-mitigated", "content-type", "etag", "last-modified", "location", "retry-after")
"""What clients are asked for: they can be asked for headers by name only. Content-Encoding is left out: clients undo it
and leave the header standing. If one did not undo it, the magic bytes of the body still tell."""

T = TypeVar("T")


class Call(Protocol):
    """Runs something that may block, and gives what it returns or raises what it raises."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


class WebClientFetcher:
    """A fetcher that asks an ``AbstractWebClient``: in the thread of the event loop (which waits), or ``in_thread``.

    ``wire_bytes`` is the limit of bodies, which the client is told (and one byte, so that a cut does not go unseen).

    >>> from usp.web_client.abstract_client import LocalWebClient
    >>> WebClientFetcher(LocalWebClient()).at_once
    1
    """

    at_once: int | None = 1
    sees_addresses = False

    def __init__(self, client: AbstractWebClient, in_thread: bool = False, *, wire_bytes: int | None = None) -> None:
        if isinstance(client, type) or not callable(getattr(client, "get", None)):
            raise InvalidWebClientException(f"This is no web client, it cannot get(url): {client!r:.200}")
        self._client = client
        self._in_thread = in_thread
        self._wire_bytes = wire_bytes

    def open(self) -> AbstractAsyncContextManager[Fetch]:
        """The client, ready to be asked; with ``in_thread``, a thread of its own until the context ends."""
        return self._opened()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Fetch]:
        limit = getattr(self._client, "set_max_response_data_length", None)
        if self._wire_bytes is not None and limit is not None:
            limit(self._wire_bytes + 1)
        if not self._in_thread:
            yield partial(self._fetch, _call_here)
            return
        worker = Worker("usp-web-client")
        try:
            yield partial(self._fetch, worker.call)
        finally:
            worker.close()

    @asynccontextmanager
    async def _fetch(self, call: Call, request: Request) -> AsyncIterator[Response | Failure]:
        asked = await call(partial(_ask, self._client, request.url))
        if isinstance(asked, Failure):
            yield asked
            return
        body = _pieces(call, asked.raw_data)
        try:
            yield Response(asked.url, asked.status, asked.headers, body, asked.phrase)
        finally:
            await body.aclose()


class _Asked(NamedTuple):
    url: str
    status: int
    phrase: str
    headers: dict[str, str]
    raw_data: Callable[[], object]


def _ask(client: AbstractWebClient, url: str) -> _Asked | Failure:
    response: object = client.get(url)
    if is_error(response):
        return _error(response, url)
    if is_success(response):
        return _success(response, url)
    raise InvalidWebClientException(
        f"{type(client).__name__}.get gave something that is no response: {response!r:.200}"
    )


def _success(response: AbstractWebClientSuccessResponse, url: str) -> _Asked:
    status = response.status_code()
    try:
        number = int(status)
    except (TypeError, ValueError):
        raise InvalidWebClientException(f"The status code of a response is no number: {status!r:.200}") from None
    phrase = _text(response, "status_message") or ""
    return _Asked(_text(response, "url") or url, number, phrase, _headers(response), response.raw_data)


def _error(response: WebClientErrorResponse, url: str) -> _Asked | Failure:
    """A status is judged like that of any response. Where the client promises more than the status does, that asking
    again may help, it is judged here: a Response could not say so."""
    message, retryable = str(response.message()), bool(response.retryable())
    url = _text(response, "url") or url
    status, phrase = status_and_phrase(message) or (None, "")
    if status is None:
        return Failure(url, Outcome.UNREACHABLE, message, retryable=retryable)
    asked = _Asked(url, status, phrase, _headers(response), bytes)
    if retryable and status not in RETRYABLE_HTTP_STATUS_CODES:
        response_without_body = Response(url, status, asked.headers, _pieces(_call_here, bytes), phrase)
        failure = judged(response_without_body, datetime.now(UTC))
        if isinstance(failure, Failure):
            return msgspec.structs.replace(failure, retryable=True)
    return asked


def _headers(response: object) -> dict[str, str]:
    """The headers that a response has a value for; errors mostly have none, and need not have the method."""
    found = {name: _text(response, "header", name) for name in HEADERS}
    return {name: value for name, value in found.items() if value is not None}


def _text(response: object, method: str, *arguments: str) -> str | None:
    """What a method gives, if there is such a method and it gives text."""
    ask = getattr(response, method, None)
    value = ask(*arguments) if callable(ask) else None
    return value if isinstance(value, str) else None


async def _pieces(call: Call, raw_data: Callable[[], object]) -> AsyncGenerator[bytes, None]:
    data = await call(raw_data)
    if not isinstance(data, bytes | bytearray | memoryview):
        raise InvalidWebClientException(f"The raw data of a response must be bytes, not {type(data).__name__}")
    view = memoryview(data)
    for start in range(0, view.nbytes, PIECE):
        yield bytes(view[start : start + PIECE])


async def _call_here(work: Callable[[], T]) -> T:
    """Run something that blocks in the thread of the loop, without ever giving way to the loop."""
    with interruptible():
        return work()
