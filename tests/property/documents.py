"""Documents of every format, whole and damaged in every way, and all that reading one of them says.

``read`` takes the bytes of the wire in pieces; ``read_text`` feeds a parser directly, for ``DocumentReader`` gathers
small pieces before its parser sees them.
"""

import codecs
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from hypothesis import strategies as st

from tests.namespaces import NAMESPACES
from tests.unit.decoding.bodies import br, gz, zst
from usp.decoding.sniff import Form, sniff
from usp.limits import DEFAULT_LIMITS, Limits
from usp.messages import Document, Kind, SitemapRef
from usp.problems import Outcome, Problem
from usp.reading import DocumentReader
from usp.rows import Row, unpack

URL = "https://example.com/shop/sitemap.xml"
ROBOTS_URL = "https://example.com/robots.txt"

SAMPLES: Mapping[str, str] = {
    "urlset": f"""<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="sitemap.xsl"?>
<urlset {NAMESPACES}>
<!-- made by hand -->
<url><loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-01-02</lastmod><changefreq>daily</changefreq></url>
<url>
  <loc><![CDATA[https://example.com/b]]></loc>
  <priority>0.8</priority>
  <image:image><image:loc>https://example.com/b.jpg</image:loc><image:title>&#233; &amp; B</image:title></image:image>
  <image:image><image:loc>/c.jpg</image:loc></image:image>
  <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/b"/>
  <xhtml:link rel="alternate" hreflang="fr" href="https://example.com/fr/b"/>
</url>
<url><loc>https://example.com/c</loc><news:news><news:publication><news:name>The Example</news:name>
<news:language>en</news:language></news:publication><news:publication_date>2024-01-02</news:publication_date>
<news:title>Title</news:title></news:news></url>
<url><loc>https://example.com/d</loc><video:video><video:title><![CDATA[A &amp; B]]></video:title>
<video:tag>one</video:tag><video:tag>two</video:tag><video:price currency="EUR">1.99</video:price>
<video:restriction relationship="allow">DE FR</video:restriction></video:video></url>
</urlset>
""",
    "index": """<?xml version="1.0"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/1.xml</loc><lastmod>2024-01-02</lastmod></sitemap>
<sitemap><loc>https://example.com/2.xml</loc><loc>/3.xml</loc></sitemap>
<url><loc>https://example.com/page</loc></url>
</sitemapindex>
""",
    "rss": """<?xml version="1.0"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>Feed</title><link>https://example.com/</link><atom:link href="https://example.com/feed" rel="self"/>
<item><title>One</title><link>https://example.com/1</link><pubDate>Tue, 02 Jan 2024 03:04:05 GMT</pubDate></item>
<item><description><![CDATA[<p>Two &amp; more</p>]]></description><guid>https://example.com/2</guid></item>
<item><title>Th<b>r</b>ee</title><link href="/3"/><dc:date>2024-01-02</dc:date></item>
</channel></rss>
""",
    "rdf": """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="https://example.com/"><title>Feed</title><link>https://example.com/</link></channel>
<item rdf:about="https://example.com/1"><title>One</title><link>https://example.com/1</link></item>
</rdf:RDF>
""",
    "atom": """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.com/blog/"><title>Feed</title>
<link href="https://example.com/"/>
<entry><title type="html">One &lt;b&gt;</title><link href="1"/><updated>2024-01-02T03:04:05Z</updated></entry>
<entry xml:base="2/"><title>Two</title><link rel="self" href="self"/><link rel="alternate" href="other"/></entry>
<entry><summary>Three</summary><link rel="enclosure" href="x.mp3"/><link href="https://example.com/3"/></entry>
</feed>
""",
    "text": "\ufeffhttps://example.com/a\r\nhttps://example.com/b\n\nnot a URL\rhttps://example.com/c d\n",
    "robots": "User-agent: *\nDisallow: /\nSitemap: https://example.com/a.xml # one\nsite-map : /b.xml\rSitemap: no\n",
    "html": """<!DOCTYPE html><html><head><base href="/x/"><link rel="sitemap" href="a.xml"/>
<!-- <link rel="sitemap" href="hidden.xml"> --><script>"<link rel='sitemap' href='script.xml'>"</script>
<link rel=alternate type="application/rss+xml" href="feed?a=1&amp;b=2"></head><body>Welcome</body></html>
""",
    "lenient": """<br />
<b>Warning</b>: something in <b>/index.php</b> on line <b>3</b><br />
<?xml version="1.0"?>
<!DOCTYPE urlset>
<URLSET xmlns="https://www.google.com/schemas/sitemap/0.84/">
stray <URL><LOC> https://example.com/a&b=&nbsp;&copy;&#0;&bogus; </LOC><PageMap><x/></PageMap><unknown>x</unknown></URL>
<urlset><url><loc>relative</loc><image:image><image:loc>i.png</image:loc></image:image></url></urlset>
<sitemap><loc>https://example.com/\x01map.xml</loc></sitemap><url><loc>javascript:x</loc></url><url></url>
</URLSET>
trailing <!-- -- --> <?xml version="1.0"?><urlset><url><loc>https://example.com/z</loc></url>""",
}

