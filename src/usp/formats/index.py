"""Indexes of sitemaps: <sitemapindex>. https://www.sitemaps.org/protocol.html#index"""

from usp.formats.urlset import REFERENCE, PagesXMLSitemapParser
from usp.messages import Kind


class IndexXMLSitemapParser(PagesXMLSitemapParser):
    """Reads <sitemapindex>, whose own entries are references; the grammar is that of <urlset>."""

    kind = Kind.INDEX
    own_entry = REFERENCE
