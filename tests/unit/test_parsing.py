"""What a caller may give to ``parse``, and what it says to a caller who gives something else."""

import gc
import gzip
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.unit.decoding.bodies import br, gz
from usp.exceptions import InvalidOptionException, InvalidSourceException, SitemapException
from usp.formats.abstract import LOCAL_URL
from usp.limits import DEFAULT_LIMITS, Limits
from usp.objects.page import SitemapPage
from usp.objects.sitemap import (
    AbstractSitemap,
    IndexRobotsTxtSitemap,
    IndexXMLSitemap,
    InvalidSitemap,
    PagesTextSitemap,
    PagesXMLSitemap,
)
from usp.parsing import parse, value_problems
from usp.problems import Outcome
from usp.tree import sitemap_from_str

TEXT = "<urlset><url><loc>https://example.com/é</loc></url></urlset>"
BODY = TEXT.encode()
URL = "https://example.com/maps/sitemap.xml"


def urls(sitemap: AbstractSitemap) -> list[str]:
    return [page.url for page in sitemap.pages]


def kind(value: object) -> str:
    return type(value).__name__


class NamedPath:
    """A path that is no ``pathlib.Path``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return str(self._path)


class Slow(io.RawIOBase):
    """A file that gives few bytes at a time, as a socket does."""

    def __init__(self, body: bytes) -> None:
        self._file = io.BytesIO(body)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._file.read(3)
        buffer[: len(part)] = part
        return len(part)


class TestSources:
    @pytest.mark.parametrize("source", [BODY, TEXT, bytearray(BODY), memoryview(BODY), gz(BODY)], ids=kind)
    def test_bytes_and_text_are_documents(self, source: Any) -> None:
        assert urls(parse(source)) == ["https://example.com/é"]

    @pytest.mark.parametrize("source", [io.BytesIO(BODY), Slow(BODY), io.BufferedReader(Slow(gz(BODY)))])
    def test_a_binary_file_is_read_to_its_end(self, source: Any) -> None:
        assert urls(parse(source)) == ["https://example.com/é"]

    def test_a_file_is_read_from_where_it_stands_and_left_open(self) -> None:
        file = io.BytesIO(b"junk" + BODY)
        file.seek(4)
        sitemap = parse(file)
        assert "junk-before-document" not in sitemap.problems.counts
        assert not file.closed

    def test_a_path_is_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "sitemap.xml.gz"
        path.write_bytes(gz(BODY))
        for source in (path, NamedPath(path)):
            assert urls(parse(source)) == ["https://example.com/é"]

    def test_text_is_a_document_never_a_path(self, tmp_path: Path) -> None:
        path = tmp_path / "sitemap.xml"
        path.write_bytes(BODY)
        sitemap = parse(str(path))
        assert isinstance(sitemap, InvalidSitemap)
        assert sitemap.outcome is Outcome.BROKEN

    def test_the_encoding_that_a_text_declares_is_ignored(self) -> None:
        sitemap = parse('<?xml version="1.0" encoding="utf-16"?>' + TEXT)
        assert urls(sitemap) == ["https://example.com/é"]
        assert list(sitemap.problems.counts) == ["missing-namespace"]

    def test_surrogates_of_a_text_are_joined_or_replaced(self) -> None:
        assert urls(parse("https://example.com/\ud83d\ude00")) == ["https://example.com/\U0001f600"]
        sitemap = parse("https://example.com/\ude00")
        assert urls(sitemap) == ["https://example.com/\ufffd"]
        assert sitemap.problems.counts == {"lone-surrogate": 1}

    def test_surrogates_are_joined_and_counted_wherever_they_stand(self) -> None:
        lines = "https://example.com/\n" * 5000
        blanks = "https://example.com/".ljust(65_535)
        assert urls(parse(blanks + "\ud83d\ude00"))[0] == "https://example.com/"
        assert "lone-surrogate" not in parse(blanks + "\ud83d\ude00").problems.counts
        problem = next(one for one in parse(lines + "\ude00").problems if one.code == "lone-surrogate")
        assert problem.line == 5001

    @pytest.mark.parametrize("source", [b"", "", " \n", b"\xef\xbb\xbf", io.BytesIO()], ids=kind)
    def test_nothing_is_an_empty_document(self, source: Any) -> None:
        sitemap = parse(source)
        assert isinstance(sitemap, InvalidSitemap)
        assert sitemap.outcome is Outcome.EMPTY


class TestMistakes:
    @pytest.mark.parametrize("source", [None, 5, 1.5, True, object(), [], {}, [BODY], ("a",), str, Path], ids=kind)
    def test_what_is_no_source_raises(self, source: Any) -> None:
        with pytest.raises(InvalidSourceException, match="give bytes, str"):
            parse(source)

    def test_a_missing_file_raises(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidSourceException, match=r"missing\.xml.*No such file"):
            parse(tmp_path / "missing.xml")

    def test_a_folder_raises(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidSourceException, match="directory"):
            parse(tmp_path)

    def test_a_path_that_no_file_can_have_raises(self) -> None:
        with pytest.raises(InvalidSourceException):
            parse(Path("a\0b"))

    @pytest.mark.parametrize("text", ["", TEXT])
    def test_a_text_file_raises(self, text: str) -> None:
        with pytest.raises(InvalidSourceException, match="binary mode"):
            parse(io.StringIO(text))  # type: ignore[arg-type]

    def test_a_closed_file_raises(self) -> None:
        file = io.BytesIO(BODY)
        file.close()
        with pytest.raises(InvalidSourceException, match="closed file"):
            parse(file)

    def test_a_file_that_cannot_be_read_raises(self) -> None:
        class Broken(io.RawIOBase):
            def read(self, _: int = -1) -> bytes:
                raise OSError(5, "Input/output error")

        with pytest.raises(InvalidSourceException, match="Input/output error"):
            parse(Broken())  # type: ignore[arg-type]

    @pytest.mark.parametrize("body", [gz(BODY)[:-9], gz(BODY)[:-8] + bytes(8), BODY])
    def test_a_file_that_somebody_elses_code_cannot_read_raises(self, body: bytes) -> None:
        with pytest.raises(InvalidSourceException, match="cannot read the file object"):
            parse(gzip.GzipFile(fileobj=io.BytesIO(body)))  # type: ignore[arg-type]

    @pytest.mark.parametrize("limits", [None, 5, {}, Limits])
    def test_limits_are_limits(self, limits: Any) -> None:
        with pytest.raises(SitemapException, match="Limits"):
            parse(BODY, limits=limits)

    @pytest.mark.parametrize("value", [0, -1, 1.5, "1", None, True])
    def test_a_limit_is_a_whole_number_of_at_least_one(self, value: Any) -> None:
        with pytest.raises(InvalidOptionException, match=r"Limits\.ratio"):
            Limits(ratio=value)

    @pytest.mark.parametrize("url", [5, b"https://example.com/", object(), Path("sitemap.xml")], ids=kind)
    def test_a_url_is_text(self, url: Any) -> None:
        with pytest.raises(SitemapException, match="url"):
            parse(BODY, url=url)

    @pytest.mark.parametrize(
        "headers",
        [5, "Content-Type: text/xml", [("Content-Type", "text/xml")], {"content-type": None}, {b"a": "b"}, {"a": b"b"}],
        ids=kind,
    )
    def test_headers_are_a_mapping_of_text(self, headers: Any) -> None:
        with pytest.raises(SitemapException, match="headers"):
            parse(BODY, headers=headers)

    @pytest.mark.parametrize("content", [None, 5, []])
    def test_the_old_entry_point_raises_too(self, content: Any) -> None:
        with pytest.raises(SitemapException):
            sitemap_from_str(content)


class TestOptions:
    def test_relative_urls_are_resolved_against_the_documents_own(self) -> None:
        text = "<urlset><url><loc>/a</loc></url><url><loc>b?c</loc></url></urlset>"
        assert urls(parse(text, url=URL)) == ["https://example.com/a", "https://example.com/maps/b?c"]
        assert urls(parse(text)) == ["/a", "b?c"]

    def test_a_document_without_a_url_has_the_promised_one(self) -> None:
        assert parse(TEXT).url == LOCAL_URL == "http://usp-local-dummy.local/"
        assert parse(TEXT, url=URL).url == URL

    def test_a_file_is_called_by_its_name_but_nothing_is_resolved(self, tmp_path: Path) -> None:
        path = tmp_path / "sitemap.xml"
        path.write_text("<urlset><url><loc>/a</loc></url></urlset>")
        sitemap = parse(path)
        assert sitemap.url == LOCAL_URL + "sitemap.xml"
        assert urls(sitemap) == ["/a"]
        assert parse(path, url=URL).url == URL

    def test_a_robots_txt_is_known_by_its_name(self, tmp_path: Path) -> None:
        body = b"# nothing here\nhttps://example.com/"
        path = tmp_path / "robots.txt"
        path.write_bytes(body)
        assert isinstance(parse(path), IndexRobotsTxtSitemap)
        assert isinstance(parse(body, url="https://example.com/robots.txt?a"), IndexRobotsTxtSitemap)
        assert isinstance(parse(body), PagesTextSitemap)

    @pytest.mark.parametrize("name", ["content-encoding", "Content-Encoding", "CONTENT-ENCODING"])
    def test_headers_have_names_in_any_case(self, name: str) -> None:
        assert urls(parse(br(BODY), headers={name: "br"})) == ["https://example.com/é"]

    @pytest.mark.parametrize("name", ["content-type", "Content-Type"])
    def test_the_charset_of_the_content_type_counts(self, name: str) -> None:
        sitemap = parse(TEXT.encode("latin-1"), headers={name: "text/xml; charset=iso-8859-1"})
        assert urls(sitemap) == ["https://example.com/é"]

    @pytest.mark.parametrize("headers", [None, {}, {"Server": "nginx"}])
    def test_headers_may_say_nothing(self, headers: Mapping[str, str] | None) -> None:
        assert urls(parse(BODY, headers=headers)) == ["https://example.com/é"]

    def test_limits_on_pages_and_sitemaps_keep_the_first(self) -> None:
        urls = [f"https://example.com/{number}" for number in range(2500)]
        entries = "".join(f"<url><loc>{url}</loc></url><sitemap><loc>{url}.xml</loc></sitemap>" for url in urls)
        sitemap = parse(f"<urlset>{entries}</urlset>", limits=Limits(pages=1001, sitemaps=3))
        assert [page.url for page in sitemap.pages] == urls[:1001]
        assert [child.url for child in sitemap.sub_sitemaps] == [f"{url}.xml" for url in urls[:3]]
        assert (sitemap.outcome, sitemap.complete) == (Outcome.TRUNCATED, False)
        details = [problem.detail for problem in sitemap.problems if problem.code == "too-large"]
        assert details == ["more than 1001 pages", "more than 3 sitemaps"]
        assert sitemap.problems.counts["too-large"] == 2

    def test_limits_that_are_just_reached_cut_nothing(self) -> None:
        text = "<urlset><url><loc>https://example.com/</loc></url><sitemap><loc>https://example.com/a</loc></sitemap>"
        sitemap = parse(text + "</urlset>", limits=Limits(pages=1, sitemaps=1))
        assert (len(sitemap.pages), len(sitemap.sub_sitemaps), sitemap.outcome) == (1, 1, Outcome.OK)

    def test_limits_cut(self) -> None:
        text = "".join(f"https://example.com/{number}\n" for number in range(1000))
        sitemap = parse(text.encode(), limits=Limits(inflated_bytes=2300))
        assert sitemap.outcome is Outcome.TRUNCATED
        assert len(sitemap.pages) == 100
        assert len(parse(text.encode(), limits=DEFAULT_LIMITS).pages) == 1000

    def test_the_rest_of_a_refused_file_is_not_read(self) -> None:
        file = io.BytesIO(gz(bytes(20_000_000)) + bytes(1_000_000))
        assert parse(file).outcome is Outcome.REFUSED
        assert file.tell() < 200_000


class TestResults:
    def test_children_of_an_index_are_not_fetched(self) -> None:
        sitemap = parse("<sitemapindex><sitemap><loc>https://example.com/a.xml</loc><lastmod>2024</lastmod></sitemap>")
        assert isinstance(sitemap, IndexXMLSitemap)
        (child,) = sitemap.sub_sitemaps
        assert isinstance(child, InvalidSitemap)
        assert child.reason.startswith("not fetched")
        assert (child.url, child.lastmod, child.outcome) == ("https://example.com/a.xml", "2024", None)

    def test_an_unusable_document_says_why(self) -> None:
        sitemap = parse("<!DOCTYPE html><html></html>", url=URL)
        assert isinstance(sitemap, InvalidSitemap)
        assert "HTML page" in sitemap.reason
        assert sitemap.incomplete_because == [f"{URL} is broken: {sitemap.reason}"]

    def test_pages_can_be_read_again_and_again(self) -> None:
        sitemap = parse(TEXT)
        assert list(sitemap.pages) == list(sitemap.pages) == sitemap.pages[:]
        assert sitemap == parse(BODY)


class TestValueProblems:
    def test_names_each_odd_value_with_its_line(self) -> None:
        text = """<urlset>
