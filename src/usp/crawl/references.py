"""The references of a document that are kept although the tree is full.

Laws: they may be wanted again, for a document can turn up at an earlier place; until then they cost hardly more memory
than they did on the wire. An endless site of large indexes would else fill the memory with what is not even shown.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import overload

import msgspec

from usp.messages import SitemapRef

FEW = 1000
"""So many references are left as they are."""


class PackedReferences(Sequence[SitemapRef]):
    """References as compressed bytes, unpacked whenever they are looked at.

    >>> PackedReferences([SitemapRef("https://example.com/a.xml", "2024")])[0].lastmod
    '2024'
    """

    __slots__ = ("_length", "_packed")

    def __init__(self, references: Sequence[SitemapRef]) -> None:
        rows = [(reference.url, reference.lastmod, reference.line) for reference in references]
        self._packed = zlib.compress(msgspec.msgpack.encode(rows), 1)
        self._length = len(rows)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[SitemapRef]:
        rows = msgspec.msgpack.decode(zlib.decompress(self._packed), type=list[tuple[str, str | None, int | None]])
        return (SitemapRef(*row) for row in rows)

    @overload
    def __getitem__(self, index: int) -> SitemapRef: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SitemapRef]: ...
    def __getitem__(self, index: int | slice) -> SitemapRef | Sequence[SitemapRef]:
        return list(self)[index]
