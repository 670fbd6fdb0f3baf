"""What a caller gives to an output, as lists of pages with the sitemap that lists each.

Laws: nothing is held but one list. A list ends where its sitemap ends, as far as that is known: whoever writes it down
has written all there is before the next sitemap is waited for.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, repeat
from typing import Any

from usp.exceptions import InvalidSourceException
from usp.objects.page import SitemapPage
from usp.objects.sitemap import AbstractSitemap

LONGEST = 500
"""Pairs in a list. From 700 on (Python's first threshold) each list would outlive a pass of the collector of garbage,
and later ones would walk over all that lives: a tenth of a whole crawl, measured."""

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
            yield _listed([first, *islice(items, LONGEST - 1)])
            continue
        ((_, sitemap),) = _listed([first])
        if sitemap is not current:
            current, left = sitemap, len(sitemap.pages) if sitemap else LONGEST
        batch = _listed([first, *islice(items, max(min(left, LONGEST), 1) - 1)])
        left -= len(batch)
        yield batch


def _listed(items: list[SitemapPage | Listed]) -> list[Listed]:
    """The items as pairs. Most are: their kinds are looked at all at once, for there are millions."""
    kinds = set(map(type, items))
    pairs: list[Any] = items
    if SitemapPage in kinds:
        pairs = [(item, None) if isinstance(item, SitemapPage) else item for item in items]
    if not all(issubclass(kind, tuple | SitemapPage) for kind in kinds) or not _is_pair(pairs[0]):
        wrong = next(item for item in pairs if not _is_pair(item))
        raise InvalidSourceException(f"cannot write {type(wrong).__name__}: give pages, or pairs of a stream")
    return pairs


def _is_pair(item: object) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], SitemapPage)
