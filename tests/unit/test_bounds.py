"""What a document may cost: memory that does not grow with it, and time that grows no faster than it does.

Memory is measured in a process of its own each time: ``python -m tests.unit.test_bounds NAME SOURCE PATH``.
"""

import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

import brotli  # type: ignore[import-untyped]
import pytest

from tests.unit.decoding.bodies import gz, zst_bomb
from usp.decoding.zstandard import zstd
from usp.limits import KIB, MIB
from usp.objects.sitemap import AbstractSitemap
from usp.parsing import parse
from usp.problems import KEPT_A_CODE, Outcome

URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
PAGE = "<url><loc>https://example.com/</loc></url>"

# -- memory

GROWTH = 32
"""MiB by which reading any document of 50 MB may make a process grow, and going through its pages."""


def many(unit: Callable[[int], str], size: int) -> Iterator[str]:
    """So many characters of numbered units."""
    while size > 0:
        for start in count(0, 1000):
            block = "".join(map(unit, range(start, start + 1000)))
            yield block[:size] if len(block) > size else block
            size -= len(block)
            if size <= 0:
                break


class Large(NamedTuple):
    """A large document, and what reading it must give."""

    content: Callable[[], Iterator[str]]
    pages: int = 0
    most: int = GROWTH


def entry(number: int) -> str:
    """150 bytes, as most sitemaps write it."""
    return (
        f"<url><loc>https://example.com/products/{number % 100}/item-number-{number:08}.html</loc>"
        "<lastmod>2024-01-02T03:04:05+00:00</lastmod><priority>0.8</priority></url>\n"
    )


def minimal_entry(number: int) -> str:
    return f"<url><loc>http://example.com/{number:08}</loc></url>"


def within(before: str, unit: Callable[[int], str], size: int, after: str = "") -> Callable[[], Iterator[str]]:
    def content() -> Iterator[str]:
        yield before
        yield from many(unit, size)
        yield after

    return content


def text_of(text: str) -> Callable[[int], str]:
    """A unit that is the same for every number."""
    return lambda number: text


MEGABYTES = 1000 * 1000
LONG = "a" * 50_000

