"""How the compiled reader is asked, whatever it is: with one that a test makes up."""

import logging
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from usp.formats.native import MOST_TEXT, UNBOUNDED, Known, NativeReader
from usp.handshake import BLOCK_VERSION, INTERFACE, fits
from usp.limits import DEFAULT_LIMITS, Limits
from usp.messages import Document, Kind, SitemapRef
from usp.problems import Outcome
from usp.reading import DocumentReader
from usp.rows import MemoryBlock, Row, pack, unpack

URL = "https://example.com/sitemap.xml"
PAGE = b"<urlset><url><loc>https://example.com/a</loc></url></urlset>"
REFERENCES = b"\x91\x83\xa3url\xb9https://example.com/b.xml\xa7lastmod\xc0\xa4line\x07"


class Stop:
    def __init__(self) -> None:
        self.is_set = False

    def set(self) -> None:
        self.is_set = True


class Module:
    """Gives the same answer to everything, and remembers what it was asked."""

    INTERFACE = INTERFACE
    BLOCK_VERSION = BLOCK_VERSION
    REASONS: Sequence[str] = ("root",)
    __version__ = "1.2.3"
    Stop = Stop
    Given = SimpleNamespace

    def __init__(self, reason: str | None = None) -> None:
        self.reason = reason
        self.asked: list[tuple[Any, SimpleNamespace]] = []

    def read(self, pieces: Any, given: Any, keep: Callable[[bytes, int], Any], /) -> Any:
        self.asked.append((pieces if isinstance(pieces, list) else list(pieces), given))
        if self.reason:
            return self.reason
        return "urlset", [keep(pack([Row("https://example.com/native")]), 1)], REFERENCES


def reader_with(module: Module, **options: Any) -> DocumentReader:
    return DocumentReader(URL, native=NativeReader(module), **options)


def urls(document: Document) -> list[str]:
    return [row.url for block in document.blocks for row in unpack(block.packed())]


class TestAsking:
    def test_what_it_gives_becomes_the_document(self) -> None:
        reader = reader_with(Module())
        assert reader.ask_native([PAGE])
        document = reader.close()
        assert urls(document) == ["https://example.com/native"]
        assert document.references == (SitemapRef("https://example.com/b.xml", None, 7),)
        assert (document.url, document.kind, document.outcome) == (URL, Kind.URLSET, Outcome.OK)
        assert document.problems.total == 0

    def test_what_it_declines_the_python_parser_reads(self) -> None:
        reader = reader_with(Module("root"))
        assert not reader.ask_native([PAGE])
        reader.feed(PAGE)
        assert urls(reader.close()) == ["https://example.com/a"]

    def test_without_it_nothing_is_asked(self) -> None:
        reader = DocumentReader(URL)
        assert not reader.ask_native([PAGE])
        reader.feed(PAGE)
        assert urls(reader.close()) == ["https://example.com/a"]

    def test_the_limits_go_along(self) -> None:
        module = Module()
        limits = Limits(wire_bytes=1, inflated_bytes=2, ratio=3, ratio_after=4, encodings=5)
        reader_with(module, limits=limits).ask_native([PAGE])
        ((_, given),) = module.asked
        wanted = {"wire_bytes": 1, "inflated_bytes": 2, "ratio": 3, "ratio_after": 4, "encodings": 5}
        assert vars(given).items() >= wanted.items()

    @pytest.mark.parametrize(
        ("headers", "gzip", "charset"),
        [
            ({}, False, "utf-8"),
            ({"content-encoding": "identity", "content-type": "text/xml"}, False, "utf-8"),
            ({"content-encoding": " GZip ", "content-type": "text/xml; charset=UTF8"}, True, "utf-8"),
            ({"content-encoding": "x-gzip", "content-type": "text/xml; charset=latin-1"}, True, "other"),
        ],
    )
    def test_what_headers_say_goes_along(self, headers: dict[str, str], gzip: bool, charset: str) -> None:
        module = Module()
        reader_with(module, headers=headers).ask_native([PAGE])
        ((_, given),) = module.asked
        assert (given.named_gzip, given.charset) == (gzip, charset)

    @pytest.mark.parametrize("encoding", ["br", "zstd", "deflate", "gzip, br", "gzip, gzip"])
    def test_other_compressions_are_declined_unasked(self, encoding: str) -> None:
        module = Module()
        reader = reader_with(module, headers={"content-encoding": encoding})
        assert not reader.ask_native([PAGE])
        assert module.asked == []

    def test_a_header_with_a_problem_is_none_of_its_business(self) -> None:
        module = Module()
        assert not reader_with(module, headers={"content-encoding": "rot13"}).ask_native([PAGE])
        assert module.asked == []

    def test_a_body_that_was_cut_short_is_none_of_its_business(self) -> None:
        module = Module()
        reader = reader_with(module)
        reader.cut_short("partial-content", "")
        assert not reader.ask_native([PAGE])
        assert module.asked == []

    def test_it_can_be_stopped(self) -> None:
        module = Module()
        reader = reader_with(module)
        reader.stop_native()
        reader.ask_native([PAGE])
        ((_, given),) = module.asked
        assert given.stop.is_set


