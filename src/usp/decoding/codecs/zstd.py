"""Zstandard (RFC 8878): Content-Encoding, and files by their magic; skippable frames are members without content."""

from usp.decoding.members import Codec, Damaged, ReplayedMember
from usp.limits import PIECE

WINDOW_LOG = 23
"""The largest window, 8 MiB: what RFC 9659 allows for Content-Encoding, and what every level up to 19 needs."""


class ZstdDecoder:
    __slots__ = ("_error", "_stream", "finished", "rest", "waiting")

    def __init__(self) -> None:
        from usp.decoding.zstandard import zstd

        self._stream = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: WINDOW_LOG})
        self._error = zstd.ZstdError
        self.waiting = False
        self.finished = False
        self.rest = b""

    def decode(self, data: bytes) -> bytes:
        try:
            output = self._stream.decompress(data, PIECE)
        except self._error as error:
            raise Damaged(str(error)) from None
        self.finished = self._stream.eof
        self.waiting = not self.finished and not self._stream.needs_input
        if self.finished:
            self.rest = self._stream.unused_data
        return output


def _open() -> ReplayedMember:
    return ReplayedMember(ZstdDecoder)


_FRAME = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = tuple(bytes((first, 0x2A, 0x4D, 0x18)) for first in range(0x50, 0x60))

# Opening a frame costs 17 µs whatever is in it: 100 MiB of empty ones would take minutes.
ZSTD = Codec("zstd", _open, magics=(_FRAME, *_SKIPPABLE), most_members=100_000)
