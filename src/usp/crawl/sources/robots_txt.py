"""robots.txt, where sites declare their sitemaps. https://www.rfc-editor.org/rfc/rfc9309"""

from collections.abc import Iterable

import msgspec

from usp.crawl.sources.seed import Role, Seed
from usp.values.urls import strip_url_to_homepage


class RobotsTxt(msgspec.Struct, frozen=True):
    """The robots.txt of the origin and, where the crawl begins in a folder, of that folder.

    >>> [seed.url for seed in RobotsTxt().seeds("https://example.com/docs/")]
    ['https://example.com/robots.txt', 'https://example.com/docs/robots.txt']
    """

    def seeds(self, homepage_url: str) -> Iterable[Seed]:
        """One or two seeds."""
        for folder in dict.fromkeys((strip_url_to_homepage(homepage_url), homepage_url)):
            yield Seed(folder + "robots.txt", Role.ROBOTS)
