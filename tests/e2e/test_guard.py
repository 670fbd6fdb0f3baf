"""The guard, end to end: no site leads us into a private network, however it is spelled and whatever leads there.

The server listens on loopback and has a secret, which would be given to whoever asked for it: nobody must.
"""

from collections.abc import Callable, Iterator
from ipaddress import IPv4Address
from typing import Any

import pytest

import usp
from tests.e2e.crawling import good, page_names
from tests.e2e.server import Site, Visitor
from tests.unit.web_client.clients import Client, Success
from usp.crawl.sources import GivenSitemaps, RobotsTxt
from usp.exceptions import InvalidOptionException
from usp.fetch_parse import SitemapFetcher
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.objects.attempt import Attempt
from usp.objects.sitemap import IndexWebsiteSitemap, InvalidSitemap
from usp.problems import Outcome

SECRET = "/secret.xml"
HOME = "site.example"

SPELLINGS: dict[str, Callable[[IPv4Address], str]] = {
    "usual": str,
    "usual with a final dot": lambda address: f"{address}.",
    "decimal": lambda address: f"{int(address)}",
    "octal": lambda address: f"0{int(address):o}",
    "octal parts": lambda address: ".".join(f"0{part:o}" for part in address.packed),
    "hexadecimal": lambda address: f"{int(address):#x}",
    "hexadecimal parts": lambda address: ".".join(f"{part:#x}" for part in address.packed),
    "short": lambda address: f"{address.packed[0]}.{int(address) & 0xFFFFFF}",
    "shorter": lambda address: f"{address.packed[0]:#x}.{address.packed[1]}.{int(address) & 0xFFFF:#o}".replace(
        "o", ""
    ),
    "IPv4-mapped": lambda address: f"[::ffff:{address}]",
    "IPv4-mapped in hexadecimal": lambda address: f"[::ffff:{int(address) >> 16:x}:{int(address) & 0xFFFF:x}]",
    "IPv4-compatible": lambda address: f"[::{address}]",
    "NAT64": lambda address: f"[64:ff9b::{address}]",
    "NAT64 in hexadecimal": lambda address: f"[64:ff9b::{int(address) >> 16:x}:{int(address) & 0xFFFF:x}]",
    "6to4": lambda address: f"[2002:{int(address) >> 16:x}:{int(address) & 0xFFFF:x}::]",
    "percent-encoded": lambda address: "".join(f"%{ord(letter):02x}" for letter in str(address)),
    "in full width": lambda address: "".join(
        chr(ord(digit) + 0xFEE0) if digit != "." else "。" for digit in str(address)
    ),
    "behind a user": lambda address: f"{HOME}@{address}",
}

OF_LOOPBACK = [
    *(spell(IPv4Address("127.0.0.1")) for spell in SPELLINGS.values()),
    "[::1]",
    "localhost",
    "a.localhost",
    "0",
]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        server.answers[SECRET] = good
        yield server


def at_home(host: str) -> list[str]:
    """Every name leads to the server."""
    return ["127.0.0.1"]


def crawl(site: Site, *urls: str, **options: Any) -> IndexWebsiteSitemap:
    """Crawl the site under its name, where robots.txt lists these URLs."""
    robots = "\n".join(f"Sitemap: {url}" for url in urls)
    site.answers["/robots.txt"] = lambda visitor: visitor.answer(robots.encode())
    options = {"fetcher": AiohttpFetcher(resolver=at_home), "sources": [RobotsTxt()], **options}
    return usp.sitemap_tree_for_homepage(site.url(host=HOME), **options)


def attempt_of(tree: IndexWebsiteSitemap, url: str) -> Attempt:
    return next(attempt for attempt in tree.attempts if attempt.url == url)


def assert_kept_out(tree: IndexWebsiteSitemap, site: Site, url: str) -> None:
    """The URL was refused, the server was not asked for its secret, and the tree admits that something is missing."""
    assert attempt_of(tree, url).outcome is Outcome.REFUSED
    assert SECRET not in site.targets
    assert not tree.complete


@pytest.mark.parametrize("host", OF_LOOPBACK)
def test_a_private_literal_is_refused_in_every_spelling(site: Site, host: str) -> None:
    """Although the homepage itself lives at this very address: it is exempt under its own name alone."""
    url = site.url(SECRET, host=host)
    assert_kept_out(crawl(site, url), site, url)
    assert "/robots.txt" in site.targets


@pytest.mark.parametrize("host", OF_LOOPBACK)
def test_a_redirect_to_a_private_literal_is_refused_in_every_spelling(site: Site, host: str) -> None:
    target = site.url(SECRET, host=host)
    location = f"Location: {target}".encode().decode("latin-1")
    site.answers["/a.xml"] = lambda visitor: visitor.answer(b"", location, status="302 Found")
    url = site.url("/a.xml", host=HOME)
    assert_kept_out(crawl(site, url), site, url)


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("address", ["10.0.0.1", "169.254.169.254", "192.168.1.1", "100.100.100.200"])
def test_a_strict_guard_refuses_private_literals_too(site: Site, spell: Any, address: str) -> None:
    url = f"http://{spell(IPv4Address(address))}:{site.port}{SECRET}"
    tree = crawl(site, url, guard=usp.Guard(strict=True, public=("127.0.0.1/32",)))
    assert_kept_out(tree, site, url)
    assert "/robots.txt" in site.targets


