"""``usp ls``: what it lists, in which format, and how it ends."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet
import pytest

from tests.cli.conftest import Site
from tests.cli.console import Console
from tests.cli.sites import HOME, ailing, animals, index, robots, urlset
from usp.fetching.memory import Answer
from usp.outputs import FIELDS, OUTPUTS

PAGES = [f"{HOME}{path}" for path in ("cats/1", "cats/2", "both", "dogs/1", "both", "birds")]


def test_sitemaps_and_pages_are_listed_with_tabs_by_default(console: Console, site: Site) -> None:
    site(animals())
    ran = console.run("ls", HOME)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines == [
        HOME,
        f"\t{HOME}robots.txt",
        f"\t\t{HOME}index.xml",
        f"\t\t\t{HOME}cats.xml",
        f"\t\t\t\t{HOME}cats/1",
        f"\t\t\t\t{HOME}cats/2",
        f"\t\t\t\t{HOME}both",
        f"\t\t\t{HOME}dogs.xml",
        f"\t\t\t\t{HOME}dogs/1",
        f"\t\t\t\t{HOME}both",
        f"\t{HOME}sitemap.xml",
        f"\t\t{HOME}birds",
    ]


@pytest.mark.parametrize("option", ["-f", "--format"])
def test_pages_lists_urls(console: Console, site: Site, option: str) -> None:
    site(animals())
    assert console.run("ls", HOME, option, "pages").lines == PAGES


@pytest.mark.parametrize("option", ["-r", "--no-robots"])
def test_robots_txt_is_left_alone(console: Console, site: Site, option: str) -> None:
    fetcher = site(animals())
    assert console.run("ls", HOME, option, "-f", "pages").lines == [f"{HOME}birds"]
    assert f"{HOME}robots.txt" not in fetcher.requests


@pytest.mark.parametrize("option", ["-k", "--no-known"])
def test_the_usual_places_are_left_alone(console: Console, site: Site, option: str) -> None:
    fetcher = site(animals())
    assert console.run("ls", HOME, option, "-f", "pages").lines == PAGES[:-1]
    assert f"{HOME}sitemap.xml" not in fetcher.requests


@pytest.mark.parametrize("option", ["-u", "--strip-url"])
@pytest.mark.parametrize("url", [HOME, "https://example.com", "example.com"])
def test_the_given_url_is_stripped(console: Console, site: Site, option: str, url: str) -> None:
    site(animals())
    assert console.run("ls", url, option).lines[:5] == [
        HOME,
        "\t/robots.txt",
        "\t\t/index.xml",
        "\t\t\t/cats.xml",
        "\t\t\t\t/cats/1",
    ]
    assert console.run("ls", url, option, "-f", "pages").lines[0] == "/cats/1"


def test_tree_is_drawn_as_deep_and_with_as_many_pages_as_wanted(console: Console, site: Site) -> None:
    site(animals())
    assert console.run("ls", HOME, "-f", "tree").lines == [
        f"{HOME}  web site, 5 sitemaps, 6 pages, complete",
        f"├── {HOME}robots.txt  robots.txt, 1 sitemap",
        f"│   └── {HOME}index.xml  index, 2 sitemaps",
        f"│       ├── {HOME}cats.xml  sitemap, 3 pages",
        f"│       └── {HOME}dogs.xml  sitemap, 2 pages",
        f"└── {HOME}sitemap.xml  sitemap, 1 page",
    ]
    shallow = console.run("ls", HOME, "-f", "tree", "--depth", "1", "--pages", "1").lines
    assert shallow == [
        f"{HOME}  web site, 5 sitemaps, 6 pages, complete",
        f"├── {HOME}robots.txt  robots.txt, 1 sitemap",
        "│   └── … 3 sitemaps, 5 pages",
        f"└── {HOME}sitemap.xml  sitemap, 1 page",
        f"    └── {HOME}birds",
    ]


def test_every_format_lists_the_same_pages(console: Console, site: Site, tmp_path: Path) -> None:
    site(animals())
    assert [json.loads(line)["url"] for line in console.run("ls", HOME, "-f", "jsonl").lines] == PAGES
    table = csv.DictReader(io.StringIO(console.run("ls", HOME, "-f", "csv").out.decode(), newline=""))
    assert [row["url"] for row in table] == PAGES
    assert table.fieldnames == [field.name for field in FIELDS]
    parquet = console.run("ls", HOME, "-f", "parquet").out
    assert pyarrow.parquet.read_table(io.BytesIO(parquet))["url"].to_pylist() == PAGES
    tree = json.loads(console.run("ls", HOME, "-f", "json").out)
    below = tree["sub_sitemaps"][0]["sub_sitemaps"][0]["sub_sitemaps"] + tree["sub_sitemaps"][1:]
    assert [page["url"] for sitemap in below for page in sitemap["pages"]] == PAGES
    assert tree["complete"] is True


@pytest.mark.parametrize("format_name", [output.name for output in OUTPUTS])
@pytest.mark.parametrize("option", ["-o", "--output"])
def test_a_file_gets_what_stdout_would(
    console: Console, site: Site, tmp_path: Path, format_name: str, option: str
) -> None:
    site(animals())
    to_stdout = console.run("ls", HOME, "-f", format_name)
    to_file = console.run("ls", HOME, "-f", format_name, option, str(tmp_path / "pages"))
    assert (to_file.status, to_file.out) == (0, b"")
    written = (tmp_path / "pages").read_bytes()
    assert (written == to_stdout.out) or format_name == "json"  # which says how long each answer took
    assert written.count(b"\n") == to_stdout.out.count(b"\n")


def test_fields_are_chosen_by_name(console: Console, site: Site) -> None:
    site(animals())
    ran = console.run("ls", HOME, "-f", "csv", "--fields", "sitemap, lastmod,url", "--limit", "1")
    assert ran.lines == ["sitemap,lastmod,url", f"{HOME}cats.xml,2024-01-10,{HOME}cats/1"]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (["--since", "2024-02-10"], ["cats/2", "both", "dogs/1", "both", "birds"]),
        (["--until", "2024-02-10"], ["cats/1", "cats/2", "both", "both", "birds"]),
        (["--since", "2024-02", "--until", "2024-02"], ["cats/2", "both", "both", "birds"]),
        (["--since", "1d"], ["both", "both", "birds"]),
        (["--until", "9999"], ["cats/1", "cats/2", "both", "dogs/1", "both", "birds"]),
        (["--include", "*/cats/*"], ["cats/1", "cats/2"]),
        (["--include", "/dogs/*", "--include", "/birds"], ["dogs/1", "birds"]),
        (["--include", "re:[12]$", "--exclude", "/dogs/*"], ["cats/1", "cats/2"]),
        (["--exclude", "*1", "--exclude", "*s*/2"], ["both", "both", "birds"]),
        (["--unique"], ["cats/1", "cats/2", "both", "dogs/1", "birds"]),
        (["--unique", "--limit", "4"], ["cats/1", "cats/2", "both", "dogs/1"]),
        (["--include", "/both", "--limit", "1"], ["both"]),
        (["--sitemaps", "*/dogs.xml"], ["dogs/1", "both"]),
        (["--sitemaps", "*/sitemap.xml", "--sitemaps", "re:cats"], ["cats/1", "cats/2", "both", "birds"]),
        (["--limit", "100"], ["cats/1", "cats/2", "both", "dogs/1", "both", "birds"]),
    ],
)
def test_pages_are_chosen_alike_in_streams_and_in_trees(
    console: Console, site: Site, options: list[str], paths: list[str]
) -> None:
    site(animals())
    streamed = console.run("ls", HOME, "-f", "pages", *options)
    assert (streamed.status, streamed.lines) == (0, [HOME + path for path in paths])
    nested = console.run("ls", HOME, *options)
    assert [line.strip() for line in nested.lines if not line.endswith(("xml", ".txt"))][1:] == [
        HOME + path for path in paths
    ]


def test_sitemaps_that_are_not_wanted_are_not_fetched(console: Console, site: Site) -> None:
    fetcher = site(animals())
    console.run("ls", HOME, "-f", "pages", "--sitemaps", "*/dogs.xml")
    assert f"{HOME}dogs.xml" in fetcher.requests
    assert f"{HOME}cats.xml" not in fetcher.requests


def test_what_an_index_dates_as_older_is_not_fetched(console: Console, site: Site) -> None:
    old = f"<sitemapindex><sitemap><loc>{HOME}cats.xml</loc><lastmod>2023</lastmod></sitemap></sitemapindex>"
    fetcher = site({**animals(), "index.xml": old})
    console.run("ls", HOME, "--since", "2024-02-10")
    assert f"{HOME}cats.xml" not in fetcher.requests


@pytest.mark.parametrize("format_name", ["pages", "tabtree"])
def test_after_the_last_page_that_is_wanted_nothing_is_fetched(console: Console, site: Site, format_name: str) -> None:
    many = [f"{number}.xml" for number in range(300)]
    fetcher = site(
        {"robots.txt": robots("index.xml"), "index.xml": index(many)} | {path: urlset(path) for path in many}
    )
    ran = console.run("ls", HOME, "-f", format_name, "--limit", "2")
    assert ran.status == 0
    assert [line.strip() for line in ran.lines][-1] == f"{HOME}1.xml"
    assert len(fetcher.requests) < 150


def test_a_tree_ends_with_the_last_page_that_is_wanted(console: Console, site: Site) -> None:
    site(animals())
    assert console.run("ls", HOME, "-u", "--limit", "1").lines == [
        HOME,
        "\t/robots.txt",
        "\t\t/index.xml",
        "\t\t\t/cats.xml",
        "\t\t\t\t/cats/1",
    ]


def test_what_lies_beyond_the_limit_is_no_loss(console: Console, site: Site) -> None:
    site(ailing())
    ran = console.run("ls", HOME, "-f", "pages", "--limit", "1", "--strict")
    assert (ran.status, ran.lines, ran.err) == (0, [f"{HOME}good"], "")


def test_pages_that_may_be_missing_are_said_and_are_a_loss_when_strict(console: Console, site: Site) -> None:
    site(ailing())
    ran = console.run("ls", HOME, "-f", "pages")
    assert (ran.status, ran.lines) == (0, [f"{HOME}good", f"{HOME}cut", f"{HOME}fine"])
    assert ran.err.splitlines() == [
        f"not complete: {HOME}blocked.xml was blocked: 403 Forbidden",
        f"  {HOME}cut.xml is truncated.",
    ]
    assert console.run("ls", HOME, "-f", "pages", "--strict").status == 3
    assert console.run("ls", HOME, "--strict").status == 3


def test_an_entry_that_was_dropped_is_a_loss_when_strict(console: Console, site: Site) -> None:
    site({"robots.txt": robots("bad.xml"), "bad.xml": ailing()["bad.xml"]})
    assert console.run("ls", HOME, "--strict").status == 3
    site(animals())
    assert console.run("ls", HOME, "--strict").status == 0


def test_only_the_first_reasons_are_shown(console: Console, site: Site) -> None:
    blocked = [f"{number}.xml" for number in range(9)]
    answers: dict[str, Answer] = {path: (403, {}, "") for path in blocked}
    site({"robots.txt": robots("good.xml", *blocked), "good.xml": urlset("good"), **answers})
    said = console.run("ls", HOME).err.splitlines()
    assert len(said) == 6
    assert said[-1] == "  and 4 more"


UNREADABLE = "No sitemap of https://example.com/ can be read: "
NOTHING: dict[str, tuple[dict[str, Answer], str]] = {
    "no sitemap": (
        {},
        "https://example.com/ has no sitemap in any of the usual places. If you know where one is: usp parse URL",
    ),
    "blocked": (
        {"robots.txt": (403, {}, "no")},
        f"{UNREADABLE}https://example.com/robots.txt was blocked: 403 Forbidden."
        " Try another --user-agent, --header or --proxy, or ask the owner of the site.",
    ),
    "names one that is gone": (
        {"robots.txt": robots("gone.xml")},
        f"{UNREADABLE}the site names https://example.com/gone.xml, but that is absent: 404 Not Found."
        " Tell the owner of the site.",
    ),
    "unreachable": (
        {"robots.txt": OSError("nobody is there")},
        f"{UNREADABLE}https://example.com/robots.txt could not be reached: nobody is there."
        " Check the address and the network, or try again later.",
    ),
    "private network": (
        {"robots.txt": "Sitemap: http://10.0.0.1/sitemap.xml"},
        f"{UNREADABLE}http://10.0.0.1/sitemap.xml was refused: The guard refuses an address that is not public:"
        " http://10.0.0.1/sitemap.xml. If you trust the site, look at --guard and the limits in `usp ls --help`.",
    ),
    "broken": (
        {"robots.txt": robots("bad.xml"), "bad.xml": "<html><body>Welcome</body></html>"},
        f"{UNREADABLE}https://example.com/bad.xml is broken: line 1: fatal html-page: This is an HTML page, not a"
        " sitemap. `usp parse URL --problems` shows what is wrong with a sitemap.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NOTHING)
@pytest.mark.parametrize("format_name", [output.name for output in OUTPUTS])
def test_where_nothing_can_be_had_one_sentence_says_why(
    console: Console, site: Site, case: str, format_name: str
) -> None:
    answers, sentence = NOTHING[case]
    site(answers)
    ran = console.run("ls", HOME, "-f", format_name, "--retries", "0", "--quiet")
    assert (ran.status, ran.err) == (1, f"usp ls: {sentence}\n")
    assert bool(ran.out) == (format_name in ("tabtree", "tree", "json"))


def test_a_table_is_not_replaced_by_nothing(console: Console, site: Site, tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    site(animals())
    assert console.run("ls", HOME, "-f", "csv", "-o", str(file)).status == 0
    good = file.read_bytes()
    site({})
    assert console.run("ls", HOME, "-f", "csv", "-o", str(file)).status == 1
    assert file.read_bytes() == good


def test_a_table_without_pages_has_its_head_if_none_are_wanted(console: Console, site: Site) -> None:
    site(animals())
    ran = console.run("ls", HOME, "-f", "csv", "--fields", "url", "--include", "nothing")
    assert (ran.status, ran.lines) == (0, ["url"])


def test_without_a_scheme_https_is_tried_first(console: Console, site: Site) -> None:
    fetcher = site(animals())
    assert console.run("ls", "example.com", "-f", "pages").lines == PAGES
    assert fetcher.requests[0] == f"{HOME}robots.txt"


@pytest.mark.parametrize("format_name", ["pages", "tabtree", "csv"])
def test_without_a_scheme_http_is_tried_where_nobody_answers_by_https(
    console: Console, site: Site, format_name: str
) -> None:
    site({f"{HOME}robots.txt": OSError("refused"), "http://example.com/sitemap.xml": urlset("found")})
    ran = console.run(
        "ls",
        "example.com",
        "-f",
        format_name,
        "--retries",
        "0",
        "--fields" if format_name == "csv" else "-u",
        *(["url"] if format_name == "csv" else []),
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[-1].strip().endswith(f"{HOME}found")
    assert ran.lines[0] in (f"{HOME}found", "http://example.com/", "url")


def test_an_answer_by_https_is_an_answer(console: Console, site: Site) -> None:
    fetcher = site({"robots.txt": (500, {}, ""), "http://example.com/sitemap.xml": urlset("found")})
    assert console.run("ls", "example.com", "--retries", "0").status == 1
    assert not [url for url in fetcher.requests if url.startswith("http://")]


def test_quiet_says_nothing_of_what_may_be_missing(console: Console, site: Site) -> None:
    site(ailing())
    console.terminals = {"stderr"}
    ran = console.run("ls", HOME, "--quiet", "--strict")
    assert (ran.status, ran.err) == (3, "")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["ls"], "the following arguments are required: URL"),
        (["ls", "ftp://example.com/"], "not an HTTP"),
        (["ls", HOME, "-f", "xlsx"], "invalid choice: 'xlsx'"),
        (["ls", HOME, "--fields", "url,nothing", "-f", "csv"], "there is no field 'nothing'"),
        (["ls", HOME, "--fields", "url"], "--fields has no meaning with -f tabtree: it is for json,"),
        (["ls", HOME, "-u", "-f", "csv"], "-u has no meaning with -f csv"),
        (["ls", HOME, "--depth", "1"], "--depth has no meaning with -f tabtree"),
        (["ls", HOME, "--pages", "1", "-f", "pages"], "--pages has no meaning with -f pages: it is for tree"),
        (["ls", HOME, "--since", "yesterday"], "'yesterday' is no date"),
        (["ls", HOME, "--include", "re:("], "is no regular expression"),
        (["ls", HOME, "--limit", "0"], "'0' is no whole number of at least 1"),
        (["ls", HOME, "--nothing"], "unrecognized arguments: --nothing"),
        (["ls", HOME, "--lim", "1"], "unrecognized arguments: --lim"),
        (["ls", HOME, "-o", "/no/such/folder/pages"], "cannot write /no/such/folder/pages: there is no folder"),
        (["ls", HOME, "-o", "/"], "cannot write /: it is a folder"),
        (["ls", HOME, "-l", "/no/such/folder/log"], "No such file or directory"),
        ([], "the following arguments are required: COMMAND"),
        (["list"], "invalid choice: 'list'"),
    ],
)  # fmt: skip
def test_a_command_that_cannot_be_run_is_refused_in_a_line(
    console: Console, site: Site, argv: list[str], said: str
) -> None:
    fetcher = site(animals())
    ran = console.run(*argv)
    assert (ran.status, ran.out) == (2, b"")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert fetcher.requests == []
