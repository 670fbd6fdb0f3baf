"""Sites whose sitemaps are well-formed and whose structure is the fault: wide, deep, endless, circular.

Each is crawled whole, from robots.txt with a good sitemap before it and one behind: those two are never harmed.
"""

import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from itertools import islice
from typing import Any

import pytest

from usp import Limits, sitemap_tree_for_homepage
from usp.crawl.sources import RobotsTxt
from usp.fetching.fetcher import Fetch, Fetcher
from usp.fetching.memory import Answer, MemoryFetcher
from usp.messages import Failure, Request, Response
from usp.objects.sitemap import AbstractSitemap, IndexWebsiteSitemap, InvalidSitemap
from usp.problems import Outcome

SITE = "https://example.com"
XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def index(urls: Iterable[str]) -> str:
    entries = "".join(f"<sitemap><loc>{SITE}/{url}</loc></sitemap>" for url in urls)
    return f'<?xml version="1.0" encoding="UTF-8"?><sitemapindex {XMLNS}>{entries}</sitemapindex>'


def urlset(*names: str) -> str:
    entries = "".join(f"<url><loc>{SITE}/{name}</loc></url>" for name in names)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {XMLNS}>{entries}</urlset>'


class Endless:
    """A fetcher of a site that has no end: every unknown URL is an index of twenty more."""

    at_once = None
    sees_addresses = True

    def __init__(self, known: Mapping[str, Answer]) -> None:
        self._known = known
        self.requests: list[str] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Fetch]:
        yield self._fetch

    @asynccontextmanager
    async def _fetch(self, request: Request) -> AsyncIterator[Response | Failure]:
        self.requests.append(request.url)
        path = request.url.removeprefix(f"{SITE}/")
        answer = self._known.get(request.url) or index(f"{path}/{number}" for number in range(20))
        async with MemoryFetcher({request.url: answer}).open() as fetch, fetch(request) as answered:
            yield answered


def site_of(fault: Mapping[str, Answer]) -> dict[str, Answer]:
    """A site with such a fault between two good sitemaps."""
    return {
        f"{SITE}/robots.txt": f"Sitemap: {SITE}/first\nSitemap: {SITE}/fault\nSitemap: {SITE}/last",
        f"{SITE}/first": urlset("first-page"),
        f"{SITE}/last": urlset("last-page"),
        **{f"{SITE}/{path}": answer for path, answer in fault.items()},
    }


def tree_of(fetcher: Fetcher, **options: Any) -> IndexWebsiteSitemap:
    return sitemap_tree_for_homepage(SITE, fetcher=fetcher, guard=None, sources=[RobotsTxt()], **options)


def crawl(fault: Mapping[str, Answer], **options: Any) -> tuple[AbstractSitemap, IndexWebsiteSitemap, list[str]]:
    """The sitemap at ``fault`` as it stands in the tree between two good ones, the tree, and what was asked for."""
    fetcher = MemoryFetcher(site_of(fault))
    tree = tree_of(fetcher, **options)
    first, found, last = tree.sub_sitemaps[0].sub_sitemaps
    assert [page.url for page in first.pages] == [f"{SITE}/first-page"]
    assert [page.url for page in last.pages] == [f"{SITE}/last-page"]
    assert first.outcome is last.outcome is Outcome.OK
    return found, tree, fetcher.requests


def paths(sitemaps: Iterable[AbstractSitemap]) -> list[str]:
    return [sitemap.url.removeprefix(f"{SITE}/") for sitemap in sitemaps]


# -- wide


def test_a_hundred_thousand_children_stand_in_their_order() -> None:
    """All of them in the tree; most are left out by the caller, for this is no test of fetching."""
    names = [f"{number}" for number in range(100_000)]
    wanted = {f"{SITE}/0", f"{SITE}/50000", f"{SITE}/99999", *(f"{SITE}/{name}" for name in ("first", "fault", "last"))}
    found, tree, _ = crawl(
        {"fault": index(names), **{name: urlset(f"page-{name}") for name in ("0", "50000", "99999")}},
        recurse_callback=lambda url, level, parents: url in wanted,
    )
    assert paths(found.sub_sitemaps) == ["0", "50000", "99999"]
    assert len(list(tree.all_pages())) == 5
    filtered = [attempt.url for attempt in tree.attempts if attempt.outcome is Outcome.FILTERED]
    assert filtered == [f"{SITE}/{name}" for name in names if f"{SITE}/{name}" not in wanted]
    assert tree.complete


def test_a_hundred_thousand_children_are_cut_in_their_order() -> None:
    names = [f"{number}" for number in range(100_000)]
    fetcher = MemoryFetcher(site_of({"fault": index(names), **{name: urlset(name) for name in names[:500]}}))
    tree = tree_of(fetcher, limits=Limits(sitemaps=503))
    assert paths(tree.all_sitemaps()) == ["robots.txt", "first", "fault", *names[:500]]
    assert tree.shortcomings == ("The limit of 503 sitemaps was reached.",)
    assert len(fetcher.requests) <= 503 + 8, "what the limit cut off is not fetched, unless it was under way"


def seconds_for(children: int) -> float:
    names = [f"{number}" for number in range(children)]
    fault = {"fault": index(names), **{name: urlset(f"page-{name}") for name in names}}
    began = time.process_time()
    found, tree, asked = crawl(fault)
    took = time.process_time() - began
    assert paths(found.sub_sitemaps) == names
    assert [page.url for page in found.all_pages()] == [f"{SITE}/page-{name}" for name in names]
    assert len(asked) == children + 4
    assert tree.complete
    return took


