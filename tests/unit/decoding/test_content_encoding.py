import random
import zlib

import brotli  # type: ignore[import-untyped]
import pytest

from tests.unit.decoding.bodies import XML, gz, gz_bomb, zst
from usp.decoding.content_encoding import room_for, without_content_encoding


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gz(XML)),
        ("X-GZip", gz(XML)),
        ("br", brotli.compress(XML)),
        ("zstd", zst(XML)),
        ("deflate", zlib.compress(XML)),
        ("deflate", zlib.compress(XML)[2:-4]),
        ("br, gzip", gz(brotli.compress(XML))),
        ("identity", XML),
        ("unheard-of", XML),
        ("", XML),
        (None, XML),
    ],
)
def test_what_the_header_names_is_undone(encoding: str | None, body: bytes) -> None:
    assert without_content_encoding(body, encoding) == XML


def test_a_gzip_file_stays_one() -> None:
    assert without_content_encoding(gz(XML), None) == gz(XML)
    assert without_content_encoding(gz(gz(XML)), "gzip") == gz(XML)
    assert without_content_encoding(gz(XML), "br") == gz(XML)


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "br, gzip"])
@pytest.mark.parametrize("body", [b"", XML])
def test_a_header_that_lies_is_not_believed(encoding: str, body: bytes) -> None:
    assert without_content_encoding(body, encoding) == body


@pytest.mark.parametrize(("encoding", "body"), [("gzip", gz(XML)), ("br", brotli.compress(XML)), ("zstd", zst(XML))])
def test_what_is_cut_or_damaged_stays_as_it_is(encoding: str, body: bytes) -> None:
    cut = body[: len(body) // 2]
    assert without_content_encoding(cut, encoding) == cut
    damaged = body[: len(body) // 2] + bytes(len(body) - len(body) // 2)
    assert without_content_encoding(damaged, encoding) == damaged


def test_more_is_never_given_than_asked_for() -> None:
    assert without_content_encoding(gz_bomb(50), "gzip", 1000) == bytes(1000)
    assert without_content_encoding(gz(gz_bomb(50)), "gzip, gzip", 10) == bytes(10)
    assert without_content_encoding(XML, None, 5) == XML[:5]


def test_as_much_as_was_asked_for_is_given_of_a_body_that_is_cut() -> None:
    noise = random.Random(1).randbytes(200_000)
    compressed = gz(noise)[: room_for(100_000)]
    assert len(compressed) < len(noise)
    assert without_content_encoding(compressed, "gzip", 100_000) == noise[:100_000]
    assert without_content_encoding(gz(gz(noise))[: room_for(100_000)], "gzip, gzip", 100_000) == noise[:100_000]


def test_a_header_of_a_thousand_encodings_costs_two() -> None:
    assert without_content_encoding(gz(gz(gz(XML))), "gzip," * 1000 + "gzip") == gz(XML)
