import gzip
import random
import subprocess
import sys
import zlib
from collections.abc import Callable

import pytest

from tests.unit.decoding.bodies import (
    XML,
    br,
    br_bomb,
    cut,
    gz,
    gz_bomb,
    inflate,
    raw_deflate,
    skippable_frame,
    undone,
    unfinished_br,
    zst,
    zst_bomb,
)
from usp.decoding import compression
from usp.decoding.codecs import CODECS, ZSTD
from usp.decoding.compression import Inflater
from usp.decoding.zstandard import zstd
from usp.limits import DEFAULT_LIMITS, KIB, MIB, PIECE, Limits
from usp.problems import ProblemLog

RANDOM = random.Random(7).randbytes(200_000)

QUIET: dict[str, tuple[bytes, str | None]] = {
    "plain": (XML, None),
    "plain, identity": (XML, "identity"),
    "gzip file": (gz(XML), None),
    "gzip header": (gz(XML), "gzip"),
    "gzip header in capitals": (gz(XML), " GZIP "),
    "x-gzip header": (gz(XML), "x-gzip"),
    "gzip file, sent with gzip": (gz(gz(XML)), "gzip"),
    "gzip in gzip without a header": (gz(gz(XML)), None),
    "two members": (gz(XML[:100]) + gz(XML[100:]), None),
    "empty members between": (gz(XML[:100]) + gz(b"") * 3 + gz(XML[100:]), None),
    "zstd file": (zst(XML), None),
    "zstd header": (zst(XML), "zstd"),
    "zstd frames": (zst(XML[:100]) + zst(XML[100:]), None),
    "skippable frames": (skippable_frame(b"first") + zst(XML) + skippable_frame(b""), None),
    "brotli": (br(XML), "br"),
    "brotli over a gzip file": (br(gz(XML)), "br"),
    "both named": (br(gz(XML)), "gzip, br"),
    "deflate with zlib's wrapper": (zlib.compress(XML), "deflate"),
    "raw deflate": (raw_deflate(XML), "deflate"),
    "deflate over a gzip file": (zlib.compress(gz(XML)), "deflate"),
    "stored, not compressed": (gzip.compress(XML, 0), None),
    "named file": (b"\x1f\x8b\x08\x08\0\0\0\0\0\xffsitemap.xml\0" + gz(XML)[10:], None),
}


@pytest.mark.parametrize("name", QUIET)
def test_every_usual_encoding_is_undone_without_a_problem(name: str) -> None:
    body, header = QUIET[name]
    assert inflate(body, header) == undone(XML)


@pytest.mark.parametrize("header", [None, "gzip", "br", "deflate", "zstd", "gzip, br", "identity"])
def test_an_empty_body_is_empty_under_any_header(header: str | None) -> None:
    assert inflate(b"", header) == undone(b"")


@pytest.mark.parametrize("compress", [gz, zst])
def test_compressed_nothing_is_nothing(compress: Callable[[bytes], bytes]) -> None:
    assert inflate(compress(b"")) == undone(b"")


def test_an_empty_brotli_stream_is_nothing() -> None:
    assert inflate(br(b""), "br") == undone(b"")


@pytest.mark.parametrize("body", [b"<", b"\x1f", b"(", b"ab", "é".encode(), b"\x1fx"])
def test_bodies_shorter_than_a_magic_are_plain(body: bytes) -> None:
    assert inflate(body) == undone(body)


