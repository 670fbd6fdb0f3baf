"""The options of ``AiohttpFetcher``, each by what a server on loopback sees of it."""

import ssl
from base64 import b64encode
from dataclasses import fields
from typing import Any

import pytest
import trustme

import usp
from tests.e2e.crawling import good, page_names
from tests.e2e.server import Site, Visitor
from tests.options.every import untested
from usp.crawl.sources import GivenSitemaps
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.objects.sitemap import AbstractSitemap


def crawled(url: str, homepage: str | None = None, **options: Any) -> AbstractSitemap:
    """What one sitemap is to a crawl that fetches with these options."""
    fetcher = AiohttpFetcher(**options)
    sources = [GivenSitemaps((url,))]
    tree = usp.sitemap_tree_for_homepage(homepage or url, fetcher=fetcher, sources=sources, guard=None)
    (sitemap,) = tree.sub_sitemaps
    return sitemap


def header_of(head: str, name: str) -> str | None:
    """A header of a request that arrived."""
    lines = [line.partition(": ") for line in head.split("\r\n")[1:]]
    return next((value for key, _, value in lines if key.lower() == name.lower()), None)


@pytest.fixture
def site() -> Any:
    with Site(otherwise=good) as here:
        yield here


@pytest.fixture
def elsewhere() -> Any:
    with Site(otherwise=good) as there:
        yield there


def test_headers__go_with_every_request(site: Site) -> None:
    crawled(site.url("/a.xml"), headers={"Accept-Language": "is", "X-Api-Key": "secret"})
    assert header_of(site.heads[0], "accept-language") == "is"
    assert header_of(site.heads[0], "x-api-key") == "secret"


@pytest.mark.parametrize("name", ["Authorization", "Cookie"])
def test_headers__that_are_credentials_go_to_the_homepages_origin_only(site: Site, elsewhere: Site, name: str) -> None:
    options: dict[str, Any] = {"headers": {name: "mine"}}
    crawled(site.url("/a.xml"), **options)
    crawled(elsewhere.url("/a.xml"), homepage=site.url(), **options)
    assert header_of(site.heads[0], name) == "mine"
    assert header_of(elsewhere.heads[0], name) is None


def test_user_agent__says_who_asks(site: Site) -> None:
    crawled(site.url("/a.xml"))
    crawled(site.url("/a.xml"), user_agent="example-bot/1.0")
    assert [header_of(head, "user-agent") for head in site.heads] == [
        f"usp/{usp.__version__} (sitemap reader)",
        "example-bot/1.0",
    ]


def test_proxy__is_asked_in_place_of_the_site(site: Site) -> None:
    sitemap = crawled("http://site.example/a.xml", proxy=site.url().rstrip("/"))
    assert page_names(sitemap) == ["one", "two"]
    assert site.targets == ["http://site.example/a.xml"]


def test_auth__goes_to_the_homepages_origin_only(site: Site, elsewhere: Site) -> None:
    crawled(site.url("/a.xml"), auth=("me", "secret"))
    crawled(elsewhere.url("/a.xml"), homepage=site.url(), auth=("me", "secret"))
    assert header_of(site.heads[0], "authorization") == "Basic " + b64encode(b"me:secret").decode()
    assert header_of(elsewhere.heads[0], "authorization") is None


def test_tls__says_which_certificates_are_good_enough() -> None:
    authority = trustme.CA()
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(served)
    knowing = ssl.create_default_context()
    authority.configure_trust(knowing)
    with Site(tls=served, otherwise=good) as secure:
        found = [page_names(crawled(secure.url("/a.xml"), tls=tls)) for tls in (True, False, knowing)]
    assert found == [[], ["one", "two"], ["one", "two"]]


def test_connections__bound_all_requests_at_a_time() -> None:
    under_way: list[str] = []
    most: list[int] = []

    def answer(visitor: Visitor) -> None:
        under_way.append(visitor.target)
        most.append(len(under_way))
        visitor.pause(0.01)
        under_way.remove(visitor.target)
        good(visitor)

    with Site(otherwise=answer) as site:
        sources = [GivenSitemaps(tuple(f"/{number}.xml" for number in range(12)))]
        usp.sitemap_tree_for_homepage(site.url(), sources=sources, fetcher=AiohttpFetcher(connections=2))
        assert len(site.heads) == 12
    assert max(most) <= 2


def test_resolver__gives_the_addresses_of_names(site: Site) -> None:
    asked: list[str] = []

    def resolver(host: str) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    sitemap = crawled(site.url("/a.xml", host="site.example"), resolver=resolver)
    assert page_names(sitemap) == ["one", "two"]
    assert asked == ["site.example"]


def test_resolver__tells_the_guard_too_where_the_homepage_lives(site: Site) -> None:
    fetcher = AiohttpFetcher(resolver=lambda host: ["127.0.0.1"])
    sources = [GivenSitemaps(("/a.xml",))]
    tree = usp.sitemap_tree_for_homepage(site.url(host="site.example"), fetcher=fetcher, sources=sources)
    assert page_names(tree.sub_sitemaps[0]) == ["one", "two"]


def test_every_option_has_a_test() -> None:
    assert untested([field.name for field in fields(AiohttpFetcher)], globals()) == []
