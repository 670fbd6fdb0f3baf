"""The asynchronous face: within the caller's loop, beside whatever else runs there."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.unit.running.sites import HOME, PAGES_OF_THE_SMALL_SITE, index, site, small_site, urlset
from tests.unit.web_client.clients import Client, Success
from usp.aio import sitemap_tree_for_homepage, stream_pages
from usp.fetching.fetcher import Fetch
from usp.fetching.memory import MemoryFetcher
from usp.messages import Request


async def urls_of_a_tree(**options: Any) -> list[str]:
    tree = await sitemap_tree_for_homepage(HOME, **{"fetcher": small_site(), **options})
    return [page.url for page in tree.all_pages()]


async def urls_of_a_stream(**options: Any) -> list[str]:
    async with stream_pages(HOME, **{"fetcher": small_site(), **options}) as stream:
        return [page.url async for page, _ in stream]


FACES = [urls_of_a_tree, urls_of_a_stream]
Face = Callable[..., Awaitable[list[str]]]


async def others() -> set[asyncio.Task[Any]]:
    """The tasks of the loop besides this one, once what was begun to end has ended."""
    for _ in range(10):
        await asyncio.sleep(0)
    return asyncio.all_tasks() - {asyncio.current_task()}


@pytest.mark.parametrize("face", FACES)
def test_a_loop_gets_its_pages_and_keeps_no_task(face: Face) -> None:
    async def main() -> list[str]:
        urls = await face()
        assert await others() == set()
        return urls

    assert asyncio.run(main()) == PAGES_OF_THE_SMALL_SITE


@pytest.mark.parametrize("face", FACES)
def test_crawls_run_beside_each_other(face: Face) -> None:
    async def main() -> list[list[str]]:
        meeting = asyncio.Barrier(3)

        async def robots(request: Request) -> str:
            await meeting.wait()  # answers only once all three have asked
            return "Sitemap: /a.xml"

        fetchers = [site({"robots.txt": robots, "a.xml": urlset("/a/1")}) for _ in range(3)]
        async with asyncio.timeout(30):
            return await asyncio.gather(*(face(fetcher=fetcher) for fetcher in fetchers))

    assert asyncio.run(main()) == [[HOME + "a/1"]] * 3


def test_the_loop_stays_responsive_while_a_large_document_is_read() -> None:
    document = urlset(*(f"/page/{number}" for number in range(20_000)))

    async def main() -> int:
        turns = 0

        async def someone_else() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        other = asyncio.create_task(someone_else())
        await urls_of_a_tree(fetcher=site({"sitemap.xml": document}))
        other.cancel()
        return turns

    assert asyncio.run(main()) > len(document) / 65536


def test_callbacks_and_events_run_in_the_loops_thread_and_clients_in_one_of_their_own() -> None:
    met: dict[str, set[threading.Thread]] = {}

    def here(what: str) -> None:
        met.setdefault(what, set()).add(threading.current_thread())

    def get(url: str) -> Success:
        here("client")
        return Success(url, urlset("/a/1").encode())

    asyncio.run(urls_of_a_tree(fetcher=None, web_client=Client(get), on_event=lambda event: here("event")))
    assert met["event"] == {threading.current_thread()}
    (client,) = met["client"]
    assert client is not threading.current_thread()
    assert not client.is_alive()


def test_a_client_that_blocks_does_not_block_the_loop() -> None:
    asked, answer = threading.Event(), threading.Event()

    def get(url: str) -> Success:
        asked.set()
        assert answer.wait(30)
        return Success(url, urlset("/a/1").encode())

    async def main() -> None:
        crawl = asyncio.ensure_future(urls_of_a_tree(fetcher=None, web_client=Client(get)))
        while not asked.is_set():
            await asyncio.sleep(0)
        answer.set()  # which nobody could, if the loop were blocked
        assert len(await crawl) > 0

    asyncio.run(main())


@pytest.mark.parametrize("face", FACES)
def test_what_the_callers_code_raises_reaches_the_caller_and_leaves_nothing(face: Face) -> None:
    class Mine(Exception):
        pass

    def callback(*_: object) -> Any:
        raise Mine

    async def main() -> None:
        for option in ("recurse_callback", "recurse_list_callback", "on_event"):
            with pytest.raises(Mine):
                await face(**{option: callback})
            assert await others() == set()

    asyncio.run(main())


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 8, 13, 21, 34])
def test_cancelling_at_any_moment_leaves_no_task(face: Face, steps: int) -> None:
    async def forever(request: Request) -> str:
        await asyncio.Event().wait()
        return ""

    async def main() -> None:
        fetcher = site({"robots.txt": "Sitemap: /i.xml", "i.xml": index("/a.xml", "/b.xml"), "a.xml": forever})
        crawl = asyncio.ensure_future(face(fetcher=fetcher))
        for _ in range(steps):
            await asyncio.sleep(0)
        crawl.cancel()
        with pytest.raises(asyncio.CancelledError):
            await crawl
        assert await others() == set()

    asyncio.run(main())


def test_a_deadline_of_the_callers_ends_a_crawl() -> None:
    async def forever(request: Request) -> str:
        await asyncio.Event().wait()
        return ""

    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await urls_of_a_tree(fetcher=site({"robots.txt": forever}))
        assert await others() == set()

    asyncio.run(main())


class Watched(MemoryFetcher):
    """A site that knows whether somebody has it open."""

    is_open = False

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Fetch]:
        async with super().open() as fetch:
            self.is_open = True
            try:
                yield fetch
            finally:
                self.is_open = False


def test_a_stream_that_is_left_early_leaves_nothing() -> None:
    async def main() -> None:
        fetcher = Watched({HOME + "sitemap.xml": urlset("/a/1", "/a/2")})
        async with stream_pages(HOME, fetcher=fetcher) as stream:
            async for _ in stream:
                assert fetcher.is_open
                break
        assert not fetcher.is_open
        assert await others() == set()
        assert [page async for page in stream] == []

    asyncio.run(main())


def test_a_stream_that_is_forgotten_ends() -> None:
    async def main() -> None:
        fetcher = Watched({HOME + "sitemap.xml": urlset("/a/1", "/a/2")})
        stream = stream_pages(HOME, fetcher=fetcher)
        await anext(stream)
        del stream
        assert await others() == set()
        assert not fetcher.is_open

    asyncio.run(main())


def test_within_a_stream_others_have_their_turn() -> None:
    document = urlset(*(f"/page/{number}" for number in range(5000)))

    async def main() -> tuple[int, int]:
        turns = 0

        async def someone_else() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async with stream_pages(HOME, fetcher=site({"sitemap.xml": document})) as stream:
            await anext(stream)
            other = asyncio.create_task(someone_else())
            urls = [page.url async for page, _ in stream]
            other.cancel()
            return len(urls), turns

    pages, turns = asyncio.run(main())
    assert pages == 4999
    assert turns >= 4
