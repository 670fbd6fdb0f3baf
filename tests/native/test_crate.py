"""What the crate promises beside reading: blocks, threads, bounds, and exceptions that are Python's own."""

import gzip
import io
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.both_readers import python_answer, said
from tests.namespaces import NAMESPACES
from usp.compiled import native_reader
from usp.formats.native import Known, NativeReader
from usp.limits import DEFAULT_LIMITS, MIB, Limits
from usp.messages import Document
from usp.parsing import parse
from usp.reading import DocumentReader
from usp.rows import ROWS_A_BLOCK, Block, MemoryBlock, unpack

pytest.importorskip("usp_native")

URL = "https://example.com/sitemap.xml"


@pytest.fixture
def native() -> NativeReader:
    found = native_reader()
    assert found is not None
    return found


def urlset(pages: int, more: str = "") -> bytes:
    entries = "".join(f"<url>\n<loc>https://example.com/{page}</loc>{more}</url>\n" for page in range(pages))
    return f"<urlset {NAMESPACES}>\n{entries}</urlset>".encode()


def read(native: NativeReader, *pieces: bytes, limits: Limits = DEFAULT_LIMITS) -> Document | str:
    return native.read(list(pieces), Known(URL, limits, 100), MemoryBlock)


def document(native: NativeReader, *pieces: bytes) -> Document:
    found = read(native, *pieces)
    assert isinstance(found, Document), found
    return found


class TestBlocks:
    @pytest.mark.parametrize("pages", [0, 1, 15, 16, ROWS_A_BLOCK, ROWS_A_BLOCK + 1, 2500])
    def test_blocks_are_the_bytes_that_python_packs(self, native: NativeReader, pages: int) -> None:
        body = urlset(pages, "<lastmod>2024</lastmod>")
        reader = DocumentReader(URL)
        reader.feed(body)
        packed = [(block.packed(), block.rows) for block in reader.close().blocks]
        assert [(block.packed(), block.rows) for block in document(native, body).blocks] == packed

    @pytest.mark.parametrize("length", [0, 31, 32, 255, 256, 65_535, 65_536, 300_000])
    def test_strings_of_any_length_are_packed(self, native: NativeReader, length: int) -> None:
        body = f"<urlset {NAMESPACES}><url><loc>https://e.com/{'a' * length}</loc></url></urlset>".encode()
        assert said(document(native, body)) == python_answer(DocumentReader(URL), [body])

    def test_parts_and_long_rows_close_a_block_early(self, native: NativeReader) -> None:
        image = "<image:image><image:loc>https://example.com/i</image:loc></image:image>"
        blocks = document(native, urlset(30, image * 1000)).blocks
        assert [block.rows for block in blocks[:2]] == [10, 10]
        long_rows = document(native, urlset(200, f"<lastmod>{'x' * 40_000}</lastmod>")).blocks
        assert max(len(block.packed()) for block in long_rows) < 2 * MIB

    def test_more_parts_than_a_page_may_have_are_declined(self, native: NativeReader) -> None:
        link = '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/"/>'
        assert read(native, urlset(1, link * 10_001)) == "too-many-parts"
        assert isinstance(read(native, urlset(1, link * 10_000)), Document)

    def test_lines_are_counted_over_all_of_a_large_document(self, native: NativeReader) -> None:
        rows = [row for block in document(native, urlset(30_000)).blocks for row in unpack(block.packed())]
        assert [row.line for row in rows] == list(range(2, 60_002, 2))

    @pytest.mark.parametrize("end", ["\r\n", "\r"])
    def test_any_line_ends_are_counted_over_all_of_a_large_document(self, native: NativeReader, end: str) -> None:
        body = urlset(30_000).replace(b"\n", end.encode())
        for cut in (1, 100_000, 262_144):
            rows = [row for block in document(native, body[:cut], body[cut:]).blocks for row in unpack(block.packed())]
            assert [row.line for row in rows] == list(range(2, 60_002, 2))