class TestJunk:
    @pytest.mark.parametrize("compress", [gz, zst])
    @pytest.mark.parametrize("junk", [b"\0" * 500, b"\n", b"<!-- cached -->", b"\x1f", b"\0\0junk" * 10_000])
    def test_after_the_last_member_is_tolerated(self, compress: Callable[[bytes], bytes], junk: bytes) -> None:
        inflated = inflate(compress(XML) + junk)
        assert (inflated.content, inflated.codes, inflated.truncated) == (XML, ["junk-after-compression"], False)

    @pytest.mark.parametrize("size", [1, 20, len(XML), 5000])
    def test_after_brotli_and_deflate_is_tolerated(self, size: int) -> None:
        content = (XML * 10)[:size]
        for body, header in (
            (br(content), "br"),
            (zlib.compress(content), "deflate"),
            (raw_deflate(content), "deflate"),
        ):
            inflated = inflate(body + b"junk", header)
            assert (inflated.content, inflated.codes, inflated.truncated) == (
                content,
                ["junk-after-compression"],
                False,
            )

    def test_zero_bytes_between_members_do_not_hide_the_next(self) -> None:
        inflated = inflate(gz(XML[:100]) + b"\0" * 100 + gz(XML[100:]))
        assert (inflated.content, inflated.codes) == (XML, ["junk-after-compression"])

    def test_ends_the_download(self) -> None:
        inflater = Inflater(None, DEFAULT_LIMITS, ProblemLog(""))
        list(inflater.feed(gz(XML) + b"junk" * 2000))
        assert inflater.done

    def test_a_started_member_at_the_end_is_a_truncation(self) -> None:
        inflated = inflate(gz(XML) + gz(XML)[:2])
        assert (inflated.content, inflated.codes, inflated.truncated) == (XML, ["truncated-compression"], True)


class TestDamage:
    def test_truncated_gzip_gives_what_was_read(self) -> None:
        body = gz(RANDOM)
        inflated = inflate(body[:100_000])
        assert RANDOM.startswith(inflated.content)
        assert len(inflated.content) > 90_000
        assert (inflated.codes, inflated.truncated, inflated.refused) == (["truncated-compression"], True, False)

    @pytest.mark.parametrize("missing", [1, 4, 8])
    def test_a_missing_trailer_costs_no_content(self, missing: int) -> None:
        assert inflate(gz(XML)[:-missing])[::2] == (XML, True)

    @pytest.mark.parametrize("magic", [b"\x1f\x8b", b"\x28\xb5", b"\x28\xb5\x2f", b"\x1f\x8b\x08"])
    def test_a_magic_alone_is_truncated(self, magic: bytes) -> None:
        inflated = inflate(magic)
        assert (inflated.content, inflated.codes, inflated.truncated) == (b"", ["truncated-compression"], True)

    @pytest.mark.parametrize(
        ("body", "header"), [(br(RANDOM), "br"), (zst(RANDOM), None), (zlib.compress(RANDOM), "deflate")]
    )
    def test_the_other_codecs_give_what_was_read(self, body: bytes, header: str | None) -> None:
        inflated = inflate(body[:180_000], header)
        assert RANDOM.startswith(inflated.content)
        assert len(inflated.content) > 100_000
        assert (inflated.codes, inflated.truncated) == (["truncated-compression"], True)

    def test_a_truncation_inside_two_layers_is_one_problem(self) -> None:
        inflated = inflate(gz(gz(RANDOM))[:100_000])
        assert RANDOM.startswith(inflated.content)
        assert len(inflated.content) > 90_000
        assert (inflated.codes, inflated.truncated) == (["truncated-compression"], True)

    def test_a_wrong_checksum_costs_no_content(self) -> None:
        body = bytearray(gz(XML))
        body[-8] ^= 1
        inflated = inflate(bytes(body))
        assert (inflated.content, inflated.codes, inflated.truncated) == (XML, ["corrupt-compression"], True)

    def test_a_wrong_checksum_of_zstd_costs_no_content(self) -> None:
        body = bytearray(zst(XML))
        body[-1] ^= 1
        inflated = inflate(bytes(body))
        assert (inflated.content, inflated.codes, inflated.truncated) == (XML, ["corrupt-compression"], True)

    def test_all_before_the_damage_is_kept(self) -> None:
        stream = zlib.compressobj(wbits=31)
        good = stream.compress(XML) + stream.flush(zlib.Z_FULL_FLUSH)
        inflated = inflate(good + b"\xff" * 50)  # a block of a type that does not exist
        assert (inflated.content, inflated.codes, inflated.truncated) == (XML, ["corrupt-compression"], True)

    def test_all_before_damaged_brotli_is_kept(self) -> None:
        inflated = inflate(unfinished_br(XML) + b"\xff" * 50, "br")
        assert (inflated.content, inflated.codes, inflated.truncated) == (XML, ["corrupt-compression"], True)

    def test_nothing_is_read_after_the_damage(self) -> None:
        inflater = Inflater(None, DEFAULT_LIMITS, ProblemLog(""))
        list(inflater.feed(b"\x1f\x8b\x08\xff" + bytes(5000)))
        assert inflater.done
        assert list(inflater.feed(gz(XML))) == []

    def test_a_window_larger_than_the_standard_allows_is_damage(self) -> None:
        stream = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 24})
        inflated = inflate(stream.compress(RANDOM) + stream.flush())
        assert (inflated.content, inflated.codes, inflated.truncated) == (b"", ["corrupt-compression"], True)

    def test_a_window_of_8_mib_is_read(self) -> None:
        stream = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 23})
        assert inflate(stream.compress(RANDOM) + stream.flush()) == undone(RANDOM)


