"""The links of the homepage itself: ``<link rel="sitemap">``, and feeds."""

from collections.abc import Iterable

import msgspec

from usp.crawl.sources.seed import Role, Seed


class HomepageLinks(msgspec.Struct, frozen=True):
    """The sitemaps that the homepage links to; its feeds only if asked for, or if nothing else was found.

    >>> [seed.role.value for seed in HomepageLinks(feeds=True).seeds("https://example.com/")]
    ['links and feeds']
    """

    feeds: bool = False

    def seeds(self, homepage_url: str) -> Iterable[Seed]:
        """The homepage."""
        yield Seed(homepage_url, Role.LINKS_AND_FEEDS if self.feeds else Role.LINKS)
