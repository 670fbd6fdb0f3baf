"""The outputs that people read: lists of URLs, nested and drawn trees. What a site says cannot break a line."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from usp.exceptions import InvalidOptionException
from usp.objects.page import SitemapPage
from usp.objects.sitemap import (
    AbstractSitemap,
    IndexRobotsTxtSitemap,
    IndexWebsiteSitemap,
    IndexXMLSitemap,
    InvalidSitemap,
    PagesXMLSitemap,
)
from usp.outputs import write_pages, write_tabtree, write_tree
from usp.outputs.kinds import KINDS, kind_of
from usp.outputs.text import words_on_a_line
from usp.problems import Outcome, ProblemLog

HOME = "https://example.com/"


def pages(*paths: str) -> list[SitemapPage]:
    return [SitemapPage(HOME + path) for path in paths]


def site() -> IndexWebsiteSitemap:
    log = ProblemLog(HOME + "b.xml")
    log.add("broken-entry")
    good = PagesXMLSitemap(HOME + "a.xml", pages("", "cats", "dogs"), outcome=Outcome.OK)
    cut = PagesXMLSitemap(HOME + "b.xml", pages("birds"), outcome=Outcome.TRUNCATED, problems=log.problems())
    gone = InvalidSitemap(HOME + "gone.xml", "404 Not Found", outcome=Outcome.ABSENT)
    index = IndexXMLSitemap(HOME + "index.xml", [good, cut, gone], outcome=Outcome.OK)
    return IndexWebsiteSitemap(HOME, [IndexRobotsTxtSitemap(HOME + "robots.txt", [index], outcome=Outcome.OK)])


def lines(write: Callable[..., None], source: Any, **options: Any) -> list[str]:
    file = io.BytesIO()
    write(source, file, **options)
    return file.getvalue().decode(options.get("encoding", "utf-8")).split("\n")[:-1]


def test_pages_are_urls_one_a_line() -> None:
    assert lines(write_pages, site()) == [HOME, HOME + "cats", HOME + "dogs", HOME + "birds"]


def test_tabtree_nests_sitemaps_and_pages_with_tabs() -> None:
    assert lines(write_tabtree, site()) == [
        HOME,
        f"\t{HOME}robots.txt",
        f"\t\t{HOME}index.xml",
        f"\t\t\t{HOME}a.xml",
        f"\t\t\t\t{HOME}",
        f"\t\t\t\t{HOME}cats",
        f"\t\t\t\t{HOME}dogs",
        f"\t\t\t{HOME}b.xml",
        f"\t\t\t\t{HOME}birds",
        f"\t\t\t{HOME}gone.xml",
    ]


@pytest.mark.parametrize("front", [HOME, HOME.rstrip("/")])
def test_the_front_is_stripped_from_all_urls_but_that_of_the_site(front: str) -> None:
    stripped = lines(write_tabtree, site(), strip_url=front)
    assert stripped[0] == HOME
    assert [line.strip() for line in stripped[1:6]] == ["/robots.txt", "/index.xml", "/a.xml", "/", "/cats"]
    assert lines(write_pages, site(), strip_url=front) == ["/", "/cats", "/dogs", "/birds"]


def test_a_front_is_stripped_only_where_a_path_begins() -> None:
    others = [SitemapPage("https://example.community/"), SitemapPage("https://example.com")]
    assert lines(write_pages, others, strip_url=HOME) == [page.url for page in others]


def test_the_tree_is_drawn_with_kinds_counts_and_outcomes() -> None:
    assert lines(write_tree, site()) == [
        "https://example.com/  web site, 5 sitemaps, 4 pages, not complete",
        "└── https://example.com/robots.txt  robots.txt, 1 sitemap",
        "    └── https://example.com/index.xml  index, 3 sitemaps",
        "        ├── https://example.com/a.xml  sitemap, 3 pages",
        "        ├── https://example.com/b.xml  sitemap, 1 page, truncated, 1 problem",
        "        └── https://example.com/gone.xml  absent: 404 Not Found",
    ]


def test_the_tree_shows_the_first_pages_of_each_sitemap() -> None:
    assert lines(write_tree, site(), pages=2)[3:9] == [
        "        ├── https://example.com/a.xml  sitemap, 3 pages",
        "        │   ├── https://example.com/",
        "        │   ├── https://example.com/cats",
        "        │   └── … 1 more",
        "        ├── https://example.com/b.xml  sitemap, 1 page, truncated, 1 problem",
        "        │   └── https://example.com/birds",
    ]


@pytest.mark.parametrize(
    ("depth", "last"),
    [
        (0, "└── … 5 sitemaps, 4 pages"),
        (1, "    └── … 4 sitemaps, 4 pages"),
        (2, "        └── … 3 sitemaps, 4 pages"),
        (3, "        └── https://example.com/gone.xml  absent: 404 Not Found"),
    ],
)
def test_what_lies_deeper_than_the_depth_is_counted(depth: int, last: str) -> None:
    drawn = lines(write_tree, site(), depth=depth)
    assert drawn[-1] == last
    assert len(drawn) == (depth + 2 if depth < 3 else 6)


def test_a_terminal_without_unicode_gets_a_drawing_of_ascii() -> None:
    tree = IndexXMLSitemap(HOME, [PagesXMLSitemap(HOME + "ä.xml", pages("ö", "b"))])
    assert lines(write_tree, tree, pages=1, encoding="ascii") == [
        "https://example.com/  index, 1 sitemap",
        "`-- https://example.com/\\xe4.xml  sitemap, 2 pages",
        "    |-- https://example.com/\\xf6",
        "    `-- ... 1 more",
    ]


HOSTILE = "https://example.com/a\nb\x1b[2J\x9b\u2028c\rd"
HARMLESS = "https://example.com/a%0Ab%1B[2J%C2%9B%E2%80%A8c%0Dd"


@pytest.mark.parametrize("write", [write_pages, write_tabtree, write_tree])
def test_a_url_cannot_end_its_line_or_reach_the_terminal_as_a_command(write: Callable[..., None]) -> None:
    tree = PagesXMLSitemap(HOSTILE, [SitemapPage(HOSTILE, lastmod="20\n24\x1b")])
    written = "\n".join(lines(write, tree, **({"pages": 1} if write is write_tree else {})))
    assert HARMLESS in written
    assert "\x1b" not in written
    assert all(HARMLESS in line for line in written.split("\n"))


def test_a_reason_cannot_either() -> None:
    tree = IndexXMLSitemap(HOME, [InvalidSitemap(HOME, "a\n\x1b[2Jb\u202e")])
    assert lines(write_tree, tree)[1] == f"└── {HOME}  invalid: a \\x1b[2Jb\\u202e"


def test_urls_in_any_script_stay_as_they_are() -> None:
    url = "https://example.com/café/日本/\u200d🐈"
    assert lines(write_pages, [SitemapPage(url)]) == [url]


def test_words_in_any_script_stay_as_they_are() -> None:
    assert words_on_a_line("café 日本\u00a0🐈\u200d") == "café 日本 🐈\\u200d"


def test_every_kind_of_sitemap_has_its_word_and_a_programs_own_that_of_its_family() -> None:
    class Own(PagesXMLSitemap):
        pass

    class Strange(AbstractSitemap):
        def to_dict(self, with_pages: bool = True) -> dict[str, Any]:
            return {"with pages": with_pages}

    assert kind_of(Own(HOME, [])) == KINDS[PagesXMLSitemap]
    assert kind_of(Strange(HOME)).word == "Strange"
    assert len({kind.word for kind in KINDS.values()}) == len(KINDS)


@pytest.mark.parametrize("options", [{"depth": -1}, {"pages": -1}, {"depth": "1"}])
def test_depth_and_pages_are_numbers(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionException, match="must be a whole number"):
        write_tree(site(), io.BytesIO(), **options)