class TestBounds:
    def test_a_limit_is_kept_to_the_byte(self, native: NativeReader) -> None:
        body = urlset(3)
        for compressed in (body, gzip.compress(body)):
            assert isinstance(read(native, compressed, limits=Limits(inflated_bytes=len(body))), Document)
            assert read(native, compressed, limits=Limits(inflated_bytes=len(body) - 1)) == "too-large"
            assert isinstance(read(native, compressed, limits=Limits(wire_bytes=len(compressed))), Document)
            assert read(native, compressed, limits=Limits(wire_bytes=len(compressed) - 1)) == "too-large"

    def test_more_references_than_are_kept_are_declined(self, native: NativeReader) -> None:
        entries = "".join(f"<sitemap><loc>https://example.com/{number}</loc></sitemap>" for number in range(3))
        body = f"<sitemapindex {NAMESPACES}>{entries}</sitemapindex>".encode()
        assert isinstance(native.read([body], Known(URL, DEFAULT_LIMITS, 3), MemoryBlock), Document)
        assert native.read([body], Known(URL, DEFAULT_LIMITS, 2), MemoryBlock) == "too-large"

    def test_a_bomb_is_declined_early(self, native: NativeReader) -> None:
        bomb = gzip.compress(urlset(1)[:-9] + b" " * 50 * MIB, 9)
        assert read(native, bomb) in ("ratio", "long-entry")

    def test_many_empty_members_are_left_to_python(self, native: NativeReader) -> None:
        assert read(native, gzip.compress(b"") * 2000 + gzip.compress(urlset(1))) == "compression"

    def test_an_entry_that_never_ends_is_declined(self, native: NativeReader) -> None:
        assert read(native, urlset(1)[:-20] + b"a" * 2 * MIB) == "long-entry"

    def test_a_deep_page_map_is_declined(self, native: NativeReader) -> None:
        deep = "<DataObject>" * 100_000 + "</DataObject>" * 100_000
        page_map = f'<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0">{deep}</PageMap>'
        assert read(native, urlset(1, page_map)) in ("element", "long-entry")


class TestDeclaration:
    """Python looks for it in the first 1024 bytes alone."""

    @pytest.mark.parametrize(
        "head",
        [
            '<?xml version="1.0"' + " " * 1000 + 'encoding="utf-8"?>',
            " " * 1024 + '<?xml version="1.0" encoding="utf-8"?>',
            "\ufeff" + "\r\n" * 512 + '<?xml version="1.0"?>',
            "\n" * 20_000 + '<?xml version="1.0"?>',
        ],
        ids=["long", "behind-blanks", "behind-bom-and-lines", "far-behind"],
    )
    @pytest.mark.parametrize("utf_8", [True, False], ids=["utf-8", "another-charset-in-the-header"])
    def test_one_that_python_might_not_see_is_declined(self, native: NativeReader, head: str, utf_8: bool) -> None:
        known = Known(URL, DEFAULT_LIMITS, 100, utf_8=utf_8)
        assert native.read([head.encode() + urlset(1)], known, MemoryBlock) == "declaration"
        assert native.read(head + urlset(1).decode(), known, MemoryBlock) == "declaration"


