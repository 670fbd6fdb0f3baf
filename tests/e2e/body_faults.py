"""Bodies that are not what their headers, names or sizes say: one function a fault."""

import gzip
import zlib

from tests.e2e.crawling import GOOD
from tests.e2e.server import Behaviour, Visitor
from usp.limits import MIB


def gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


BOMB = GOOD + b" " * (20 * MIB)


def body(data: bytes, *headers: str) -> Behaviour:
    """That body with these headers."""

    def answers(visitor: Visitor) -> None:
        visitor.answer(data, *headers)

    return answers


def says_gzip_but_is_not(visitor: Visitor) -> None:
    visitor.answer(GOOD, "Content-Encoding: gzip")


def is_gzip_but_does_not_say_so(visitor: Visitor) -> None:
    visitor.answer(gz(GOOD), "Content-Type: text/xml")


def says_gzip_twice_and_is_it_once(visitor: Visitor) -> None:
    visitor.answer(gz(GOOD), "Content-Encoding: gzip", "Content-Encoding: gzip")


def says_br_but_is_gzip(visitor: Visitor) -> None:
    visitor.answer(gz(GOOD), "Content-Encoding: br")


def says_deflate_and_is_raw(visitor: Visitor) -> None:
    packer = zlib.compressobj(wbits=-15)
    visitor.answer(packer.compress(GOOD) + packer.flush(), "Content-Encoding: deflate")


def is_gzip_in_gzip(visitor: Visitor) -> None:
    visitor.answer(gz(gz(GOOD)), "Content-Encoding: gzip")


def is_gzip_three_times(visitor: Visitor) -> None:
    visitor.answer(gz(gz(gz(GOOD))))


def has_an_unknown_encoding(visitor: Visitor) -> None:
    visitor.answer(GOOD, "Content-Encoding: rot13")


def has_a_truncated_gzip(visitor: Visitor) -> None:
    visitor.answer(gz(GOOD)[:-8])


def has_a_damaged_gzip(visitor: Visitor) -> None:
    packed = bytearray(gz(GOOD))
    packed[-8:-4] = b"\0\0\0\0"  # the checksum
    visitor.answer(bytes(packed))


def is_a_bomb(visitor: Visitor) -> None:
    visitor.answer(gz(BOMB), "Content-Encoding: gzip")


def is_a_bomb_in_gzip(visitor: Visitor) -> None:
    visitor.answer(gz(gz(BOMB)), "Content-Encoding: gzip")


def is_random(visitor: Visitor) -> None:
    visitor.answer(bytes(range(256)) * 4)
