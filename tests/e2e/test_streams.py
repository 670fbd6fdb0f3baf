"""Streams over real connections: whoever leaves one leaves no connection behind."""

import asyncio
import threading
from collections.abc import Callable

import pytest

import usp
from tests.e2e.crawling import BOUNDED, good
from tests.e2e.server import Site, Visitor
from usp import aio
from usp.crawl.sources import GivenSitemaps

SOURCES = [GivenSitemaps(("/a.xml", "/b.xml", "/c.xml"))]
PAGES = ["https://example.com/one", "https://example.com/two"]


def by_leaving_a_context(site: Site) -> list[str]:
    with usp.stream_pages(site.url(), sources=SOURCES) as stream:
        return [next(stream).page.url, next(stream).page.url]


def by_closing(site: Site) -> list[str]:
    stream = usp.stream_pages(site.url(), sources=SOURCES)
    urls = [next(stream).page.url, next(stream).page.url]
    stream.close()
    return urls


def by_forgetting(site: Site) -> list[str]:
    urls = []
    for page, _ in usp.stream_pages(site.url(), sources=SOURCES):
        urls.append(page.url)
        if len(urls) == 2:
            break
    return urls


def by_an_exception(site: Site) -> list[str]:
    urls: list[str] = []

    def read() -> None:
        with usp.stream_pages(site.url(), sources=SOURCES) as stream:
            for page, _ in stream:
                urls.append(page.url)
                if len(urls) == 2:
                    raise ValueError("this page is odd")

    with pytest.raises(ValueError, match="odd"):
        read()
    return urls


def by_leaving_an_asynchronous_context(site: Site) -> list[str]:
    async def read() -> list[str]:
        async with aio.stream_pages(site.url(), sources=SOURCES) as stream:
            return [(await anext(stream)).page.url, (await anext(stream)).page.url]

    return asyncio.run(read())


def by_cancelling(site: Site) -> list[str]:
    urls: list[str] = []

    async def read(leave: Callable[[], object]) -> None:
        async with aio.stream_pages(site.url(), sources=SOURCES) as stream:
            async for page, _ in stream:
                urls.append(page.url)
                if len(urls) == 2:
                    leave()

    async def main() -> None:
        reading = asyncio.create_task(read(lambda: reading.cancel()))
        await reading

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    return urls


@pytest.mark.parametrize(
    "leave",
    [
        by_leaving_a_context,
        by_closing,
        by_forgetting,
        by_an_exception,
        by_leaving_an_asynchronous_context,
        by_cancelling,
    ],
)
def test_leaving_a_stream_early_hangs_up(leave: Callable[[Site], list[str]]) -> None:
    """Two sitemaps are under way meanwhile: one has not begun to answer, the other never ends."""
    hung_up = threading.Semaphore(0)
    both = threading.Barrier(3)

    def silent(visitor: Visitor) -> None:
        both.wait(BOUNDED)
        visitor.wait()
        hung_up.release()

    def endless(visitor: Visitor) -> None:
        both.wait(BOUNDED)
        visitor.say(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<urlset>")
        while visitor.say(b"<url><loc>/page</loc></url>" * 1000):
            visitor.pause(0.001)
        hung_up.release()

    def good_when_both_are_asked(visitor: Visitor) -> None:
        both.wait(BOUNDED)
        good(visitor)

    before = set(threading.enumerate())
    with Site() as site:
        site.answers = {"/a.xml": good_when_both_are_asked, "/b.xml": silent, "/c.xml": endless}
        assert leave(site) == PAGES
        ours = set(threading.enumerate()) - before
        assert [thread.name for thread in ours if thread.name.startswith("usp")] == []
        assert hung_up.acquire(timeout=BOUNDED)
        assert hung_up.acquire(timeout=BOUNDED)
