"""The Example Museum: a small web site with every kind of sitemap, and with everything that goes wrong in the wild.

Laws: nothing is served here; ``answers`` gives all that the site can ever say, made from the files in ``samples``. A
request names a row of the table or nothing: no path of a request is ever one of the file system.
"""

import gzip
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple

import msgspec

SAMPLES = Path(__file__).with_name("samples")

WRITTEN_FOR = "https://www.example.com"
"""The origin that the samples name; what is served names the origin that serves it."""

SLOW = 1.0
"""Seconds: long enough to be seen waiting for, short enough not to be waited for."""


class Answer(msgspec.Struct, frozen=True):
    """What the site says to a request for one path, ``wait`` seconds after it was asked."""

    status: int = 200
    headers: Mapping[str, str] = {}
    body: bytes = b""
    wait: float = 0.0


class Exhibit(NamedTuple):
    """One path of the site: what is special about it, the sample behind it, and what is done to that first."""

    sentence: str
    sample: str = ""
    disguise: Callable[[bytes], bytes] = bytes
    answer: Answer = Answer()
    before: tuple[Answer, ...] = ()
    """Answers that come first, one a request; then ``answer``; then the same again."""


def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)  # the same bytes every time


def _gzip_twice(body: bytes) -> bytes:
    return _gzip(_gzip(body))


def _cut_gzip(body: bytes) -> bytes:
    return _gzip(body)[:-12]


def _utf_16(body: bytes) -> bytes:
    return b"\xff\xfe" + body.decode().encode("utf-16-le")


SECTIONS: Mapping[str, Mapping[str, Exhibit]] = {
    "Where it begins": {
        "/robots.txt": Exhibit("names four sitemaps, in three spellings", "robots.txt"),
        "/": Exhibit("the homepage, an HTML page: its links lead to sitemaps and feeds", "homepage.html"),
    },
    "Every format": {
        "/sitemap_index.xml": Exhibit("an index, with the date of each sitemap", "sitemap_index.xml"),
        "/urlset.xml": Exhibit("plain pages, with dates as exact as the site wrote them", "urlset.xml"),
        "/hreflang.xml": Exhibit("pages and their translations", "hreflang.xml"),
        "/videos.xml": Exhibit("a page with two videos", "videos.xml"),
        "/utf-16.xml": Exhibit("UTF-16, and URLs in several scripts", "utf-16.xml", _utf_16),
        "/feeds.xml": Exhibit("an index in an index: feeds", "feeds.xml"),
        "/rss.xml": Exhibit("an RSS 2.0 feed, whose second item has only a guid", "rss.xml"),
        "/rdf.xml": Exhibit("an RSS 1.0 feed, in RDF", "rdf.xml"),
        "/atom.xml": Exhibit("an Atom feed", "atom.xml"),
        "/text.txt": Exhibit("one URL a line", "text.txt"),
        "/sitemap_news.xml": Exhibit("news; declared nowhere, found at a usual path", "news.xml"),
        "/images.xml": Exhibit("pages with images; only the homepage links to it", "images.xml"),
        "/archive.xml": Exhibit("slow: the answer comes after a second", "archive.xml", answer=Answer(wait=SLOW)),
    },
    "gzip in its disguises": {
        "/compressed.xml": Exhibit("an index of them", "compressed.xml"),
        "/collection.xml.gz": Exhibit("gzip, as its name says", "collection.xml", _gzip),
        "/tours.xml": Exhibit("gzip, whatever its name says", "tours.xml", _gzip),
        "/shop.xml.gz": Exhibit("plain text, whatever its name says", "shop.xml"),
        "/lectures.xml.gz": Exhibit("gzip within gzip", "lectures.xml", _gzip_twice),
        "/guides.xml": Exhibit(
            "gzip by Content-Encoding", "guides.xml", _gzip, Answer(headers={"Content-Encoding": "gzip"})
        ),
    },
    "Damaged documents": {
        "/damaged.xml": Exhibit("an index of them", "damaged.xml"),
        "/mismatched-tag.xml": Exhibit(
            "</lok> closes <loc>: that entry is lost, not its neighbours", "mismatched-tag.xml"
        ),
        "/truncated.xml": Exhibit("ends in the middle of a URL", "truncated.xml"),
        "/php-warning.xml": Exhibit("begins with a warning of the program that wrote it", "php-warning.xml"),
        "/ampersands.xml": Exhibit("bare ampersands, HTML entities, references within CDATA", "ampersands.xml"),
        "/bad-values.xml": Exhibit("dates, priorities and URLs that are none", "bad-values.xml"),
        "/cut.xml.gz": Exhibit("gzip that ends too early", "cut.xml", _cut_gzip),
        "/soft-404.xml": Exhibit("an error page with status 200", "soft-404.xml"),
        "/doctype.xml": Exhibit("declares entities, one of which would read a local file", "doctype.xml"),
        "/missing.xml": Exhibit("declared, but not there", answer=Answer(404)),
    },
    "Trouble with the server": {
        "/trouble.xml": Exhibit(
            "an index of it; its last entry leads into a private network, where nobody goes", "trouble.xml"
        ),
        "/busy.xml": Exhibit(
            "busy at first: 503, and fine a second later", "busy.xml", before=(Answer(503, {"Retry-After": "1"}),)
        ),
        "/moved.xml": Exhibit(
            "redirects to /urlset.xml, which is not fetched again", answer=Answer(301, {"Location": "/urlset.xml"})
        ),
        "/circle.xml": Exhibit(
            "redirects to the index that lists it", answer=Answer(302, {"Location": "/trouble.xml"})
        ),
        "/forbidden.xml": Exhibit("403: we are blocked", answer=Answer(403)),
        "/challenge.xml": Exhibit("a page that asks whether we are human", "challenge.html"),
    },
}
"""All that there is, by section and path."""

_TYPES = {".xml": "application/xml", ".gz": "application/gzip", ".txt": "text/plain; charset=utf-8"}


def answers(origin: str) -> dict[str, tuple[Answer, ...]]:
    """The answers of every path at an origin, to be given in turn; any other path is 404.

    >>> [answer.status for answer in answers("http://127.0.0.1:8000")["/busy.xml"]]
    [503, 200]
    """
    exhibits = {path: exhibit for section in SECTIONS.values() for path, exhibit in section.items()}
    return {path: (*exhibit.before, _answer(path, exhibit, origin)) for path, exhibit in exhibits.items()}


def _answer(path: str, exhibit: Exhibit, origin: str) -> Answer:
    if not exhibit.sample:
        return exhibit.answer
    kind = "text/html; charset=utf-8" if exhibit.sample.endswith(".html") else _TYPES[Path(path).suffix]
    body = (SAMPLES / exhibit.sample).read_bytes().replace(WRITTEN_FOR.encode(), origin.encode())
    if path == "/":
        body = body.replace(b"<!-- exhibits -->", _links())
    return msgspec.structs.replace(
        exhibit.answer, headers={"Content-Type": kind, **exhibit.answer.headers}, body=exhibit.disguise(body)
    )


def _links() -> bytes:
    """The rest of the site, for people who look at its homepage in a browser."""
    items = (
        f'    <li><a href="{path}">{path}</a>: {escape(exhibit.sentence)}</li>'
        for section in SECTIONS.values()
        for path, exhibit in section.items()
        if path != "/"
    )
    return "\n".join(items).encode()
