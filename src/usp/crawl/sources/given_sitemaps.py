"""Sitemaps that the caller knows."""

from collections.abc import Iterable

import msgspec

from usp.crawl.sources.seed import Role, Seed, check_texts
from usp.exceptions import InvalidOptionException
from usp.values.urls import is_http_url, resolve


class GivenSitemaps(msgspec.Struct, frozen=True):
    """URLs of sitemaps, absolute or relative to the homepage.

    >>> [seed.url for seed in GivenSitemaps(("maps/a.xml",)).seeds("https://example.com/")]
    ['https://example.com/maps/a.xml']
    """

    urls: tuple[str, ...]

    def __post_init__(self) -> None:
        check_texts("GivenSitemaps.urls", self.urls)

    def seeds(self, homepage_url: str) -> Iterable[Seed]:
        """One seed a URL."""
        for written in self.urls:
            url = resolve(homepage_url, written)
            if url is None or not is_http_url(url):
                raise InvalidOptionException(f"A sitemap to begin with is no HTTP(S) URL: {written!r:.200}")
            yield Seed(url, Role.DECLARED)
