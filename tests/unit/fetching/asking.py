"""Asking one fetcher for one URL, in an event loop of its own."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from usp.fetching.fetcher import Fetch
from usp.messages import Failure, Request, Response

BASIC = "Basic bWU6c2VjcmV0"  # me:secret


def to_loopback(host: str) -> Sequence[str]:
    return ["127.0.0.1"]


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test in a loop of its own; what it leaves open becomes a warning, and that an error."""

    async def whole() -> None:
        async with asyncio.timeout(30):
            await test()

    asyncio.run(whole())
    gc.collect()


async def read(fetch: Fetch, url: str, **options: Any) -> tuple[Response | Failure, bytes]:
    """The answer to one request, and its body."""
    async with fetch(Request(url, **options)) as answer:
        if isinstance(answer, Failure):
            return answer, b""
        return answer, b"".join([piece async for piece in answer.body])


async def failed(fetch: Fetch, url: str, **options: Any) -> Failure:
    answer, _ = await read(fetch, url, **options)
    assert isinstance(answer, Failure), answer
    assert answer.url == url
    assert answer.reason.endswith(".")
    for word in ("Error", "Errno", "Exception", "Client"):
        assert word not in answer.reason
    return answer
