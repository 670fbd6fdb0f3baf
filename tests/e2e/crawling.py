"""Crawls a site whose robots.txt lists a good sitemap, a fault and another good one, and says what became of each."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.e2e.server import Behaviour, Site, Visitor
from usp import Limits, Retry, sitemap_tree_for_homepage
from usp.crawl.sources import RobotsTxt
from usp.objects.attempt import Attempt
from usp.objects.sitemap import AbstractSitemap, IndexWebsiteSitemap, InvalidSitemap
from usp.problems import Outcome

FAULT = "/fault.xml"

TWICE = Retry(attempts=2, first_wait=0.01, longest_wait=0.01, longest_retry_after=0.01)
"""Whatever may pass is asked for twice, and soon."""

IMPATIENT = Limits(idle_seconds=2, request_seconds=5)
"""For servers that keep a client waiting; the good ones beside them have so much time as well."""

BOUNDED = 30
"""Seconds within which every crawl of these tests is over, however slow the machine is."""


def urlset(*names: str) -> bytes:
    """A sitemap of some pages."""
    entries = "".join(f"<url><loc>https://example.com/{name}</loc></url>\n" for name in names)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    ).encode()


GOOD = urlset("one", "two")


def good(visitor: Visitor) -> None:
    """Answers with a sitemap."""
    visitor.answer(GOOD, "Content-Type: application/xml")


def page_names(sitemap: AbstractSitemap) -> list[str]:
    """The pages that a sitemap itself lists, without their site."""
    return [page.url.removeprefix("https://example.com/") for page in sitemap.pages]


@dataclass(frozen=True)
class Expected:
    """What a fault must lead to, and to nothing else."""

    outcome: Outcome
    status: int | None = 200
    reason: str = ""
    problems: Sequence[str] = ()
    pages: Sequence[str] = ()
    asked: int | None = 1
    """How often the URL is asked for: twice where it may pass; None where this server cannot know."""

    @property
    def complete(self) -> bool:
        return self.outcome in (Outcome.OK, Outcome.ABSENT, Outcome.EMPTY)


@dataclass(frozen=True)
class Crawled:
    """A tree, and what stands in it for the fault."""

    tree: IndexWebsiteSitemap
    faulty: AbstractSitemap

    @property
    def attempt(self) -> Attempt:
        """What became of the URL of the fault."""
        attempts = self.tree.attempts
        assert [attempt.outcome for attempt in (attempts[0], attempts[1], attempts[-1])] == [Outcome.OK] * 3
        return attempts[2]

    def check(self, expected: Expected) -> None:
        """Whether everything is as it must be."""
        faulty = self.faulty
        reason = faulty.reason if isinstance(faulty, InvalidSitemap) else ""
        assert (faulty.outcome, page_names(faulty)) == (expected.outcome, list(expected.pages)), reason
        assert (self.attempt.outcome, self.attempt.status) == (expected.outcome, expected.status)
        assert self.attempt.final_url == faulty.url
        assert expected.reason in reason
        assert set(faulty.problems.counts) == set(expected.problems), faulty.problems
        assert self.tree.complete is expected.complete
        assert [sentence.startswith(faulty.url) for sentence in self.tree.incomplete_because] == (
            [] if expected.complete else [True]
        )


def crawl(site: Site, **options: Any) -> IndexWebsiteSitemap:
    """The tree of a site, in time."""
    began = time.monotonic()
    tree = sitemap_tree_for_homepage(site.url(), **({"retry": TWICE} | options))
    assert time.monotonic() - began < BOUNDED
    return tree


def crawl_beside(site: Site, url: str, **options: Any) -> Crawled:
    """Crawl a site that lists a good sitemap, that URL and another good one; the good ones must come to no harm."""
    first, last = site.url("/first.xml"), site.url("/last.xml")
    robots = "".join(f"Sitemap: {listed}\n" for listed in (first, url, last)).encode()
    # Nothing is kept: a fault that met a kept connection would be asked for once more.
    site.answers["/robots.txt"] = lambda visitor: visitor.answer(robots, "Connection: close")
    site.answers["/first.xml"] = lambda visitor: visitor.answer(urlset("a1", "a2"), "Connection: close")
    site.answers["/last.xml"] = lambda visitor: visitor.answer(urlset("b1"), "Connection: close")
    tree = crawl(site, **({"sources": [RobotsTxt()]} | options))
    (robots_node,) = tree.sub_sitemaps
    before, faulty, after = robots_node.sub_sitemaps
    assert (before.url, page_names(before), before.outcome) == (first, ["a1", "a2"], Outcome.OK)
    assert (after.url, page_names(after), after.outcome) == (last, ["b1"], Outcome.OK)
    assert site.asked("/robots.txt") == site.asked("/first.xml") == site.asked("/last.xml") == 1
    return Crawled(tree, faulty)


def check_fault(fault: Behaviour, expected: Expected, **options: Any) -> None:
    """Crawl a site with one fault and compare."""
    with Site() as site:
        site.answers[FAULT] = fault
        crawl_beside(site, site.url(FAULT), **options).check(expected)
        assert expected.asked is None or site.asked(FAULT) == expected.asked
