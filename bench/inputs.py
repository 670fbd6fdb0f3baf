"""The documents that are read: generated, the same on every machine."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

MIB = 1024 * 1024

NAMESPACES = {
    "": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "xhtml": "http://www.w3.org/1999/xhtml",
}


class Input(NamedTuple):
    """What one measurement reads: so many documents with so many entries each."""

    name: str
    entries: int
    documents: int
    root: str
    entry: Callable[[int], str]


class Written(NamedTuple):
    """The documents of an input, as files."""

    name: str
    entries: int
    size: int
    paths: list[Path]


def location(number: int) -> str:
    return f"https://www.example.com/section-{number % 40}/an-article-with-a-title-{number}.html?page=1&amp;sort=date"


def moment(number: int) -> str:
    day, second = 1 + number % 28, number % 60
    return (
        f"20{10 + number % 15}-{1 + number % 12:02}-{day:02}T{number % 24:02}:{number // 60 % 60:02}:{second:02}+02:00"
    )


def plain_fields(number: int) -> str:
    return (
        f"<loc>{location(number)}</loc>\n    <lastmod>{moment(number)}</lastmod>\n"
        f"    <changefreq>weekly</changefreq>\n    <priority>0.{1 + number % 9}</priority>"
    )


def page(number: int, *parts: str) -> str:
    return "  <url>\n    " + "\n    ".join([plain_fields(number), *parts]) + "\n  </url>\n"


def page_with_alternates(number: int) -> str:
    languages = ["en", "de", "fr", "pt-BR", "x-default"]
    links = [
        f'<xhtml:link rel="alternate" hreflang="{language}" href="https://www.example.com/{language}/article-{number}"/>'
        for language in languages
    ]
    return page(number, *links)


def page_with_images(number: int) -> str:
    images = [
        f"<image:image><image:loc>https://images.example.com/{number}/{picture}.jpg</image:loc>"
        f"<image:title>Picture {picture} of {number}</image:title>"
        f"<image:caption>What is seen in picture {picture}</image:caption></image:image>"
        for picture in range(3)
    ]
    return page(number, *images)


def page_with_news(number: int) -> str:
    return (
        f"  <url>\n    <loc>{location(number)}</loc>\n    <lastmod>{moment(number)}</lastmod>\n    <news:news>\n"
        "      <news:publication><news:name>The Example Times</news:name><news:language>en</news:language>"
        "</news:publication>\n"
        f"      <news:publication_date>{moment(number + 7)}</news:publication_date>\n"
        f"      <news:title>What happened on the day {number} &amp; what follows</news:title>\n"
        "      <news:keywords>business, politics, weather</news:keywords>\n    </news:news>\n  </url>\n"
    )


def page_of_loc_only(number: int) -> str:
    return f"<url><loc>{location(number)}</loc></url>\n"


def child(number: int) -> str:
    return (
        f"  <sitemap>\n    <loc>https://www.example.com/sitemaps/part-{number}.xml.gz</loc>\n"
        f"    <lastmod>{moment(number)}</lastmod>\n  </sitemap>\n"
    )


INPUTS = (
    Input("plain", 50_000, 1, "urlset", page),
    Input("hreflang", 10_000, 1, "urlset", page_with_alternates),
    Input("images", 10_000, 1, "urlset", page_with_images),
    Input("news", 1_000, 10, "urlset", page_with_news),
    Input("loc only", 50_000, 1, "urlset", page_of_loc_only),
    Input("index", 50_000, 1, "sitemapindex", child),
    Input("small index", 5_000, 10, "sitemapindex", child),
)
"""``small index`` has as many entries as ``index``, in tenths: an entry must cost the same in both."""


def document(root: str, entries: Iterable[str]) -> Iterator[str]:
    namespaces = " ".join(
        f'xmlns:{prefix}="{address}"' if prefix else f'xmlns="{address}"' for prefix, address in NAMESPACES.items()
    )
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {namespaces}>\n'
    yield from entries
    yield f"</{root}>\n"


def write(wanted: Input, folder: Path, divisor: int = 1) -> Written:
    """Write an input's documents, each with its share of the entries."""
    entries = wanted.entries // divisor
    paths = []
    for part in range(wanted.documents):
        path = folder / f"{wanted.name}-{part}.xml"
        numbers = range(part * entries, (part + 1) * entries)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(document(wanted.root, map(wanted.entry, numbers)))
        paths.append(path)
    return Written(wanted.name, entries * wanted.documents, sum(path.stat().st_size for path in paths), paths)


def write_large(folder: Path, size: int) -> Written:
    """Write one plain document of about so many bytes."""
    entries = size // len(page(100_000))
    return write(Input("large", entries, 1, "urlset", page), folder)


def write_bomb(folder: Path, size: int) -> Written:
    """Write a gzip file that inflates to so many bytes: a thousandth of them on the disk."""
    path = folder / "bomb.xml.gz"
    deflate = zlib.compressobj(9, wbits=31)
    with path.open("wb") as file:
        file.write(deflate.compress("".join(document("urlset", [page(0)])).removesuffix("</urlset>\n").encode()))
        for _ in range(size // MIB):
            file.write(deflate.compress(b" " * MIB))
        file.write(deflate.flush())
    return Written("bomb", 0, path.stat().st_size, [path])
