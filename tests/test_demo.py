"""The demo reads every bundled document, shows what it is and what was tolerated, and never spoils the terminal."""

import io
import sys
from pathlib import Path

import pytest

from usp.demo.__main__ import main
from usp.demo.report import WIDTH
from usp.demo.samples import FOLDER, SECTIONS

NAMES = [name for documents in SECTIONS.values() for name in documents]

WHAT_THEY_ARE = {
    "homepage.html": "InvalidSitemap, broken, 0 pages",
    "robots.txt": "IndexRobotsTxtSitemap, ok, 0 pages, 3 sitemaps",
    "sitemapindex.xml": "IndexXMLSitemap, ok, 0 pages, 3 sitemaps",
    "urlset.xml": "PagesXMLSitemap, ok, 5 pages",
    "hreflang.xml": "PagesXMLSitemap, ok, 2 pages",
    "news.xml": "PagesXMLSitemap, ok, 2 pages",
    "images.xml": "PagesXMLSitemap, ok, 2 pages",
    "videos.xml": "PagesXMLSitemap, ok, 1 page",
    "rss.xml": "PagesRSSSitemap, ok, 2 pages",
    "rdf.xml": "PagesRSSSitemap, ok, 2 pages",
    "atom.xml": "PagesAtomSitemap, ok, 2 pages",
    "text.txt": "PagesTextSitemap, ok, 6 pages",
    "pages.xml.gz": "PagesXMLSitemap, ok, 250 pages",
    "utf-16.xml": "PagesXMLSitemap, ok, 3 pages",
    "mismatched-tag.xml": "PagesXMLSitemap, ok, 2 pages",
    "truncated.xml": "PagesXMLSitemap, truncated, 2 pages",
    "php-warning.xml": "PagesXMLSitemap, ok, 2 pages",
    "ampersands.xml": "PagesXMLSitemap, ok, 3 pages",
    "bad-values.xml": "PagesXMLSitemap, ok, 3 pages",
    "soft-404.xml": "InvalidSitemap, broken, 0 pages",
    "doctype.xml": "InvalidSitemap, refused, 0 pages",
}

PROBLEMS = {
    "mismatched-tag.xml": ["broken-entry"],
    "truncated.xml": ["truncated-document"],
    "php-warning.xml": ["junk-before-document"],
    "ampersands.xml": ["bare-ampersand", "html-entity", "reference-in-cdata"],
    "bad-values.xml": ["missing-loc", "not-http", "relative-url", "bad-date", "bad-priority", "bad-changefreq"],
    "soft-404.xml": ["html-page"],
    "doctype.xml": ["doctype-declares"],
}

FACTS = {
    "homepage.html": ["https://www.example.com/sitemapindex.xml", "https://www.example.com/atom.xml"],
    "sitemapindex.xml": ["-> https://www.example.com/pages.xml.gz  2024-11-01"],
    "urlset.xml": ["daily, priority 1.0", "floor=2  2024-09\n", "/about/history                  2019\n"],
    "hreflang.xml": ["/en/tickets  2024-10-01  4 alternates"],
    "news.xml": ["2024-11-05T06:00:00+00:00", '"Lost painting found & returned"'],
    "images.xml": ["3 images", "1 image\n"],
    "videos.xml": ["2 videos"],
    "rss.xml": ["https://www.example.com/diary/night-watch  2024-11-01T22:00:00+00:00"],
    "pages.xml.gz": ["... and 245 more"],
    "utf-16.xml": ["https://www.example.com/ja/展覧会"],
    "mismatched-tag.xml": ["line 7: mismatched tag", "Remedy: Make the entry well-formed XML."],
    "bad-values.xml": ["Problems: 2 losses, 1 note", "Odd values: 6 notes", "02/30/2024 of https://"],
}


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


