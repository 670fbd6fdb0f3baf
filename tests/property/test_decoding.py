"""Whatever the bytes and however they are cut: nothing raises, the bounds hold, and the result is the same."""

import random
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.decoding.bodies import (
    XML,
    br,
    cut,
    decode,
    gz,
    inflate,
    raw_deflate,
    skippable_frame,
    unfinished_br,
    zst,
)
from usp.decoding.charset import SurrogateFilter, charset_of
from usp.decoding.compression import Inflater
from usp.decoding.gunzip import gunzip
from usp.decoding.labels import _LABELS
from usp.exceptions import GunzipException
from usp.limits import DEFAULT_LIMITS, PIECE, Limits
from usp.problems import ProblemLog

NOISE = random.Random(11).randbytes(9000)
LONG = XML + NOISE + XML

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "none": bytes,
    "gzip": gz,
    "members": lambda data: gz(data[:50]) + gz(b"") + gz(data[50:]),
    "zstd": zst,
    "frames": lambda data: zst(data[:50]) + skippable_frame(b"abc") + zst(data[50:]),
    "br": br,
    "unfinished br": unfinished_br,
    "zlib": zlib.compress,
    "deflate": raw_deflate,
}
HEADERS = [None, "gzip", "br", "deflate", "zstd", "gzip, br", "deflate, deflate", "br, br, br", "identity", "nonsense"]

