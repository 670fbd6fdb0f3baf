"""The pages of one sitemap: a list to look at, a few packed blocks to keep.

Laws: behaves as the list of pages that programs expect, and never holds it. Walking unpacks one block at a time; an
index or a slice unpacks only the blocks that it touches; the length needs none. Nothing changes after construction, so
any number of threads may read. Pages are made anew each time they are asked for: equal, not identical.
"""

import weakref
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from operator import eq
from typing import ClassVar, NamedTuple, TypeGuard, overload

from usp.objects.page import SitemapPage
from usp.pages.typed import typed_pages
from usp.rows import Block, Row, unpack


class BlockPages(Sequence[SitemapPage]):
    """The pages in packed blocks, as a sequence.

    >>> from usp.rows import MemoryBlock, pack
    >>> pages = BlockPages([MemoryBlock(pack([Row("https://example.com/"), Row("https://example.com/cats")]), 2)])
    >>> len(pages), pages[-1].url, [page.url for page in pages[:1]]
    (2, 'https://example.com/cats', ['https://example.com/'])
    """

    __slots__ = ("__weakref__", "_blocks", "_starts")

    _last_unpacked: ClassVar["_Unpacked | None"] = None
    """One block for the whole process: a program that looks at the first page of each of its 50,000 sitemaps must not
    end up with 50,000 blocks unpacked."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = tuple(blocks)
        self._starts = tuple(accumulate((block.rows for block in self._blocks), initial=0))

    def rows(self) -> Iterator[Row]:
        """The pages in the site's own words, one after the other."""
        return chain.from_iterable(unpack(block.packed()) for block in self._blocks)

    def __len__(self) -> int:
        return self._starts[-1]

    def __iter__(self) -> Iterator[SitemapPage]:
        return chain.from_iterable(typed_pages(block.packed()) for block in self._blocks)

    @overload
    def __getitem__(self, index: int) -> SitemapPage: ...
    @overload
    def __getitem__(self, index: slice) -> list[SitemapPage]: ...
    def __getitem__(self, index: int | slice) -> SitemapPage | list[SitemapPage]:
        positions = range(len(self))[index]
        if isinstance(positions, range):
            return self._pages_at(positions)
        number = self._block_of(positions)
        return self._unpacked(number)[positions - self._starts[number]].page()

    def _pages_at(self, positions: range) -> list[SitemapPage]:
        pages = []
        number, rows = -1, []
        for position in positions:
            wanted = self._block_of(position)
            if wanted != number:
                number, rows = wanted, self._unpacked(wanted)
            pages.append(rows[position - self._starts[number]].page())
        return pages

    def _block_of(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1

    def _unpacked(self, number: int) -> list[Row]:
        """The rows of a block; programs that walk by index ask for the same block a thousand times."""
        last = BlockPages._last_unpacked
        if last is not None and last.number == number and last.pages() is self:
            return last.rows
        rows = unpack(self._blocks[number].packed())
        BlockPages._last_unpacked = _Unpacked(weakref.ref(self), number, rows)
        return rows

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, SitemapPage):
            return any(page == value for page in self)
        return any(row.url == value.url and row.page() == value for row in self.rows())

    def __eq__(self, other: object) -> bool:
        if not _is_list_like(other):
            return NotImplemented
        if isinstance(other, BlockPages) and self._blocks == other._blocks:
            return True
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Sequence[object]) -> list[object]:
        return [*self, *other] if _is_list_like(other) else NotImplemented

    def __radd__(self, other: Sequence[object]) -> list[object]:
        return [*other, *self] if _is_list_like(other) else NotImplemented

    def __repr__(self) -> str:
        return f"<BlockPages: {len(self)} page{'' if len(self) == 1 else 's'}>"

    def __reduce__(self) -> tuple[type["BlockPages"], tuple[tuple[Block, ...]]]:
        return BlockPages, (self._blocks,)


class _Unpacked(NamedTuple):
    """The rows of one block; a weak reference, so that it keeps no pages (and no spooled file) alive."""

    pages: "weakref.ref[BlockPages]"
    number: int
    rows: list[Row]


def _is_list_like(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
