"""Promised names of the parsers, gathered from their real homes. The core never imports this module."""

from usp.compiled import native_reader
from usp.crawl.callbacks import RecurseCallbackType, RecurseListCallbackType
from usp.crawl.rules import Rules
from usp.crawl.sources import Role, Seed
from usp.exceptions import SitemapException
from usp.fetching.guard import Guard
from usp.formats.abstract import AbstractSitemapParser
from usp.formats.atom import PagesAtomSitemapParser
from usp.formats.elements import AbstractXMLSitemapParser
from usp.formats.index import IndexXMLSitemapParser
from usp.formats.robots import IndexRobotsTxtSitemapParser
from usp.formats.rss import PagesRSSSitemapParser
from usp.formats.text import PlainTextSitemapParser
from usp.formats.urlset import PagesXMLSitemapParser
from usp.formats.xml import XMLSitemapParser
from usp.limits import DEFAULT_LIMITS
from usp.objects.sitemap import AbstractSitemap
from usp.options import fetcher_of
from usp.parsing import parse
from usp.running.assignment import Assignment
from usp.running.runner import Runner
from usp.running.sync import Loop, a_loop_is_running
from usp.values.urls import identity, is_http_url
from usp.web_client.abstract_client import AbstractWebClient

__all__ = [
    "AbstractSitemapParser",
    "AbstractXMLSitemapParser",
    "IndexRobotsTxtSitemapParser",
    "IndexXMLSitemapParser",
    "PagesAtomSitemapParser",
    "PagesRSSSitemapParser",
    "PagesXMLSitemapParser",
    "PlainTextSitemapParser",
    "SitemapFetcher",
    "SitemapStrParser",
    "XMLSitemapParser",
]


class SitemapFetcher:
    """Fetches one sitemap with all below it, and chooses the parser of each.

    >>> from usp.web_client.abstract_client import LocalWebClient
    >>> SitemapFetcher("ftp://example.com/sitemap.xml", 0, LocalWebClient())
    Traceback (most recent call last):
        ...
    usp.exceptions.SitemapException: This is not an HTTP(S) URL: ftp://example.com/sitemap.xml
    """

    def __init__(
        self,
        url: str,
        recursion_level: int,
        web_client: AbstractWebClient | None = None,
        parent_urls: set[str] | None = None,
        quiet_404: bool = False,
        recurse_callback: RecurseCallbackType | None = None,
        recurse_list_callback: RecurseListCallbackType | None = None,
    ) -> None:
        parent_urls = parent_urls or set()
        if not is_http_url(url):
            raise SitemapException(f"This is not an HTTP(S) URL: {url!s:.200}")
        if recursion_level > DEFAULT_LIMITS.depth:
            raise SitemapException(f"Recursion level {recursion_level} is deeper than {DEFAULT_LIMITS.depth}: {url}")
        if identity(url) in map(identity, parent_urls):
            raise SitemapException(f"Recursion detected in URL {url}")
        self._assignment = Assignment(
            homepage_url=url,
            seeds=(Seed(url, Role.DECLARED, recursion_level, frozenset(parent_urls), quiet_404),),
            rules=Rules(recurse_callback=recurse_callback, recurse_list_callback=recurse_list_callback),
            fetcher=fetcher_of(web_client, None, DEFAULT_LIMITS, in_thread=a_loop_is_running()),
            guard=Guard(),
            native=native_reader(),
        )

    def sitemap(self) -> AbstractSitemap:
        """The sitemap, with all below it; an ``InvalidSitemap`` if there is none."""
        runner = Runner(self._assignment)
        with Loop() as loop:
            loop.run(runner.run)
        return runner.sitemap()


class SitemapStrParser:
    """Reads one sitemap from the text of its document: ``usp.parse`` under an old name."""

    def __init__(self, static_content: str) -> None:
        self._static_content = static_content

    def sitemap(self) -> AbstractSitemap:
        """The sitemap that the text is."""
        return parse(self._static_content)
