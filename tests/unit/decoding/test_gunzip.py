import pytest

from tests.unit.decoding.bodies import XML, gz, gz_bomb, zst
from usp.decoding.gunzip import gunzip
from usp.exceptions import GunzipException


def test_one_member_and_several_are_read() -> None:
    assert gunzip(gz(XML)) == XML
    assert gunzip(gz(b"one ") + gz(b"") + gz(b"two")) == b"one two"
    assert gunzip(gz(b"")) == b""


def test_one_layer_is_undone() -> None:
    assert gunzip(gz(gz(XML))) == gz(XML)


def test_junk_after_the_last_member_is_tolerated() -> None:
    assert gunzip(gz(XML) + b"\0\0junk") == XML


@pytest.mark.parametrize("data", [None, b"", b"<urlset/>", b"\x1f\x8b", zst(XML)])
def test_what_is_not_gzip_raises(data: bytes) -> None:
    with pytest.raises(GunzipException):
        gunzip(data)


def test_truncated_data_raises() -> None:
    for length in range(3, len(gz(XML))):
        with pytest.raises(GunzipException, match="ends too early"):
            gunzip(gz(XML)[:length])


def test_damaged_data_raises() -> None:
    with pytest.raises(GunzipException, match="damaged"):
        gunzip(gz(XML)[:-8] + bytes(8))


def test_the_bound_is_kept_and_never_cuts() -> None:
    assert gunzip(gz(XML), max_output_bytes=len(XML)) == XML
    with pytest.raises(GunzipException, match="more than"):
        gunzip(gz(XML), max_output_bytes=len(XML) - 1)
    with pytest.raises(GunzipException, match="more than"):
        gunzip(gz_bomb(20), max_output_bytes=1000)
    with pytest.raises(GunzipException, match="more than"):
        gunzip(gz(b"x"), max_output_bytes=0)
