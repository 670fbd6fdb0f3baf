"""What a sitemap of a tree is, in a word for programs and in words for people."""

from typing import NamedTuple

from usp.objects.sitemap import (
    AbstractSitemap,
    IndexRobotsTxtSitemap,
    IndexWebsiteSitemap,
    IndexXMLSitemap,
    InvalidSitemap,
    PagesAtomSitemap,
    PagesRSSSitemap,
    PagesTextSitemap,
    PagesXMLSitemap,
)


class Kind(NamedTuple):
    word: str
    words: str


KINDS: dict[type[AbstractSitemap], Kind] = {
    IndexWebsiteSitemap: Kind("website", "web site"),
    IndexRobotsTxtSitemap: Kind("robots", "robots.txt"),
    IndexXMLSitemap: Kind("sitemapindex", "index"),
    PagesXMLSitemap: Kind("urlset", "sitemap"),
    PagesTextSitemap: Kind("text", "text list"),
    PagesRSSSitemap: Kind("rss", "RSS feed"),
    PagesAtomSitemap: Kind("atom", "Atom feed"),
    InvalidSitemap: Kind("invalid", "invalid"),
}


def kind_of(sitemap: AbstractSitemap) -> Kind:
    """The kind of a sitemap; a program's own class counts as the one that it extends.

    >>> kind_of(InvalidSitemap("https://example.com/sitemap.xml", "404 Not Found")).word
    'invalid'
    """
    known = (KINDS[ancestor] for ancestor in type(sitemap).__mro__ if ancestor in KINDS)
    return next(known, Kind(type(sitemap).__name__, type(sitemap).__name__))