<url><loc>https://example.com/a b</loc><lastmod>10</lastmod><priority>2</priority></url>
<url><loc>https://example.com/</loc><changefreq>sometimes</changefreq><lastmod>2024/01/02</lastmod></url>
</urlset>"""
        found = [(problem.code, problem.line) for problem in value_problems(parse(text))]
        expected = [
            ("space-in-url", 2),
            ("bad-date", 2),
            ("bad-priority", 2),
            ("unusual-date", 3),
            ("bad-changefreq", 3),
        ]
        assert found == expected

    def test_names_what_is_odd_about_the_children_of_an_index(self) -> None:
        text = """<sitemapindex>
<sitemap><loc>https://example.com/a b.xml</loc><lastmod>10</lastmod></sitemap>
<sitemap><loc>https://example.com/c.xml</loc><lastmod>2024-01-02</lastmod></sitemap>
</sitemapindex>"""
        found = [(problem.code, problem.url, problem.detail) for problem in value_problems(parse(text, url=URL))]
        assert found == [
            ("space-in-url", URL, "white space of https://example.com/a b.xml"),
            ("bad-date", URL, "10 of https://example.com/a b.xml"),
        ]

    def test_finds_nothing_in_good_values(self) -> None:
        text = "<urlset><url><loc>https://example.com/</loc><lastmod>2024-01-02</lastmod><priority>1</priority></url>"
        assert list(value_problems(parse(text))) == []

    @pytest.mark.parametrize(
        "sitemap",
        [
            InvalidSitemap(URL, "404 Not Found"),
            PagesXMLSitemap(URL, [SitemapPage("no url", lastmod="10")]),
            IndexXMLSitemap(URL, []),
        ],
    )
    def test_finds_nothing_in_what_a_program_made(self, sitemap: AbstractSitemap) -> None:
        assert list(value_problems(sitemap)) == []


@pytest.mark.parametrize(
    "document",
    [
        "<urlset><url><loc>https://example.com/</loc></url><!-- --><url><loc><![CDATA[/cats]]></loc></url></urlset>",
        "<urlset><url><loc>https://example.com/</loc></url></broken><url><loc>/cats</loc></url>",
        "<sitemapindex><sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>",
        "<rss><channel><item><link>https://example.com/</link></item></channel></rss>",
        "<html><a href='/sitemap.xml'></html>",
        "https://example.com/",
        "",
    ],
)
def test_nothing_that_read_a_document_waits_for_the_garbage_collector(document: str) -> None:
    parse(document)  # what is cached for the process is made now
    gc.collect()
    gc.disable()
    try:
        parse(document)
        assert gc.collect() == 0
    finally:
        gc.enable()