PLAIN_BODIES = {
    "XML": XML,
    "white space first": b"\r\n\t  " + XML,
    "UTF-8 BOM": b"\xef\xbb\xbf" + XML,
    "UTF-16 with BOM": XML.decode().encode("utf-16"),
    "UTF-16 without BOM": XML.decode().encode("utf-16-le"),
    "URLs": b"https://example.com/\n" * 300,
    "robots.txt": b"User-agent: *\nSitemap: https://example.com/sitemap.xml\n",
    "not English": "Карта сайта: страница номер один\n".encode(),
    "not UTF-8": "<?xml version='1.0' encoding='cp1251'?><a>Карта сайта</a>".encode("cp1251"),
    "short": b"ok",
}


class TestHeaders:
    @pytest.mark.parametrize("name", PLAIN_BODIES)
    @pytest.mark.parametrize("header", ["gzip", "br", "zstd", "deflate", "x-gzip"])
    def test_that_lie_over_plain_bodies_are_not_believed(self, name: str, header: str) -> None:
        body = PLAIN_BODIES[name]
        inflated = inflate(body, header)
        assert (inflated.content, inflated.codes, inflated.truncated) == (body, ["wrong-content-encoding"], False)

    @pytest.mark.parametrize("header", ["br", "deflate", "gzip", "zstd"])
    def test_that_name_another_codec_than_the_magic_are_not_believed(self, header: str) -> None:
        for compress, own in ((gz, "gzip"), (zst, "zstd")):
            expected = [] if header == own else ["wrong-content-encoding"]
            inflated = inflate(compress(XML), header)
            assert (inflated.content, inflated.codes) == (XML, expected)

    def test_that_name_an_encoding_too_many_are_noted_once(self) -> None:
        inflated = inflate(gz(XML), "br, gzip, br, deflate, br")
        assert (inflated.content, inflated.codes) == (XML, ["wrong-content-encoding"])

    def test_with_an_unknown_token_leave_it_to_the_magic(self) -> None:
        inflated = inflate(gz(XML), "compress, utf-8, gzip")
        assert (inflated.content, inflated.codes) == (XML, ["unknown-content-encoding"] * 2)
        assert [problem.detail for problem in inflated.problems] == ["compress", "utf-8"]

    def test_of_a_thousand_tokens_cost_one_trial(self) -> None:
        inflated = inflate(b"\x01\x02" + RANDOM, ",".join(["br"] * 1000))
        assert inflated.content == b"\x01\x02" + RANDOM
        assert inflated.codes == ["wrong-content-encoding"]

    def test_binary_that_no_codec_accepts_stays_as_it_is(self) -> None:
        body = b"\x07" + b"\xff" * 6000  # a block of a type that does not exist
        inflated = inflate(body, "deflate")
        assert (inflated.content, inflated.codes) == (body, ["wrong-content-encoding"])


class TestNesting:
    def test_deeper_than_the_limit_is_refused(self) -> None:
        inflated = inflate(gz(zst(gz(XML))))
        assert (inflated.content, inflated.codes, inflated.refused) == (b"", ["too-many-encodings"], True)

    def test_the_header_counts_too(self) -> None:
        inflated = inflate(br(gz(gz(XML))), "br")
        assert (inflated.content, inflated.codes, inflated.refused) == (b"", ["too-many-encodings"], True)
        inflated = inflate(br(br(br(XML))), "br, br, br")
        assert (inflated.content, inflated.codes, inflated.refused) == (b"", ["too-many-encodings"], True)

    def test_the_limit_is_an_option(self) -> None:
        assert inflate(gz(zst(gz(XML))), None, Limits(encodings=3)).content == XML
        assert inflate(gz(gz(XML)), None, Limits(encodings=1)).refused


