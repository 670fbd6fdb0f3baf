"""brotli (RFC 7932). It has no magic: only the Content-Encoding header tells.

The library fills its window, 16 MiB at most, before it gives anything: more memory than the other codecs need.
"""

from usp.decoding.members import Codec, Damaged, ReplayedMember
from usp.limits import PIECE


class BrotliDecoder:
    __slots__ = ("_error", "_stream", "finished", "rest", "waiting")

    def __init__(self) -> None:
        import brotli  # type: ignore[import-untyped]

        self._stream = brotli.Decompressor()
        self._error = brotli.error
        self.waiting = False
        self.finished = False
        self.rest = b""  # brotli fails when anything follows the end: ReplayedMember finds what does

    def decode(self, data: bytes) -> bytes:
        try:
            # The library stops at the first of its own blocks beyond the limit, 1.5 times of it and more.
            output: bytes = self._stream.process(data, output_buffer_limit=PIECE // 2)
        except self._error as error:
            raise Damaged(str(error)) from None
        self.finished = self._stream.is_finished()
        self.waiting = not self.finished and not self._stream.can_accept_more_data()
        return output


def _open() -> ReplayedMember:
    return ReplayedMember(BrotliDecoder)


BROTLI = Codec("br", _open)
