"""``gunzip``, promised to old programs: a caller's own bytes, so what is wrong with them raises.

It undoes one layer, as the name says; sitemaps are read through ``compression`` instead, which keeps what it can.
"""

from usp.decoding.codecs import GZIP
from usp.decoding.members import Damaged, Members
from usp.exceptions import GunzipException


def gunzip(data: bytes, max_output_bytes: int | None = None) -> bytes:
    """The content of gzip ``data`` (one member or several); raises beyond ``max_output_bytes``, never cuts.

    >>> import gzip
    >>> gunzip(gzip.compress(b"sitemap"), max_output_bytes=7)
    b'sitemap'
    """
    if not data:
        raise GunzipException("There is no data to gunzip")
    if not GZIP.begins(data):
        raise GunzipException("The data is not gzip")
    members = Members(GZIP)
    output = bytearray()
    try:
        for start in range(0, len(data), GZIP.step):
            for piece in members.inflate(data[start : start + GZIP.step]):
                output += piece
                if max_output_bytes is not None and len(output) > max_output_bytes:
                    raise GunzipException(f"The data inflates to more than {max_output_bytes} bytes")
    except Damaged as damage:
        raise GunzipException(f"The gzip data is damaged: {damage}") from None
    if not members.close():
        raise GunzipException("The gzip data ends too early")
    return bytes(output)
