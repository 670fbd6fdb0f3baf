"""Trees of sitemaps, for the tests of this folder."""

from typing import Any

from usp.objects.page import SitemapPage
from usp.objects.sitemap import (
    AbstractSitemap,
    IndexRobotsTxtSitemap,
    IndexWebsiteSitemap,
    IndexXMLSitemap,
    InvalidSitemap,
    PagesRSSSitemap,
    PagesXMLSitemap,
)
from usp.problems import Problem, Problems, Severity

SITE = "https://example.com"
CAT, DOG, EMU = (SitemapPage(f"{SITE}/{name}") for name in ("cat", "dog", "emu"))
PROBLEMS = Problems([Problem("missing-end", Severity.NOTE, SITE)], {"missing-end": 1})


def tree(**changes: Any) -> IndexWebsiteSitemap:
    """A website of a robots.txt (an index of two, one lost) and a feed."""
    index = IndexXMLSitemap(
        f"{SITE}/index.xml",
        [PagesXMLSitemap(f"{SITE}/a.xml", [CAT, DOG]), InvalidSitemap(f"{SITE}/b.xml", "404 Not Found", **changes)],
    )
    robots = IndexRobotsTxtSitemap(f"{SITE}/robots.txt", [index])
    return IndexWebsiteSitemap(f"{SITE}/", [robots, PagesRSSSitemap(f"{SITE}/feed", [EMU])])


def deep_tree(depth: int) -> AbstractSitemap:
    sitemap: AbstractSitemap = PagesXMLSitemap(f"{SITE}/pages.xml", [CAT])
    for level in range(depth):
        sitemap = IndexXMLSitemap(f"{SITE}/{level}.xml", [sitemap])
    return sitemap
