"""What a caller gives to an output, as lists of pages with the sitemap that lists each.

Laws: nothing is held but one list. A list ends where its sitemap ends, as far as that is known: whoever writes it down
has written all there is before the next sitemap is waited for.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, repeat

from usp.exceptions import InvalidSourceException
from usp.objects.page import SitemapPage
from usp.objects.sitemap import AbstractSitemap

LONGEST = 1000

Listed = tuple[SitemapPage, AbstractSitemap | None]
"""A page, and the sitemap that lists it where that is known. The pages of a stream are such pairs."""


class Batches:
    """Pages that are in lists already."""

    def __init__(self, lists: Iterable[list[Listed]]) -> None:
        self._lists = lists

    def __iter__(self) -> Iterator[list[Listed]]:
        return iter(self._lists)


Source = AbstractSitemap | Iterable[SitemapPage] | Iterable[Listed] | Batches
"""A tree or one sitemap, a stream, or any pages."""


def batches(source: Source) -> Batches:
    """The pages of a source, in lists of at most so many.

    >>> pages = [SitemapPage("https://example.com/"), SitemapPage("https://example.com/cats")]
    >>> [[page.url for page, sitemap in batch] for batch in batches(pages)]
    [['https://example.com/', 'https://example.com/cats']]
    """
    if isinstance(source, Batches):
        return source
    if isinstance(source, AbstractSitemap):
        return Batches(_of_tree(source))
    if not isinstance(source, Iterable):
        raise InvalidSourceException(f"cannot write {type(source).__name__}: give a tree, a stream or pages")
    return Batches(_of_pages(iter(source)))


def check_tree(tree: object) -> None:
    """Raise for what is no tree."""
    if not isinstance(tree, AbstractSitemap):
        raise InvalidSourceException(f"cannot write {type(tree).__name__} as a tree: give a sitemap")


def of_sitemap(pages: Iterable[SitemapPage], sitemap: AbstractSitemap) -> Iterator[list[Listed]]:
    """Pages of one sitemap."""
    listed = zip(pages, repeat(sitemap))
    while batch := list[Listed](islice(listed, LONGEST)):
        yield batch


def _of_tree(tree: AbstractSitemap) -> Iterator[list[Listed]]:
    yield from of_sitemap(tree.pages, tree)
    for sitemap in tree.all_sitemaps():
        yield from of_sitemap(sitemap.pages, sitemap)


def _of_pages(items: Iterator[SitemapPage | Listed]) -> Iterator[list[Listed]]:
    current, left = None, 0
    for first in items:
        if isinstance(first, SitemapPage):
            yield [_listed(first), *map(_listed, islice(items, LONGEST - 1))]
            continue
        sitemap = _listed(first)[1]
        if sitemap is not current:
            current, left = sitemap, len(sitemap.pages) if sitemap else LONGEST
        batch = [_listed(first), *map(_listed, islice(items, max(min(left, LONGEST), 1) - 1))]
        left -= len(batch)
        yield batch


def _listed(item: object) -> Listed:
    if isinstance(item, SitemapPage):
        return item, None
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], SitemapPage):
        return item
    raise InvalidSourceException(f"cannot write {type(item).__name__}: give pages, or pages with their sitemaps")
