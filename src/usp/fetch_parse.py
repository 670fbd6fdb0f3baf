"""Promised names of the parsers, gathered from their real homes. The core never imports this module."""

from usp.formats.abstract import AbstractSitemapParser
from usp.formats.atom import PagesAtomSitemapParser
from usp.formats.elements import AbstractXMLSitemapParser
from usp.formats.index import IndexXMLSitemapParser
from usp.formats.robots import IndexRobotsTxtSitemapParser
from usp.formats.rss import PagesRSSSitemapParser
from usp.formats.text import PlainTextSitemapParser
from usp.formats.urlset import PagesXMLSitemapParser
from usp.formats.xml import XMLSitemapParser
from usp.objects.sitemap import AbstractSitemap
from usp.parsing import parse

__all__ = [
    "AbstractSitemapParser",
    "AbstractXMLSitemapParser",
    "IndexRobotsTxtSitemapParser",
    "IndexXMLSitemapParser",
    "PagesAtomSitemapParser",
    "PagesRSSSitemapParser",
    "PagesXMLSitemapParser",
    "PlainTextSitemapParser",
    "SitemapStrParser",
    "XMLSitemapParser",
]


class SitemapStrParser:
    """Reads one sitemap from the text of its document: ``usp.parse`` under an old name."""

    def __init__(self, static_content: str) -> None:
        self._static_content = static_content

    def sitemap(self) -> AbstractSitemap:
        """The sitemap that the text is."""
        return parse(self._static_content)
