"""Pages while they are read, with the sitemap that each came from.

Laws: nobody reads far ahead of the consumer: while it does something else, at most the requests under way go on. The
order is that of the tree unless the consumer prefers that of arrival.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from functools import partial
from itertools import islice, repeat
from types import TracebackType
from typing import NamedTuple, Self

from usp.crawl.places import Place
from usp.objects.page import SitemapPage
from usp.objects.sitemap import AbstractSitemap, IndexWebsiteSitemap
from usp.running.assignment import Assignment
from usp.running.runner import Runner

READ_AHEAD = 64
"""Sitemaps read before their turn comes: enough to keep all connections busy behind a slow one."""

PAGES_BETWEEN_PAUSES = 1000
"""Pages given before others in the event loop have their turn."""

LEFT_EARLY = "The stream was left before its end."
"""Why a tree is not complete whose stream was closed by its consumer."""


class StreamedPage(NamedTuple):
    """A page, and the sitemap that lists it (without the sitemaps below that one, which may not be known yet)."""

    page: SitemapPage
    sitemap: AbstractSitemap


_streamed_page = partial(tuple.__new__, StreamedPage)


class PageSource:
    """What both faces of a stream share: the pages of one sitemap after the other."""

    def __init__(self, assignment: Assignment) -> None:
        self.runner = Runner(assignment)
        self._left = assignment.rules.limits.pages
        self._tree: IndexWebsiteSitemap | None = None

    def pages(self, places: list[Place]) -> Iterator[StreamedPage]:
        """The pages of some sitemaps, up to the limit."""
        for place in places:
            sitemap = self.runner.node(place)
            # Made without a step of Python for each: a site has millions of pages.
            yield from map(_streamed_page, zip(islice(sitemap.pages, self._left), repeat(sitemap)))
            self._left -= len(sitemap.pages)
            if self._left < 0:
                self.runner.crawl.end_at_limit_of_pages()
                return

    @property
    def tree(self) -> IndexWebsiteSitemap:
        """The tree; what a stream that was left early has not fetched says so."""
        if self._tree is None:
            if not self.runner.crawl.done:
                self.runner.crawl.end(LEFT_EARLY)
            self._tree = self.runner.tree()
        return self._tree


class AsyncPageStream:
    """An asynchronous iterator of ``StreamedPage``; close it, or use it as a context manager, to leave early."""

    def __init__(self, assignment: Assignment) -> None:
        self._source = PageSource(assignment)
        self._pages = _all_pages(self._source)  # which must not know us: a stream that is forgotten ends at once

    @property
    def tree(self) -> IndexWebsiteSitemap:
        """The tree of all that was streamed, with its attempts; asked for before the end, it ends the stream."""
        return self._source.tree

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> StreamedPage:
        return await anext(self._pages)

    async def aclose(self) -> None:
        """Leave the stream: cancel what is under way, close the connections."""
        await self._pages.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


async def _all_pages(source: PageSource) -> AsyncGenerator[StreamedPage, None]:
    sitemaps = source.runner.sitemaps()
    try:
        given = 0
        async for places in sitemaps:
            for page in source.pages(places):
                yield page
                given += 1
                if given % PAGES_BETWEEN_PAUSES == 0:
                    await asyncio.sleep(0)
    finally:
        await sitemaps.aclose()
