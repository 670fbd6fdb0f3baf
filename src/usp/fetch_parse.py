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

__all__ = [
    "AbstractSitemapParser",
    "AbstractXMLSitemapParser",
    "IndexRobotsTxtSitemapParser",
    "IndexXMLSitemapParser",
    "PagesAtomSitemapParser",
    "PagesRSSSitemapParser",
    "PagesXMLSitemapParser",
    "PlainTextSitemapParser",
    "XMLSitemapParser",
]
