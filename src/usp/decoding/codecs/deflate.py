"""deflate (RFC 1951) and its wrappers, by zlib: Content-Encoding: deflate, with zlib's wrapper (RFC 1950) or raw."""

import zlib
from collections.abc import Iterator

from usp.decoding.members import Codec, Damaged
from usp.limits import KIB, PIECE


class ZlibMember:
    """One stream that zlib understands. Its state is copied before each call (5 µs), so that damage costs no output."""

    __slots__ = ("_stream", "finished", "rest")

    def __init__(self, window_bits: int) -> None:
        self._stream = zlib.decompressobj(window_bits)
        self.finished = False
        self.rest = b""

    def inflate(self, data: bytes) -> Iterator[bytes]:
        while True:
            before = self._stream.copy()
            try:
                output = self._stream.decompress(data, PIECE)
            except zlib.error as error:
                good = _inflate_to_damage(before, data)
                if good:
                    yield good
                raise Damaged(str(error)) from None
            if output:
                yield output
            data = self._stream.unconsumed_tail
            if self._stream.eof:
                self.finished, self.rest = True, self._stream.unused_data
                return
            # A full output may leave more within zlib even when all input is consumed.
            if not data and len(output) < PIECE:
                return


# typeshed names the class only for type checkers
def _inflate_to_damage(stream: "zlib._Decompress", data: bytes) -> bytes:
    """What comes before the damage: zlib gives it when it gets the input, and may give output, byte by byte only."""
    good = bytearray()
    try:
        for position in range(len(data)):
            output = stream.decompress(data[position : position + 1], 1)
            while output:
                good += output
                output = stream.decompress(stream.unconsumed_tail, 1)
    except zlib.error:
        pass
    return bytes(good)


def _open_zlib() -> ZlibMember:
    return ZlibMember(zlib.MAX_WBITS)


def _open_deflate() -> ZlibMember:
    return ZlibMember(-zlib.MAX_WBITS)


ZLIB = Codec("zlib", _open_zlib, step=4 * KIB)
DEFLATE = Codec("deflate", _open_deflate, step=4 * KIB)
