"""Each fault costs its own sitemap at most, takes bounded time and is told as it is; so do all of them together."""

import pytest

from tests.e2e.catalogue import BOTH, FAULTS, WAITING
from tests.e2e.crawling import IMPATIENT, Expected, check_fault, crawl, crawl_beside, good, page_names
from tests.e2e.server import Behaviour, Site
from tests.e2e.transport_faults import has_an_endless_body
from usp import Limits, Outcome
from usp.crawl.sources import RobotsTxt


def name_of(value: object) -> str:
    return getattr(value, "__name__", "")


@pytest.mark.parametrize(("fault", "expected"), FAULTS, ids=name_of)
def test_one_fault_beside_good_sitemaps(fault: Behaviour, expected: Expected) -> None:
    check_fault(fault, expected)


@pytest.mark.parametrize(("fault", "expected"), WAITING, ids=name_of)
def test_a_server_that_keeps_us_waiting(fault: Behaviour, expected: Expected) -> None:
    check_fault(fault, expected, limits=IMPATIENT)


def test_an_endless_body_is_read_up_to_the_limit() -> None:
    expected = Expected(Outcome.TRUNCATED, problems=["too-large", "truncated-document"], pages=BOTH)
    check_fault(has_an_endless_body, expected, limits=Limits(wire_bytes=2**20))


def test_a_host_that_refuses_connections_is_unreachable() -> None:
    with Site() as closed:
        url = closed.url("/sitemap.xml")
    with Site() as site:
        crawl_beside(site, url).check(Expected(Outcome.UNREACHABLE, None, "connection refused"))


def test_all_faults_at_once_on_connections_that_are_kept() -> None:
    with Site(otherwise=good) as site:
        lines = []
        for number, (fault, _) in enumerate(FAULTS):
            site.answers[f"/{number}.xml"] = fault
            lines += [f"Sitemap: /good-{number}.xml", f"Sitemap: /{number}.xml"]
        site.answers["/robots.txt"] = lambda visitor: visitor.answer("\n".join(lines).encode())
        (robots,) = crawl(site, sources=[RobotsTxt()]).sub_sitemaps
        sound, faulty = robots.sub_sitemaps[::2], robots.sub_sitemaps[1::2]
        assert [sitemap.url for sitemap in sound] == [site.url(f"/good-{number}.xml") for number in range(len(FAULTS))]
        assert {(sitemap.outcome, *page_names(sitemap)) for sitemap in sound} == {(Outcome.OK, *BOTH)}
        assert [(sitemap.outcome, page_names(sitemap), set(sitemap.problems.counts)) for sitemap in faulty] == [
            (expected.outcome, list(expected.pages), set(expected.problems)) for _, expected in FAULTS
        ]
