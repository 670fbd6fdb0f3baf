"""URLs as sites write them: sent as they are, where they can be sent; told apart from traps."""

from collections.abc import Sequence

import pytest

from tests.e2e.crawling import FAULT, Crawled, Expected, crawl, crawl_beside, good, page_names, urlset
from tests.e2e.redirect_faults import to
from tests.e2e.server import Behaviour, Site
from usp import Guard, sitemap_tree_for_homepage
from usp.crawl.sources import RobotsTxt
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.objects.sitemap import InvalidSitemap
from usp.problems import Outcome

OK, UNREACHABLE, REFUSED = Outcome.OK, Outcome.UNREACHABLE, Outcome.REFUSED
BOTH = ("one", "two")

LOOPBACK_IS_PUBLIC = Guard(public=["127.0.0.1/32"])


class Names:
    """A resolver that knows two names, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        if host == "xn--bcher-kva.example":
            return ["127.0.0.1"]
        if host == "inside.example":
            return ["10.0.0.1"]
        raise OSError("nobody knows it")


def crawl_names(site: Site, url: str) -> Crawled:
    return crawl_beside(site, url, fetcher=AiohttpFetcher(resolver=Names()), guard=LOOPBACK_IS_PUBLIC)


@pytest.mark.parametrize(
    "target",
    [
        "/a%2Fb/%7Euser/%e2%82%ac/%zz?x=%20%2B+&y=%c3%28&&z",
        "/%2e%2e/%2E/./../sitemap.xml",
        "//double//slash.xml;v=1?a?b",
        "/sitemap.xml?q={}|^`\\[]!$&'()*,;=:@",
        "/CamelCase.XML?Q=A%2fb",
    ],
)
def test_a_url_arrives_as_it_is_written(target: str) -> None:
    with Site() as site:
        site.answers[target] = good
        crawled = crawl_beside(site, site.url(target))
        crawled.check(Expected(OK, pages=BOTH))
        assert crawled.faulty.url == site.url(target)
        assert site.asked(target) == 1


def test_a_location_arrives_as_it_is_written() -> None:
    with Site() as site:
        site.answers[FAULT] = to("/a%2Fb/%7Euser?x=%20%2B+")
        site.answers["/a%2Fb/%7Euser?x=%20%2B+"] = good
        crawl_beside(site, site.url(FAULT)).check(Expected(OK, pages=BOTH))


def test_letters_that_cannot_be_sent_are_escaped_as_utf8() -> None:
    with Site() as site:
        site.answers["/b%C3%BCcher.xml?q=%E2%82%AC"] = good
        crawled = crawl_beside(site, site.url("/bücher.xml?q=€"))
        crawled.check(Expected(OK, pages=BOTH))
        assert crawled.faulty.url == site.url("/bücher.xml?q=€")


def test_a_name_that_nobody_knows_is_unreachable_and_not_asked_for_again() -> None:
    names = Names()
    with Site() as site:
        crawled = crawl_beside(site, "http://nowhere.example/a.xml", fetcher=AiohttpFetcher(resolver=names))
        crawled.check(Expected(UNREACHABLE, None, "The name of nowhere.example cannot be resolved"))
        assert names.asked == ["nowhere.example"]


def test_a_name_that_leads_inside_is_refused() -> None:
    with Site() as site:
        crawl_names(site, "http://inside.example/a.xml").check(Expected(REFUSED, None, "no public address"))


def test_an_international_host_is_asked_for_by_its_name_in_dns_and_shown_as_written() -> None:
    with Site() as site:
        site.answers[FAULT] = good
        url = site.url(FAULT, host="BÜCHER.example")
        crawled = crawl_names(site, url)
        crawled.check(Expected(OK, pages=BOTH))
        assert crawled.faulty.url == url
        (head,) = [head for head in site.heads if FAULT in head]
        assert f"Host: xn--bcher-kva.example:{site.port}\r\n" in head


def test_a_homepage_may_have_an_international_host() -> None:
    with Site() as site:
        site.answers["/sitemap.xml"] = good
        tree = sitemap_tree_for_homepage(
            site.url(host="bücher.example"), fetcher=AiohttpFetcher(resolver=Names()), guard=Guard(resolver=Names())
        )
        assert [page_names(sitemap) for sitemap in tree.sub_sitemaps] == [["one", "two"]]
        assert tree.complete


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:0/sitemap.xml", "Port 0"),
        ("http://127.0.0.1:65536/sitemap.xml", "not a port"),
        ("http://127.0.0.1:99999999999999999999/sitemap.xml", "not a port"),
        ("http://exa$mple.com/sitemap.xml", "not the name of a host"),
        ("http://" + "a" * 64 + ".example/", "not the name of a host"),
    ],
)
def test_a_url_that_cannot_be_asked_for_is_unreachable(url: str, reason: str) -> None:
    with Site() as site:
        crawl_beside(site, url).check(Expected(UNREACHABLE, None, reason))


def test_userinfo_is_sent_to_its_own_url_only() -> None:
    with Site() as site:
        site.answers[FAULT] = good
        crawled = crawl_beside(site, site.url(FAULT, host="me:s%65cret@127.0.0.1"))
        crawled.check(Expected(OK, pages=BOTH))
        authorized = [head for head in site.heads if "authorization: basic bWU6c2VjcmV0".lower() in head.lower()]
        assert [head.split(" ")[1] for head in authorized] == [FAULT]
        assert not any("secret" in head for head in site.heads)


def test_userinfo_that_looks_like_our_host_leads_nobody_inside() -> None:
    with Site() as site:
        crawled = crawl_beside(site, f"http://127.0.0.1:{site.port}@10.0.0.1/sitemap.xml")
        crawled.check(Expected(REFUSED, None, "The guard refuses"))


def index_of(*urls: str) -> Behaviour:
    """Answers with an index of these sitemaps."""
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>\n" for url in urls)
    body = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</sitemapindex>\n'.encode()
    return lambda visitor: visitor.answer(body)


def test_a_url_of_a_megabyte_in_an_index_is_refused_beside_its_siblings() -> None:
    with Site() as site:
        long = site.url("/" + "a" * 1_000_000)
        site.answers["/robots.txt"] = lambda visitor: visitor.answer(b"Sitemap: /index.xml")
        site.answers["/index.xml"] = index_of(site.url("/first.xml"), long, site.url("/last.xml"))
        site.answers["/first.xml"] = good
        site.answers["/last.xml"] = lambda visitor: visitor.answer(urlset("b1"))
        tree = crawl(site, sources=[RobotsTxt()])
        first, refused, last = tree.sub_sitemaps[0].sub_sitemaps[0].sub_sitemaps
        assert (page_names(first), page_names(last)) == (["one", "two"], ["b1"])
        assert isinstance(refused, InvalidSitemap)
        assert (refused.outcome, refused.url) == (REFUSED, long)
        assert len(refused.reason) < 300
        assert not tree.complete
        assert sorted(site.targets) == ["/first.xml", "/index.xml", "/last.xml", "/robots.txt"]


def test_a_url_of_a_megabyte_in_robots_txt_costs_its_own_line() -> None:
    with Site() as site:
        lines = ["Sitemap: /first.xml", "Sitemap: /" + "a" * 1_000_000, "Sitemap: /last.xml"]
        site.answers["/robots.txt"] = lambda visitor: visitor.answer("\n".join(lines).encode())
        site.answers["/first.xml"] = good
        site.answers["/last.xml"] = lambda visitor: visitor.answer(urlset("b1"))
        (robots,) = crawl(site, sources=[RobotsTxt()]).sub_sitemaps
        assert [page_names(sitemap) for sitemap in robots.sub_sitemaps] == [["one", "two"], ["b1"]]
        assert "long-line" in robots.problems.counts


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (50_000, Expected(REFUSED, None, "The URL is longer than 32768 characters")),
        (1_000_000, Expected(Outcome.BROKEN, None, "The answer is not HTTP")),
    ],
)
def test_a_redirect_to_an_endless_url_is_not_followed(length: int, expected: Expected) -> None:
    with Site() as site:
        site.answers[FAULT] = to("/" + "a" * length)
        crawl_beside(site, site.url(FAULT)).check(expected)
