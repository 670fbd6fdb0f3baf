"""Streams: pages in the order of the tree or of arrival, no faster than they are wanted, in bounded memory."""

import asyncio
import gc
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from tests.unit.running import virtual_time
from tests.unit.running.sites import (
    HOME,
    PAGES_OF_THE_SMALL_SITE,
    ROUND_TRIP,
    answering,
    distant,
    index,
    many,
    site,
    small_site,
    urlset,
)
from usp import aio, tree
from usp.crawl.politeness import Politeness
from usp.exceptions import InvalidOptionException
from usp.fetching.memory import Answer, MemoryFetcher
from usp.limits import MIB, Limits
from usp.messages import Request
from usp.objects.sitemap import IndexXMLSitemap, PagesXMLSitemap
from usp.problems import Outcome
from usp.running.stream import READ_AHEAD


def paths_of_a_stream(**options: Any) -> list[str]:
    with tree.stream_pages(HOME, **{"use_known_paths": False, **options}) as stream:
        return [page.url.removeprefix(HOME) for page, _ in stream]


def paths_of_an_async_stream(**options: Any) -> list[str]:
    async def read() -> list[str]:
        async with aio.stream_pages(HOME, **{"use_known_paths": False, **options}) as stream:
            return [page.url.removeprefix(HOME) async for page, _ in stream]

    return asyncio.run(read())


FACES = [paths_of_a_stream, paths_of_an_async_stream]
Face = Callable[..., list[str]]


# the order of pages


@pytest.mark.parametrize("face", FACES)
def test_pages_come_in_the_order_of_the_tree_whatever_answers_first(face: Face) -> None:
    fetcher = site(
        {
            "robots.txt": "Sitemap: /i.xml\nSitemap: /c.xml",
            "i.xml": index("/a.xml", "/b.xml"),
            "a.xml": answering(urlset("/a/1"), after=0.02),
            "b.xml": answering(urlset("/b/1"), after=0.01),
            "c.xml": urlset("/c/1"),
        }
    )
    assert face(fetcher=fetcher) == ["a/1", "b/1", "c/1"]


def test_pages_come_by_arrival_if_that_is_wanted() -> None:
    async def read() -> list[str]:
        fetcher = site(
            {
                "robots.txt": "Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: /c.xml",
                "a.xml": answering(urlset("/a/1", "/a/2"), after=3),
                "b.xml": answering(urlset("/b/1"), after=2),
                "c.xml": answering(urlset("/c/1"), after=1),
            }
        )
        async with aio.stream_pages(HOME, order="arrival", fetcher=fetcher) as stream:
            return [page.url.removeprefix(HOME) async for page, _ in stream]

    assert virtual_time.run(read())[0] == ["c/1", "b/1", "a/1", "a/2"]


@pytest.mark.parametrize("face", FACES)
def test_both_orders_give_the_same_pages(face: Face) -> None:
    assert sorted(face(fetcher=small_site(), order="arrival")) == face(fetcher=small_site(), order="tree")


@pytest.mark.parametrize("stream_pages", [tree.stream_pages, aio.stream_pages])
@pytest.mark.parametrize("order", ["newest", None, ""])
def test_an_order_that_is_none_is_the_callers_mistake(stream_pages: Any, order: Any) -> None:
    with pytest.raises(InvalidOptionException, match="order must be"):
        stream_pages(HOME, order=order, fetcher=small_site())


def test_by_arrival_one_slow_sitemap_holds_up_no_other() -> None:
    """In the order of the tree it would, once so many are read ahead of it."""
    number = 3 * READ_AHEAD

    async def read() -> list[str]:
        names = [f"{n}.xml" for n in range(number)]
        fetcher = site(
            {
                "robots.txt": "\n".join(f"Sitemap: /{name}" for name in names),
                **{name: urlset(f"/{name}/page") for name in names},
                names[0]: answering(urlset("/slow"), after=50),
            }
        )
        async with aio.stream_pages(HOME, order="arrival", fetcher=fetcher) as stream:
            given = [(page.url.removeprefix(HOME), asyncio.get_running_loop().time()) async for page, _ in stream]
        assert [path for path, _ in given][-1] == "slow"
        assert max(moment for _, moment in given[:-1]) == 0
        return [path for path, _ in given]

    assert len(virtual_time.run(read())[0]) == number


