"""The sample site: all that it says is known beforehand, and a crawl of it meets all that it is there to show."""

import gzip
import logging
from collections.abc import Iterator
from itertools import chain

import pytest

import usp
from usp.demo.server import site_up
from usp.demo.site import SAMPLES, SECTIONS, WRITTEN_FOR, Answer, answers
from usp.objects.sitemap import IndexWebsiteSitemap

ORIGIN = "http://127.0.0.1:12345"
SITE = answers(ORIGIN)
EXHIBITS = {path: exhibit for section in SECTIONS.values() for path, exhibit in section.items()}

OUTCOMES = """
ok IndexRobotsTxtSitemap /robots.txt 0
ok IndexXMLSitemap /sitemap_index.xml 0
ok PagesXMLSitemap /urlset.xml 5
ok PagesXMLSitemap /hreflang.xml 2
ok PagesXMLSitemap /videos.xml 1
ok PagesXMLSitemap /utf-16.xml 3
ok IndexXMLSitemap /feeds.xml 0
ok PagesRSSSitemap /rss.xml 2
ok PagesRSSSitemap /rdf.xml 2
ok PagesAtomSitemap /atom.xml 2
ok IndexXMLSitemap /compressed.xml 0
ok PagesXMLSitemap /collection.xml.gz 250
ok PagesXMLSitemap /tours.xml 3
ok PagesXMLSitemap /shop.xml.gz 2
ok PagesXMLSitemap /lectures.xml.gz 2
ok PagesXMLSitemap /guides.xml 2
ok PagesXMLSitemap /archive.xml 2
ok PagesTextSitemap /text.txt 6
ok IndexXMLSitemap /damaged.xml 0
ok PagesXMLSitemap /mismatched-tag.xml 2
truncated PagesXMLSitemap /truncated.xml 2
ok PagesXMLSitemap /php-warning.xml 2
ok PagesXMLSitemap /ampersands.xml 3
ok PagesXMLSitemap /bad-values.xml 3
truncated PagesXMLSitemap /cut.xml.gz 2
broken InvalidSitemap /soft-404.xml 0
refused InvalidSitemap /doctype.xml 0
absent InvalidSitemap /missing.xml 0
ok IndexXMLSitemap /trouble.xml 0
ok PagesXMLSitemap /busy.xml 2
ok PagesXMLSitemap /urlset.xml 5
refused InvalidSitemap /circle.xml 0
blocked InvalidSitemap /forbidden.xml 0
blocked InvalidSitemap /challenge.xml 0
refused InvalidSitemap http://127.0.0.2/internal.xml 0
ok PagesXMLSitemap /sitemap_news.xml 2
ok PagesXMLSitemap /images.xml 2
"""


@pytest.fixture(scope="module")
def tree() -> Iterator[IndexWebsiteSitemap]:
    logging.disable(logging.WARNING)
    with site_up() as server:
        yield usp.sitemap_tree_for_homepage(server.url)
    logging.disable(logging.NOTSET)


def body(path: str) -> bytes:
    return SITE[path][-1].body


def test_a_crawl_of_the_site_meets_every_kind_of_sitemap_and_of_trouble(tree: IndexWebsiteSitemap) -> None:
    origin = tree.url.rstrip("/")
    found = [
        f"{sitemap.outcome} {type(sitemap).__name__} {sitemap.url.removeprefix(origin)} {len(sitemap.pages)}"
        for sitemap in tree.all_sitemaps()
    ]
    assert found == OUTCOMES.split("\n")[1:-1]


def test_a_crawl_of_the_site_asks_for_every_path(tree: IndexWebsiteSitemap) -> None:
    tried = {attempt.url.removeprefix(tree.url.rstrip("/")) for attempt in tree.attempts}
    assert set(EXHIBITS) - tried == set()


def test_what_went_wrong_is_said(tree: IndexWebsiteSitemap) -> None:
    codes = set(chain.from_iterable(sitemap.problems.counts for sitemap in tree.all_sitemaps()))
    assert codes == {
        "bare-ampersand", "broken-entry", "challenge-page", "doctype-declares", "html-entity", "html-page",
        "junk-before-document", "missing-loc", "not-http", "reference-in-cdata", "relative-url",
        "truncated-compression", "truncated-document",
    }  # fmt: skip
    assert not tree.complete


def test_every_sample_is_shown_and_every_exhibit_has_its_sample() -> None:
    assert {exhibit.sample for exhibit in EXHIBITS.values() if exhibit.sample} == {
        path.name for path in SAMPLES.iterdir()
    }


def test_every_exhibit_says_in_a_few_words_what_it_is() -> None:
    assert [path for path, exhibit in EXHIBITS.items() if not 5 < len(exhibit.sentence) < 85] == []


def test_what_is_served_names_the_server_and_not_the_samples_origin() -> None:
    everything = [answer.body for prepared in SITE.values() for answer in prepared]
    assert not any(WRITTEN_FOR.encode() in part for part in everything)
    assert f"{ORIGIN}/urlset.xml".encode() in body("/sitemap_index.xml")


def test_the_same_is_said_every_time() -> None:
    assert answers(ORIGIN) == SITE


@pytest.mark.parametrize("path", ["/collection.xml.gz", "/tours.xml", "/guides.xml"])
def test_some_are_gzip_by_name_by_nothing_and_by_header(path: str) -> None:
    assert gzip.decompress(body(path)).startswith(b"<?xml")
    assert ("Content-Encoding" in SITE[path][-1].headers) == (path == "/guides.xml")


def test_one_is_plain_under_a_gz_name_and_one_is_gzip_twice() -> None:
    assert body("/shop.xml.gz").startswith(b"<?xml")
    assert gzip.decompress(gzip.decompress(body("/lectures.xml.gz"))).startswith(b"<?xml")


def test_one_gzip_ends_too_early() -> None:
    with pytest.raises(EOFError):
        gzip.decompress(body("/cut.xml.gz"))


def test_one_is_really_utf_16() -> None:
    assert "展覧会" in body("/utf-16.xml").decode("utf-16")


def test_one_is_busy_at_first() -> None:
    first, then = SITE["/busy.xml"]
    assert first == Answer(503, {"Retry-After": "1"})
    assert then.status == 200


def test_the_homepage_links_to_all_the_rest() -> None:
    page = body("/").decode()
    assert [path for path in EXHIBITS if path != "/" and f'<a href="{path}">' not in page] == []
    assert "&lt;/lok&gt;" in page
