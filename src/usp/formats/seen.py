"""Which URLs a document has already listed: by hash, in bounded memory.

Up to ``EXACT`` URLs (the protocol's 50,000 fit) the hashes live in a set, the fastest there is. A set of a million
would cost 90 MiB, so beyond that every hash is a cell in one of 65,536 byte strings: 16 bytes a URL, all in all.
Two URLs of one document share a 64-bit hash once in ten million documents of a million URLs; that page is then lost.
"""

from collections.abc import Collection

EXACT = 65_536
_BUCKET_BITS = 16
_WIDTH = 6  # bytes of the hash beside the 16 bits that choose its string


class SeenUrls:
    """Remembers URLs; ``add`` says whether one is new."""

    __slots__ = ("_buckets", "_exact")

    def __init__(self) -> None:
        self._exact: set[int] = set()
        self._buckets: list[bytes] | None = None

    def add(self, url: str) -> bool:
        """Remember the URL; True if it was not there before."""
        key = hash(url)
        exact = self._exact
        if self._buckets is not None:
            return self._add_packed(key)
        if key in exact:
            return False
        if len(exact) < EXACT:
            exact.add(key)
            return True
        return self._add_packed(key)

    def add_all(self, urls: Collection[str]) -> bool:
        """Remember several URLs if all of them are new; otherwise, or if there is no room for so many, none of them."""
        exact = self._exact
        keys = set(map(hash, urls))
        if (
            self._buckets is not None
            or len(keys) < len(urls)
            or len(exact) + len(keys) > EXACT
            or not exact.isdisjoint(keys)
        ):
            return False
        exact |= keys
        return True

    def _add_packed(self, key: int) -> bool:
        if self._buckets is None:
            self._buckets = [b""] * (1 << _BUCKET_BITS)
            exact, self._exact = self._exact, set()
            for known in exact:
                self._add_packed(known)
        index = key & ((1 << _BUCKET_BITS) - 1)
        bucket = self._buckets[index]
        cell = (key >> _BUCKET_BITS).to_bytes(_WIDTH, "little", signed=True)
        found = bucket.find(cell)
        while found >= 0:
            if found % _WIDTH == 0:
                return False
            found = bucket.find(cell, found + 1)
        self._buckets[index] = bucket + cell
        return True
