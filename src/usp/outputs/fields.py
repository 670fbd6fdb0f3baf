"""The fields of a page as outputs give it: what the page says, and where that comes from.

Laws: one row of ``FIELDS`` a field, in the order in which outputs give them. ``sitemap`` and ``outcome`` are None where
nobody knows the sitemap.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from usp.exceptions import InvalidOptionException
from usp.objects.page import SitemapPage
from usp.objects.sitemap import AbstractSitemap
from usp.outputs.batches import Listed


class Field(NamedTuple):
    """One field, and how to read it off a page and its sitemap."""

    name: str
    sentence: str
    value: Callable[[SitemapPage, AbstractSitemap | None], Any]


def _alternates(page: SitemapPage, _: AbstractSitemap | None) -> list[dict[str, str]] | None:
    pairs = page.alternates
    return [{"hreflang": hreflang, "href": href} for hreflang, href in pairs] if pairs else None


FIELDS = (
    Field("url", "the page's URL as the site writes it", lambda page, _: page.url),
    Field("lastmod", "when the page changed, in the site's own words", lambda page, _: page.lastmod),
    Field("last_modified", "the same as a date, where it certainly is one", lambda page, _: page.last_modified),
    Field("change_frequency", "how often it is likely to change", lambda page, _: page.change_frequency),
    Field("priority", "from 0 to 1; 0.5 where the site says nothing", lambda page, _: page.priority),
    Field("news_story", "the story of a news sitemap, or the item of a feed", lambda page, _: page.news_story),
    Field("images", "the images of the page", lambda page, _: page.images),
    Field("alternates", "the page in other languages", _alternates),
    Field("videos", "the videos of the page", lambda page, _: page.videos),
    Field("sitemap", "the URL of the sitemap that lists the page", lambda _, sitemap: sitemap and sitemap.url),
    Field("outcome", "what became of that sitemap: ok or truncated", lambda _, sitemap: sitemap and sitemap.outcome),
)

OF_THE_SITEMAP = frozenset({"sitemap", "outcome"})
"""What is not the page's own."""


def fields_named(names: Iterable[str] | None) -> tuple[Field, ...]:
    """The fields of these names, in this order; all fields for None.

    >>> [field.name for field in fields_named(["sitemap", "url"])]
    ['sitemap', 'url']
    """
    if names is None:
        return FIELDS
    if isinstance(names, str):
        raise InvalidOptionException("fields must be a list of names, not a str")
    known = {field.name: field for field in FIELDS}
    wanted = list(names)
    for name in wanted:
        if name not in known:
            raise InvalidOptionException(f"there is no field {name!r:.100}: the fields are {', '.join(known)}")
    if not wanted or len(set(wanted)) < len(wanted):
        raise InvalidOptionException("fields must be one name or more, none of them twice")
    return tuple(known[name] for name in wanted)


def records(batch: Sequence[Listed], fields: Sequence[Field]) -> list[dict[str, Any]]:
    """The pages of a list, as dictionaries."""
    names = [field.name for field in fields]
    return [dict(zip(names, row, strict=True)) for row in rows(batch, fields)]


def rows(batch: Sequence[Listed], fields: Sequence[Field]) -> list[list[Any]]:
    """The pages of a list, as the values of their fields."""
    values = [field.value for field in fields]
    return [[value(page, sitemap) for value in values] for page, sitemap in batch]