LARGE: Mapping[str, Large] = {
    "entries": Large(within(URLSET, entry, 50 * MEGABYTES), 50 * MEGABYTES // len(entry(0))),
    "minimal entries": Large(
        within(URLSET, minimal_entry, 50 * MEGABYTES), 50 * MEGABYTES // len(minimal_entry(0))
    ),
    "lines": Large(
        within("", lambda number: f"https://example.com/products/item-{number:08}\n", 50 * MEGABYTES), 1_063_829
    ),
    # what only an enemy writes; a fifth of the size is enough to see it grow
    "names of elements": Large(within(URLSET, lambda number: f"<a{number}/>", 10 * MEGABYTES)),
    "names in an entry": Large(within(URLSET + "<url>", lambda number: f"<a{number}/>", 10 * MEGABYTES)),
    "names of attributes": Large(within(URLSET, lambda number: f"<a b{number}=''/>", 10 * MEGABYTES)),
    "names of prefixes": Large(within(URLSET, lambda number: f"<a xmlns:b{number}='c'/>", 10 * MEGABYTES)),
    "long names": Large(within(URLSET, lambda number: f"<a{number}{LONG}/>", 20 * MEGABYTES)),
    "long names that stay open": Large(within(URLSET, lambda number: f"<a{number}{LONG}>", 20 * MEGABYTES)),
    "nested before the root": Large(within("<x>", text_of("<a>"), 10 * MEGABYTES)),
    "nested around entries": Large(within(URLSET, text_of("<a>"), 3 * MEGABYTES)),
    "nested in an entry": Large(within(URLSET + "<url>", text_of("<a>"), 10 * MEGABYTES)),
    "nested in a value": Large(within(URLSET + "<url><loc>", text_of("<a>"), 10 * MEGABYTES)),
    "nested in a story": Large(within(URLSET + "<url><news:news>", text_of("<news:publication>"), 10 * MEGABYTES)),
    "nested roots": Large(within("", text_of("<urlset>"), 1 * MEGABYTES)),
    "nested in a feed": Large(within("<rss><channel><item>", text_of("<a>"), 10 * MEGABYTES)),
    "long URLs": Large(within(URLSET, lambda number: f"<url><loc>https://e.com/{number:07}{LONG}</loc></url>", 20 * MEGABYTES), 399),
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
    "one attribute": Large(within(URLSET + "<url a='", text_of("a"), 10 * MEGABYTES, "'/>" + PAGE), 1),
    "one URL": Large(within(URLSET + "<url><loc>https://e.com/", text_of("a"), 10 * MEGABYTES, "</loc></url>" + PAGE), 1),
    "one comment": Large(within(URLSET + "<!--", text_of("a"), 10 * MEGABYTES, "-->" + PAGE), 1),
    "one section": Large(within(URLSET + "<url><loc><![CDATA[", text_of("a"), 10 * MEGABYTES, "]]></loc></url>" + PAGE), 1),
    "one instruction": Large(within(URLSET + "<?a ", text_of("a"), 10 * MEGABYTES, "?>" + PAGE), 1),
    "one name": Large(within(URLSET + "<", text_of("a"), 10 * MEGABYTES, ">" + PAGE), 1),
    "one end tag": Large(within(URLSET + "</", text_of("a"), 10 * MEGABYTES, ">" + PAGE), 1),
    "one reference": Large(within(URLSET + "<url>&", text_of("a"), 10 * MEGABYTES, ";</url>" + PAGE), 1),
    "one text between entries": Large(within(URLSET, text_of("a"), 10 * MEGABYTES, PAGE), 1),
    "one line": Large(within("https://e.com/\n", text_of("a"), 10 * MEGABYTES, "\nhttps://f.com/\n"), 2),
    "one doctype": Large(within("<!DOCTYPE ", text_of("a"), 10 * MEGABYTES, ">" + URLSET + PAGE)),
    "one doctype of quotes": Large(within("<!DOCTYPE ", text_of('"'), 10 * MEGABYTES, ">" + URLSET + PAGE)),
    "white space": Large(within("", text_of(" "), 10 * MEGABYTES, URLSET + PAGE)),
    "images": Large(
        within(
            URLSET + "<url><loc>https://e.com/</loc>",
            lambda number: f"<image:image><image:loc>https://e.com/{number}</image:loc></image:image>",
            10 * MEGABYTES,
        )
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
    source = {
        "pieces": lambda: Pieces(LARGE[name].content()),
        "path": lambda: Path(path),
        "bytes": lambda: Path(path).read_bytes(),
        "text": lambda: Path(path).read_text(),
    }[kind]()
    headers = {"content-encoding": "br"} if name == "brotli" else {}
    parse(b"<urlset/>")  # what is imported at the first document is no growth
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak
    before = peak()
    sitemap = parse(source, headers=headers)  # type: ignore[arg-type]
    pages = sum(1 for _ in sitemap.pages)
    sys.stdout.write(f"{sitemap.outcome} {pages} {peak() - before}\n")


class Measured(NamedTuple):
    outcome: str
    pages: int
    mebibytes: float


def measured(name: str, kind: str, path: Path) -> Measured:
    command = [sys.executable, "-m", __name__, name, kind, str(path)]
    folder = Path(__file__).parents[2]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, timeout=60)
    outcome, pages, growth = run.stdout.split()
    return Measured(outcome, int(pages), int(growth) / KIB)


on_linux = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux forgets a peak")


@on_linux
@pytest.mark.parametrize("name", ["entries", "minimal entries"])
def test_fifty_megabytes_from_anywhere_grow_the_process_by_little(name: str, tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    with path.open("w") as file:
        file.writelines(LARGE[name].content())
    for kind in ("path", "bytes", "text"):
        found = measured(name, kind, path)
        assert found.outcome in (Outcome.OK, Outcome.TRUNCATED)  # the last entry is cut
        assert found.pages == LARGE[name].pages
        assert found.mebibytes <= GROWTH, kind


@on_linux
@pytest.mark.parametrize("name", [name for name in LARGE if "entries" not in name or "around" in name])
def test_no_document_grows_the_process_by_much(name: str, tmp_path: Path) -> None:
    found = measured(name, "pieces", tmp_path)
    assert found.pages >= LARGE[name].pages
    assert found.mebibytes <= LARGE[name].most


def gz_bomb() -> bytes:
    """1 MiB that inflates to 1 GiB: the same compressed block of blanks again and again."""
    stream = zlib.compressobj(9, wbits=31)
    first = stream.compress(b"<urlset>".ljust(MIB)) + stream.flush(zlib.Z_FULL_FLUSH)
    again = stream.compress(b" " * MIB) + stream.flush(zlib.Z_FULL_FLUSH)
    return first + again * 1023


def br_bomb() -> bytes:
    stream = brotli.Compressor(quality=1)
    return b"".join([stream.process(b" " * MIB) for _ in range(1024)]) + bytes(stream.finish())


BOMBS: Mapping[str, Callable[[], bytes]] = {
    "gzip": gz_bomb,
    "gzip in gzip": lambda: gz(gz_bomb()),
    "brotli": br_bomb,
    "zstd": lambda: zst_bomb(1024),
    "gzip in zstd": lambda: zstd.compress(gz_bomb()),
}


@on_linux
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_before_it_costs_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml.gz"
    path.write_bytes(BOMBS[name]())
    for kind in ("path", "bytes"):
        found = measured(name, kind, path)
        assert (found.outcome, found.pages) == (Outcome.REFUSED, 0)
        assert found.mebibytes < 16


# -- problems


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ("<a/>", "unknown-element"),
        ("</a>", "stray-tag"),
        ("&", "bare-ampersand"),
        ("&eacute;", "html-entity"),
        ("&#0;", "invalid-reference"),
        ("<url/>", "missing-loc"),
        ("<url>", "broken-entry"),
        (PAGE, "duplicate-url"),
        ("<?xml?>", "repeated-declaration"),
        ("<!DOCTYPE a>", "doctype"),
    ],
)
def test_a_million_problems_are_counted_and_the_first_few_kept(unit: str, code: str) -> None:
    sitemap = parse(Pieces(iter([URLSET, *[unit * 10_000] * 100, "</urlset>"])))  # type: ignore[arg-type]
    assert sitemap.problems.counts[code] in (999_999, 1_000_000)
    assert sum(problem.code == code for problem in sitemap.problems) == KEPT_A_CODE


# -- time


def repeated(unit: str, before: str = URLSET, after: str = "") -> Callable[[int], str]:
    """A text of about so many characters, made of one unit."""
    return lambda size: before + unit * (size // len(unit)) + after


def numbered(unit: str, before: str = URLSET, after: str = "") -> Callable[[int], str]:
    """A text of about so many characters, made of units in which ``{}`` is a number."""
    return lambda size: before + "".join(unit.format(number) for number in range(size // len(unit))) + after


IN_LOC = URLSET + "<url><loc>"
IN_URL = URLSET + "<url>"
IN_HTML = "<html><head>"

HOSTILE: Mapping[str, Callable[[int], str]] = {
    "broken entries": repeated("<url><loc>https://e.com/</lo></url>"),
    "entries with a stray bracket": repeated("<url><loc>https://e.com/ < </loc></url>"),
    "entries that never end": repeated("<url>"),
    "entries that never end, with values": repeated("<url><loc>https://e.com/</loc>"),
    "entries with a repeated attribute": repeated("<url a='' a=''/>"),
    "start tags that never end": repeated("<url "),
    "brackets": repeated("<"),
    "closing brackets": repeated(">"),
    "stray end tags": repeated("</a>"),
    "stray end tags of entries": repeated("</url>"),
    "stray end tags of roots": repeated("</urlset>"),
    "stray end tags in nested roots": repeated("</a>", "<urlset>" * 900),
    "stray end tags in roots with long names": lambda size: f"<{'a' * size}:urlset>" + "</x>" * (size // 4),
    "stray end tags in unknown elements": repeated("</b>", URLSET + "<a>" * 900),
    "roots": repeated("<urlset></urlset>", ""),
    "nested roots": repeated("<urlset>", ""),
    "nested roots of a feed": repeated("<channel>", "<rss>"),
    "nested elements around entries": repeated("<a>"),
    "nested elements before the root": repeated("<a>", "<x>"),
    "nested elements in an entry": repeated("<a>", IN_URL),
    "nested elements in a value": repeated("<a>", IN_LOC),
    "nested elements in a feed": repeated("<a>", "<rss><channel>"),
    "nested groups": repeated("<news:publication>", IN_URL + "<news:news>"),
    "nested entries in the unknown": repeated("<b><url><loc>", IN_URL),
    "section ends": repeated("]]>"),
    "section ends in values": repeated("<url><loc>]]></loc></url>"),
    "sections": repeated("<![CDATA[]]>", IN_LOC),
    "sections with references": repeated("<![CDATA[&amp;]]>", IN_LOC),
    "sections that never end": repeated("<![CDATA["),
    "sections that never end, in entries": repeated("<url><loc><![CDATA[https://e.com/</loc></url>"),
    "sections that never end, and ends of entries": repeated("<![CDATA[</url>"),
    "one section that never ends": repeated("a", IN_LOC + "<![CDATA["),
    "comments that never end": repeated("<!--"),
    "comments": repeated("<!---->", IN_LOC),
    "hyphens": repeated("-", URLSET + "<!--"),
    "instructions that never end": repeated("<?"),
    "instructions": repeated("<?a?>"),
    "declarations": repeated("<?xml?>"),
    "declarations that never end": repeated("<?xml "),
    "question marks": repeated("?", URLSET + "<?a "),
    "doctypes": repeated("<!DOCTYPE a>"),
    "quotes of a doctype": repeated("'\"", "<!DOCTYPE a "),
    "ampersands": repeated("&"),
    "entities": repeated("&eacute;", IN_LOC),
    "references that never end": repeated("&#1"),
    "digits of a reference": repeated("1", IN_LOC + "&#"),
    "semicolons": repeated("&;", IN_LOC),
    "control characters": repeated("\x01", IN_LOC),
    "text between elements": repeated("a<b/>"),
    "names": numbered("<a{}/>"),
    "names in an entry": numbered("<a{}/>", IN_URL),
    "names of attributes": numbered("<a b{}=''/>"),
    "namespaces": numbered("<a xmlns:b{}='c'/>"),
    "namespaces of one element": numbered(" xmlns:b{}='c'", URLSET + "<a", "/>"),
    "prefixes": numbered("<a{0}:url xmlns:a{0}='http://www.sitemaps.org/'/>"),
    "attributes of one element": numbered(" b{}=''", URLSET + "<a", "/>"),
    "one tag that never ends": repeated("a", URLSET + "<url a='"),
    "URLs of one sitemap": numbered("<loc>https://e.com/{}</loc>", "<sitemapindex><sitemap>", "</sitemap>"),
    "sitemaps": numbered("<sitemap><loc>https://e.com/{}</loc></sitemap>", "<sitemapindex>"),
    "images of one page": numbered(
        "<image:image><image:loc>https://e.com/{}</image:loc></image:image>", IN_URL, "<loc>https://e.com/</loc></url>"
    ),
    "alternates of one page": numbered("<xhtml:link hreflang='a' href='https://e.com/{}'/>", IN_URL),
    "tags of one video": repeated("<video:tag>a</video:tag>", IN_URL + "<video:video>"),
    "links of one item": repeated("<link>a</link>", "<rss><channel><item>"),
    "the same page": repeated(PAGE),
    "dots of a relative URL": repeated("../", IN_LOC, "</loc></url>"),
    "long lines": repeated("https://e.com/ ", "https://e.com/\n"),
    "empty lines": repeated("\n", "https://e.com/"),
    "lines": repeated("a\n"),
    "lines of blanks": repeated(" " * 999 + "\n", "a"),
    "robots with a long line": repeated("sitemap ", "User-agent: *\nSitemap:"),
    "robots with blanks": repeated(" " * 16_000 + "\n", "User-agent: *\n"),
    "robots with many URLs on a line": repeated("https://e.com/ ", "User-agent: *\nSitemap: "),
    "HTML comments": repeated("<!--", IN_HTML),
    "HTML scripts": repeated("<script", IN_HTML),
    "HTML scripts that end": repeated("<script></script>", IN_HTML),
    "HTML links": repeated("<link ", IN_HTML),
    "HTML links with attributes": repeated("<link a=", IN_HTML),
    "HTML links that end": repeated("<link rel=sitemap href=a>", IN_HTML),
    "HTML quotes": repeated("<link a='", IN_HTML),
    "HTML bases": repeated("<base href=/a/b/c>", IN_HTML),
    "HTML blanks": repeated(" ", IN_HTML + "<link "),
}
"""Texts that only an enemy writes, by their size."""

SMALL, TIMES = 50_000, 4


def seconds(text: str) -> float:
    start = time.process_time()
    parse(text, url="https://example.com/a/b/c")
    return time.process_time() - start


@cache
def seconds_of_a_plain_sitemap() -> float:
    plain = URLSET + "".join(map(entry, range(SMALL * TIMES // len(entry(0)))))
    return min(seconds(plain) for _ in range(5))


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_no_faster_than_the_document(name: str) -> None:
    small, large = HOSTILE[name](SMALL), HOSTILE[name](SMALL * TIMES)
    assert costs_little(small, large), name


def costs_little(small: str, large: str) -> bool:
    """Whether four times the text takes clearly less than eight times the time, and no text is much worse than a plain one.

    The best of a few attempts, and as many as needed: a busy machine makes anything slow, nothing fast.
    """
    fewest = [float("inf")] * 2
    for _ in range(5):
        fewest = [min(least, seconds(text)) for least, text in zip(fewest, (small, large), strict=True)]
        if fewest[1] < max(2 * TIMES * fewest[0], 0.02) and fewest[1] < 500 * seconds_of_a_plain_sitemap():
            return True
    return False


def test_empty_gzip_members_take_linear_time() -> None:
    empty = gz(b"")
    small = min(best_of_bytes(empty * 2000) for _ in range(3))
    large = min(best_of_bytes(empty * 8000) for _ in range(3))
    assert large < 2 * TIMES * small


def best_of_bytes(body: bytes) -> float:
    start = time.process_time()
    sitemap: AbstractSitemap = parse(body)
    assert sitemap.outcome is Outcome.EMPTY
    return time.process_time() - start


@pytest.mark.parametrize("before", ["<x>", URLSET, IN_URL, IN_LOC, "<rss><channel><item>", "<feed><entry><title>", ""])
@pytest.mark.parametrize("name", ["a", "urlset", "url", "image:image"])
def test_a_hundred_thousand_levels_are_read(before: str, name: str) -> None:
    sitemap = parse(before + f"<{name}>" * 100_000 + f"</{name}>" * 100_000 + PAGE)
    assert sitemap.problems.total > 0
    assert len(list(islice(sitemap.pages, 2))) <= 1


if __name__ == "__main__":
    measure(*sys.argv[1:])