def test_many_children_cost_no_more_each_than_few() -> None:
    assert min(seconds_for(2_400) for _ in range(2)) < 8 * 3 * min(seconds_for(300) for _ in range(3))


# -- layers


def layers(depth: int, width: int) -> dict[str, Answer]:
    """Indexes of which each lists all those of the next layer."""
    site: dict[str, Answer] = {"fault": index(f"1/{number}" for number in range(width))}
    for level in range(1, depth):
        below = index(f"{level + 1}/{number}" for number in range(width))
        site.update({f"{level}/{number}": below for number in range(width)})
    site.update({f"{depth}/{number}": urlset(f"page-{number}") for number in range(width)})
    return site


def test_eleven_layers_of_fifty_indexes_listing_each_other_end_at_the_limit_in_bounded_time() -> None:
    fetcher = MemoryFetcher(site_of(layers(11, 50)))
    began = time.process_time()
    tree = tree_of(fetcher, limits=Limits(sitemaps=20_000))
    assert time.process_time() - began < 15
    assert len(fetcher.requests) <= 4 + 11 * 50, "each once, however often it is listed"
    assert sum(1 for _ in tree.all_sitemaps()) == 20_000
    way_down = ["robots.txt", "first", "fault", *(f"{level}/0" for level in range(1, 11))]
    refused = [f"11/{number}" for number in range(50)]
    assert paths(islice(tree.all_sitemaps(), len(way_down) + 50)) == [*way_down, *refused]
    assert next(tree.all_pages()).url == f"{SITE}/first-page"
    assert tree.incomplete_because[0] == "The limit of 20,000 sitemaps was reached."


def test_layers_that_fit_into_the_limit_are_there_whole_and_fetched_once() -> None:
    found, tree, asked = crawl(layers(4, 6))
    assert len(asked) == 4 + 4 * 6
    assert sum(1 for _ in found.all_sitemaps()) == 6 + 6**2 + 6**3 + 6**4
    assert len(list(found.all_pages())) == 6**4
    assert tree.complete


# -- circles


@pytest.mark.parametrize("length", [1, 2, 3])
def test_indexes_in_a_circle_are_refused_where_it_closes(length: int) -> None:
    names = ["fault", *(f"{number}" for number in range(1, length))]
    circle = {name: index([names[(number + 1) % length], f"leaf-{number}"]) for number, name in enumerate(names)}
    leaves = {f"leaf-{number}": urlset(f"page-{number}") for number in range(length)}
    found, tree, asked = crawl({**circle, **leaves})
    (refused,) = [sitemap for sitemap in found.all_sitemaps() if isinstance(sitemap, InvalidSitemap)]
    assert refused.url == f"{SITE}/fault"
    assert refused.reason == f"Recursion detected in URL {SITE}/fault"
    assert refused.outcome is Outcome.REFUSED
    assert {page.url for page in found.all_pages()} == {f"{SITE}/page-{number}" for number in range(length)}
    assert len(asked) == len(set(asked))
    assert tree.incomplete_because == [f"{SITE}/fault was refused: Recursion detected in URL {SITE}/fault"]


def test_an_index_that_lists_robots_txt_is_refused_there() -> None:
    found, _, asked = crawl({"fault": index(["robots.txt", "leaf"]), "leaf": urlset("page")})
    refused, leaf = found.sub_sitemaps
    assert isinstance(refused, InvalidSitemap)
    assert refused.reason == f"Recursion detected in URL {SITE}/robots.txt"
    assert len(leaf.pages) == 1
    assert asked.count(f"{SITE}/robots.txt") == 1


# -- endless and deep


@pytest.mark.parametrize("limits", [Limits(sitemaps=2000), Limits(depth=3), Limits(sitemaps=2000, depth=2)])
def test_endless_fresh_indexes_end_at_the_limits(limits: Limits) -> None:
    fetcher = Endless(site_of({}))
    tree = tree_of(fetcher, limits=limits)
    assert not tree.complete
    assert sum(1 for _ in tree.all_sitemaps()) <= limits.sitemaps
    assert len(fetcher.requests) <= min(limits.sitemaps, 3 + 20**limits.depth)
    assert next(tree.all_pages()).url == f"{SITE}/first-page"


def test_a_line_of_fifteen_indexes_is_followed_down_to_the_limit() -> None:
    line: dict[str, Answer] = {f"{level}": index([f"{level + 1}", f"leaf-{level}"]) for level in range(2, 16)}
    leaves: dict[str, Answer] = {f"leaf-{level}": urlset(f"page-{level}") for level in range(1, 16)}
    found, tree, _ = crawl({"fault": index(["2", "leaf-1"]), **line, **leaves})
    (refused, *others) = [sitemap for sitemap in found.all_sitemaps() if isinstance(sitemap, InvalidSitemap)]
    assert refused.url == f"{SITE}/12"
    assert refused.reason == f"Recursion level 12 is deeper than the limit of 11: {SITE}/12"
    assert [sitemap.url for sitemap in others] == [f"{SITE}/leaf-11"]
    pages = [page.url.removeprefix(f"{SITE}/page-") for page in found.all_pages()]
    assert pages == [f"{level}" for level in range(10, 0, -1)]
    assert not tree.complete


def test_as_deep_as_the_caller_allows_is_read_whole() -> None:
    line: dict[str, Answer] = {f"{level}": index([f"{level + 1}"]) for level in range(2, 200)}
    found, tree, _ = crawl({"fault": index(["2"]), **line, "200": urlset("deep-page")}, limits=Limits(depth=300))
    assert [page.url for page in found.all_pages()] == [f"{SITE}/deep-page"]
    assert sum(1 for _ in found.all_sitemaps()) == 199
    assert tree.complete
