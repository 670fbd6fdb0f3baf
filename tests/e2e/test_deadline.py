"""The deadline of a crawl is kept whatever a server does, and what was read until then is kept as well."""

import threading
import time

import pytest

import usp.fetching.aiohttp_session  # noqa: F401 - no deadline is to pay for the HTTP client, which crawls import
from tests.e2e import redirect_faults, status_faults, transport_faults
from tests.e2e.crawling import FAULT, good, page_names
from tests.e2e.server import Behaviour, Site, Visitor
from usp import Limits, Retry, sitemap_tree_for_homepage
from usp.crawl.sources import RobotsTxt
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.objects.sitemap import IndexWebsiteSitemap, InvalidSitemap
from usp.problems import Outcome

SECONDS = 1.0

SLACK = 2.0
"""For machines that have much else to do; on an idle one a few milliseconds are enough."""

PATIENT = Retry(attempts=100, first_wait=0.05, longest_wait=0.05, longest_retry_after=3600)


def ever_new_redirects(visitor: Visitor) -> None:
    visitor.pause(0.05)
    redirect_faults.onwards(visitor)


def ever_new_sitemaps(visitor: Visitor) -> None:
    visitor.pause(0.05)
    number = int(visitor.target.rpartition("/")[2])
    visitor.answer(f"<sitemapindex><sitemap><loc>/hop/{number + 1}</loc></sitemap></sitemapindex>".encode())


def crawl_until_the_deadline(site: Site, url: str, fetcher: AiohttpFetcher | None = None) -> IndexWebsiteSitemap:
    """The tree, in which a good sitemap comes before the endless one."""
    site.answers["/robots.txt"] = lambda visitor: visitor.answer(f"Sitemap: /good.xml\nSitemap: {url}".encode())
    site.answers["/good.xml"] = good
    limits = Limits(seconds=SECONDS, redirects=10_000, depth=10_000)
    began = time.monotonic()
    tree = sitemap_tree_for_homepage(site.url(), sources=[RobotsTxt()], limits=limits, retry=PATIENT, fetcher=fetcher)
    assert SECONDS - 0.2 <= time.monotonic() - began <= SECONDS + SLACK
    assert page_names(tree.sub_sitemaps[0].sub_sitemaps[0]) == ["one", "two"]
    return tree


@pytest.mark.parametrize(
    "fault",
    [
        transport_faults.never_answers,
        transport_faults.has_headers_that_drip,
        transport_faults.has_a_body_that_drips,
        transport_faults.drips_interim_answers,
    ],
)
def test_an_answer_that_never_comes_to_an_end(fault: Behaviour) -> None:
    with Site() as site:
        site.answers[FAULT] = fault
        tree = crawl_until_the_deadline(site, FAULT)
        assert tree.incomplete_because[0] == "The limit of 1 seconds was reached."
        endless = tree.sub_sitemaps[0].sub_sitemaps[1]
        assert isinstance(endless, InvalidSitemap)
        assert endless.reason == "not fetched: The limit of 1 seconds was reached."


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (transport_faults.closes_before_the_head, Outcome.UNREACHABLE),
        (status_faults.status("503 Service Unavailable"), Outcome.UNREACHABLE),
        (status_faults.busy(lambda: "0"), Outcome.BLOCKED),
    ],
)
def test_a_server_that_is_asked_again_and_again(fault: Behaviour, outcome: Outcome) -> None:
    with Site() as site:
        site.answers[FAULT] = fault
        tree = crawl_until_the_deadline(site, FAULT)
        # Refused if the deadline came while it was being asked once more.
        assert tree.sub_sitemaps[0].sub_sitemaps[1].outcome in (outcome, Outcome.REFUSED)
        assert not tree.complete


def test_a_wait_that_would_outlast_the_deadline_is_not_even_begun() -> None:
    with Site() as site:
        site.answers["/robots.txt"] = status_faults.busy(lambda: "3600")
        began = time.monotonic()
        tree = sitemap_tree_for_homepage(site.url(), sources=[RobotsTxt()], limits=Limits(seconds=60), retry=PATIENT)
        assert time.monotonic() - began < 20
        assert [attempt.outcome for attempt in tree.attempts] == [Outcome.BLOCKED]


@pytest.mark.parametrize("hops", [ever_new_redirects, ever_new_sitemaps])
def test_a_site_without_end(hops: Behaviour) -> None:
    with Site(otherwise=hops) as site:
        tree = crawl_until_the_deadline(site, "/hop/1")
        assert tree.incomplete_because[0] == "The limit of 1 seconds was reached."


def test_a_name_server_that_never_answers() -> None:
    over = threading.Event()

    def resolver(host: str) -> list[str]:
        over.wait(20)
        return []

    with Site() as site:
        tree = crawl_until_the_deadline(site, "http://slow.example/", AiohttpFetcher(resolver=resolver))
        over.set()
        assert not tree.complete