class TestSizes:
    @pytest.mark.parametrize(("body", "header"), [(XML, None), (gz(XML), None), (br(XML), "br"), (gz(gz(XML)), None)])
    def test_inflated_bytes_up_to_the_limit_are_fine(self, body: bytes, header: str | None) -> None:
        limits = Limits(inflated_bytes=len(XML))
        assert inflate(body, header, limits) == undone(XML)

    @pytest.mark.parametrize(("body", "header"), [(XML, None), (gz(XML), None), (br(XML), "br"), (gz(gz(XML)), None)])
    def test_one_inflated_byte_over_the_limit_is_cut_and_noted(self, body: bytes, header: str | None) -> None:
        inflated = inflate(body, header, Limits(inflated_bytes=len(XML) - 1))
        assert (inflated.content, inflated.codes, inflated.truncated) == (XML[:-1], ["too-large"], True)
        assert not inflated.refused

    @pytest.mark.parametrize(("body", "header"), [(XML, None), (gz(XML), None), (br(XML), "br"), (gz(gz(XML)), None)])
    def test_wire_bytes_up_to_the_limit_are_fine(self, body: bytes, header: str | None) -> None:
        assert inflate(body, header, Limits(wire_bytes=len(body))) == undone(XML)

    @pytest.mark.parametrize(("body", "header"), [(XML, None), (gz(XML), None), (br(XML), "br"), (gz(gz(XML)), None)])
    def test_one_byte_over_the_limit_of_the_wire_is_noted(self, body: bytes, header: str | None) -> None:
        inflated = inflate(body, header, Limits(wire_bytes=len(body) - 1))
        assert XML.startswith(inflated.content)
        assert (inflated.codes, inflated.truncated, inflated.refused) == (["too-large"], True, False)

    def test_the_output_of_every_layer_is_judged(self) -> None:
        inflated = inflate(gz(gz(RANDOM)), None, Limits(inflated_bytes=150_000))
        assert RANDOM.startswith(inflated.content)
        assert 100_000 < len(inflated.content) <= 150_000
        assert (inflated.codes, inflated.truncated) == (["too-large"], True)

    def test_no_piece_is_larger_than_a_piece(self) -> None:
        for body, header in ((RANDOM, "br"), (RANDOM, None), (br(bytes(MIB)), "br"), (zst(bytes(MIB)), None)):
            inflater = Inflater(header, DEFAULT_LIMITS, ProblemLog(""))
            pieces = [*inflater.feed(body), *inflater.close()]
            assert max(len(piece) for piece in pieces) <= PIECE
            assert min(len(piece) for piece in pieces) > 0

    def test_a_cut_body_ends_the_download(self) -> None:
        inflater = Inflater(None, Limits(wire_bytes=10), ProblemLog(""))
        assert b"".join(inflater.feed(XML)) == XML[:10]
        assert inflater.done
        assert list(inflater.feed(XML)) == []

    def test_a_closed_inflater_is_done(self) -> None:
        inflater = Inflater(None, DEFAULT_LIMITS, ProblemLog(""))
        assert not inflater.done
        list(inflater.close())
        assert inflater.done
        assert [*inflater.feed(XML), *inflater.close()] == []

    def test_frames_beyond_their_limit_are_not_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        few = tuple(codec._replace(most_members=3) if codec is ZSTD else codec for codec in CODECS)
        monkeypatch.setattr(compression, "CODECS", few)
        assert inflate(zst(b"a") * 3) == undone(b"aaa")
        inflated = inflate(zst(b"a") * 4)
        assert (inflated.content, inflated.codes, inflated.truncated) == (b"aaa", ["too-large"], True)