# pages and where they come from


def test_a_page_comes_with_the_sitemap_that_lists_it() -> None:
    fetcher = site(
        {
            "robots.txt": "Sitemap: /i.xml",
            "i.xml": "<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2024-05-01</lastmod></sitemap>"
            "<url><loc>/i/1</loc></url></sitemapindex>",
            "a.xml": urlset("/a/1"),
        }
    )
    with tree.stream_pages(HOME, fetcher=fetcher) as stream:
        (first, index_), (second, urlset_) = stream
    assert (first.url, index_.url, type(index_)) == (HOME + "i/1", HOME + "i.xml", IndexXMLSitemap)
    assert (second.url, urlset_.url, type(urlset_)) == (HOME + "a/1", HOME + "a.xml", PagesXMLSitemap)
    assert urlset_.lastmod == "2024-05-01"
    assert urlset_.outcome is Outcome.OK


def test_a_sitemap_in_two_places_gives_its_pages_twice_and_is_fetched_once() -> None:
    fetcher = site(
        {
            "robots.txt": "Sitemap: /one.xml\nSitemap: /two.xml",
            "one.xml": index("/a.xml"),
            "two.xml": index("/a.xml"),
            "a.xml": urlset("/a/1"),
        }
    )
    assert paths_of_a_stream(fetcher=fetcher) == ["a/1", "a/1"]
    assert fetcher.requests.count(HOME + "a.xml") == 1


@pytest.mark.parametrize("order", ["tree", "arrival"])
def test_the_tree_of_a_stream_is_the_tree_of_a_crawl(order: Any) -> None:
    with tree.stream_pages(HOME, order=order, fetcher=small_site()) as stream:
        for _ in stream:
            pass
    crawled = tree.sitemap_tree_for_homepage(HOME, fetcher=small_site())
    assert stream.tree == crawled
    assert stream.tree.complete
    assert [attempt.url for attempt in stream.tree.attempts] == [attempt.url for attempt in crawled.attempts]


def test_the_tree_of_a_stream_that_was_left_early_says_so() -> None:
    with tree.stream_pages(HOME, fetcher=small_site()) as stream:
        next(stream)
    assert not stream.tree.complete
    assert stream.tree.incomplete_because[0] == "The stream was left before its end."
    assert [page.url for page in stream.tree.all_pages()][:2] == PAGES_OF_THE_SMALL_SITE[:2]


def test_asking_for_the_tree_ends_the_stream() -> None:
    fetcher = small_site()
    with tree.stream_pages(HOME, fetcher=fetcher) as stream:
        next(stream)
        assert not stream.tree.complete
        asked = len(fetcher.requests)
        assert len(list(stream)) <= len(PAGES_OF_THE_SMALL_SITE)
    assert len(fetcher.requests) == asked


# no faster than wanted


@pytest.mark.parametrize("homepage", ["a page", "nothing"])
@pytest.mark.parametrize("known_path", [False, True])
def test_first_pages_come_within_four_round_trips(homepage: str, known_path: bool) -> None:
    """robots.txt, an index, its first sitemap; or, where there is no robots.txt, one of the known paths."""
    children = [f"{number}.xml" for number in range(50)]
    answers: dict[str, Answer] = {name: distant(urlset(f"/{name}/page")) for name in children}
    answers["sitemap_index.xml" if known_path else "i.xml"] = distant(index(*(f"/{name}" for name in children)))
    if not known_path:
        answers["robots.txt"] = distant("Sitemap: /i.xml")
    if homepage == "a page":
        answers[""] = distant("<html></html>")

    async def read() -> float:
        async with aio.stream_pages(HOME, fetcher=site(answers)) as stream:
            await anext(stream)
            return asyncio.get_running_loop().time() / ROUND_TRIP

    round_trips, _ = virtual_time.run(read())
    assert round_trips <= 4.01


