"""The codecs that are undone: one file each, listed here.

A new one is a file and a line in ``CODECS``; if the Content-Encoding header can name it, a line in ``TOKENS``.
"""

from collections.abc import Mapping

from usp.decoding.codecs.brotli import BROTLI
from usp.decoding.codecs.deflate import DEFLATE, ZLIB
from usp.decoding.codecs.gzip import GZIP
from usp.decoding.codecs.zstd import ZSTD
from usp.decoding.members import Codec

__all__ = ["BROTLI", "CODECS", "DEFLATE", "GZIP", "TOKENS", "ZLIB", "ZSTD"]

CODECS: tuple[Codec, ...] = (GZIP, ZSTD, BROTLI, ZLIB, DEFLATE)

TOKENS: Mapping[str, tuple[Codec, ...]] = {
    "gzip": (GZIP,),
    "x-gzip": (GZIP,),  # RFC 9110, 8.4.1.3: the same as gzip
    "br": (BROTLI,),
    "zstd": (ZSTD,),
    "deflate": (ZLIB, DEFLATE),  # RFC 9110, 8.4.1.2 means zlib; some servers send raw deflate, and browsers read both
    "identity": (),
    "": (),
}
"""What the tokens of a Content-Encoding header can mean, the likeliest first."""
