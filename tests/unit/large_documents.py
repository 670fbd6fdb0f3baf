"""Large documents, made while they are read, and what reading one of them costs.

Memory is measured in a process of its own each time: ``python -m tests.unit.large_documents NAME SOURCE PATH``.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from tests.namespaces import NAMESPACES
from usp.limits import KIB
from usp.parsing import parse

URLSET = f"<urlset {NAMESPACES}>"
PAGE = "<url><loc>https://example.com/</loc></url>"

GROWTH = 32
"""MiB by which reading any document of 50 MB may make a process grow, and going through its pages."""


Unit = str | Callable[[int], str]
"""The same text again and again, or one for every number."""


def many(unit: Unit, size: int) -> Iterator[str]:
    """So many characters of units, in blocks of some KiB."""
    units = 1 + 16 * KIB // len(unit if isinstance(unit, str) else unit(0))
    for start in count(0, units):
        block = unit * units if isinstance(unit, str) else "".join(map(unit, range(start, start + units)))
        block = block[:size]
        size -= len(block)
        if not block:
            return
        yield block


class Large(NamedTuple):
    """A large document, and how many pages it must give at least."""

    content: Callable[[], Iterator[str]]
    pages: int = 0
    most: int = GROWTH
    """MiB by which reading it may make the process grow."""


def entry(number: int) -> str:
    """150 bytes, as most sitemaps write it."""
    return (
        f"<url><loc>https://example.com/products/{number % 100}/item-number-{number:08}.html</loc>"
        "<lastmod>2024-01-02T03:04:05+00:00</lastmod><priority>0.8</priority></url>\n"
    )


def minimal_entry(number: int) -> str:
    return f"<url><loc>http://example.com/{number:08}</loc></url>"


def within(before: str, unit: Unit, size: int, after: str = "") -> Callable[[], Iterator[str]]:
    def content() -> Iterator[str]:
        yield before
        yield from many(unit, size)
        yield after

    return content


MEGABYTES = 1000 * 1000
LONG = "a" * 50_000

LARGE: Mapping[str, Large] = {
    "entries": Large(within(URLSET, entry, 50 * MEGABYTES), 338_066),
    "minimal entries": Large(within(URLSET, minimal_entry, 50 * MEGABYTES), 1_020_408),
    "lines": Large(
        within("", lambda number: f"https://example.com/products/item-{number:08}\n", 21_500_000), 500_000
    ),
    # what only an enemy writes; less is enough to see it grow
    "names of elements": Large(within(URLSET, lambda number: f"<a{number}/>", 2 * MEGABYTES), 0, 8),
    "names in an entry": Large(within(URLSET + "<url>", lambda number: f"<a{number}/>", 2 * MEGABYTES), 0, 8),
    "names of attributes": Large(within(URLSET, lambda number: f"<a b{number}=''/>", 2 * MEGABYTES), 0, 8),
    "names of attributes of leaves": Large(
        within(URLSET + "<url>", lambda number: f"<loc b{number}=''/>", 2 * MEGABYTES), 0, 8
    ),
    "names of attributes of alternates": Large(
        within(URLSET + "<url>", lambda number: f"<xhtml:link b{number}=''/>", 2 * MEGABYTES), 0, 8
    ),
    "long names of attributes before the root": Large(
        within("<x>", lambda number: f"<a b{number}{LONG}=''/>", 20 * MEGABYTES)
    ),
    "names of prefixes": Large(within(URLSET, lambda number: f"<a xmlns:b{number}='c'/>", 2 * MEGABYTES), 0, 8),
    "long names": Large(within(URLSET, lambda number: f"<a{number}{LONG}/>", 20 * MEGABYTES)),
    "long names that stay open": Large(within(URLSET, lambda number: f"<a{number}{LONG}>", 20 * MEGABYTES)),
    "nested before the root": Large(within("<x>", "<a>", 1 * MEGABYTES), 0, 8),
    "nested around entries": Large(within(URLSET, "<a>", 1 * MEGABYTES), 0, 8),
    "nested in an entry": Large(within(URLSET + "<url>", "<a>", 1 * MEGABYTES), 0, 8),
    "nested in a value": Large(within(URLSET + "<url><loc>", "<a>", 1 * MEGABYTES), 0, 8),
    "nested in a story": Large(within(URLSET + "<url><news:news>", "<news:publication>", 4 * MEGABYTES)),
    "nested roots": Large(within("", "<urlset>", 1 * MEGABYTES), 0, 8),
    "nested in a feed": Large(within("<rss><channel><item>", "<a>", 1 * MEGABYTES), 0, 8),
    "long URLs": Large(
        within(URLSET, lambda number: f"<url><loc>https://e.com/{number:07}{LONG}</loc></url>", 20 * MEGABYTES), 399
    ),
    "long lines": Large(within("", lambda number: f"https://e.com/{number:07}{LONG}\n", 20 * MEGABYTES), 399),
    "long descriptions": Large(
        within(
            "<rss><channel>",
            lambda number: f"<item><link>https://e.com/{number:07}</link><description>{LONG}</description></item>",
            20 * MEGABYTES,
        ),
        399,
    ),
    "long values that are dropped": Large(
        within(URLSET + "<url>", lambda number: f"<loc>{LONG}</loc>", 20 * MEGABYTES)
    ),
    "long tags in a video": Large(
        within(
            URLSET + "<url><loc>https://e.com/</loc><video:video>",
            lambda number: f"<video:tag>{LONG}</video:tag>",
            20 * MEGABYTES,
        )
    ),
    "one attribute": Large(within(URLSET + "<url a='", "a", 10 * MEGABYTES, "'/>" + PAGE), 1),
    "one URL": Large(
        within(URLSET + "<url><loc>https://e.com/", "a", 10 * MEGABYTES, "</loc></url>" + PAGE), 1
    ),
    "one comment": Large(within(URLSET + "<!--", "a", 10 * MEGABYTES, "-->" + PAGE), 1),
    "one section": Large(
        within(URLSET + "<url><loc><![CDATA[", "a", 10 * MEGABYTES, "]]></loc></url>" + PAGE), 1
    ),
    "one instruction": Large(within(URLSET + "<?a ", "a", 10 * MEGABYTES, "?>" + PAGE), 1),
    "one name": Large(within(URLSET + "<", "a", 10 * MEGABYTES, ">" + PAGE), 1),
    "one end tag": Large(within(URLSET + "</", "a", 10 * MEGABYTES, ">" + PAGE), 1),
    "one reference": Large(within(URLSET + "<url>&", "a", 10 * MEGABYTES, ";</url>" + PAGE), 1),
    "one text between entries": Large(within(URLSET, "a", 10 * MEGABYTES, PAGE), 1),
    "one line": Large(within("https://e.com/\n", "a", 10 * MEGABYTES, "\nhttps://f.com/\n"), 2),
    "one doctype": Large(within("<!DOCTYPE ", "a", 10 * MEGABYTES, ">" + URLSET + PAGE)),
    "one doctype of quotes": Large(within("<!DOCTYPE ", '"', 10 * MEGABYTES, ">" + URLSET + PAGE)),
    "white space": Large(within("", " ", 10 * MEGABYTES, URLSET + PAGE)),
    "images": Large(
        within(
            URLSET + "<url><loc>https://e.com/</loc>",
            lambda number: f"<image:image><image:loc>https://e.com/{number}</image:loc></image:image>",
            4 * MEGABYTES,
        ),
        0,
        16,
    ),
}  # fmt: skip


class Pieces:
    """A binary file of text that is made while it is read."""

    def __init__(self, content: Iterator[str]) -> None:
        self._content = content
        self._rest = b""

    def read(self, size: int) -> bytes:
        while len(self._rest) < size:
            following = next(self._content, None)
            if following is None:
                break
            self._rest += following.encode()
        part, self._rest = self._rest[:size], self._rest[size:]
        return part


def peak() -> int:
    """The most memory, in KiB, that this process had since the peak was forgotten."""
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])


def measure(name: str, kind: str, path: str) -> None:
    """Print what reading a document gives, and by how many KiB this process grows over it."""
    sources: Mapping[str, Callable[[], Any]] = {
        "pieces": lambda: Pieces(LARGE[name].content()),
        "path": lambda: Path(path),
        "bytes": lambda: Path(path).read_bytes(),
        "text": lambda: Path(path).read_text(),
    }
    source = sources[kind]()
    headers = {"content-encoding": "br"} if name == "brotli" else {}
    for first in (PAGE, PAGE * 2):  # the compiled reader leaves a URL that is listed twice to Python
        # What is loaded with the first document is no growth.
        list(parse((URLSET + first + "</urlset>").encode()).pages)
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak
    before = peak()
    sitemap = parse(source, headers=headers)
    pages = sum(1 for _ in sitemap.pages)
    sys.stdout.write(f"{sitemap.outcome} {pages} {peak() - before}\n")


if __name__ == "__main__":
    measure(*sys.argv[1:])