def test_a_slow_consumer_bounds_what_is_fetched_by_the_sync_stream() -> None:
    fetcher = site(many(500))
    connections = Politeness().connections
    with tree.stream_pages(HOME, fetcher=fetcher) as stream:
        for given, _ in enumerate(stream, 1):
            assert len(fetcher.requests) <= 1 + given + connections + READ_AHEAD
            if given == 100:
                break
    assert len(fetcher.requests) < 300


def test_a_slow_consumer_bounds_what_is_fetched_by_the_async_stream() -> None:
    fetcher = site(many(500))
    connections = Politeness().connections

    async def read() -> None:
        async with aio.stream_pages(HOME, fetcher=fetcher) as stream:
            given = 0
            async for _ in stream:
                given += 1
                await asyncio.sleep(60)  # others have all the time of the world
                assert len(fetcher.requests) <= 1 + given + connections + READ_AHEAD
                if given == 20:
                    break

    virtual_time.run(read())


def test_no_more_is_read_ahead_of_a_slow_sitemap_than_the_bound() -> None:
    answers = many(500)
    answers["0.xml"] = answering(urlset("/slow"), after=1000)
    fetcher = site(answers)

    async def read() -> int:
        limits = Limits(idle_seconds=2000, request_seconds=2000)
        async with aio.stream_pages(HOME, fetcher=fetcher, limits=limits) as stream:
            await anext(stream)
            return len(fetcher.requests)

    asked, _ = virtual_time.run(read())
    assert asked <= 1 + READ_AHEAD + 2 * Politeness().connections


def test_the_consumers_time_is_not_the_crawls() -> None:
    """A deadline is for sites: whoever takes long over each page still gets all of them."""

    async def read() -> tuple[int, bool]:
        fetcher = site({name: distant(str(body)) for name, body in many(30, pages=2).items()})
        count = 0
        async with aio.stream_pages(HOME, fetcher=fetcher, limits=Limits(seconds=10)) as stream:
            async for _ in stream:
                count += 1
                await asyncio.sleep(60)
        return count, stream.tree.complete

    assert virtual_time.run(read())[0] == (60, True)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[virtual_time.Clock]:
    moved = virtual_time.Clock()
    with monkeypatch.context() as patched:
        patched.setattr("usp.running.sync.time.monotonic", moved)
        yield moved


def test_no_site_is_blamed_for_the_time_that_the_consumer_of_a_sync_stream_takes(clock: virtual_time.Clock) -> None:
    async def in_two_parts(request: Request) -> str:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return urlset(request.url + "/1", request.url + "/2")

    answers = many(30)
    fetcher = site({name: body if name == "robots.txt" else in_two_parts for name, body in answers.items()})
    with tree.stream_pages(HOME, fetcher=fetcher, use_known_paths=False) as stream:
        for _ in stream:
            clock.now += 3600
    assert stream.tree.complete
    assert len(fetcher.requests) == len(set(fetcher.requests))


def test_requests_under_way_go_on_while_the_consumer_takes_its_time_over_one_sitemap(clock: virtual_time.Clock) -> None:
    steps: list[str] = []

    async def slowly(request: Request) -> str:
        for _ in range(1000):
            steps.append(request.url)
            await asyncio.sleep(0)
        return urlset("/b/1")

    answers: dict[str, Answer] = {
        "robots.txt": "Sitemap: /a.xml\nSitemap: /b.xml",
        "a.xml": urlset(*(f"/a/{number}" for number in range(10))),
        "b.xml": slowly,
    }
    with tree.stream_pages(HOME, fetcher=site(answers), use_known_paths=False) as stream:
        next(stream)
        before = len(steps)
        for _ in range(5):
            next(stream)
            clock.now += 2
        assert len(steps) > before


# bounded memory