contents = st.one_of(st.sampled_from([XML, LONG, b"", b"<urlset/>", bytes(70_000), XML * 300]), st.binary(max_size=300))


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Bodies compressed up to three times, here and there damaged, cut short, or with something after them."""
    body = draw(contents)
    for compression in draw(st.lists(st.sampled_from(sorted(COMPRESSIONS)), max_size=3)):
        body = COMPRESSIONS[compression](body)
        damage = draw(st.sampled_from(["none", "none", "flip", "cut", "after", "before"]))
        if damage == "flip" and body:
            place = draw(st.integers(0, len(body) - 1))
            body = body[:place] + bytes([body[place] ^ draw(st.integers(1, 255))]) + body[place + 1 :]
        elif damage == "cut":
            body = body[: draw(st.integers(0, len(body)))]
        elif damage == "after":
            body += draw(st.sampled_from([b"\0" * 10, b"junk", b"\x1f", b"\x1f\x8b", b"\0\x28\xb5", NOISE]))
        elif damage == "before":
            body = draw(st.binary(min_size=1, max_size=4)) + body
    return body


limits_of_tests = st.one_of(
    st.just(DEFAULT_LIMITS),
    st.builds(
        Limits,
        wire_bytes=st.integers(1, 2000),
        inflated_bytes=st.integers(1, 80_000),
        ratio=st.integers(1, 40),
        ratio_after=st.integers(1, 60_000),
        encodings=st.integers(1, 3),
    ),
)


@st.composite
def cuts(draw: st.DrawFn) -> Callable[[bytes], Sequence[bytes]]:
    """Ways to cut bytes: in pieces of one size, or at random with empty pieces between."""
    size = draw(st.sampled_from([1, 2, 7, 1000, 4096, None]))
    if size is not None:
        return lambda data: cut(data, size)
    chance = random.Random(draw(st.integers(0, 1000)))

    def randomly(data: bytes) -> Sequence[bytes]:
        places = sorted(chance.choices(range(len(data) + 1), k=chance.randrange(12)))
        return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]

    return randomly


@given(bodies(), st.sampled_from(HEADERS), limits_of_tests, cuts())
def test_what_a_body_inflates_to_does_not_depend_on_its_cuts(
    body: bytes, header: str | None, limits: Limits, pieces: Callable[[bytes], Sequence[bytes]]
) -> None:
    assert inflate(pieces(body), header, limits) == inflate(body, header, limits)


@given(bodies(), st.sampled_from(HEADERS), limits_of_tests)
def test_inflating_keeps_its_bounds(body: bytes, header: str | None, limits: Limits) -> None:
    log = ProblemLog("")
    inflater = Inflater(header, limits, log)
    pieces = [*inflater.feed(body), *inflater.close()]
    assert sum(len(piece) for piece in pieces) <= limits.inflated_bytes
    assert all(0 < len(piece) <= PIECE for piece in pieces)
    grave = {"truncated-compression", "corrupt-compression", "too-large"}
    assert inflater.truncated == bool(grave & log.problems().counts.keys())
    assert inflater.refused == bool({"too-many-encodings", "compression-ratio"} & log.problems().counts.keys())


@given(st.binary(max_size=400), st.sampled_from([b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b""]), st.sampled_from(HEADERS))
def test_random_bytes_never_raise(noise: bytes, magic: bytes, header: str | None) -> None:
    body = magic + noise
    assert inflate(cut(body, 1), header) == inflate(body, header)
    with suppress(GunzipException):
        assert len(gunzip(body, max_output_bytes=10_000)) <= 10_000


def test_a_body_cut_anywhere_gives_a_beginning_of_its_content() -> None:
    for compression, header in (("gzip", None), ("members", None), ("zstd", None), ("br", "br"), ("zlib", "deflate")):
        body = COMPRESSIONS[compression](XML)
        for length in range(2, len(body)):
            inflated = inflate(body[:length], header)
            assert XML.startswith(inflated.content)
            assert inflated.truncated or compression in {"members", "zlib"}, (compression, length)
            assert not inflated.refused


def test_a_bit_flipped_anywhere_never_raises_and_keeps_the_beginning() -> None:
    body = gz(XML)
    for place in range(10, len(body)):
        for flip in (1, 0x80):
            damaged = body[:place] + bytes([body[place] ^ flip]) + body[place + 1 :]
            inflated = inflate(damaged)
            assert inflated.truncated or inflated.content == XML  # the last byte has bits that mean nothing
            assert inflate(cut(damaged, 1)) == inflated


CODECS = sorted(set(_LABELS) - {"utf-16", "utf-32"})
texts = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="<>?xml é日\ufeff\ufffd\n\r\0😀", max_size=60),
    st.just("https://x.example/\n" * 90),
)


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """Encoded text with declarations, right or wrong, and invalid bytes here and there."""
    label = draw(st.sampled_from([*CODECS, "utf-16", "nonsense", ""]))
    start = draw(st.sampled_from(["", "\ufeff", f'<?xml version="1.0" encoding="{label}"?>']))
    codec = draw(st.sampled_from(CODECS))
    data = (start + draw(texts)).encode(codec, "replace")
    for noise in draw(st.lists(st.binary(max_size=5), max_size=3)):
        place = draw(st.integers(0, len(data)))
        data = data[:place] + noise + data[place:]
    return data + draw(st.sampled_from([b"", b"a" * 1100])) + draw(st.binary(max_size=20))


@given(documents(), st.sampled_from([None, *CODECS, "utf-16", "nonsense"]), cuts())
def test_text_does_not_depend_on_the_cuts_of_its_bytes(
    data: bytes, declared: str | None, pieces: Callable[[bytes], Sequence[bytes]]
) -> None:
    text, problems = decode(pieces(data), declared)
    assert (text, problems) == decode(data, declared)
    assert text.encode().decode() == text
    assert not text.startswith("\ufeff")
    assert problems.total <= 2


@given(st.text(max_size=100), st.sampled_from(CODECS))
def test_what_was_encoded_is_decoded(text: str, codec: str) -> None:
    text = ("<" + text).encode(codec, "replace").decode(codec, "replace")
    if text.encode(codec, "replace").decode(codec) == text and "\0" not in text and not text.startswith("<?xml"):
        decoded, problems = decode(text.encode(codec) + " https://x.example/".encode(codec), codec)
        assert decoded == text + " https://x.example/"
        assert problems.total == 0


@given(st.text(alphabet=st.characters(), max_size=50))
def test_a_callers_text_loses_its_surrogates_only(text: str) -> None:
    surrogates = SurrogateFilter(ProblemLog(""))
    clean = surrogates.feed(text) + surrogates.close()
    assert clean.encode().decode() == clean
    assert all(mine == theirs for mine, theirs in zip(clean, text, strict=False) if text.isprintable())


@given(st.text(max_size=60))
def test_charset_of_never_raises(header: str) -> None:
    charset = charset_of("text/xml; " + header)
    assert charset is None or charset.strip()
