"""``tree``: the tree drawn for people, with kinds, counts and outcomes.

Laws: what a site says is not trusted: nothing of it can break a line or reach the terminal as an escape sequence.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from usp.exceptions import InvalidOptionException
from usp.objects.page import SitemapPage
from usp.objects.sitemap import AbstractPagesSitemap, AbstractSitemap, IndexWebsiteSitemap, InvalidSitemap
from usp.outputs.batches import LONGEST, check_tree
from usp.outputs.delivery import BinaryFile, LinesWriter, deliver
from usp.outputs.kinds import kind_of
from usp.outputs.text import counted, url_on_a_line, words_on_a_line
from usp.problems import Outcome, Severity


class _Branches(NamedTuple):
    """How the drawing goes on to a child, past it, to the last one, and past that."""

    child: str
    beside: str
    last: str
    below_last: str
    more: str


_LINES = _Branches("├── ", "│   ", "└── ", "    ", "…")
_ASCII = _Branches("|-- ", "|   ", "`-- ", "    ", "...")


def write_tree(
    tree: AbstractSitemap,
    file: BinaryFile,
    *,
    depth: int | None = None,
    pages: int = 0,
    encoding: str = "utf-8",
) -> None:
    """Draw a tree: ``depth`` levels of it, with the first ``pages`` pages of each sitemap.

    >>> import io
    >>> from usp.parsing import parse
    >>> file = io.BytesIO()
    >>> write_tree(parse("https://example.com/cats", url="https://example.com/sitemap.txt"), file, pages=1)
    >>> print(file.getvalue().decode())
    https://example.com/sitemap.txt  text list, 1 page
    └── https://example.com/cats
    <BLANKLINE>
    """
    check_tree(tree)
    for name, number, least in (("depth", 0 if depth is None else depth, 0), ("pages", pages, 0)):
        if not isinstance(number, int) or number < least:
            raise InvalidOptionException(f"{name} must be a whole number of at least {least}, not {number!r}")
    drawing = _Drawing(depth, pages, _branches(encoding))
    lines = drawing.lines(tree)
    deliver(iter(lambda: [*islice(lines, LONGEST)], []), LinesWriter(file, encoding))


def _branches(encoding: str) -> _Branches:
    try:
        "".join(_LINES).encode(encoding)
    except UnicodeEncodeError:
        return _ASCII
    return _LINES


class _Drawing:
    def __init__(self, depth: int | None, pages: int, branches: _Branches) -> None:
        self._depth = depth
        self._pages = pages
        self._branches = branches

    def lines(self, tree: AbstractSitemap) -> Iterator[str]:
        """The drawing, line by line."""
        yield self._described(tree)
        walks = [("", self._below(tree, 0))]
        while walks:
            front, left = walks[-1]
            if not left:
                walks.pop()
                continue
            item, is_last = left.pop(), not left
            branch, further = self._branches[2:4] if is_last else self._branches[:2]
            if isinstance(item, str):
                yield front + branch + item
            else:
                yield front + branch + self._described(item)
                walks.append((front + further, self._below(item, len(walks))))

    def _below(self, sitemap: AbstractSitemap, level: int) -> list[AbstractSitemap | str]:
        """What is drawn below a sitemap, the last one first: pages, then sitemaps."""
        items: list[AbstractSitemap | str] = [*self._page_lines(sitemap)]
        if self._depth is None or level < self._depth:
            items += sitemap.sub_sitemaps
        elif sitemap.sub_sitemaps:
            items.append(f"{self._branches.more} {', '.join(self._sizes(sitemap.all_sitemaps()))}")
        return items[::-1]

    def _page_lines(self, sitemap: AbstractSitemap) -> Iterator[str]:
        if not self._pages:
            return
        yield from map(_page_line, sitemap.pages[: self._pages])
        if len(sitemap.pages) > self._pages:
            yield f"{self._branches.more} {len(sitemap.pages) - self._pages:,} more"

    def _sizes(self, sitemaps: Iterable[AbstractSitemap]) -> list[str]:
        """How many sitemaps these are, and how many pages they have."""
        number = pages = 0
        for sitemap in sitemaps:
            number += 1
            pages += len(sitemap.pages)
        return [counted(number, "sitemap"), counted(pages, "page")]

    def _described(self, sitemap: AbstractSitemap) -> str:
        """A sitemap in one line."""
        return f"{url_on_a_line(sitemap.url)}  {words_on_a_line(', '.join(self._facts(sitemap)))}"

    def _facts(self, sitemap: AbstractSitemap) -> Iterator[str]:
        if isinstance(sitemap, InvalidSitemap):
            yield f"{sitemap.outcome or 'invalid'}: {sitemap.reason}"
            return
        yield kind_of(sitemap).words
        if isinstance(sitemap, IndexWebsiteSitemap):
            yield from self._sizes(sitemap.all_sitemaps())
            yield "complete" if sitemap.complete else "not complete"
            return
        if sitemap.sub_sitemaps:
            yield counted(len(sitemap.sub_sitemaps), "sitemap")
        if isinstance(sitemap, AbstractPagesSitemap) or len(sitemap.pages):
            yield counted(len(sitemap.pages), "page")
        if sitemap.outcome not in (Outcome.OK, None):
            yield str(sitemap.outcome)
        if sitemap.problems.worst() in (Severity.LOSS, Severity.FATAL):
            yield counted(sitemap.problems.total, "problem")


def _page_line(page: SitemapPage) -> str:
    return f"{url_on_a_line(page.url)}  {words_on_a_line(page.lastmod or '')}".rstrip()
