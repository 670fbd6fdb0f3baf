"""A network in memory, for tests: the answers are given beforehand, nothing is dialled.

Laws: as every fetcher's; an answer is found by URL, an unknown one is 404.
"""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from usp.fetching.fetcher import Fetch
from usp.limits import PIECE
from usp.messages import Failure, Request, Response
from usp.problems import Outcome
from usp.values.urls import identity

OneAnswer = bytes | str | tuple[int, Mapping[str, str], bytes | str] | Exception | Failure | Response
Answer = OneAnswer | list[OneAnswer] | Callable[[Request], OneAnswer | Awaitable[OneAnswer]]
"""A body (status 200), ``(status, headers, body)``, a fault, or a function that gives one of these, also a coroutine;
a list gives its answers one after the other, the last one again and again."""


class MemoryFetcher:
    """Answers from a mapping of URLs, and remembers in ``requests`` which URLs were asked for.

    >>> import asyncio
    >>> from usp.messages import Request
    >>> fetcher = MemoryFetcher({"https://example.com/robots.txt": "Sitemap: /sitemap.xml", "https://example.com/": [
    ...     (503, {"Retry-After": "1"}, ""), "<html>"]})
    >>> async def status(url):
    ...     async with fetcher.open() as fetch, fetch(Request(url)) as answer:
    ...         return answer.status
    >>> [asyncio.run(status(f"https://example.com/{path}")) for path in ("robots.txt", "", "", "other")]
    [200, 503, 200, 404]
    >>> fetcher.requests[-1]
    'https://example.com/other'
    """

    at_once: int | None = None
    sees_addresses: bool = True

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.requests: list[str] = []
        self._answers = {
            identity(url): [*answer] if isinstance(answer, list) else answer for url, answer in answers.items()
        }

    def resolver_for(self, url: str) -> None:
        """Nobody looks anything up."""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Fetch]:
        """Nothing needs to be opened."""
        yield self._fetch

    @asynccontextmanager
    async def _fetch(self, request: Request) -> AsyncIterator[Response | Failure]:
        self.requests.append(request.url)
        answer = self._answers.get(identity(request.url), (404, {}, b""))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if callable(answer):
            given = answer(request)
            answer = await given if inspect.isawaitable(given) else given
        yield _answered(request.url, answer)


def _answered(url: str, answer: OneAnswer) -> Response | Failure:
    if isinstance(answer, Failure | Response):
        return answer
    if isinstance(answer, Exception):
        return Failure(url=url, outcome=Outcome.UNREACHABLE, reason=str(answer), retryable=True)
    status, headers, body = answer if isinstance(answer, tuple) else (200, {}, answer)
    content = body.encode() if isinstance(body, str) else body
    return Response(url, status, {name.lower(): value for name, value in headers.items()}, _pieces(content))


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), PIECE):
        yield body[start : start + PIECE]
