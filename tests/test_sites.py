"""Every case of ``tests/corpus_of_sites``: one TOML file is one site in memory, and the tree that a crawl must give.

What one document says has its cases in ``tests/corpus``; here are those about several documents: recursion, sharing,
the order of streams. A path stands for its URL below the homepage.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from usp.fetching.memory import MemoryFetcher
from usp.limits import DEFAULT_LIMITS, Limits
from usp.objects.sitemap import AbstractSitemap, InvalidSitemap
from usp.tree import sitemap_tree_for_homepage, stream_pages

HOMEPAGE = "https://example.com/"


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a URL says: a body, or where it leads."""

    body: str = ""
    status: int = 200
    redirect: str = ""

    def given(self) -> tuple[int, Mapping[str, str], str]:
        if self.redirect:
            return 301, {"Location": self.redirect}, ""
        return self.status, {}, self.body


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One site, and what a crawl of it must give."""

    description: str
    tree: str
    """A line a sitemap below the root, indented by its level: class, path, number of pages, reason."""
    requests: list[str]
    """What is fetched, in any order, each as often as written."""
    pages: list[str]
    """The paths of all pages, in the order of the tree."""
    complete: bool
    site: dict[str, Answer]
    limits: Limits = DEFAULT_LIMITS

    def crawl(self) -> dict[str, Any]:
        """The options of a crawl of this site."""
        answers = {HOMEPAGE.rstrip("/") + path: answer.given() for path, answer in self.site.items()}
        return {"fetcher": MemoryFetcher(answers), "use_known_paths": False, "limits": self.limits}


FOLDER = Path(__file__).parent / "corpus_of_sites"
CASES = {path.stem: msgspec.toml.decode(path.read_bytes(), type=Case) for path in sorted(FOLDER.glob("*.toml"))}
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


def path_of(url: str) -> str:
    return "/" + url.removeprefix(HOMEPAGE)


def written(sitemap: AbstractSitemap, level: int = 0) -> list[str]:
    """The sitemaps below one as the cases write them."""
    lines = []
    for below in sitemap.sub_sitemaps:
        reason = [below.reason.replace(HOMEPAGE, "/")] if isinstance(below, InvalidSitemap) else []
        words = [type(below).__name__.removesuffix("Sitemap"), path_of(below.url), str(len(below.pages)), *reason]
        lines += ["  " * level + " ".join(words), *written(below, level + 1)]
    return lines


@every_case
def test_a_site_gives_the_tree_that_its_case_names(case: Case) -> None:
    options = case.crawl()
    tree = sitemap_tree_for_homepage(HOMEPAGE, **options)
    assert written(tree) == case.tree.splitlines()
    assert [path_of(page.url) for page in tree.all_pages()] == case.pages
    assert sorted(map(path_of, options["fetcher"].requests)) == sorted(case.requests)
    assert tree.complete is case.complete


@every_case
def test_a_stream_gives_the_pages_of_the_tree_in_its_order(case: Case) -> None:
    with stream_pages(HOMEPAGE, **case.crawl()) as stream:
        assert [path_of(page.url) for page, _ in stream] == case.pages


@every_case
def test_a_stream_in_order_of_arrival_gives_every_page(case: Case) -> None:
    with stream_pages(HOMEPAGE, order="arrival", **case.crawl()) as stream:
        assert sorted(path_of(page.url) for page, _ in stream) == sorted(case.pages)
