"""Crawling through a proxy: asked for everything but what needs none, trusted with its own password, guarded."""

import ssl

import pytest
import trustme

from tests.e2e import proxies, tls_faults
from tests.e2e.crawling import TWICE, good, page_names
from tests.e2e.server import Behaviour, Site
from usp import AiohttpFetcher, Guard, InvalidOptionException, Outcome, sitemap_tree_for_homepage
from usp.crawl.sources import RobotsTxt
from usp.fetching.guard import GuardOption
from usp.objects.sitemap import IndexWebsiteSitemap, InvalidSitemap

HOME = "http://site.example/"


def serve_by_whole_urls(proxy: Site, home: str = HOME) -> None:
    proxy.answers[f"{home}robots.txt"] = lambda visitor: visitor.answer(b"Sitemap: /map.xml")
    proxy.answers[f"{home}map.xml"] = good


def crawl(home: str = HOME, fetcher: AiohttpFetcher | None = None) -> IndexWebsiteSitemap:
    return sitemap_tree_for_homepage(home, fetcher=fetcher, sources=[RobotsTxt()], retry=TWICE)


def only_sitemap(tree: IndexWebsiteSitemap) -> list[str]:
    (robots,) = tree.sub_sitemaps
    (sitemap,) = robots.sub_sitemaps
    return page_names(sitemap)


def nobody_knows(host: str) -> list[str]:
    raise AssertionError(f"{host} was looked up, though a proxy does that")


def test_a_proxy_is_asked_for_whole_urls_and_looks_names_up_itself() -> None:
    with Site() as proxy:
        serve_by_whole_urls(proxy)
        tree = crawl(fetcher=AiohttpFetcher(proxy=proxy.url("").rstrip("/"), resolver=nobody_knows))
        assert only_sitemap(tree) == ["one", "two"]
        assert tree.complete
        assert proxy.targets == [f"{HOME}robots.txt", f"{HOME}map.xml"]


def test_a_crawl_through_a_proxy_notes_that_the_guard_cannot_see() -> None:
    with Site() as proxy:
        serve_by_whole_urls(proxy)
        tree = crawl(fetcher=AiohttpFetcher(proxy=proxy.url()))
        assert [problem.code for problem in tree.problems] == ["guard-unseen"]


def test_the_password_of_a_proxy_goes_to_the_proxy_with_every_request() -> None:
    with Site() as proxy:
        serve_by_whole_urls(proxy)
        crawl(fetcher=AiohttpFetcher(proxy=proxy.url("", host="me:secret@127.0.0.1")))
        assert len(proxy.heads) == 2
        for head in proxy.heads:
            assert "proxy-authorization: basic bwu6c2vjcmv0" in head.lower()
            assert "\r\nauthorization:" not in head.lower()


def test_https_goes_through_a_tunnel_and_the_proxy_sees_no_more_than_the_host() -> None:
    authority = trustme.CA()
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    certified = tls_faults.context(authority, "site.example")
    with Site(tls=certified) as secure, Site(otherwise=proxies.tunnel_to(secure.port)) as proxy:
        secure.answers["/robots.txt"] = lambda visitor: visitor.answer(b"Sitemap: /map.xml")
        secure.answers["/map.xml"] = good
        fetcher = AiohttpFetcher(proxy=proxy.url("", host="me:secret@127.0.0.1"), tls=trusting, auth=("you", "other"))
        assert only_sitemap(crawl("https://site.example/", fetcher)) == ["one", "two"]
        assert set(proxy.targets) == {"site.example:443"}
        assert all("proxy-authorization: basic bwu6c2vjcmv0" in head.lower() for head in proxy.heads)
        assert not any("proxy-authorization" in head.lower() for head in secure.heads)
        assert all("\r\nauthorization: basic" in head.lower() for head in secure.heads)


@pytest.mark.parametrize(
    ("fault", "outcome", "reason", "asked"),
    [
        (proxies.refuses("407 Proxy Authentication Required"), Outcome.BLOCKED, "407 Proxy Authentication Required", 1),
        (proxies.refuses("403 Forbidden"), Outcome.BLOCKED, "403 Forbidden", 1),
        (proxies.refuses("502 Bad Gateway"), Outcome.UNREACHABLE, "502 Bad Gateway", 2),
    ],
)
def test_a_proxy_that_refuses_a_tunnel(fault: Behaviour, outcome: Outcome, reason: str, asked: int) -> None:
    with Site(otherwise=fault) as proxy:
        tree = crawl("https://site.example/", AiohttpFetcher(proxy=proxy.url()))
        (attempt,) = tree.attempts
        assert (attempt.outcome, tree.complete) == (outcome, False)
        assert f"The proxy refused to connect: {reason}" in tree.incomplete_because[0]
        assert len(proxy.heads) == asked


def test_a_proxy_that_is_not_there() -> None:
    with Site() as gone:
        fetcher = AiohttpFetcher(proxy=gone.url())
    tree = crawl(fetcher=fetcher)
    assert [attempt.outcome for attempt in tree.attempts] == [Outcome.UNREACHABLE]
    assert "the proxy for site.example cannot be connected: connection refused" in tree.incomplete_because[0]


def test_the_environment_names_a_proxy_and_the_hosts_that_need_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with Site() as proxy, Site() as direct:
        serve_by_whole_urls(proxy)
        direct.answers["/robots.txt"] = lambda visitor: visitor.answer(b"Sitemap: /map.xml")
        direct.answers["/map.xml"] = good
        monkeypatch.setenv("HTTP_PROXY", proxy.url())
        monkeypatch.setenv("NO_PROXY", "127.0.0.1, other.example")
        assert only_sitemap(crawl(HOME)) == ["one", "two"]
        assert only_sitemap(crawl(direct.url())) == ["one", "two"]
        assert (len(proxy.heads), len(direct.heads)) == (2, 2)


@pytest.mark.parametrize("url", ["http://10.0.0.1/map.xml", "http://0x7f.1/map.xml", "http://localhost/map.xml"])
def test_a_site_cannot_lead_the_proxy_to_a_private_address_that_a_url_names(url: str) -> None:
    with Site(otherwise=good) as proxy:
        proxy.answers[f"{HOME}robots.txt"] = lambda visitor: visitor.answer(f"Sitemap: {url}".encode())
        tree = crawl(fetcher=AiohttpFetcher(proxy=proxy.url()))
        (sitemap,) = tree.sub_sitemaps[0].sub_sitemaps
        assert isinstance(sitemap, InvalidSitemap)
        assert sitemap.outcome is Outcome.REFUSED
        assert proxy.targets == [f"{HOME}robots.txt"]


@pytest.mark.parametrize("guard", ["strict", Guard(strict=True)])
def test_a_strict_guard_refuses_a_proxy_before_anything_is_asked(guard: GuardOption) -> None:
    with Site() as proxy:
        with pytest.raises(InvalidOptionException, match="strict"):
            sitemap_tree_for_homepage(HOME, fetcher=AiohttpFetcher(proxy=proxy.url()), guard=guard)
        assert proxy.heads == []