def test_a_stream_takes_no_more_memory_for_many_pages_than_for_some() -> None:
    def grown(number: int) -> int:
        """Bytes that are still held when so many sitemaps were read."""

        def large(request: Request) -> str:
            return urlset(*(f"{request.url}/{'x' * 1900}/{page}" for page in range(200)))

        answers: dict[str, Answer] = {f"{n}.xml": large for n in range(number)}
        answers["robots.txt"] = "\n".join(f"Sitemap: /{n}.xml" for n in range(number))
        with tree.stream_pages(HOME, fetcher=site(answers), use_known_paths=False) as stream:
            gc.collect()
            tracemalloc.start()
            try:
                assert sum(1 for _ in stream) == 200 * number
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

    grown(2)  # what is imported and cached once
    assert grown(60) < grown(30) + 4 * MIB  # 30 sitemaps more hold 12 MB of text


# since


def test_since_leaves_out_older_pages_and_fetches_no_older_sitemap() -> None:
    fetcher = site(
        {
            "robots.txt": "Sitemap: /i.xml",
            "i.xml": index(
                ("/old.xml", "2023-12-31"), ("/new.xml", "2024-06-01"), "/undated.xml", ("/odd.xml", "soon")
            ),
            "new.xml": urlset(("/n/1", "2024-01-01"), ("/n/2", "2023-12-31"), "/n/3"),
            "undated.xml": urlset(("/u/1", "2022-01-01"), ("/u/2", "2025-01-01")),
            "odd.xml": urlset(("/o/1", "yesterday")),
        }
    )
    assert paths_of_a_stream(fetcher=fetcher, since=date(2024, 1, 1)) == ["n/1", "n/3", "u/2", "o/1"]
    assert HOME + "old.xml" not in fetcher.requests


def test_what_since_leaves_out_is_told_as_filtered_and_leaves_the_tree_complete() -> None:
    fetcher = site({"robots.txt": "Sitemap: /i.xml", "i.xml": index(("/old.xml", "2023-12-31"))})
    found = tree.sitemap_tree_for_homepage(HOME, fetcher=fetcher, since=datetime(2024, 1, 1, tzinfo=UTC))
    assert {a.url: a.outcome for a in found.attempts}[HOME + "old.xml"] is Outcome.FILTERED
    assert found.complete


# the limit on pages


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("order", ["tree", "arrival"])
def test_a_limit_on_pages_ends_the_stream(face: Face, order: str) -> None:
    fetcher = site(many(200, pages=3))
    assert len(face(fetcher=fetcher, order=order, limits=Limits(pages=7))) == 7
    assert len(fetcher.requests) < 100


@pytest.mark.parametrize("order", ["tree", "arrival"])
def test_as_many_pages_as_the_limit_are_complete(order: Any) -> None:
    with tree.stream_pages(HOME, order=order, fetcher=small_site(), limits=Limits(pages=4)) as stream:
        assert len(list(stream)) == 4
    assert stream.tree.complete


@pytest.mark.parametrize("order", ["tree", "arrival"])
def test_the_tree_of_a_limited_stream_has_all_that_was_streamed_and_says_so(order: Any) -> None:
    async def read() -> None:
        answers = many(10, pages=3)
        answers["0.xml"] = answering(urlset("/slow/1", "/slow/2"), after=5)
        async with aio.stream_pages(HOME, order=order, fetcher=site(answers), limits=Limits(pages=7)) as stream:
            streamed = [page.url async for page, _ in stream]
        found = [page.url for page in stream.tree.all_pages()]
        assert len(streamed) == 7
        assert set(streamed) <= set(found)
        assert streamed == found or order == "arrival"
        assert "The limit of 7 pages was reached." in stream.tree.incomplete_because

    virtual_time.run(read())


def test_a_stream_of_a_site_without_sitemaps_is_empty_and_says_why() -> None:
    with tree.stream_pages(HOME, fetcher=MemoryFetcher({})) as stream:
        assert list(stream) == []
    assert stream.tree.complete
    assert all(attempt.outcome is Outcome.ABSENT for attempt in stream.tree.attempts)
