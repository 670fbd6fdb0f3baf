"""Bodies as servers send them, and what the inflater and the decoder make of them."""

import gzip
import struct
import zlib
from collections.abc import Callable, Iterable
from typing import NamedTuple

import brotli  # type: ignore[import-untyped]

from usp.decoding.charset import TextDecoder
from usp.decoding.compression import Inflater
from usp.decoding.zstandard import zstd
from usp.limits import DEFAULT_LIMITS, MIB, Limits
from usp.problems import ProblemLog, Problems

XML = b'<?xml version="1.0"?>\n<urlset>' + b"<url><loc>https://example.com/page</loc></url>\n" * 20 + b"</urlset>"
URL = "https://example.com/sitemap.xml"


class Inflated(NamedTuple):
    content: bytes
    problems: Problems
    truncated: bool
    refused: bool

    @property
    def codes(self) -> list[str]:
        return [problem.code for problem in self.problems]


def undone(content: bytes) -> Inflated:
    """The whole content, and nothing to remark."""
    return Inflated(content, Problems(), truncated=False, refused=False)


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def inflate(pieces: bytes | Iterable[bytes], header: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Inflated:
    log = ProblemLog(URL)
    inflater = Inflater(header, limits, log)
    content = b"".join(
        output for piece in ([pieces] if isinstance(pieces, bytes) else pieces) for output in inflater.feed(piece)
    )
    content += b"".join(inflater.close())
    return Inflated(content, log.problems(), inflater.truncated, inflater.refused)


def decode(pieces: bytes | Iterable[bytes], declared: str | None = None) -> tuple[str, Problems]:
    log = ProblemLog(URL)
    decoder = TextDecoder(declared, log)
    text = "".join([decoder.feed(piece) for piece in ([pieces] if isinstance(pieces, bytes) else pieces)])
    return text + decoder.close(), log.problems()


def gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def br(data: bytes) -> bytes:
    compressed: bytes = brotli.compress(data)
    return compressed


def unfinished_br(data: bytes) -> bytes:
    stream = brotli.Compressor()
    return b"".join([stream.process(data), stream.flush()])


def zst(data: bytes) -> bytes:
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


def raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


def skippable_frame(content: bytes) -> bytes:
    return struct.pack("<II", 0x184D2A57, len(content)) + content


def zeros(megabytes: int, compress: Callable[[bytes], bytes], flush: Callable[[], bytes]) -> bytes:
    """A bomb: many zero bytes, as a stream compressor leaves them."""
    return b"".join([compress(bytes(MIB)) for _ in range(megabytes)]) + flush()


def gz_bomb(megabytes: int) -> bytes:
    stream = zlib.compressobj(9, wbits=31)
    return zeros(megabytes, stream.compress, stream.flush)


def br_bomb(megabytes: int, window_log: int = 22) -> bytes:
    stream = brotli.Compressor(quality=5, lgwin=window_log)
    return zeros(megabytes, stream.process, stream.finish)


def zst_bomb(megabytes: int) -> bytes:
    stream = zstd.ZstdCompressor(level=1)
    return zeros(megabytes, stream.compress, stream.flush)
