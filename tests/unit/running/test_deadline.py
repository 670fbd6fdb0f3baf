"""The deadline of a crawl, to the moment: in virtual time, where nothing else takes any."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

import usp
from tests.unit.running import virtual_time
from tests.unit.running.sites import HOME, index, site, urlset
from tests.unit.web_client.clients import Client, Success
from usp import aio
from usp.fetching.memory import Answer
from usp.messages import Request, Response
from usp.objects.sitemap import IndexWebsiteSitemap

SECONDS = 10.0


def until_the_deadline(answer: Answer = "", **options: Any) -> IndexWebsiteSitemap:
    """The tree of a site that has a good sitemap and one that answers so; it must be there at the deadline."""
    good: dict[str, Answer] = {"robots.txt": "Sitemap: /a.xml\nSitemap: /bad.xml", "a.xml": urlset("/a/1")}
    options = {
        "fetcher": site({**good, "bad.xml": answer}),
        "use_known_paths": False,
        "limits": usp.Limits(seconds=SECONDS, idle_seconds=1000, request_seconds=1000),
        **options,
    }
    tree, seconds = virtual_time.run(aio.sitemap_tree_for_homepage(HOME, **options))
    assert seconds == pytest.approx(SECONDS)
    assert tree.incomplete_because[0] == "The limit of 10 seconds was reached."
    return tree


def has_the_good_pages(tree: IndexWebsiteSitemap) -> bool:
    return [page.url for page in tree.all_pages()] == [HOME + "a/1"]


async def silence(request: Request) -> str:
    await asyncio.Event().wait()
    return ""


def dripping(piece: bytes, every: float) -> Callable[[Request], Response]:
    async def body() -> AsyncIterator[bytes]:
        while True:
            yield piece
            await asyncio.sleep(every)

    return lambda request: Response(request.url, 200, {}, body())


@pytest.mark.parametrize(
    "answer",
    [
        silence,
        dripping(b"<", every=1),
        dripping(b"<urlset><url><loc>/x</loc></url>", every=0.001),
        dripping(b"\x00" * 65536, every=0.5),
    ],
    ids=["no answer", "a byte a second", "an endless sitemap", "endless nothing"],
)
def test_a_server_cannot_put_it_off(answer: Answer) -> None:
    retry = usp.Retry(attempts=1000, first_wait=0.01, longest_wait=0.01)
    assert has_the_good_pages(until_the_deadline(answer, retry=retry))


def test_a_wait_that_would_outlast_it_is_not_begun() -> None:
    fetcher = site({"robots.txt": "Sitemap: /bad.xml", "bad.xml": (503, {"Retry-After": "4"}, "")})
    options: Any = {"limits": usp.Limits(seconds=SECONDS), "retry": usp.Retry(attempts=1000, first_wait=0)}
    tree, seconds = virtual_time.run(
        aio.sitemap_tree_for_homepage(HOME, fetcher=fetcher, use_known_paths=False, **options)
    )
    assert fetcher.requests.count(HOME + "bad.xml") == 3  # at 0, 4 and 8 seconds
    assert seconds == pytest.approx(8)
    assert not tree.complete


def test_ever_new_sitemaps_cannot_put_it_off() -> None:
    async def one_more(request: Request) -> str:
        await asyncio.sleep(1)
        return index(f"{request.url}1", f"{request.url}2")

    class Endless(dict[str, Any]):
        def get(self, url: str, _: object = None) -> Any:
            return dict.get(self, url) or one_more

    fetcher = site({"robots.txt": "Sitemap: /a.xml\nSitemap: /bad.xml", "a.xml": urlset("/a/1")})
    fetcher._answers = Endless(fetcher._answers)
    limits = usp.Limits(seconds=SECONDS, depth=1000)
    assert has_the_good_pages(until_the_deadline(fetcher=fetcher, limits=limits))


@pytest.fixture
def silent_thread() -> Iterator[threading.Event]:
    """What blocks in a thread is let go at the end of the test."""
    over = threading.Event()
    yield over
    over.set()


def test_a_name_server_that_is_asked_by_the_guard_cannot_put_it_off(silent_thread: threading.Event) -> None:
    """Its time is not added to the crawl's."""

    def resolver(host: str) -> list[str]:
        silent_thread.wait(30)
        return []

    until_the_deadline(guard=usp.Guard(resolver=resolver), fetcher=site({"robots.txt": silence}))


def test_a_client_that_blocks_beside_the_loop_cannot_put_it_off(silent_thread: threading.Event) -> None:
    asked: list[str] = []

    def get(url: str) -> Success:
        asked.append(url)
        silent_thread.wait(30)
        return Success(url)

    until_the_deadline(fetcher=None, web_client=Client(get))
    assert len(asked) <= 1


def test_a_stream_ends_at_the_deadline_and_gives_what_is_there() -> None:
    async def read() -> list[str]:
        fetcher = site({"robots.txt": "Sitemap: /a.xml\nSitemap: /b.xml", "a.xml": urlset("/a/1"), "b.xml": silence})
        async with aio.stream_pages(HOME, fetcher=fetcher, limits=usp.Limits(seconds=SECONDS)) as stream:
            urls = [page.url async for page, _ in stream]
        assert not stream.tree.complete
        return urls

    urls, seconds = virtual_time.run(read())
    assert urls == [HOME + "a/1"]
    assert seconds == pytest.approx(SECONDS)
