"""Which pages are wanted: by URL, date, sitemap, and how many.

Laws: what has no certain date stays, as it does for ``--since``. Of the sitemaps that robots.txt names each is opened,
for it may be an index of wanted ones; below an index only what matches is.
"""

from argparse import Namespace
from collections.abc import Callable, Iterator
from datetime import datetime

from usp.crawl.since import Since, length
from usp.formats.seen import SeenUrls
from usp.objects.page import SitemapPage
from usp.objects.sitemap import AbstractIndexSitemap, AbstractPagesSitemap, AbstractSitemap
from usp.outputs.batches import Listed
from usp.pages.block_pages import BlockPages
from usp.pages.spool import Spool
from usp.rows import ROWS_A_BLOCK, Row, pack
from usp.values.dates import date_precision, in_utc, parse_date

Matches = Callable[[str], bool]

_HOLDERS = (AbstractIndexSitemap, AbstractPagesSitemap)
"""The sitemaps that hold anything."""


def since_of(options: Namespace) -> datetime | None:
    """The moment of ``--since``, as a crawl takes it."""
    return parse_date(options.since)


class Selection:
    """Chooses pages, in the order of the tree; one for each time that they are gone through."""

    def __init__(self, options: Namespace) -> None:
        since = since_of(options)
        self._since = Since(since) if since else None
        self._end = _end_of(options.until)
        self._include: list[Matches] = options.include
        self._exclude: list[Matches] = options.exclude
        self._sitemaps: list[Matches] = options.sitemaps
        self._seen = SeenUrls() if options.unique else None
        self._left: int | None = options.limit
        self.chooses = any((since, options.until, self._include, self._exclude, self._sitemaps, options.unique))
        """Whether pages are left out for what they are."""

    @property
    def is_full(self) -> bool:
        """Whether there are pages enough."""
        return self._left == 0

    def follows(self, url: str, recursion_level: int, parent_urls: set[str]) -> bool:  # noqa: ARG002 - as it is called
        """Whether a sitemap is to be fetched: the ``recurse_callback`` of the crawl."""
        return not self._sitemaps or recursion_level == 0 or _any(self._sitemaps, url)

    def of_batch(self, batch: list[Listed]) -> list[Listed]:
        """The pages of a list that are wanted."""
        if self.chooses:
            batch = [listed for listed in batch if self._wants(*listed)]
        if self._left is not None:
            batch = batch[: self._left]
            self._left -= len(batch)
        return batch

    def prune(self, tree: AbstractSitemap) -> None:
        """Leave only the pages in a tree that are wanted."""
        if not self.chooses and self._left is None:
            return
        spool = Spool()
        for sitemap in (tree, *tree.all_sitemaps()):
            if isinstance(sitemap, _HOLDERS) and isinstance(sitemap.pages, BlockPages):
                blocks = _in_blocks(self._rows(sitemap, sitemap.pages))
                sitemap.pages = BlockPages(spool.keep(pack(rows), len(rows)) for rows in blocks)

    def _rows(self, sitemap: AbstractSitemap, pages: BlockPages) -> Iterator[Row]:
        for row in pages.rows():
            if self.is_full:
                return
            if self.of_batch([(row.page(), sitemap)]):
                yield row

    def _wants(self, page: SitemapPage, sitemap: AbstractSitemap | None) -> bool:
        url = page.url
        return (
            (not self._include or _any(self._include, url))
            and not _any(self._exclude, url)
            and (not self._sitemaps or (sitemap is not None and _any(self._sitemaps, sitemap.url)))
            and self._is_of_the_time(page)
            and (self._seen is None or self._seen.add(url))
        )

    def _is_of_the_time(self, page: SitemapPage) -> bool:
        if self._since is None and self._end is None:
            return True
        date, words = page.last_modified, page.lastmod
        if not words and page.news_story is not None:
            date = page.news_story.publish_date
            words = date.isoformat() if date else None
        if self._since is not None and not self._since.admits(words):
            return False
        return self._end is None or date is None or in_utc(date) < self._end


def cut_after(tree: AbstractSitemap, number: int) -> None:
    """End a tree, in its own order, with the sitemap that has the page of this number, counted from 0.

    What a stream has read ahead depends on how fast a site answers; what is said of a site must not.
    """
    path: list[tuple[AbstractSitemap, int]] = [(tree, 0)]
    number -= len(tree.pages)
    while number >= 0 and path:
        sitemap, position = path.pop()
        if position < len(sitemap.sub_sitemaps):
            below = sitemap.sub_sitemaps[position]
            path += [(sitemap, position + 1), (below, 0)]
            number -= len(below.pages)
    for sitemap, position in path:
        if isinstance(sitemap, _HOLDERS):
            sitemap.sub_sitemaps = sitemap.sub_sitemaps[:position]


def _any(patterns: list[Matches], url: str) -> bool:
    return any(matches(url) for matches in patterns)


def _end_of(words: str | None) -> datetime | None:
    """The first moment after what a date names."""
    began = parse_date(words)
    if began is None:
        return None
    try:
        return in_utc(began) + length(began, date_precision(words))
    except OverflowError:  # the last year of all
        return None


def _in_blocks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    block: list[Row] = []
    for row in rows:
        block.append(row)
        if len(block) == ROWS_A_BLOCK:
            yield block
            block = []
    if block:
        yield block
