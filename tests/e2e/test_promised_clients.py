"""Promised clients, end to end: what old programs fetch with gives the same tree as the default fetcher."""

import asyncio
import gzip
import logging
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import usp
from tests.e2e.crawling import GOOD, page_names, urlset
from tests.e2e.server import Behaviour, Site, Visitor
from tests.unit.web_client.clients import Success
from usp import aio
from usp.crawl.sources import GivenSitemaps, RobotsTxt
from usp.events import Event
from usp.exceptions import SitemapException
from usp.fetch_parse import SitemapFetcher
from usp.objects.sitemap import IndexRobotsTxtSitemap, IndexWebsiteSitemap, IndexXMLSitemap, InvalidSitemap
from usp.problems import Outcome
from usp.web_client.abstract_client import (
    AbstractWebClient,
    AbstractWebClientResponse,
    WebClientErrorResponse,
)
from usp.web_client.requests_client import RequestsWebClient

SOON = usp.Retry(attempts=3, first_wait=0)


class UrllibClient(AbstractWebClient):
    """A client as a program writes one, with the standard library alone; knows which threads asked it."""

    def __init__(self) -> None:
        self.threads: set[threading.Thread] = set()
        self._longest: int | None = None

    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        self._longest = max_response_data_length

    def get(self, url: str) -> AbstractWebClientResponse:
        self.threads.add(threading.current_thread())
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return Success(
                    answer.url, answer.read(self._longest), status=answer.status, headers=dict(answer.headers)
                )
        except urllib.error.HTTPError as error:
            with error:
                return WebClientErrorResponse(f"{error.code} {error.reason}", retryable=error.code in (429, 503))
        except OSError as error:
            return WebClientErrorResponse(str(error), retryable=False)


CLIENTS = [UrllibClient, RequestsWebClient]
every_client = pytest.mark.parametrize("new_client", CLIENTS)
NewClient = Callable[[], AbstractWebClient]


def says(body: bytes | str, *headers: str, status: str = "200 OK") -> Behaviour:
    content = body.encode() if isinstance(body, str) else body
    return lambda visitor: visitor.answer(content, *headers, status=status)


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """One behaviour after the other, the last one again and again."""
    left = list(behaviours)
    return lambda visitor: (left.pop(0) if len(left) > 1 else left[0])(visitor)


BUSY = says("", status="503 Service Unavailable")

INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>/plain.xml</loc><lastmod>2024-05-01</lastmod></sitemap>
<sitemap><loc>/file.xml.gz</loc></sitemap>
<sitemap><loc>/encoded.xml</loc></sitemap>
<sitemap><loc>/latin.xml</loc></sitemap>
<sitemap><loc>/list.txt</loc></sitemap>
<sitemap><loc>/feed.xml</loc></sitemap>
<sitemap><loc>/moved.xml</loc></sitemap>
<sitemap><loc>/busy.xml</loc></sitemap>
<sitemap><loc>/missing.xml</loc></sitemap>
<sitemap><loc>/forbidden.xml</loc></sitemap>
<sitemap><loc>/always-busy.xml</loc></sitemap>
<sitemap><loc>/page.html</loc></sitemap>
<sitemap><loc>/empty.xml</loc></sitemap>
<sitemap><loc>/broken.xml</loc></sitemap>
<sitemap><loc>/index.xml</loc></sitemap>
</sitemapindex>"""

FEED = "<rss><channel><item><title>News</title><link>https://example.com/news</link></item></channel></rss>"
LATIN = '<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>https://example.com/é</loc></url></urlset>'


@pytest.fixture
def site() -> Iterator[Site]:
    """A site with a bit of everything."""
    with Site() as here:
        here.answers = {
            "/robots.txt": says("User-agent: *\nSitemap: /index.xml\n"),
            "/index.xml": says(INDEX, "Content-Type: application/xml"),
            "/plain.xml": says(urlset("plain/1", "plain/2")),
            "/file.xml.gz": says(gzip.compress(urlset("file")), "Content-Type: application/gzip"),
            "/encoded.xml": says(gzip.compress(urlset("encoded")), "Content-Encoding: gzip"),
            "/latin.xml": says(LATIN.encode("latin-1"), "Content-Type: text/xml"),
            "/list.txt": says("https://example.com/list\n", "Content-Type: text/plain; charset=utf-8"),
            "/feed.xml": says(FEED),
            "/moved.xml": says("", "Location: /there.xml", status="301 Moved Permanently"),
            "/there.xml": says(urlset("there")),
            "/busy.xml": in_turn(BUSY, BUSY, says(urlset("busy"))),
            "/forbidden.xml": says("", status="403 Forbidden"),
            "/always-busy.xml": BUSY,
            "/page.html": says("<html><title>Hello</title></html>", "Content-Type: text/html"),
            "/empty.xml": says(""),
            "/broken.xml": says(urlset("broken/1", "broken/2")[:-40]),
            "/": says('<html><link rel="sitemap" href="/linked.xml"></html>'),
            "/linked.xml": says(urlset("linked")),
            "/sitemap.xml": says(urlset("known")),
        }
        yield here


def crawl(site: Site, **options: Any) -> IndexWebsiteSitemap:
    return usp.sitemap_tree_for_homepage(site.url(), retry=SOON, **options)


def what_became_of(tree: IndexWebsiteSitemap) -> list[tuple[object, ...]]:
    return [(each.url, each.final_url, each.outcome, each.status) for each in tree.attempts]


def busy_at_first(site: Site) -> None:
    site.answers["/busy.xml"] = in_turn(BUSY, BUSY, says(urlset("busy")))


@every_client
@pytest.mark.parametrize("face", ["sync", "async"])
def test_the_tree_is_that_of_the_default_fetcher(site: Site, new_client: NewClient, face: str) -> None:
    usual = crawl(site)
    asked = sorted(site.targets)
    site.heads.clear()
    busy_at_first(site)
    if face == "sync":
        tree = crawl(site, web_client=new_client())
    else:
        tree = asyncio.run(aio.sitemap_tree_for_homepage(site.url(), retry=SOON, web_client=new_client()))
    assert tree == usual
    assert tree.to_dict() == usual.to_dict()
    assert len(list(tree.all_pages())) == 12
    assert [sitemap.outcome for sitemap in tree.all_sitemaps()] == [sitemap.outcome for sitemap in usual.all_sitemaps()]
    assert what_became_of(tree) == what_became_of(usual)
    assert tree.incomplete_because == usual.incomplete_because
    assert sorted(site.targets) == asked


@every_client
def test_a_stream_gives_the_same_pages(site: Site, new_client: NewClient) -> None:
    usual = [page.url for page in crawl(site).all_pages()]
    busy_at_first(site)
    with usp.stream_pages(site.url(), retry=SOON, web_client=new_client()) as stream:
        assert [page.url for page, _ in stream] == usual


@every_client
def test_one_request_is_made_at_a_time(new_client: NewClient) -> None:
    under_way: list[str] = []
    most: list[int] = []

    def answer(visitor: Visitor) -> None:
        under_way.append(visitor.target)
        most.append(len(under_way))
        visitor.pause(0.002)
        under_way.remove(visitor.target)
        visitor.answer(GOOD)

    with Site(otherwise=answer) as site:
        site.answers["/robots.txt"] = says("\n".join(f"Sitemap: /{number}.xml" for number in range(8)))
        crawl(site, sources=[RobotsTxt()], web_client=new_client())
        assert len(most) == 8
    assert max(most) == 1


def test_a_client_is_asked_in_the_callers_thread_and_by_the_async_face_in_one_of_its_own(site: Site) -> None:
    here, there = UrllibClient(), UrllibClient()
    crawl(site, web_client=here)
    assert here.threads == {threading.current_thread()}
    asyncio.run(aio.sitemap_tree_for_homepage(site.url(), retry=SOON, web_client=there))
    assert len(there.threads) == 1
    assert threading.current_thread() not in there.threads


@every_client
@pytest.mark.parametrize("attempts", [1, 2, 4])
def test_what_may_pass_is_asked_for_as_often_as_the_policy_says(
    site: Site, new_client: NewClient, attempts: int
) -> None:
    events: list[Event] = []
    usp.sitemap_tree_for_homepage(
        site.url(),
        web_client=new_client(),
        retry=usp.Retry(attempts=attempts, first_wait=0),
        on_event=events.append,
    )
    assert site.asked("/always-busy.xml") == attempts
    assert site.asked("/missing.xml") == site.asked("/forbidden.xml") == 1
    assert sum(event.kind == "retried" and event.url.endswith("/always-busy.xml") for event in events) == attempts - 1


def test_what_a_client_calls_retryable_is_asked_for_again_and_nothing_else() -> None:
    asked: list[str] = []

    class Moody(UrllibClient):
        def get(self, url: str) -> AbstractWebClientResponse:
            asked.append(url)
            return WebClientErrorResponse("no network today", retryable=url.endswith("retry.xml"))

    tree = usp.sitemap_tree_for_homepage(
        "https://example.com/",
        web_client=Moody(),
        retry=SOON,
        sources=[GivenSitemaps(("/retry.xml", "/never.xml"))],
    )
    assert asked.count("https://example.com/retry.xml") == 3
    assert asked.count("https://example.com/never.xml") == 1
    assert [str(sitemap.outcome) for sitemap in tree.sub_sitemaps] == ["unreachable", "unreachable"]


@every_client
def test_a_body_beyond_the_limit_is_truncated_as_by_the_default_fetcher(site: Site, new_client: NewClient) -> None:
    site.answers = {"/sitemap.xml": says(urlset(*(f"page/{number}" for number in range(5000))))}
    limits = usp.Limits(wire_bytes=100_000)
    usual = crawl(site, limits=limits)
    tree = crawl(site, limits=limits, web_client=new_client())
    assert [sitemap.outcome for sitemap in tree.sub_sitemaps] == [Outcome.TRUNCATED]
    assert tree == usual
    assert 1000 < len(list(tree.all_pages())) < 5000
    assert [sitemap.problems.counts for sitemap in tree.sub_sitemaps] == [
        sitemap.problems.counts for sitemap in usual.sub_sitemaps
    ]


@every_client
def test_a_body_of_exactly_the_limit_is_whole(site: Site, new_client: NewClient) -> None:
    body = urlset("one", "two")
    site.answers = {"/sitemap.xml": says(body)}
    tree = crawl(site, limits=usp.Limits(wire_bytes=len(body)), web_client=new_client())
    assert [sitemap.outcome for sitemap in tree.sub_sitemaps] == [Outcome.OK]


@every_client
def test_a_refused_connection_is_unreachable(new_client: NewClient) -> None:
    with Site() as site:
        nobody = site.url()
    tree = usp.sitemap_tree_for_homepage(nobody, web_client=new_client(), retry=SOON)
    assert {attempt.outcome for attempt in tree.attempts} == {Outcome.UNREACHABLE}
    assert not tree.complete


# SitemapFetcher


@pytest.fixture(params=[None, UrllibClient, RequestsWebClient])
def client(request: pytest.FixtureRequest) -> AbstractWebClient | None:
    """The default, and the promised ones."""
    return request.param() if request.param else None


def test_a_sitemap_is_fetched_with_all_below_it(site: Site, client: AbstractWebClient | None) -> None:
    site.answers["/index.xml"] = says("<sitemapindex><sitemap><loc>/plain.xml</loc></sitemap></sitemapindex>")
    sitemap = SitemapFetcher(site.url("/index.xml"), 0, client).sitemap()
    assert (type(sitemap), sitemap.url) == (IndexXMLSitemap, site.url("/index.xml"))
    assert [page_names(child) for child in sitemap.sub_sitemaps] == [["plain/1", "plain/2"]]
    assert site.targets == ["/index.xml", "/plain.xml"]


def test_a_robots_txt_is_read_as_one(site: Site, client: AbstractWebClient | None) -> None:
    site.answers["/index.xml"] = says(urlset("one"))
    sitemap = SitemapFetcher(site.url("/robots.txt"), 0, client).sitemap()
    assert type(sitemap) is IndexRobotsTxtSitemap
    assert [page_names(child) for child in sitemap.sub_sitemaps] == [["one"]]


def test_what_is_not_there_is_an_invalid_sitemap_with_its_reason(site: Site, client: AbstractWebClient | None) -> None:
    sitemap = SitemapFetcher(site.url("/missing.xml"), 0, client).sitemap()
    assert isinstance(sitemap, InvalidSitemap)
    assert sitemap.reason == "404 Not Found"


@pytest.mark.parametrize(("quiet_404", "warnings"), [(True, 0), (False, 1)])
def test_a_quiet_404_is_no_warning(
    site: Site, client: AbstractWebClient | None, quiet_404: bool, warnings: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "usp"):
        SitemapFetcher(site.url("/missing.xml"), 0, client, quiet_404=quiet_404).sitemap()
    assert len(caplog.records) == warnings


def test_level_and_parents_are_those_of_the_caller(site: Site, client: AbstractWebClient | None) -> None:
    asked: list[tuple[str, int, set[str]]] = []

    def callback(url: str, recursion_level: int, parent_urls: set[str]) -> bool:
        asked.append((url, recursion_level, parent_urls))
        return False

    url, parent = site.url("/index.xml"), site.url("/robots.txt")
    site.answers["/index.xml"] = says("<sitemapindex><sitemap><loc>/plain.xml</loc></sitemap></sitemapindex>")
    sitemap = SitemapFetcher(url, 3, client, parent_urls={parent}, recurse_callback=callback).sitemap()
    assert asked == [(site.url("/plain.xml"), 3, {parent, url})]
    assert list(sitemap.sub_sitemaps) == []


def test_a_list_callback_chooses(site: Site, client: AbstractWebClient | None) -> None:
    sitemap = SitemapFetcher(
        site.url("/index.xml"), 0, client, recurse_list_callback=lambda urls, level, parents: urls[:1]
    ).sitemap()
    assert [child.url for child in sitemap.sub_sitemaps] == [site.url("/plain.xml")]


def test_a_parent_met_again_below_is_a_recursion(site: Site, client: AbstractWebClient | None) -> None:
    parent = site.url("/robots.txt")
    site.answers["/index.xml"] = says(f"<sitemapindex><sitemap><loc>{parent}</loc></sitemap></sitemapindex>")
    (child,) = SitemapFetcher(site.url("/index.xml"), 1, client, parent_urls={parent}).sitemap().sub_sitemaps
    assert isinstance(child, InvalidSitemap)
    assert child.reason == f"Recursion detected in URL {parent}"
    assert site.asked("/robots.txt") == 0


def test_a_redirect_to_a_parent_is_a_recursion(site: Site, client: AbstractWebClient | None) -> None:
    parent = site.url("/robots.txt")
    site.answers["/a.xml"] = says("", f"Location: {parent}", status="301 Moved Permanently")
    sitemap = SitemapFetcher(site.url("/a.xml"), 1, client, parent_urls={parent}).sitemap()
    assert isinstance(sitemap, InvalidSitemap)
    assert sitemap.reason == f"Recursion detected when {site.url('/a.xml')} redirected to {parent}"


@pytest.mark.parametrize(
    ("url", "level", "parents", "reason"),
    [
        ("ftp://example.com/a.xml", 0, set(), "not an HTTP"),
        ("https://example.com/a.xml", 12, set(), "deeper than 11"),
        ("https://example.com/a.xml", 1, {"https://EXAMPLE.com:443/a.xml"}, "Recursion detected in URL"),
    ],
)
def test_what_must_not_be_fetched_raises(url: str, level: int, parents: set[str], reason: str) -> None:
    with pytest.raises(SitemapException, match=reason):
        SitemapFetcher(url, level, UrllibClient(), parents)
