"""The options of ``sitemap_tree_for_homepage`` and ``stream_pages``, of both faces, each by its effect."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import usp
from tests.options.every import untested
from tests.unit.running.sites import HOME, index, site, small_site, urlset
from tests.unit.web_client.clients import Client, Success
from usp import aio, tree
from usp.crawl.sources import GivenSitemaps, HomepageLinks, KnownPaths, RobotsTxt
from usp.crawl.sources.known_paths import KNOWN_PATHS
from usp.exceptions import InvalidOptionException, SitemapException
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.fetching.memory import MemoryFetcher
from usp.objects.sitemap import IndexWebsiteSitemap
from usp.options import CrawlOptions, NewOptions
from usp.problems import Outcome

Crawl = Callable[..., IndexWebsiteSitemap]


def asynchronously(homepage_url: str, *arguments: Any, **options: Any) -> IndexWebsiteSitemap:
    return asyncio.run(aio.sitemap_tree_for_homepage(homepage_url, *arguments, **options))


def by_stream(homepage_url: str, **options: Any) -> IndexWebsiteSitemap:
    with tree.stream_pages(homepage_url, **options) as stream:
        for _ in stream:
            pass
        return stream.tree


def by_async_stream(homepage_url: str, **options: Any) -> IndexWebsiteSitemap:
    async def read() -> IndexWebsiteSitemap:
        async with aio.stream_pages(homepage_url, **options) as stream:
            async for _ in stream:
                pass
            return stream.tree

    return asyncio.run(read())


every_face = pytest.mark.parametrize(
    "crawl", [tree.sitemap_tree_for_homepage, asynchronously, by_stream, by_async_stream]
)


def urls(found: IndexWebsiteSitemap) -> list[str]:
    return [page.url.removeprefix(HOME) for page in found.all_pages()]


def paths(fetcher: MemoryFetcher) -> list[str]:
    return [url.removeprefix(HOME) for url in fetcher.requests]


# the promised arguments


@every_face
def test_homepage_url__is_where_the_crawl_begins(crawl: Crawl) -> None:
    fetcher = small_site()
    assert crawl("https://example.com/some/where?a=b#c", fetcher=fetcher).url == HOME
    assert paths(fetcher)[0] == "robots.txt"


@every_face
@pytest.mark.parametrize("url", ["ftp://example.com/", "example.com", "", None, b"https://example.com/"])
def test_homepage_url__must_be_http(crawl: Crawl, url: Any) -> None:
    with pytest.raises(SitemapException):
        crawl(url, fetcher=small_site())


@every_face
def test_web_client__fetches(crawl: Crawl) -> None:
    client = Client(lambda url: Success(url, urlset("/a/1").encode()))
    assert urls(crawl(HOME, web_client=client, sources=[GivenSitemaps(("/a.xml",))])) == ["a/1"]
    assert client.asked == [HOME + "a.xml"]


@every_face
def test_web_client__excludes_a_fetcher(crawl: Crawl) -> None:
    with pytest.raises(InvalidOptionException, match="exclude each other"):
        crawl(HOME, web_client=Client(Success), fetcher=small_site())


@every_face
def test_use_robots__false_leaves_robots_txt_alone(crawl: Crawl) -> None:
    fetcher = small_site()
    assert urls(crawl(HOME, use_robots=False, fetcher=fetcher)) == []
    assert "robots.txt" not in paths(fetcher)


@every_face
def test_use_known_paths__false_tries_none(crawl: Crawl) -> None:
    fetcher = small_site()
    crawl(HOME, use_known_paths=False, extra_known_paths=["mine.xml"], fetcher=fetcher)
    assert not {*KNOWN_PATHS, "mine.xml"} & {*paths(fetcher)}


@every_face
@pytest.mark.parametrize("of", [set, list, tuple, iter])
def test_extra_known_paths__are_tried_after_the_known_ones(crawl: Crawl, of: Callable[[list[str]], object]) -> None:
    fetcher = site({"maps/a.xml": urlset("/a/1"), "sitemap.txt": HOME + "b/1"})
    assert urls(crawl(HOME, extra_known_paths=of(["/maps/a.xml"]), fetcher=fetcher)) == ["b/1", "a/1"]


def test_extra_known_paths__may_be_whole_urls() -> None:
    elsewhere = "https://maps.example.org/all.xml"
    fetcher = MemoryFetcher({HOME + "maps/a.xml": urlset("/a/1"), elsewhere: urlset("/b/1")})
    found = tree.sitemap_tree_for_homepage(HOME, extra_known_paths=[elsewhere, HOME + "maps/a.xml"], fetcher=fetcher)
    assert [sitemap.url for sitemap in found.sub_sitemaps] == [elsewhere, HOME + "maps/a.xml"]


def test_extra_known_paths__of_a_set_are_tried_in_a_fixed_order() -> None:
    names = {f"{letter}.xml" for letter in "cabfed"}
    fetcher = site({name: urlset(f"/{name}") for name in names})
    assert urls(tree.sitemap_tree_for_homepage(HOME, extra_known_paths=names, fetcher=fetcher)) == sorted(names)


@pytest.mark.parametrize("extra", ["maps/a.xml", [1], 5])
def test_extra_known_paths__must_be_paths(extra: Any) -> None:
    with pytest.raises(InvalidOptionException, match="extra_known_paths"):
        tree.sitemap_tree_for_homepage(HOME, extra_known_paths=extra, fetcher=small_site())


@every_face
def test_recurse_callback__says_of_each_sitemap_whether_it_is_followed(crawl: Crawl) -> None:
    asked: list[tuple[str, int, set[str]]] = []

    def callback(url: str, recursion_level: int, parent_urls: set[str]) -> bool:
        asked.append((url, recursion_level, parent_urls))
        return not url.endswith("a.xml")

    fetcher = small_site()
    assert urls(crawl(HOME, recurse_callback=callback, fetcher=fetcher)) == ["b/1", "b/2"]
    assert "a.xml" not in paths(fetcher)
    robots, index_ = HOME + "robots.txt", HOME + "index.xml"
    assert asked == [
        (index_, 0, {robots}),
        (HOME + "a.xml", 1, {robots, index_}),
        (HOME + "b.xml", 1, {robots, index_}),
    ]


@every_face
def test_recurse_list_callback__chooses_and_orders(crawl: Crawl) -> None:
    asked: list[tuple[list[str], int, set[str]]] = []

    def callback(urls: list[str], recursion_level: int, parent_urls: set[str]) -> list[str]:
        asked.append((urls, recursion_level, parent_urls))
        return urls[::-1]

    assert urls(crawl(HOME, recurse_list_callback=callback, fetcher=small_site())) == ["b/1", "b/2", "a/1", "a/2"]
    robots, index_ = HOME + "robots.txt", HOME + "index.xml"
    assert asked == [([index_], 0, {robots}), ([HOME + "a.xml", HOME + "b.xml"], 1, {robots, index_})]


@every_face
def test_normalize_homepage_url__false_begins_in_the_folder_of_the_url(crawl: Crawl) -> None:
    fetcher = site({"docs/sitemap.xml": urlset("/docs/1")})
    found = crawl(HOME + "docs/start.html", normalize_homepage_url=False, fetcher=fetcher)
    assert found.url == HOME + "docs/"
    assert urls(found) == ["docs/1"]
    assert {"robots.txt", "docs/robots.txt"} <= {*paths(fetcher)}
    assert "sitemap.xml" not in paths(fetcher)


@pytest.mark.parametrize("option", ["recurse_callback", "recurse_list_callback", "on_event"])
def test_a_callback_must_be_a_function(option: str) -> None:
    with pytest.raises(InvalidOptionException, match=option):
        tree.sitemap_tree_for_homepage(HOME, fetcher=small_site(), **{option: "function"})  # type: ignore[arg-type]


@every_face
@pytest.mark.parametrize("option", ["recurse_callback", "recurse_list_callback", "on_event"])
def test_a_callback_that_nobody_would_await_is_refused(crawl: Crawl, option: str) -> None:
    async def callback(*_: object) -> bool:
        return False

    with pytest.raises(InvalidOptionException, match=f"{option} must be a plain function"):
        crawl(HOME, fetcher=small_site(), **{option: callback})


# ours


@every_face
def test_fetcher__fetches(crawl: Crawl) -> None:
    fetcher = small_site()
    crawl(HOME, fetcher=fetcher)
    assert fetcher.requests


@pytest.mark.parametrize("fetcher", [AiohttpFetcher, "aiohttp", 5, Client(Success), Path("open")])
def test_fetcher__must_be_one(fetcher: Any) -> None:
    with pytest.raises(InvalidOptionException, match="fetcher must be"):
        tree.sitemap_tree_for_homepage(HOME, fetcher=fetcher)


@every_face
def test_limits__bound_the_crawl(crawl: Crawl) -> None:
    found = crawl(HOME, limits=usp.Limits(pages=3), fetcher=small_site())
    assert urls(found) == ["a/1", "a/2", "b/1"]
    assert not found.complete


@every_face
def test_retry__says_how_often_to_ask(crawl: Crawl) -> None:
    fetcher = site({"robots.txt": (503, {}, "")})
    crawl(HOME, retry=usp.Retry(attempts=3, first_wait=0), fetcher=fetcher, use_known_paths=False)
    assert paths(fetcher).count("robots.txt") == 3


@every_face
def test_politeness__bounds_the_requests_at_a_time(crawl: Crawl) -> None:
    under_way = most = 0

    async def answer(request: object) -> str:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return urlset("/x")

    names = [f"{number}.xml" for number in range(20)]
    robots = "\n".join(f"Sitemap: /{name}" for name in names)
    crawl(
        HOME,
        politeness=usp.Politeness(connections=3),
        fetcher=site({"robots.txt": robots, **dict.fromkeys(names, answer)}),
    )
    assert most == 3


@every_face
@pytest.mark.parametrize("guard", ["auto", "strict", usp.Guard()])
def test_guard__refuses_private_addresses(crawl: Crawl, guard: Any) -> None:
    inside = "http://192.168.1.1/sitemap.xml"
    found = crawl(HOME, guard=guard, fetcher=site({"robots.txt": f"Sitemap: {inside}"}))
    assert {attempt.url: attempt.outcome for attempt in found.attempts}[inside] is Outcome.REFUSED


@every_face
def test_guard__none_refuses_nothing(crawl: Crawl) -> None:
    inside = "http://192.168.1.1/sitemap.xml"
    fetcher = MemoryFetcher({HOME + "robots.txt": f"Sitemap: {inside}", inside: urlset("/inside")})
    assert [page.url for page in crawl(HOME, guard=None, fetcher=fetcher).all_pages()] == ["http://192.168.1.1/inside"]


@pytest.mark.parametrize("guard", ["off", True, 1])
def test_guard__must_be_one(guard: Any) -> None:
    with pytest.raises(InvalidOptionException, match="guard must be"):
        tree.sitemap_tree_for_homepage(HOME, guard=guard, fetcher=small_site())


@every_face
def test_sources__say_where_to_begin(crawl: Crawl) -> None:
    fetcher = small_site()
    found = crawl(HOME, sources=[GivenSitemaps(("b.xml", HOME + "a.xml"))], fetcher=fetcher)
    assert urls(found) == ["b/1", "b/2", "a/1", "a/2"]
    assert paths(fetcher) == ["b.xml", "a.xml"]


@pytest.mark.parametrize("source", [GivenSitemaps, KnownPaths])
@pytest.mark.parametrize("values", ["https://example.com/a.xml", 5, None, [b"a.xml"], iter(["a.xml"])])
def test_sources__of_urls_or_paths_take_several_texts(source: Any, values: Any) -> None:
    with pytest.raises(InvalidOptionException, match="texts"):
        source(values)


def test_sources__may_be_any_iterable_of_them() -> None:
    sources = (source for source in (RobotsTxt(), KnownPaths(), HomepageLinks(feeds=True)))
    found = tree.sitemap_tree_for_homepage(HOME, sources=sources, fetcher=small_site())  # type: ignore[arg-type]
    assert len(urls(found)) == 4


def test_sources__may_be_ones_own() -> None:
    class Newest:
        def seeds(self, homepage_url: str) -> Any:
            return GivenSitemaps(("/b.xml",)).seeds(homepage_url)

    assert urls(tree.sitemap_tree_for_homepage(HOME, sources=[Newest()], fetcher=small_site())) == ["b/1", "b/2"]


@pytest.mark.parametrize("sources", ["robots", [RobotsTxt], ["/sitemap.xml"], 5, RobotsTxt()])
def test_sources__must_be_sources(sources: Any) -> None:
    with pytest.raises(InvalidOptionException, match="sources must be"):
        tree.sitemap_tree_for_homepage(HOME, sources=sources, fetcher=small_site())


@every_face
def test_since__leaves_out_what_is_older(crawl: Crawl) -> None:
    fetcher = site(
        {
            "sitemap.xml": index(("/old.xml", "2023-01-01"), ("/new.xml", "2024-02-01")),
            "old.xml": urlset("/old"),
            "new.xml": urlset(("/new/1", "2023-05-01"), ("/new/2", "2024-01-01")),
        }
    )
    assert urls(crawl(HOME, since=date(2024, 1, 1), fetcher=fetcher)) == ["new/2"]
    assert "old.xml" not in paths(fetcher)


@pytest.mark.parametrize("since", ["2024-01-01", 2024])
def test_since__must_be_a_date(since: Any) -> None:
    with pytest.raises(InvalidOptionException, match="since must be"):
        tree.sitemap_tree_for_homepage(HOME, since=since, fetcher=small_site())


@every_face
def test_on_event__is_told_what_happens(crawl: Crawl) -> None:
    events: list[usp.Event] = []
    crawl(HOME, on_event=events.append, fetcher=small_site())
    assert [event.url for event in events if event.kind == "finished" and event.pages] == [
        HOME + "a.xml",
        HOME + "b.xml",
    ]


@pytest.mark.parametrize(("order", "wanted"), [("tree", ["a/1", "a/2", "b/1"]), ("arrival", ["b/1", "a/1", "a/2"])])
@pytest.mark.parametrize("stream_pages", [tree.stream_pages, aio.stream_pages])
def test_order__is_that_of_the_tree_or_of_arrival(stream_pages: Any, order: str, wanted: list[str]) -> None:
    async def late(request: object) -> str:
        await asyncio.sleep(0.05)
        return urlset("/a/1", "/a/2")

    async def read() -> list[str]:
        return [page.url async for page, _ in stream]

    fetcher = site({"robots.txt": "Sitemap: /a.xml\nSitemap: /b.xml", "a.xml": late, "b.xml": urlset("/b/1")})
    stream = stream_pages(HOME, order=order, fetcher=fetcher, use_known_paths=False)
    given = asyncio.run(read()) if stream_pages is aio.stream_pages else [page.url for page, _ in stream]
    assert given == [HOME + path for path in wanted]


@every_face
def test_an_option_that_does_not_exist_is_named(crawl: Crawl) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'timeout'"):
        crawl(HOME, timeout=5)


@pytest.mark.parametrize("crawl", [tree.sitemap_tree_for_homepage, aio.sitemap_tree_for_homepage])
def test_both_faces_take_the_promised_arguments_by_place(crawl: Callable[..., Awaitable[object]]) -> None:
    promised = list(inspect.signature(crawl).parameters)[1:-1]
    assert promised == [name for name in CrawlOptions.__annotations__ if name not in NewOptions.__annotations__]


def test_every_option_has_a_test() -> None:
    options = {"order", *inspect.signature(tree.sitemap_tree_for_homepage).parameters, *CrawlOptions.__annotations__}
    assert untested(sorted(options - {"options"}), globals()) == []