BOMBS: dict[str, tuple[bytes, str | None]] = {
    "gzip": (gz_bomb(30), None),
    "gzip in gzip": (gz(gz_bomb(30)), None),
    "gzip in zstd": (zst(gz_bomb(30)), None),
    "brotli": (br_bomb(30), "br"),
    "zstd": (zst_bomb(30), None),
    "deflate": (zlib.compress(bytes(30 * MIB)), "deflate"),
}


class TestBombs:
    @pytest.mark.parametrize("name", BOMBS)
    def test_are_refused_soon_after_the_ratio_counts(self, name: str) -> None:
        body, header = BOMBS[name]
        inflated = inflate(body, header)
        assert (inflated.codes, inflated.refused, inflated.truncated) == (["compression-ratio"], True, False)
        assert len(inflated.content) <= DEFAULT_LIMITS.ratio_after + PIECE

    def test_nothing_is_given_once_refused(self) -> None:
        inflater = Inflater(None, DEFAULT_LIMITS, ProblemLog(""))
        list(inflater.feed(gz_bomb(30)))
        assert inflater.done
        assert [*inflater.feed(gz(XML)), *inflater.close()] == []

    def test_small_regular_documents_are_none(self) -> None:
        assert inflate(gz(bytes(8 * MIB))) == undone(bytes(8 * MIB))

    def test_the_ratio_is_an_option(self) -> None:
        assert not inflate(gz(bytes(9 * MIB)), None, Limits(ratio=2000)).refused
        assert inflate(gz(bytes(MIB)), None, Limits(ratio_after=64 * KIB)).refused
        assert not inflate(gz(RANDOM), None, Limits(ratio=1, ratio_after=1)).refused

    @pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss differs")
    @pytest.mark.parametrize(
        ("bomb", "header", "megabytes"),
        [
            (gz_bomb(64), None, 8),
            (gz(gz_bomb(64)), None, 8),
            (zst_bomb(64), None, 16),
            (br_bomb(64), "br", 16),
            (br_bomb(64, window_log=24), "br", 32),  # a window of 16 MiB, which brotli fills before it gives anything
        ],
        ids=["gzip", "gzip in gzip", "zstd", "brotli", "brotli with its largest window"],
    )
    def test_cost_little_memory(self, bomb: bytes, header: str | None, megabytes: int) -> None:
        script = f"""
import resource, sys
from usp.decoding.compression import Inflater
from usp.limits import DEFAULT_LIMITS
from usp.problems import ProblemLog
bomb = sys.stdin.buffer.read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
inflater = Inflater({header!r}, DEFAULT_LIMITS, ProblemLog(""))
given = sum(map(len, inflater.feed(bomb))) + sum(map(len, inflater.close()))
print(inflater.refused, given, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
        run = subprocess.run([sys.executable, "-c", script], input=bomb, capture_output=True, check=True)
        refused, given, kilobytes = run.stdout.decode().split()
        assert refused == "True"
        assert 8_000_000 < int(given) <= 8 * MIB
        assert int(kilobytes) < megabytes * KIB


class TestManyMembers:
    def test_of_gzip_are_read_in_linear_time(self) -> None:
        body = gz(b"") * 100_000 + gz(XML)
        assert inflate(body) == undone(XML)
        assert inflate(cut(body, 64 * KIB)).content == XML

    def test_a_huge_run_of_zero_bytes_is_skipped(self) -> None:
        assert inflate(gz(XML) + bytes(20 * MIB)).codes == ["junk-after-compression"]


def test_brotli_and_zstd_are_imported_only_when_they_are_met() -> None:
    script = """
import gzip, sys
from usp.decoding import compression
from usp.decoding.codecs import CODECS, ZSTD
from usp.decoding.compression import Inflater
from usp.limits import DEFAULT_LIMITS
from usp.problems import ProblemLog
inflater = Inflater("gzip", DEFAULT_LIMITS, ProblemLog(""))
list(inflater.feed(gzip.compress(b"<urlset/>"))), list(inflater.close())
print([name for name in sys.modules if "brotli" in name.split(".")[0] or "zstd" in name])
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.replace("usp.decoding.codecs.zstd", "").strip() == "['']"