def test_a_strict_guard_refuses_a_private_homepage(site: Site) -> None:
    tree = crawl(site, guard="strict")
    assert site.heads == []
    assert [attempt.outcome for attempt in tree.attempts] == [Outcome.REFUSED]
    assert not tree.complete


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "other.example"])
def test_without_a_guard_nothing_is_refused(site: Site, host: str) -> None:
    tree = crawl(site, site.url(SECRET, host=host), guard=None)
    assert [page_names(sitemap) for sitemap in tree.all_sitemaps()][-1] == ["one", "two"]


def test_a_homepage_given_by_its_private_address_is_read(site: Site) -> None:
    site.answers["/sitemap.xml"] = good
    tree = usp.sitemap_tree_for_homepage(site.url())
    assert [page_names(sitemap) for sitemap in tree.sub_sitemaps] == [["one", "two"]]


def test_a_homepage_on_localhost_is_read(site: Site) -> None:
    site.answers["/sitemap.xml"] = good
    tree = usp.sitemap_tree_for_homepage(site.url(host="localhost"))
    assert [page_names(sitemap) for sitemap in tree.sub_sitemaps] == [["one", "two"]]


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"])
def test_a_name_that_leads_inside_is_refused_when_it_is_dialled(site: Site, address: str) -> None:
    fetcher = AiohttpFetcher(resolver=lambda host: ["127.0.0.1"] if host == HOME else [address])
    url = site.url(SECRET, host="other.example")
    assert_kept_out(crawl(site, url, fetcher=fetcher), site, url)


def test_a_redirect_to_a_name_that_leads_inside_is_refused(site: Site) -> None:
    target = f"Location: {site.url(SECRET, host='other.example')}"
    site.answers["/a.xml"] = lambda visitor: visitor.answer(b"", target, status="302 Found")
    url = site.url("/a.xml", host=HOME)
    assert_kept_out(crawl(site, url), site, url)


