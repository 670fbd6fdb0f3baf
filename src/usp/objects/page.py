"""The pages of a sitemap, typed: what a program holds in its hands.

Laws: values only. Nothing here reads, fetches or logs. Every class is frozen and holds what it was given; what a
document does not say is None (an empty list for the lists of a story or a video). What the site wrote and how exactly
(``lastmod``, its precision) stays readable beside the typed value, but out of ``==`` and ``to_dict``. A site can list
millions of pages: creating one must stay as cheap as a struct is, so nothing is computed before it is asked for.
"""

from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, force_setattr

from usp.values.dates import Precision, date_precision
from usp.values.numbers import DEFAULT_PRIORITY

SITEMAP_PAGE_DEFAULT_PRIORITY = DEFAULT_PRIORITY
"""The priority of a page whose site names none, or none from 0.0 to 1.0."""


class SitemapPageChangeFrequency(Enum):
    """How often a page is likely to change.

    >>> SitemapPageChangeFrequency("daily")
    <SitemapPageChangeFrequency.DAILY: 'daily'>
    """

    ALWAYS = "always"
    HOURLY = "hourly"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"
    NEVER = "never"

    @classmethod
    def has_value(cls, value: str) -> bool:
        """Whether one of the frequencies has this value, letter for letter.

        >>> SitemapPageChangeFrequency.has_value("daily"), SitemapPageChangeFrequency.has_value("often")
        (True, False)
        """
        return any(value == member.value for member in cls)


class SitemapNewsStory(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """A story of a news sitemap, or what an item of a feed says; title and date are None where the site gave none."""

    title: str | None
    publish_date: datetime | None
    publication_name: str | None = None
    publication_language: str | None = None
    access: str | None = None
    genres: list[str] = []
    keywords: list[str] = []
    stock_tickers: list[str] = []

    def __post_init__(self) -> None:
        if self.genres is None or self.keywords is None or self.stock_tickers is None:
            for name in ("genres", "keywords", "stock_tickers"):
                if getattr(self, name) is None:  # old programs give None, and read it back as []
                    force_setattr(self, name, [])

    def __hash__(self) -> int:
        return hash((self.title, self.publish_date))

    def to_dict(self) -> dict[str, Any]:
        """The story as a dictionary."""
        return {name: _copied(value) for name, value in asdict(self).items()}


class SitemapImage(Struct, frozen=True, gc=False, repr_omit_defaults=True, rename={"license_": "license"}):
    """One image of a page.

    >>> SitemapImage("https://example.com/cat.jpg", license_="https://example.com/terms").license
    'https://example.com/terms'
    """

    loc: str
    caption: str | None = None
    geo_location: str | None = None
    title: str | None = None
    license_: str | None = None

    @property
    def license(self) -> str | None:
        """The URL of the image's licence."""
        return self.license_

    def to_dict(self) -> dict[str, Any]:
        """The image as a dictionary."""
        return {
            "loc": self.loc,
            "caption": self.caption,
            "geo_location": self.geo_location,
            "title": self.title,
            "license": self.license_,
        }


class SitemapVideoPrice(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """What a video costs: to own or to rent (``type``), in which ``resolution``."""

    price: Decimal | None
    currency: str | None = None
    type: str | None = None
    resolution: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The price as a dictionary."""
        return asdict(self)


class SitemapVideo(Struct, frozen=True, gc=False, kw_only=True, repr_omit_defaults=True):
    """One video of a page.

    ``restriction`` and ``platform`` are the site's lists of countries and devices, and the ``…_relationship`` beside
    them says whether the list allows or denies; without a list there is no restriction.

    >>> SitemapVideo(title="Grilling", duration=600)
    SitemapVideo(title='Grilling', duration=600)
    """

    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None
    expiration_date: datetime | None = None
    rating: Decimal | None = None
    view_count: int | None = None
    publication_date: datetime | None = None
    family_friendly: bool | None = None
    restriction: str | None = None
    restriction_relationship: str | None = None
    platform: str | None = None
    platform_relationship: str | None = None
    requires_subscription: bool | None = None
    uploader: str | None = None
    uploader_info: str | None = None
    live: bool | None = None
    category: str | None = None
    gallery_loc: str | None = None
    tags: list[str] = []
    prices: list[SitemapVideoPrice] = []

    def __hash__(self) -> int:
        return hash((self.title, self.content_loc, self.player_loc))

    def to_dict(self) -> dict[str, Any]:
        """The video as a dictionary."""
        said = {name: _copied(value) for name, value in asdict(self).items()}
        said["prices"] = [price.to_dict() for price in self.prices]
        return said


class _BesideThePage(Struct, frozen=True, gc=False, kw_only=True):
    """What came after the promised seven fields of a page, and is given by name only."""

    videos: list[SitemapVideo] | None = None
    lastmod: str | None = None


class SitemapPage(_BesideThePage, frozen=True, gc=False, repr_omit_defaults=True):
    """One page that a sitemap lists.

    ``images``, ``alternates`` (pairs of hreflang and URL), ``videos`` and ``news_story`` are None where the document
    has none. ``lastmod`` is the date in the site's own words; all but that must be equal for pages to be equal.

    >>> page = SitemapPage("https://example.com/", last_modified=datetime(2024, 1, 1), lastmod="2024")
    >>> page.priority, page.last_modified, page.lastmod
    (Decimal('0.5'), datetime.datetime(2024, 1, 1, 0, 0), '2024')
    """

    url: str
    priority: Decimal = SITEMAP_PAGE_DEFAULT_PRIORITY
    last_modified: datetime | None = None
    change_frequency: SitemapPageChangeFrequency | None = None
    news_story: SitemapNewsStory | None = None
    images: list[SitemapImage] | None = None
    alternates: list[tuple[str, str]] | None = None

    @property
    def last_modified_precision(self) -> Precision | None:
        """How exactly the site dated the page: ``lastmod`` may be a year only. None where there is no such date."""
        return date_precision(self.lastmod)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SitemapPage):
            return NotImplemented
        return (
            self.url == other.url
            and self.priority == other.priority
            and self.last_modified == other.last_modified
            and self.change_frequency == other.change_frequency
            and self.news_story == other.news_story
            and self.images == other.images
            and self.alternates == other.alternates
            and self.videos == other.videos
        )

    def __hash__(self) -> int:
        return hash(self.url)

    def to_dict(self) -> dict[str, Any]:
        """The page as a dictionary; ``alternates`` and ``videos`` are keys only where the page has them.

        >>> sorted(SitemapPage("https://example.com/").to_dict())
        ['change_frequency', 'images', 'last_modified', 'news_story', 'priority', 'url']
        """
        said: dict[str, Any] = {
            "url": self.url,
            "priority": self.priority,
            "last_modified": self.last_modified,
            "change_frequency": self.change_frequency.value if self.change_frequency else None,
            "news_story": self.news_story.to_dict() if self.news_story else None,
            "images": [image.to_dict() for image in self.images] if self.images else None,
        }
        if self.alternates:
            said["alternates"] = list(self.alternates)
        if self.videos:
            said["videos"] = [video.to_dict() for video in self.videos]
        return said


def _copied(value: Any) -> Any:
    """The value, or a copy of a list: who changes a dictionary must not change the page that gave it."""
    return list(value) if isinstance(value, list) else value