class TestThreads:
    def test_other_threads_run_while_it_reads(self, native: NativeReader) -> None:
        body = urlset(200_000)
        began = threading.Event()
        counted = 0

        def work() -> None:
            began.set()
            for _ in range(3):
                document(native, body)

        thread = threading.Thread(target=work)
        thread.start()
        began.wait()
        while thread.is_alive():
            counted += 1
            time.sleep(0)
        thread.join()
        assert counted > 100

    def test_several_documents_are_read_at_once(self, native: NativeReader) -> None:
        found: dict[int, int] = {}

        def work(pages: int) -> None:
            found[pages] = sum(block.rows for block in document(native, urlset(pages)).blocks)

        threads = [threading.Thread(target=work, args=(pages,)) for pages in (1000, 20_000, 30_000, 40_000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == {pages: pages for pages in (1000, 20_000, 30_000, 40_000)}

    def test_who_is_told_to_stop_declines(self, native: NativeReader) -> None:
        stop = native.new_stop()
        stop.set()
        assert native.read([urlset(1)], Known(URL, DEFAULT_LIMITS, 100), MemoryBlock, stop) == "stopped"


class TestOneByOne:
    def test_pieces_may_come_one_by_one(self, native: NativeReader) -> None:
        body = urlset(2000)
        pieces = iter([body[start : start + 1000] for start in range(0, len(body), 1000)] + [b"", b""])
        found = native.read(pieces, Known(URL, DEFAULT_LIMITS, 100), MemoryBlock)
        assert isinstance(found, Document)
        assert said(found) == said(document(native, body))

    def test_none_is_a_decline(self, native: NativeReader) -> None:
        assert native.read(iter([urlset(1), None]), Known(URL, DEFAULT_LIMITS, 100), MemoryBlock) == "unreadable"

    def test_what_is_raised_for_a_piece_reaches_the_caller(self, native: NativeReader) -> None:
        def pieces() -> Iterator[bytes]:
            yield b"<urlset"
            raise LookupError("no more")

        with pytest.raises(LookupError, match="no more"):
            native.read(pieces(), Known(URL, DEFAULT_LIMITS, 100), MemoryBlock)

    @pytest.mark.parametrize("pieces", [["<urlset>", 1], iter([1])], ids=["list", "iterator"])
    def test_what_is_no_piece_is_a_mistake_of_the_caller(self, native: NativeReader, pieces: Any) -> None:
        with pytest.raises(TypeError):
            native.read(pieces, Known(URL, DEFAULT_LIMITS, 100), MemoryBlock)

    def test_what_is_raised_when_a_block_is_kept_reaches_the_caller(self, native: NativeReader) -> None:
        def keep(packed: bytes, rows: int) -> Block:
            raise MemoryError("full")

        with pytest.raises(MemoryError, match="full"):
            native.read([urlset(1)], Known(URL, DEFAULT_LIMITS, 100), keep)

    def test_blocks_of_a_large_document_are_handed_over_while_it_is_read(self, native: NativeReader) -> None:
        body = urlset(100_000, f"<lastmod>{'2024' * 20}</lastmod>")
        kept: list[int] = []

        def keep(packed: bytes, rows: int) -> Block:
            kept.append(rows)
            return MemoryBlock(packed, rows)

        assert native.read([body[:-9]], Known(URL, DEFAULT_LIMITS, 100), keep) == "end"
        assert sum(kept) > 10_000


class TestParse:
    def test_a_file_is_read_as_it_is_needed(self, native: NativeReader, tmp_path: Path) -> None:
        path = tmp_path / "sitemap.xml.gz"
        path.write_bytes(gzip.compress(urlset(2000)))
        accepted = native.accepted
        assert len(parse(path).pages) == 2000
        with path.open("rb") as file:
            assert len(parse(file).pages) == 2000
        assert native.accepted == accepted + 2

    def test_a_file_that_is_declined_is_read_from_its_beginning(self, tmp_path: Path) -> None:
        path = tmp_path / "sitemap.xml"
        path.write_bytes(urlset(20_000)[:-9])
        sitemap = parse(path)
        assert len(sitemap.pages) == 20_000
        assert sitemap.problems.counts == {"missing-end": 1}
        with path.open("rb") as file:
            file.seek(0)
            assert parse(file).pages == sitemap.pages
            assert file.read() == b""

    def test_what_comes_only_once_is_left_to_python_if_it_is_long(self, native: NativeReader) -> None:
        accepted, unreadable = native.accepted, native.declines["unreadable"]
        for pages in (1000, 20_000):
            assert len(parse(Stream(urlset(pages))).pages) == pages  # type: ignore[arg-type]
        assert (native.accepted, native.declines["unreadable"]) == (accepted + 1, unreadable + 1)


class Stream(io.RawIOBase):
    """A binary file that cannot be put back."""

    def __init__(self, body: bytes) -> None:
        self._body = io.BytesIO(body)

    def read(self, size: int = -1) -> bytes:
        return self._body.read(size)

    def seekable(self) -> bool:
        return False
