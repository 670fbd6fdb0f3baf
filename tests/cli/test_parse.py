"""``usp parse``: one document, from a file, stdin or a URL."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Site
from tests.cli.console import Console
from tests.cli.sites import HOME, ailing, animals, index, urlset
from usp.cli.summary import REMEDIES
from usp.outputs import OUTPUTS
from usp.problems import CATALOGUE, Outcome

SITEMAP = f"{HOME}sitemap.xml"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A sitemap with an entry that is lost, a relative URL and a value that is odd."""
    path = tmp_path / "sitemap.xml"
    path.write_text(
        f"<urlset>\n<url><loc>{HOME}cats</loc><lastmod>2024-01-02</lastmod></url>\n"
        f"<url><loc>/dogs</loc><lastmod>02/30/2024</lastmod></url>\n<url><loc>{HOME}broken</lok></url>\n</urlset>",
        encoding="utf-8",
    )
    return path


def test_a_file_is_read_and_nothing_is_fetched(console: Console, site: Site, file: Path) -> None:
    fetcher = site({})
    ran = console.run("parse", str(file), "-f", "pages")
    assert (ran.status, ran.lines, ran.err) == (0, [f"{HOME}cats", "/dogs"], "")
    assert fetcher.requests == []


def test_relative_urls_begin_at_the_url_that_is_given(console: Console, file: Path) -> None:
    ran = console.run("parse", str(file), "--url", SITEMAP)
    assert ran.lines == [SITEMAP, f"\t{HOME}cats", f"\t{HOME}dogs"]
    assert console.run("parse", str(file), "--url", HOME, "-u", "-f", "pages").lines == ["/cats", "/dogs"]


def test_stdin_is_read(console: Console, file: Path) -> None:
    console.stdin = file.read_bytes()
    assert console.run("parse", "-", "-f", "pages").lines == [f"{HOME}cats", "/dogs"]


def test_what_is_at_a_url_is_read_and_nothing_else_is_fetched(console: Console, site: Site) -> None:
    fetcher = site(animals())
    ran = console.run("parse", f"{HOME}index.xml", "-f", "json")
    tree = json.loads(ran.out)
    assert (ran.status, tree["url"], tree["kind"]) == (0, f"{HOME}index.xml", "sitemapindex")
    assert [child["url"] for child in tree["sub_sitemaps"]] == [f"{HOME}cats.xml", f"{HOME}dogs.xml"]
    assert {child["reason"] for child in tree["sub_sitemaps"]} == {
        "not fetched: the document that declares it was read on its own"
    }
    assert fetcher.requests == [f"{HOME}index.xml"]


def test_a_redirect_of_a_url_is_followed(console: Console, site: Site) -> None:
    site({"old.xml": (301, {"Location": "/new.xml"}, ""), "new.xml": urlset("cats")})
    assert console.run("parse", f"{HOME}old.xml").lines == [f"{HOME}new.xml", f"\t{HOME}cats"]


def test_the_dates_of_an_index_are_kept(console: Console, site: Site) -> None:
    dated = index(["a.xml"]).replace("</sitemap>", "<lastmod>2024</lastmod></sitemap>")
    site({"index.xml": dated})
    tree = json.loads(console.run("parse", f"{HOME}index.xml", "-f", "json").out)
    assert tree["sub_sitemaps"][0]["lastmod"] == "2024"


@pytest.mark.parametrize("format_name", [output.name for output in OUTPUTS])
def test_every_format_is_written(console: Console, file: Path, tmp_path: Path, format_name: str) -> None:
    to_stdout = console.run("parse", str(file), "-f", format_name)
    to_file = console.run("parse", str(file), "-f", format_name, "-o", str(tmp_path / "out"))
    assert (to_stdout.status, to_file.status, to_file.out) == (0, 0, b"")
    assert (tmp_path / "out").read_bytes() == to_stdout.out != b""


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (["--since", "2024-02"], ["dogs"]),
        (["--until", "2023"], ["dogs"]),
        (["--include", "/cats"], ["cats"]),
        (["--exclude", "re:cat"], ["dogs"]),
        (["--limit", "1"], ["cats"]),
        (["--unique"], ["cats", "dogs"]),
    ],
)
@pytest.mark.parametrize("format_name", ["pages", "tabtree"])
def test_pages_are_chosen(console: Console, file: Path, options: list[str], paths: list[str], format_name: str) -> None:
    ran = console.run("parse", str(file), "--url", SITEMAP, "-f", format_name, *options)
    assert [line.strip() for line in ran.lines if line != SITEMAP] == [HOME + path for path in paths]


