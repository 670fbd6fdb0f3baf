"""The sites that are crawled: generated into a folder, the same on every machine.

``broadcaster`` is like the site of a large broadcaster: 13 sitemaps in robots.txt, of which 4 are indexes of 50, 6, 4
and 2, so 71 documents with pages. The children of the largest index are ``.xml.gz`` files, all others plain XML.
``many_small`` is one index of small sitemaps. ``{site}`` stands in the files for the address at which they are served.
"""

import gzip
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from bench.inputs import document, page, page_with_alternates, page_with_images, page_with_news

SITE = "{site}"
NEWS_PAGES = 1000
"""A news sitemap never holds more: the protocol says so."""

Entry = Callable[[int], str]


class Section(NamedTuple):
    """Some sitemaps of one sort, all below one index or all declared in robots.txt."""

    name: str
    sitemaps: int
    entry: Entry
    has_index: bool = True
    suffix: str = ".xml"


SECTIONS = (
    Section("archive", 50, page, suffix=".xml.gz"),
    Section("topics", 6, page),
    Section("programmes", 4, page_with_images),
    Section("languages", 2, page_with_alternates),
    Section("pages", 8, page, has_index=False),
)
"""What robots.txt declares, and ``news`` besides."""


def broadcaster(folder: Path, pages: int) -> None:
    """Write a broadcaster's site with so many pages."""
    numbers = iter(range(pages))
    sitemaps = sum(section.sitemaps for section in SECTIONS)
    shares = [(pages - NEWS_PAGES + place) // sitemaps for place in range(sitemaps)]
    share = iter(shares)
    declared = []
    for section in SECTIONS:
        urls = []
        for part in range(section.sitemaps):
            path = f"/{section.name}-{part}{section.suffix}"
            _write(folder, path, document("urlset", _entries(section.entry, numbers, next(share))))
            urls.append(SITE + path)
        if section.has_index:
            urls = [SITE + _write(folder, f"/{section.name}.xml", document("sitemapindex", map(_child, urls)))]
        declared += urls
    _write(folder, "/news.xml", document("urlset", _entries(page_with_news, numbers, NEWS_PAGES)))
    declared.append(SITE + "/news.xml")
    _write_entrance(folder, declared)


def many_small(folder: Path, sitemaps: int, pages: int) -> list[Path]:
    """Write a site of so many sitemaps with so many pages each; gives their files."""
    numbers = count()
    paths = [f"/small-{part}.xml" for part in range(sitemaps)]
    for path in paths:
        _write(folder, path, document("urlset", _entries(page, numbers, pages)))
    _write(folder, "/small.xml", document("sitemapindex", (_child(SITE + path) for path in paths)))
    _write_entrance(folder, [SITE + "/small.xml"])
    return [folder / path.lstrip("/") for path in paths]


def _entries(entry: Entry, numbers: Iterator[int], pages: int) -> Iterator[str]:
    return (entry(next(numbers)) for _ in range(pages))


def _child(url: str) -> str:
    return f"<sitemap><loc>{url}</loc></sitemap>\n"


def _write_entrance(folder: Path, declared: Iterable[str]) -> None:
    rules = "User-agent: *\nDisallow: /search\n"
    _write(folder, "/robots.txt", [rules, *(f"Sitemap: {url}\n" for url in declared)])
    _write(folder, "/index.html", ["<!doctype html><title>Home</title><p>Welcome.</p>\n"])


def _write(folder: Path, path: str, text: Iterable[str]) -> str:
    file = folder / path.lstrip("/")
    if file.suffix == ".gz":
        with gzip.open(file, "wt", encoding="utf-8") as zipped:
            zipped.writelines(text)
    else:
        with file.open("w", encoding="utf-8") as plain:
            plain.writelines(text)
    return path
