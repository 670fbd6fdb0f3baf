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
    """How much one document may cost.

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

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InvalidOptionException(f"Limits.{name} must be a whole number of at least 1, not {value!r}")


DEFAULT_LIMITS = Limits()