def test_a_name_that_leads_inside_at_the_second_look_up_is_refused_then(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("usp.fetching.aiohttp_session.DNS_SECONDS", 0)
    answers = iter(["127.0.0.1"])
    guard = usp.Guard(public=("127.0.0.1/32",))
    fetcher = AiohttpFetcher(resolver=lambda host: ["127.0.0.1"] if host == HOME else [next(answers, "127.0.0.2")])

    def once(visitor: Visitor) -> None:
        visitor.answer(
            b"<sitemapindex><sitemap><loc>" + SECRET.encode() + b"</loc></sitemap></sitemapindex>", "Connection: close"
        )

    site.answers["/a.xml"] = once
    tree = crawl(site, site.url("/a.xml", host="other.example"), fetcher=fetcher, guard=guard)
    assert attempt_of(tree, site.url("/a.xml", host="other.example")).outcome is Outcome.OK
    assert_kept_out(tree, site, site.url(SECRET, host="other.example"))


def test_a_homepage_whose_name_leads_elsewhere_inside_at_the_second_look_up_is_refused_then(site: Site) -> None:
    answers = iter(["127.0.0.2"])
    tree = crawl(site, fetcher=AiohttpFetcher(resolver=lambda host: [next(answers, "127.0.0.1")]))
    assert site.heads == []
    assert [attempt.outcome for attempt in tree.attempts] == [Outcome.REFUSED]


def test_another_port_of_the_homepages_host_is_as_good_as_its_own(site: Site) -> None:
    with Site() as other:
        other.answers["/b.xml"] = good
        tree = crawl(site, other.url("/b.xml", host=HOME))
    assert [page_names(sitemap) for sitemap in tree.all_sitemaps()][-1] == ["one", "two"]


# where dialling cannot be seen


@pytest.fixture(params=["option", "environment"])
def proxied(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[Site], AiohttpFetcher]:
    """A fetcher behind a proxy, which is the server itself: it is asked for whole URLs."""

    def fetcher(proxy: Site) -> AiohttpFetcher:
        if request.param == "option":
            return AiohttpFetcher(proxy=proxy.url())
        monkeypatch.setenv("HTTP_PROXY", proxy.url())
        return AiohttpFetcher()

    return fetcher


Proxied = Callable[[Site], AiohttpFetcher]


@pytest.mark.parametrize("host", OF_LOOPBACK)
def test_behind_a_proxy_private_literals_are_refused(site: Site, proxied: Proxied, host: str) -> None:
    url = site.url(SECRET, host=host)
    tree = usp.sitemap_tree_for_homepage("http://site.example/", fetcher=proxied(site), sources=[GivenSitemaps((url,))])
    assert site.heads == []
    assert attempt_of(tree, url).outcome is Outcome.REFUSED


def test_behind_a_proxy_names_are_asked_for_and_a_note_says_that_nobody_saw_where_they_lead(
    site: Site, proxied: Proxied
) -> None:
    site.answers["http://other.example/a.xml"] = good
    sources = [GivenSitemaps(("http://other.example/a.xml",))]
    tree = usp.sitemap_tree_for_homepage("http://site.example/", fetcher=proxied(site), sources=sources)
    assert page_names(tree.sub_sitemaps[0]) == ["one", "two"]
    assert tree.problems.counts == {"guard-unseen": 1}
    assert tree.complete


def test_a_proxy_on_a_private_address_is_the_callers_own(site: Site) -> None:
    site.answers["http://other.example/a.xml"] = good
    tree = usp.sitemap_tree_for_homepage(
        "http://other.example/",
        fetcher=AiohttpFetcher(proxy=site.url()),
        sources=[GivenSitemaps(("/a.xml",))],
        guard=usp.Guard(),
    )
    assert page_names(tree.sub_sitemaps[0]) == ["one", "two"]


def test_behind_a_proxy_a_strict_guard_refuses_to_begin(site: Site, proxied: Proxied) -> None:
    with pytest.raises(InvalidOptionException, match="strict"):
        usp.sitemap_tree_for_homepage("http://site.example/", fetcher=proxied(site), guard="strict")
    assert site.heads == []


def test_a_private_homepage_that_needs_no_proxy_is_read(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a company whose environment names a proxy for everything outside."""
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:3128")
    monkeypatch.setenv("NO_PROXY", HOME)
    site.answers["/a.xml"] = good
    tree = crawl(site, "/a.xml")
    assert [page_names(sitemap) for sitemap in tree.all_sitemaps()][-1] == ["one", "two"]


def test_the_name_of_a_homepage_behind_a_proxy_is_looked_up_by_the_proxy_alone(site: Site) -> None:
    asked: list[str] = []

    def resolver(host: str) -> list[str]:
        asked.append(host)
        return ["192.0.2.1"]

    fetcher = AiohttpFetcher(proxy=site.url(), resolver=resolver)
    usp.sitemap_tree_for_homepage("http://other.example/", fetcher=fetcher, sources=[RobotsTxt()])
    assert site.targets == ["http://other.example/robots.txt"]
    assert asked == []


def test_what_needs_no_proxy_is_judged_when_it_is_dialled(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:3128")
    monkeypatch.setenv("NO_PROXY", "other.example")
    url = site.url(SECRET, host="other.example")
    tree = usp.sitemap_tree_for_homepage(
        "http://site.example/", fetcher=AiohttpFetcher(resolver=at_home), sources=[GivenSitemaps((url,))]
    )
    assert_kept_out(tree, site, url)


@pytest.mark.parametrize("host", OF_LOOPBACK)
def test_a_client_is_not_asked_for_private_literals(host: str) -> None:
    client = Client(Success)
    url = f"http://{host}{SECRET}"
    tree = usp.sitemap_tree_for_homepage("http://site.example/", web_client=client, sources=[GivenSitemaps((url,))])
    assert client.asked == []
    assert attempt_of(tree, url).outcome is Outcome.REFUSED


@pytest.mark.parametrize("host", OF_LOOPBACK)
def test_where_a_client_was_led_inside_unseen_its_answer_is_not_taken(host: str) -> None:
    inside = f"http://{host}{SECRET}"
    answer = Success(inside, b"<urlset><url><loc>http://example.com/secret</loc></url></urlset>")
    tree = usp.sitemap_tree_for_homepage(
        "http://site.example/", web_client=Client(lambda url: answer), sources=[GivenSitemaps(("/a.xml",))]
    )
    (sitemap,) = tree.sub_sitemaps
    assert isinstance(sitemap, InvalidSitemap)
    assert sitemap.outcome is Outcome.REFUSED
    assert answer.reads == 0


def test_with_a_client_a_note_says_that_nobody_saw_where_names_lead() -> None:
    options: dict[str, Any] = {"web_client": Client(Success), "sources": [GivenSitemaps(("/a.xml",))]}
    assert usp.sitemap_tree_for_homepage("http://site.example/", **options).problems.counts == {"guard-unseen": 1}
    assert usp.sitemap_tree_for_homepage("http://site.example/", guard=None, **options).problems.counts == {}


def test_with_a_client_a_strict_guard_refuses_to_begin() -> None:
    client = Client(Success)
    with pytest.raises(InvalidOptionException, match="strict"):
        usp.sitemap_tree_for_homepage("http://site.example/", web_client=client, guard="strict")
    assert client.asked == []


def test_a_sitemap_fetcher_is_guarded_as_well(site: Site) -> None:
    site.answers["/i.xml"] = lambda visitor: visitor.answer(
        f"<sitemapindex><sitemap><loc>{site.url(SECRET, host='2130706433')}</loc></sitemap></sitemapindex>".encode()
    )
    (child,) = SitemapFetcher(site.url("/i.xml"), 0).sitemap().sub_sitemaps
    assert child.outcome is Outcome.REFUSED
    assert SECRET not in site.targets
