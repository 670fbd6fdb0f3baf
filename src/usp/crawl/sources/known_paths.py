"""The paths at which sitemaps are usually found, declared or not."""

from collections.abc import Iterable

import msgspec

from usp.crawl.sources.seed import Role, Seed, check_texts
from usp.values.urls import is_http_url

KNOWN_PATHS = (
    "sitemap.xml",
    "sitemap.xml.gz",
    "sitemap_index.xml",
    "sitemap-index.xml",
    "sitemap_index.xml.gz",
    "sitemap-index.xml.gz",
    ".sitemap.xml",
    "sitemap",
    "admin/config/search/xmlsitemap",
    "sitemap/sitemap-index.xml",
    "sitemap_news.xml",
    "sitemap-news.xml",
    "sitemap_news.xml.gz",
    "sitemap-news.xml.gz",
    "wp-sitemap.xml",  # WordPress 5.5 and later
    "sitemap.txt",  # the text format of the protocol
    "sitemap/sitemap.xml",
    "sitemaps.xml",
)
"""In the order in which they stand in the tree."""


class KnownPaths(msgspec.Struct, frozen=True):
    """The known paths below the homepage, then ``extra`` ones of the caller, who may give whole URLs as well.

    >>> [seed.url for seed in KnownPaths(extra=("/maps/all.xml",)).seeds("https://example.com/")][-2:]
    ['https://example.com/sitemaps.xml', 'https://example.com/maps/all.xml']
    """

    extra: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_texts("KnownPaths.extra", self.extra)

    def seeds(self, homepage_url: str) -> Iterable[Seed]:
        """One seed a path."""
        for path in dict.fromkeys((*KNOWN_PATHS, *(path.lstrip("/") for path in self.extra))):
            yield Seed(path if is_http_url(path) else homepage_url + path, Role.GUESSED)