@pytest.fixture
def parts(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """What the demo says about each sample."""
    paragraphs = shown(capsys).split("\n\n")
    return {name: f"{part}\n" for name in NAMES for part in paragraphs if part.startswith(f"{name}: ")}


def test_every_bundled_document_is_shown(parts: dict[str, str]) -> None:
    assert sorted(parts) == sorted(path.name for path in FOLDER.iterdir())


def test_every_document_is_called_what_it_is(parts: dict[str, str]) -> None:
    assert {name: part.splitlines()[1].strip() for name, part in parts.items()} == WHAT_THEY_ARE


@pytest.mark.parametrize("name", FACTS)
def test_what_a_document_says_is_shown(parts: dict[str, str], name: str) -> None:
    assert [fact for fact in FACTS[name] if fact not in parts[name]] == []


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_problems_of_damaged_documents_are_named(parts: dict[str, str], name: str) -> None:
    assert [code for code in PROBLEMS[name] if f"[{code}]" not in parts[name]] == []


def test_sound_documents_show_no_problem(parts: dict[str, str]) -> None:
    sound = set(NAMES) - set(PROBLEMS) - {"homepage.html", "robots.txt"}
    assert [name for name in sorted(sound) if "Remedy" in parts[name]] == []


def test_the_summary_counts_documents_pages_and_problems(capsys: pytest.CaptureFixture[str]) -> None:
    summary = shown(capsys).partition("Summary ")[2]
    rows = [line.split()[:3] for line in summary.splitlines()]
    assert ["ok", "17", "287"] in rows
    assert ["all", "21", "289"] in rows
    assert [row[:2] for row in rows if row and row[0] in {"fatal", "loss", "note"}] == [
        ["fatal", "3"],
        ["loss", "4"],
        ["note", "14"],
    ]


def test_the_samples_are_really_compressed_and_in_utf_16() -> None:
    assert (FOLDER / "pages.xml.gz").read_bytes().startswith(b"\x1f\x8b")
    assert (FOLDER / "utf-16.xml").read_bytes().startswith(b"\xff\xfe")


def test_no_line_is_wider_than_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert max(map(len, shown(capsys).splitlines())) <= WIDTH


def test_a_terminal_that_knows_no_utf_8_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", screen)
    assert main([]) == 0
    written = screen.buffer.getvalue().decode("ascii")
    assert "https://www.example.com/caf\\xe9" in written
    assert max(map(len, written.splitlines())) <= WIDTH


def test_a_file_of_ones_own_is_read_instead(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("https://example.org/a\nhttps://example.org/b\n", encoding="utf-8")
    assert shown(capsys, str(path)) == (
        "mine.txt\n  PagesTextSitemap, ok, 2 pages\n    https://example.org/a\n    https://example.org/b\n"
    )


def test_many_pages_and_problems_are_counted_and_the_first_shown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "many.xml"
    entries = "".join(
        f"<url><loc>https://example.org/{number}</loc><lastmod>10</lastmod></url>" for number in range(20)
    )
    path.write_text(f"<urlset>{entries}</urlset>", encoding="utf-8")
    output = shown(capsys, str(path))
    assert "Odd values: 20 notes" in output
    assert output.count("... and 15 more") == 2
    assert "https://example.org/5" not in output


def test_escape_sequences_of_a_document_never_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "hostile.xml"
    title = "<title>\u202egnp.exe \x9b2J</title>"
    path.write_text(f"<rss><item>{title}<link>https://example.org/</link></item></rss>", encoding="utf-8")
    output = shown(capsys, str(path))
    assert "\\u202egnp.exe" in output
    assert all(letter.isprintable() for letter in output.replace("\n", ""))


def test_a_missing_file_is_one_sentence_and_exit_status_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    missing = tmp_path / "missing.xml"
    assert main([str(missing)]) == 2
    output, error = capsys.readouterr()
    assert (output, error) == ("", f"usp.demo: cannot read {str(missing)!r}: No such file or directory\n")


def test_a_folder_is_one_sentence_and_exit_status_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("usp.demo: cannot read ")


def test_wrong_arguments_are_exit_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["one", "two"])
    assert exit_.value.code == 2
    assert "usage" in capsys.readouterr().err
