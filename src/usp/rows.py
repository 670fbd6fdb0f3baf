"""Rows: pages in the site's own words, and their packing into blocks.

Laws: a row holds strings only (or nothing), exactly as the document means them once references are decoded and white
space is trimmed; it becomes a typed ``SitemapPage`` when somebody asks, not before. A block is MessagePack
``[BLOCK_VERSION, [row, ...]]`` with at most ``ROWS_A_BLOCK`` rows, each an array in the order of the fields of ``Row``
whose trailing nils may be left out: 5 fields where a row has no news, images, videos and alternates, else all 9. The
compiled reader writes the same bytes; a change of the format raises ``BLOCK_VERSION``.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Protocol

import msgspec

from usp.handshake import BLOCK_VERSION
from usp.objects.page import (
    SitemapImage,
    SitemapNewsStory,
    SitemapPage,
    SitemapPageChangeFrequency,
    SitemapVideo,
    SitemapVideoPrice,
)
from usp.values.dates import parse_date
from usp.values.numbers import parse_decimal, parse_priority, parse_whole_number, parse_yes_no
from usp.values.text import split_list

ROWS_A_BLOCK = 1000

_frequencies: dict[str | None, SitemapPageChangeFrequency | None] = {
    None: None,
    **{frequency.value: frequency for frequency in SitemapPageChangeFrequency},
}


def parse_frequency(words: str | None) -> SitemapPageChangeFrequency | None:
    """A change frequency in any letter case; ``always`` for one that is none of the protocol.

    >>> parse_frequency("Daily"), parse_frequency("often"), parse_frequency(None)
    (<SitemapPageChangeFrequency.DAILY: 'daily'>, <SitemapPageChangeFrequency.ALWAYS: 'always'>, None)
    """
    if words in _frequencies:
        return _frequencies[words]
    words = (words or "").strip().lower()
    return _frequencies.get(words, SitemapPageChangeFrequency.ALWAYS) if words else None


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

    def story(self, publish_date: datetime | None) -> SitemapNewsStory:
        """The story with its values typed; the date is parsed by the caller, perhaps with those of others."""
        return SitemapNewsStory(
            self.title,
            publish_date,
            self.name,
            self.language,
            self.access,
            # Most stories have few of these lists, and a call for nothing costs as much as the rest.
            split_list(self.genres) if self.genres else [],
            split_list(self.keywords) if self.keywords else [],
            split_list(self.stock_tickers) if self.stock_tickers else [],
        )


class ImageRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    loc: str
    caption: str | None = None
    geo_location: str | None = None
    title: str | None = None
    license: str | None = None

    def image(self) -> SitemapImage:
        """The image as programs know it."""
        return SitemapImage(self.loc, self.caption, self.geo_location, self.title, self.license)


class PriceRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    price: str
    currency: str | None = None
    type: str | None = None
    resolution: str | None = None

    def video_price(self) -> SitemapVideoPrice:
        """The price with its value typed."""
        return SitemapVideoPrice(parse_decimal(self.price), self.currency, self.type, self.resolution)


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

    def video(self) -> SitemapVideo:
        """The video with its values typed."""
        return SitemapVideo(
            thumbnail_loc=self.thumbnail_loc,
            title=self.title,
            description=self.description,
            content_loc=self.content_loc,
            player_loc=self.player_loc,
            duration=parse_whole_number(self.duration),
            expiration_date=parse_date(self.expiration_date),
            rating=parse_decimal(self.rating),
            view_count=parse_whole_number(self.view_count),
            publication_date=parse_date(self.publication_date),
            family_friendly=parse_yes_no(self.family_friendly),
            restriction=self.restriction,
            restriction_relationship=self.restriction_relationship,
            platform=self.platform,
            platform_relationship=self.platform_relationship,
            requires_subscription=parse_yes_no(self.requires_subscription),
            uploader=self.uploader,
            uploader_info=self.uploader_info,
            live=parse_yes_no(self.live),
            category=self.category,
            gallery_loc=self.gallery_loc,
            tags=list(self.tags),
            prices=[price.video_price() for price in self.prices],
        )


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

    def page(self) -> SitemapPage:
        """The page with its values typed; what is not certainly a value became what the site did not say.

        >>> Row("https://example.com/", lastmod="2024-12-31", changefreq="Daily").page().change_frequency
        <SitemapPageChangeFrequency.DAILY: 'daily'>
        """
        lastmod = self.lastmod
        images = self.images
        videos = self.videos
        return SitemapPage(
            self.url,
            parse_priority(self.priority),
            parse_date(lastmod) if lastmod else None,  # no memo: it would cost more where all dates differ
            parse_frequency(self.changefreq),
            self.news.story(parse_date(self.news.publication_date)) if self.news else None,
            [image.image() for image in images] if images else None,
            list(self.alternates) if self.alternates else None,
            videos=[video.video() for video in videos] if videos else None,
            lastmod=lastmod,
        )

    def packable(self) -> tuple[Any, ...]:
        """The array that stands for the row in a block."""
        plain = (self.url, self.lastmod, self.changefreq, self.priority, self.line)
        extended = (self.news, self.images, self.videos, self.alternates)
        return plain if extended == (None, None, None, None) else plain + extended


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


class _PackedVersion(msgspec.Struct, array_like=True, frozen=True):
    version: int


class _PackedBlock(msgspec.Struct, array_like=True, frozen=True):
    version: int
    rows: list[Row]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_PackedBlock).decode
_decode_version = msgspec.msgpack.Decoder(_PackedVersion).decode

_START = _encode((BLOCK_VERSION, ()))[:2]
"""How every block of this version begins. To look at two bytes costs nothing; to decode the version first, a tenth."""


def pack(rows: Sequence[Row | tuple[Any, ...]]) -> bytes:
    """Pack rows (or tuples of the same shape, packed as they are) into the bytes of a block."""
    if Row in set(map(type, rows)):
        rows = [row.packable() if isinstance(row, Row) else row for row in rows]
    return _encode((BLOCK_VERSION, rows))


def unpack(block: bytes) -> list[Row]:
    """The rows of a packed block."""
    check_version(block)
    return _decode(block).rows


def check_version(block: bytes) -> None:
    """A block of another version is a fault of the program, and raises."""
    if not block.startswith(_START):
        version = _decode_version(block).version
        if version != BLOCK_VERSION:
            raise ValueError(f"a block of version {version} cannot be unpacked: this is version {BLOCK_VERSION}")


def without_last(blocks: Sequence[Block], excess: int) -> list[Block]:
    """The blocks without so many rows at their end."""
    kept = list(blocks)
    while kept and excess >= kept[-1].rows:
        excess -= kept.pop().rows
    if kept and excess:
        rows = unpack(kept.pop().packed())[:-excess]
        kept.append(MemoryBlock(pack(rows), len(rows)))
    return kept