def test_problems_are_listed_with_line_and_remedy_the_gravest_first(console: Console, file: Path) -> None:
    ran = console.run("parse", str(file), "--url", SITEMAP, "--problems")
    assert ran.status == 0
    assert ran.lines == [
        "loss broken-entry: An entry is not well-formed and was dropped.",
        "  remedy: Make the entry well-formed XML.",
        "  line 4: mismatched tag",
        "note missing-namespace: The document's namespace is missing.",
        "  remedy: Declare the namespace of the protocol on the root element.",
        "  line 1",
        "note relative-url: A URL is relative.",
        "  remedy: Write absolute URLs.",
        "  line 3: /dogs",
        "note bad-date: A date is not certainly a date.",
        "  remedy: Use 2024-12-31 or 2024-12-31T23:59:59+00:00.",
        f"  line 3: 02/30/2024 of {HOME}dogs",
    ]


def test_of_many_problems_the_first_are_listed_and_all_are_counted(console: Console) -> None:
    console.stdin = urlset(*((f"{number}", "10") for number in range(1234))).encode()
    lines = console.run("parse", "-", "--problems").lines
    assert lines[0] == "note bad-date: A date is not certainly a date. (1,234 times)"
    assert len(lines) == 13
    assert lines[-1] == "  and 1,224 more"


def test_a_document_without_problems_says_so(console: Console) -> None:
    console.stdin = urlset("cats").encode()
    assert console.run("parse", "-", "--problems").lines == ["There are no problems."]


def test_losses_are_a_status_of_their_own_when_strict(console: Console, site: Site, file: Path) -> None:
    site(ailing())
    assert console.run("parse", str(file), "--strict").status == 3
    assert console.run("parse", str(file), "--strict", "--problems").status == 3
    assert console.run("parse", f"{HOME}cut.xml", "--strict").status == 3
    assert console.run("parse", f"{HOME}good.xml", "--strict").status == 0


@pytest.mark.parametrize("format_name", [output.name for output in OUTPUTS])
def test_what_is_no_sitemap_says_why(console: Console, site: Site, tmp_path: Path, format_name: str) -> None:
    site(ailing())
    ran = console.run("parse", f"{HOME}blocked.xml", "-f", format_name)
    sentence = (
        f"usp parse: {HOME}blocked.xml is no sitemap that can be read: 403 Forbidden. {REMEDIES[Outcome.BLOCKED]}\n"
    )
    assert (ran.status, ran.err) == (1, sentence)
    assert bool(ran.out) == (format_name in ("tabtree", "tree", "json"))


def test_what_is_not_there_has_a_remedy_too(console: Console, site: Site) -> None:
    site({})
    assert console.run("parse", SITEMAP).err.endswith(": 404 Not Found. Check the address.\n")


def test_an_html_page_is_no_sitemap(console: Console) -> None:
    console.stdin = b"<!DOCTYPE html><html><body>Welcome"
    ran = console.run("parse", "-", "-f", "pages")
    assert (ran.status, ran.out) == (1, b"")
    assert ran.err.endswith(f"This is an HTML page, not a sitemap. {CATALOGUE['html-page'].remedy}\n")
    assert console.run("parse", "-", "--problems").lines[0].startswith("fatal html-page")


def test_limits_hold_for_files_too(console: Console, file: Path) -> None:
    ran = console.run("parse", str(file), "--max-size", "90", "--problems")
    assert "loss too-large" in ran.out.decode()


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["parse"], "the following arguments are required: FILE"),
        (["parse", "/no/such/file"], "cannot read '/no/such/file': No such file or directory"),
        (["parse", "/"], "cannot read '/': Is a directory"),
        (["parse", SITEMAP, "--url", HOME], "--url is for files"),
        (["parse", "-", "--sitemaps", "*"], "unrecognized arguments: --sitemaps"),
        (["parse", "-", "-f", "csv", "-u"], "-u has no meaning with -f csv"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused(console: Console, site: Site, argv: list[str], said: str) -> None:
    site({})
    ran = console.run(*argv)
    assert (ran.status, ran.out) == (2, b"")
    assert said in ran.err