class TestText:
    def test_ascii_is_given_as_it_is(self) -> None:
        module = Module()
        text = PAGE.decode()
        reader_with(module).ask_native(text)
        ((pieces, given),) = module.asked
        assert pieces == [text]
        assert (given.charset, given.wire_bytes, given.inflated_bytes) == ("decoded", UNBOUNDED, UNBOUNDED)

    def test_other_text_is_encoded(self) -> None:
        module = Module()
        reader_with(module).ask_native("é")
        assert module.asked[0][0] == ["é".encode()]

    @pytest.mark.parametrize(
        ("text", "limits", "reason"),
        [
            ("\ud800", DEFAULT_LIMITS, "characters"),
            ("é" * (MOST_TEXT + 1), DEFAULT_LIMITS, "long-text"),
            ("ab", Limits(inflated_bytes=1), "too-large"),
        ],
        ids=["lone surrogate", "long", "beyond the limit"],
    )
    def test_what_it_cannot_have_is_declined_unasked(self, text: str, limits: Limits, reason: str) -> None:
        module = Module()
        assert NativeReader(module).read(text, Known(URL, limits, 100), MemoryBlock) == reason
        assert module.asked == []


class TestCounting:
    def test_what_became_of_documents_is_counted(self) -> None:
        native = NativeReader(module := Module())
        for module.reason in (None, "root", None, "root", "url"):
            reader = DocumentReader(URL, native=native)
            reader.ask_native([PAGE])
            reader.close()
        assert native.accepted == 2
        assert native.declines == {"root": 2, "url": 1}

    def test_a_decline_is_logged_for_who_wants_to_know(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG, "usp.reading")
        reader = reader_with(Module("root"))
        reader.ask_native([PAGE])
        reader.close()
        assert [record.levelname for record in caplog.records] == ["DEBUG"]
        assert "root" in caplog.text

    def test_a_panic_is_an_error_in_the_log_and_no_more(self, caplog: pytest.LogCaptureFixture) -> None:
        reader = reader_with(Module("panic"))
        assert not reader.ask_native([PAGE])
        reader.feed(PAGE)
        assert urls(reader.close()) == ["https://example.com/a"]
        assert [record.levelname for record in caplog.records] == ["ERROR"]


class TestVersions:
    def test_the_same_versions_fit(self) -> None:
        assert fits(Module())

    @pytest.mark.parametrize("name", ["INTERFACE", "BLOCK_VERSION"])
    def test_another_version_of_anything_does_not(self, name: str) -> None:
        module = Module()
        setattr(module, name, getattr(module, name) + 1)
        assert not fits(module)


def test_pieces_that_come_one_by_one_are_taken_as_they_come() -> None:
    def pieces() -> Iterator[bytes | None]:
        yield PAGE
        yield None

    module = Module()
    reader_with(module).ask_native(pieces())
    assert module.asked[0][0] == [PAGE, None]