TOKENS = (
    *("<urlset>", "</urlset>", "<sitemapindex>", "</sitemapindex>", "<rss>", "</rss>", "<feed>", "</feed>"),
    *("<url>", "</url>", "<sitemap>", "</sitemap>", "<item>", "</item>", "<entry>", "</entry>", "<url/>"),
    *("<loc>", "</loc>", "<lastmod>", "</lastmod>", "<link>", "</link>", "<title>", "</title>", "<b>", "</b>"),
    *("https://example.com/", "/relative", "a", "1", " ", "\n", "\r", "\r\n", "\t", "é", "\U0001f600", "\u2028"),
    *("<", ">", "</", "/>", "<!", "<?", "?>", "<!-", "<!--", "--", "-->", "<![CDATA[", "]]>", "]]", "]", "[", "!", "?"),
    *("&", ";", "&amp;", "&lt;", "&nbsp;", "&bogus;", "&#65;", "&#x41;", "&#0;", "&#", "&#x", "&a", "#", "'", '"', "="),
    *("<?xml version='1.0'?>", "<?xml", "<?php x ?>", "<!DOCTYPE urlset>", "<!DOCTYPE a [", "<!ENTITY a>", "<html>"),
    *("<image:image>", "<image:loc>", "</image:loc>", "</image:image>", "<xhtml:link hreflang='a' href='/b'/>"),
    *("<news:news>", "<news:publication>", "</news:publication>", "</news:news>", " a='b'", " a=b", "<x:url>"),
    *("\x00", "\x01", "\x0b", "\x85", "\ufeff", "\ufffe", "\uffff", "Sitemap: ", "<link rel=sitemap href=a>"),
    *("<script>", "<a xmlns:x='y'>", "<url xmlns='y'>"),
)  # fmt: skip

ENCODINGS: Mapping[str, tuple[bytes, str]] = {
    "utf-8": (b"", "utf-8"),
    "utf-8 with BOM": (codecs.BOM_UTF8, "utf-8"),
    "utf-16 with BOM": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16 without BOM": (b"", "utf-16-be"),
    "utf-32 with BOM": (codecs.BOM_UTF32_BE, "utf-32-be"),
    "latin-1, undeclared": (b"", "latin-1"),
}

COMPRESSIONS: Mapping[str, Callable[[bytes], bytes]] = {
    "none": bytes,
    "gzip": gz,
    "members": lambda body: gz(body[:100]) + gz(b"") + gz(body[100:]),
    "gzip in gzip": lambda body: gz(gz(body)),
    "gzip cut": lambda body: gz(body)[:-9],
    "gzip and junk": lambda body: gz(body) + b"junk",
    "zstd": zst,
}


class Said(NamedTuple):
    """All that a document said, as values that can be compared."""

    kind: Kind
    outcome: Outcome
    rows: list[Row]
    references: tuple[SitemapRef, ...]
    feeds: tuple[SitemapRef, ...]
    problems: list[Problem]
    counts: dict[str, int]

    @property
    def urls(self) -> list[str]:
        return [row.url for row in self.rows]


