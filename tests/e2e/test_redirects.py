"""Redirects are followed as far as they lead anywhere, each hop is checked, and what is wrong is said."""

import ssl

import pytest
import trustme

from tests.e2e import redirect_faults as faults
from tests.e2e.crawling import FAULT, Crawled, Expected, crawl, crawl_beside, good, page_names
from tests.e2e.server import Behaviour, Site
from usp.crawl.sources import RobotsTxt
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.objects.sitemap import InvalidSitemap
from usp.problems import Outcome

OK, BROKEN, REFUSED = Outcome.OK, Outcome.BROKEN, Outcome.REFUSED
BOTH = ("one", "two")


def crawl_with(site: Site, **answers: Behaviour) -> Crawled:
    """Crawl with some answers besides the good ones; ``fault`` is at the URL that is listed."""
    site.answers.update({f"/{name}": answer for name, answer in answers.items()})
    site.answers["/good.xml"] = good
    site.answers[FAULT] = answers["fault"]
    return crawl_beside(site, site.url(FAULT))


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_a_redirect_is_followed_and_the_sitemap_has_the_final_url(status: str) -> None:
    with Site() as site:
        crawled = crawl_with(site, fault=faults.to("good.xml", status=status))
        assert crawled.faulty.url == site.url("/good.xml")
        crawled.check(Expected(OK, pages=BOTH))


def test_a_redirect_is_followed_before_its_body_has_come() -> None:
    with Site() as site:
        crawl_with(site, fault=faults.with_an_endless_body).check(Expected(OK, pages=BOTH))


def test_a_sitemap_that_two_urls_lead_to_is_fetched_once() -> None:
    with Site() as site:
        crawled = crawl_with(site, fault=faults.to("/last.xml"))
        assert page_names(crawled.faulty) == ["b1"]
        assert crawled.tree.complete


def test_a_redirect_to_itself_is_broken() -> None:
    with Site() as site:
        crawled = crawl_with(site, fault=faults.to(FAULT))
        crawled.check(Expected(BROKEN, 302, "The redirects go in a circle"))
        assert site.asked(FAULT) == 1


def test_a_loop_of_redirects_is_broken() -> None:
    with Site() as site:
        crawled = crawl_with(site, fault=faults.to("/second"), second=faults.to("/third"), third=faults.to(FAULT))
        assert "circle" in getattr(crawled.faulty, "reason", "")
        assert (crawled.faulty.outcome, crawled.tree.complete) == (BROKEN, False)
        assert [site.asked(target) for target in (FAULT, "/second", "/third")] == [1, 1, 1]


def test_a_redirect_to_an_ancestor_is_a_recursion() -> None:
    with Site() as site:
        crawled = crawl_with(site, fault=faults.to("/robots.txt"))
        faulty = crawled.faulty
        assert isinstance(faulty, InvalidSitemap)
        recursion = f"Recursion detected when {site.url(FAULT)} redirected to {site.url('/robots.txt')}"
        assert (faulty.url, faulty.outcome, faulty.reason) == (site.url(FAULT), REFUSED, recursion)
        assert len(crawled.tree.incomplete_because) == 1


def test_a_redirect_to_another_scheme_is_followed() -> None:
    authority = trustme.CA()
    certified = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(certified)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    with Site(tls=certified, otherwise=good) as secure, Site() as site:
        site.answers[FAULT] = faults.to(secure.url("/secure.xml"))
        crawled = crawl_beside(site, site.url(FAULT), fetcher=AiohttpFetcher(tls=trusting))
        assert crawled.faulty.url == secure.url("/secure.xml")
        crawled.check(Expected(OK, pages=BOTH))


@pytest.mark.parametrize("location", ["ftp://example.com/sitemap.xml", "javascript:alert(1)", "file:///etc/passwd"])
def test_a_redirect_to_what_is_not_http_is_refused(location: str) -> None:
    with Site() as site:
        crawl_with(site, fault=faults.to(location)).check(Expected(REFUSED, 302, "which is no HTTP(S) URL"))


@pytest.mark.parametrize(
    "location",
    [
        "http://10.0.0.1/latest",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:10.0.0.1]/",
        "//0x0a.1/",
        "http://127.0.0.2/",
        "http://localhost/",
    ],
)
def test_a_redirect_to_a_private_address_is_refused(location: str) -> None:
    with Site() as site:
        crawled = crawl_with(site, fault=faults.to(location))
        crawled.check(Expected(REFUSED, None, "The guard refuses"))
        assert crawled.attempt.url == site.url(FAULT)


@pytest.mark.parametrize("fault", [faults.without_location, faults.with_an_empty_location])
def test_a_redirect_without_a_location_is_broken(fault: Behaviour) -> None:
    with Site() as site:
        crawl_with(site, fault=fault).check(Expected(BROKEN, 302, "does not say where to"))


def test_ten_redirects_are_followed() -> None:
    with Site(otherwise=faults.onwards) as site:
        site.answers["/hop/11"] = good
        crawl_beside(site, site.url("/hop/1")).check(Expected(OK, pages=BOTH))


def test_the_eleventh_redirect_is_refused() -> None:
    with Site(otherwise=faults.onwards) as site:
        faulty = crawl_beside(site, site.url("/hop/1")).faulty
        assert isinstance(faulty, InvalidSitemap)
        assert faulty.outcome is REFUSED
        assert "more than 10 redirects" in faulty.reason
        assert site.asked("/hop/11") == 1
        assert site.asked("/hop/12") == 0


def test_a_redirect_to_itself_that_sets_a_cookie_is_followed_with_the_cookie() -> None:
    with Site() as site:
        crawl_with(site, fault=faults.to_itself_until_the_cookie_comes_back).check(Expected(OK, pages=BOTH))
        assert site.asked(FAULT) == 2


def test_a_circle_that_sets_a_cookie_on_its_way_is_followed_with_the_cookie() -> None:
    with Site() as site:
        crawled = crawl_with(site, fault=faults.in_a_circle_until_the_cookie_comes_back, door=faults.door)
        assert (page_names(crawled.faulty), crawled.tree.complete) == (["one", "two"], True)


def test_ever_new_cookies_do_not_keep_us_going_in_circles() -> None:
    with Site() as site:
        crawled = crawl_with(site, fault=faults.to_itself_with_ever_new_cookies)
        assert crawled.faulty.outcome in (BROKEN, REFUSED)
        assert site.asked(FAULT) <= 11


def test_a_cookie_of_one_origin_is_not_sent_to_another() -> None:
    with Site(otherwise=good) as other, Site() as site:
        site.answers[FAULT] = faults.to(other.url("/sitemap.xml"), "Set-Cookie: secret=yes")
        crawl_beside(site, site.url(FAULT)).check(Expected(OK, pages=BOTH))
        assert "cookie" not in other.heads[0].lower()


def test_a_robots_txt_may_be_elsewhere() -> None:
    with Site() as site:
        site.answers["/robots.txt"] = faults.to("/files/robots.txt")
        site.answers["/files/robots.txt"] = lambda visitor: visitor.answer(b"Sitemap: /good.xml")
        site.answers["/good.xml"] = good
        (robots,) = crawl(site, sources=[RobotsTxt()]).sub_sitemaps
        assert (robots.url, page_names(robots.sub_sitemaps[0])) == (site.url("/files/robots.txt"), ["one", "two"])
