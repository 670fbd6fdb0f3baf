"""The bounds of everything that hostile input could make large. Frozen; every one an option with a safe default."""

import msgspec

from usp.exceptions import InvalidOptionException

KIB = 1024
MIB = 1024 * KIB

PIECE = 64 * KIB
"""Bytes or characters handled at a time: what one step of the pipeline may hold or hand on."""

TOKEN = 1 * MIB
"""The longest markup token (tag, comment, CDATA section) or single value that is kept whole."""

DEPTH = 1000
"""The deepest nesting of elements; real documents stay under 10, a hostile one would cost memory for each level."""

SNIFF = 64 * KIB
"""Characters searched for the start of a sitemap before a document is called HTML or text."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much one document, and a whole crawl, may cost.

    >>> Limits(inflated_bytes=50_000_000).wire_bytes
    104857600
    """

    wire_bytes: int = 100 * MIB
    """Bytes as they came over the wire; what lies beyond is not read, and a problem says so."""

    inflated_bytes: int = 100 * MIB
    """Bytes after every layer of compression; what lies beyond is not read, and a problem says so."""

    ratio: int = 250
    """Inflated bytes for each compressed one. Sitemaps reach 60; a deflate bomb 1,030; brotli and zstd far more."""

    ratio_after: int = 8 * MIB
    """The ratio is judged only once a layer gave this much: small, very regular documents are no danger."""

    encodings: int = 2
    """Layers of compression; a third is refused."""

    depth: int = 11
    """The deepest level of a sitemap; robots.txt is at level 0. Real sites stay under 4."""

    sitemaps: int = 200_000
    """Places in the tree, cut in declared, depth-first order; a shared document counts wherever it stands."""

    pages: int = 50_000_000
    """Pages in the tree, cut in declared, depth-first order."""

    redirects: int = 10
    """Redirects followed, one after the other."""

    in_flight_bytes: int = 32 * MIB
    """Bytes of bodies held in memory at a time, of all answers together; beyond, a body is read piece by piece."""

    idle_seconds: float = 60
    """A connection, an answer or the next bytes of a body may take this long."""

    request_seconds: float = 300
    """One answer may take this long from the first to the last byte."""

    seconds: float = 7200
    """The whole crawl may take this long."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            kinds = (int, float) if name.endswith("seconds") else (int,)
            if not isinstance(value, kinds) or isinstance(value, bool) or not value > 0:
                wanted = "a number above 0" if name.endswith("seconds") else "a whole number of at least 1"
                raise InvalidOptionException(f"Limits.{name} must be {wanted}, not {value!r}")


DEFAULT_LIMITS = Limits()
