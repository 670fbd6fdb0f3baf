"""Rows: pages in the site's own words, and their packing into blocks.

Laws: a row holds strings only (or nothing), exactly as the document means them once references are decoded and white
space is trimmed; it becomes a typed ``SitemapPage`` when somebody asks, not before. A block is MessagePack
``[VERSION, [row, ...]]`` with at most ``ROWS_A_BLOCK`` rows, each an array in the order of the fields of ``Row`` whose
trailing nils may be left out. The compiled reader writes the same bytes; a change of the format raises ``VERSION``.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

VERSION = 1
ROWS_A_BLOCK = 1000


class NewsRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A news story, or what an item of a feed says beside its link."""

    title: str | None = None
    publication_date: str | None = None
    name: str | None = None
    language: str | None = None
    access: str | None = None
    genres: str | None = None
    keywords: str | None = None
    stock_tickers: str | None = None


class ImageRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    loc: str
    caption: str | None = None
    geo_location: str | None = None
    title: str | None = None
    license: str | None = None


class PriceRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    price: str
    currency: str | None = None
    type: str | None = None
    resolution: str | None = None


class VideoRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    content_loc: str | None = None
    player_loc: str | None = None
    duration: str | None = None
    expiration_date: str | None = None
    rating: str | None = None
    view_count: str | None = None
    publication_date: str | None = None
    family_friendly: str | None = None
    restriction: str | None = None
    restriction_relationship: str | None = None
    platform: str | None = None
    platform_relationship: str | None = None
    requires_subscription: str | None = None
    uploader: str | None = None
    uploader_info: str | None = None
    live: str | None = None
    category: str | None = None
    gallery_loc: str | None = None
    tags: list[str] = []
    prices: list[PriceRow] = []


class Row(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One page as the site wrote it, and the line on which it begins."""

    url: str
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    line: int = 0
    news: NewsRow | None = None
    images: list[ImageRow] | None = None
    videos: list[VideoRow] | None = None
    alternates: list[tuple[str, str]] | None = None


class Block(Protocol):
    """A packed block, wherever it is kept."""

    @property
    def rows(self) -> int:
        """How many rows are in it."""

    def packed(self) -> bytes:
        """The bytes of the block."""


KeepBlock = Callable[[bytes, int], Block]
"""Where the blocks of a document go as they are packed: given the bytes and the number of rows."""


class MemoryBlock(msgspec.Struct, frozen=True, gc=False):
    """A block kept as the bytes it is."""

    data: bytes
    rows: int

    def packed(self) -> bytes:
        return self.data


class _PackedBlock(msgspec.Struct, array_like=True, frozen=True):
    version: int
    rows: list[Row]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_PackedBlock).decode


def pack(rows: Sequence[Row | tuple[Any, ...]]) -> bytes:
    """Pack rows (or tuples of the same shape) into the bytes of a block."""
    return _encode((VERSION, rows))


def unpack(block: bytes) -> list[Row]:
    """The rows of a packed block."""
    return _decode(block).rows
