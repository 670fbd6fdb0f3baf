"""gzip (RFC 1952), by far the most frequent: ``sitemap.xml.gz``, and Content-Encoding."""

import zlib

from usp.decoding.codecs.deflate import ZlibMember
from usp.decoding.members import Codec
from usp.limits import KIB


def _open() -> ZlibMember:
    return ZlibMember(16 + zlib.MAX_WBITS)


# The third byte of the magic is the method: deflate is the only one there ever was.
GZIP = Codec("gzip", _open, magics=(b"\x1f\x8b\x08",), step=4 * KIB)