class Wire(NamedTuple):
    """A body and the headers with which it was sent."""

    body: bytes
    headers: Mapping[str, str]


def said(document: Document) -> Said:
    problems = document.problems
    rows = [row for block in document.blocks for row in unpack(block.packed())]
    return Said(
        document.kind,
        document.outcome,
        rows,
        tuple(document.references),
        document.feeds,
        list(problems),
        problems.counts,
    )


def read(
    pieces: bytes | Iterable[bytes],
    *,
    url: str = URL,
    headers: Mapping[str, str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Said:
    """Read the bytes of the wire, whole or in pieces."""
    reader = DocumentReader(url, headers=headers, limits=limits)
    for piece in [pieces] if isinstance(pieces, bytes) else pieces:
        reader.feed(piece)
    return said(reader.close())


def read_text(text: str, size: int | None = None, *, url: str = URL) -> Said:
    """Feed the text to the parser for it, in pieces of so many characters."""
    reader = DocumentReader(url)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    sniffed = sniff(text, final=True)
    if sniffed is None or sniffed.form is Form.EMPTY:
        return said(reader.close())
    parser, rest = reader._choose(sniffed, text)
    size = size or len(rest) or 1
    for start in range(0, len(rest), size):
        parser.feed(rest[start : start + size])
    return said(parser.close())


def read_whole(text: str, *, url: str = URL) -> Said:
    """Read a text as its UTF-8."""
    return read(text.encode(), url=url)


def pieces(data: bytes, sizes: list[int]) -> Iterable[bytes]:
    """The data in pieces of the given sizes, over and over; empty ones too."""
    start = turn = 0
    while start < len(data):
        size = sizes[turn % len(sizes)]
        yield data[start : start + size]
        start += size
        turn += 1


TAG = re.compile(r"<[^<>]*>")


@st.composite
def damaged(draw: st.DrawFn, whole: st.SearchStrategy[str]) -> str:
    """A text with some edits: slices cut out, doubled or overwritten, tokens put in, tags dropped, the end cut off."""
    text = draw(whole)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        edit = draw(st.sampled_from(["delete", "double", "insert", "insert", "overwrite", "drop tag", "cut"]))
        if edit == "delete":
            text = text[:start] + text[end:]
        elif edit == "double":
            text = text[:end] + text[start:]
        elif edit == "insert":
            text = text[:start] + draw(st.sampled_from(TOKENS)) + text[start:]
        elif edit == "overwrite":
            text = text[:start] + draw(st.sampled_from(TOKENS)) + text[end:]
        elif edit == "drop tag":
            tag = TAG.search(text, start)
            text = text[: tag.start()] + text[tag.end() :] if tag else text
        elif draw(st.booleans()):  # cut seldom: what is cut off is not tested
            text = text[:start]
    return text


SAMPLED = st.sampled_from(sorted(SAMPLES.values()))
SOUP = st.lists(st.sampled_from(TOKENS), max_size=40).map("".join)
IN_URLSET = st.tuples(st.sampled_from(["<urlset>", f"<urlset {NAMESPACES}>"]), SOUP).map(
    lambda parts: parts[0] + "<url><loc>https://example.com/first</loc></url>" + parts[1]
)
TEXTS = st.one_of(SAMPLED, damaged(SAMPLED), IN_URLSET, SOUP)


@st.composite
def wires(draw: st.DrawFn) -> Wire:
    """A text in some charset and compression, perhaps with damaged bytes."""
    mark, codec = ENCODINGS[draw(st.sampled_from(sorted(ENCODINGS)))]
    body = mark + draw(TEXTS).encode(codec, "replace")
    name = draw(st.sampled_from(["none", "none", *sorted(COMPRESSIONS), "br"]))
    body = br(body) if name == "br" else COMPRESSIONS[name](body)
    for _ in range(draw(st.sampled_from([0, 0, 1, 3]))):
        start = draw(st.integers(0, len(body)))
        edit = draw(st.binary(max_size=4))
        body = body[:start] + edit + body[start + draw(st.integers(0, 4)) :]
    return Wire(body, {"content-encoding": "br"} if name == "br" else {})
