"""The ways to find the first URLs of a site, one a file, tried in the order of the tuple ``DEFAULT_SOURCES``."""

from usp.crawl.sources.given_sitemaps import GivenSitemaps
from usp.crawl.sources.homepage_links import HomepageLinks
from usp.crawl.sources.known_paths import KnownPaths
from usp.crawl.sources.robots_txt import RobotsTxt
from usp.crawl.sources.seed import Role, Seed, Source

DEFAULT_SOURCES: tuple[Source, ...] = (RobotsTxt(), KnownPaths(), HomepageLinks())

__all__ = [
    "DEFAULT_SOURCES",
    "GivenSitemaps",
    "HomepageLinks",
    "KnownPaths",
    "RobotsTxt",
    "Role",
    "Seed",
    "Source",
]
