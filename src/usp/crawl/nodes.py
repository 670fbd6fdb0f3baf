"""The node of the tree that a document becomes."""

from collections.abc import Sequence

from usp.messages import Document, Kind
from usp.objects.page import SitemapPage
from usp.objects.sitemap import (
    AbstractIndexSitemap,
    AbstractPagesSitemap,
    AbstractSitemap,
    IndexRobotsTxtSitemap,
    IndexXMLSitemap,
    InvalidSitemap,
    PagesAtomSitemap,
    PagesRSSSitemap,
    PagesTextSitemap,
    PagesXMLSitemap,
)

_INDEXES: dict[Kind, type[AbstractIndexSitemap]] = {
    Kind.INDEX: IndexXMLSitemap,
    Kind.ROBOTS: IndexRobotsTxtSitemap,
}
_PAGES: dict[Kind, type[AbstractPagesSitemap]] = {
    Kind.URLSET: PagesXMLSitemap,
    Kind.TEXT: PagesTextSitemap,
    Kind.RSS: PagesRSSSitemap,
    Kind.ATOM: PagesAtomSitemap,
}


def node_of(
    document: Document,
    pages: Sequence[SitemapPage],
    sub_sitemaps: list[AbstractSitemap],
    *,
    url: str | None = None,
    lastmod: str | None = None,
) -> AbstractSitemap:
    """The sitemap that a document is, with its pages and the nodes of its references; invalid if it is none.

    ``url`` is how the place spells the document's URL.
    """
    url = document.url if url is None else url
    problems, outcome = document.problems, document.outcome
    if document.usable and document.kind in _INDEXES:
        index = _INDEXES[document.kind]
        return index(url, sub_sitemaps, pages=pages, problems=problems, outcome=outcome, lastmod=lastmod)
    if document.usable and document.kind in _PAGES:
        kind = _PAGES[document.kind]
        return kind(url, pages, sub_sitemaps=sub_sitemaps, problems=problems, outcome=outcome, lastmod=lastmod)
    return InvalidSitemap(url, document.reason, problems=problems, outcome=outcome, lastmod=lastmod)
