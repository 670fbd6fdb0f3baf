"""What a source gives: the first URLs of a crawl, and what each of them is expected to be."""

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Protocol

import msgspec

from usp.exceptions import InvalidOptionException


class Role(StrEnum):
    """Why a URL is asked for, which decides what it leaves in the tree when it is no sitemap."""

    DECLARED = "declared"
    """Somebody says that a sitemap is there: if not, an ``InvalidSitemap`` says why."""
    ROBOTS = "robots"
    """A robots.txt: leaves nothing unless it is one, but what hides it makes the tree incomplete."""
    GUESSED = "guessed"
    """A usual place: leaves nothing unless a sitemap is there that the tree does not have yet."""
    LINKS = "links"
    """An HTML page: leaves nothing itself, the sitemaps that it links to are declared."""
    LINKS_AND_FEEDS = "links and feeds"
    """The same, and the feeds that it links to are guessed."""


class Seed(msgspec.Struct, frozen=True):
    """One first URL. ``level`` and ``parent_urls`` are set where a crawl goes on from within somebody else's tree;
    ``quiet`` if it is no news that nothing is there."""

    url: str
    role: Role
    level: int = 0
    parent_urls: frozenset[str] = frozenset()
    quiet: bool = False


class Source(Protocol):
    """One way to find first URLs. Write one of your own to begin elsewhere."""

    def seeds(self, homepage_url: str) -> Iterable[Seed]:
        """The first URLs for a homepage, whose URL ends in ``/``."""


def check_texts(name: str, values: object) -> None:
    """Refuse what is no collection of texts: a single one, which is a collection of letters, above all."""
    if isinstance(values, str) or not isinstance(values, Collection):
        raise InvalidOptionException(f"{name} must be a sequence of texts, not {values!r:.200}")
    for value in values:
        if not isinstance(value, str):
            raise InvalidOptionException(f"{name} must hold texts, not {value!r:.200}")
