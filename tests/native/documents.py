"""Documents for both readers: plain ones with everything in them, then damaged in every way, encoded, compressed.

Laws: a seed gives the same document everywhere. Most damage is slight, since what both readers are most likely to see
differently is what is nearly plain.
"""

import gzip
import zlib
from functools import cache
from random import Random
from typing import NamedTuple

from tests.corpus_cases import read_cases
from tests.namespaces import NAMESPACES
from tests.unit.decoding.bodies import zst
from usp.limits import DEFAULT_LIMITS, Limits

URL = "https://example.com/shop/sitemap.xml"


class Body(NamedTuple):
    """The bytes of a document, and how they came."""

    wire: bytes
    headers: dict[str, str]
    limits: Limits = DEFAULT_LIMITS


BLANKS = ("", "", "", "\n", "\n  ", " ", "\t", "\r\n", "\r\n\t", "\n\n")
WORDS = (
    *("one", "two words", "é", "漢字", "\U0001f600", "a &amp; b", "&lt;b&gt;", "&quot;x&quot;", "it&apos;s", "&#233;"),
    *(
        "&#x41;",
        "&#38;amp;",
        "x > y",
        "  padded ",
        "\n in lines \n",
        "\u00a0edge\u00a0",
        "&#160;edge",
        "&#32;x",
        "",
        " ",
    ),
    *("<![CDATA[raw]]>", "<![CDATA[a & b]]>", " <![CDATA[<b>x</b>]]> ", "<![CDATA[]]>", "x<![CDATA[y]]>z", "]]", "a]b"),
    *("", " ", "2024-01-02", "2024-01-02T03:04:05+01:00", "0.5", "daily"),
)
ODD_WORDS = ("<![CDATA[&amp;]]>", "<![CDATA[&#8211; x]]>", "&nbsp;", "<b>x</b>", "]]>", "&#x110000;", "<!-- c -->x")
URLS = (
    *(
        "https://example.com/{}",
        "http://example.com/{}?a=1&amp;b=2",
        " https://example.com/{} ",
        "https://é.example/{}",
    ),
    *(
        "https://example.com/{}",
        "https://example.com/é{}",
        "<![CDATA[https://example.com/{}?a&b]]>",
        "\nhttps://a/{}\n",
    ),
    *("https://example.com/{}", "https://example.com/{}", "https://example.com/&#38;{}", "https://example.com/x y{}"),
)
ODD_URLS = ("HTTPS://example.com/{}", "/relative/{}", "mailto:{}", "https://{}", "", "https:///{}", "ftp://x/{}")
LANGUAGES = ("de", "x-default", "pt-BR", " fr ", "&#100;e")
LEAVES = {
    "image:image": ("image:caption", "image:title", "image:license", "image:geo_location"),
    "news:news": ("news:title", "news:publication_date", "news:name", "news:language", "news:access", "news:keywords"),
    "video:video": (
        *("video:title", "video:description", "video:duration", "video:tag", "video:tag", "video:price", "video:live"),
        *("video:restriction", "video:platform", "video:uploader", "video:player_loc", "video:id", "video:rating"),
    ),
}
ATTRIBUTES = {
    "video:price": (' currency="EUR"', " currency='USD' type=\"rent\"", ' resolution="HD"'),
    "video:restriction": (' relationship="allow"', ' relationship=" deny "'),
    "video:platform": (' relationship="a&amp;b"',),
    "video:uploader": (' info="https://example.com/u"',),
    "video:player_loc": (' allow_embed="yes" autoplay="ap=1"',),
}
BETWEEN = (
    *("<!-- a comment -->", "<?target what it says?>", "<!---->", "<!-- - -->", "<!--\n-->", "<mobile:mobile/>"),
    *('<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"><DataObject type="d"><Attribute name="n">x'
      '</Attribute><Attribute name="m" value="v"/></DataObject></PageMap>',),
)  # fmt: skip
HEADS = (
    *(
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        "<?xml version='1.0'?>",
        '<?xml version="1.0" standalone="yes" ?>\r\n',
    ),
    *("", "", '<?xml version="1.0" encoding="utf8"?><?xml-stylesheet type="text/xsl" href="a.xsl"?>\n<!-- made -->\n'),
)
PLAIN_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
ROOTS = (
    *(*(f" {NAMESPACES}",) * 12, f" {PLAIN_NAMESPACE}"),
    f' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"\n {NAMESPACES}\n xsi:schemaLocation="http://a http://b" ',
)
TOKENS = (
    *"<>&;\"'/:!?=[]- \t\n\r\x00\x0b\x85\u00a0\u2028\ufeff\ufffe\uffff",
    *(
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "<lastmod>",
        "</lastmod>",
        "<url/>",
        "<loc/>",
        "<x>",
        "</x>",
        "<x/>",
        "<url >",
    ),
    *("<sitemap>", "</sitemap>", "<urlset>", "</urlset>", "<sitemapindex>", "<html>", "<image:image>", "<image:loc>"),
    *("<!--", "-->", "--", "<!-->", "<!--->", "<![CDATA[", "]]>", "<?", "?>", "<?xml ?>", "<?XML x?>", "<!DOCTYPE a>"),
    *(
        "&amp;",
        "&amp",
        "&am",
        "&#",
        "&#x",
        "&#0;",
        "&#xD800;",
        "&#65;",
        "&#X41;",
        "&eacute;",
        "&#13;",
        "&#9;",
        "&bogus;",
    ),
    *(' a="b"', " a='b'", " a=b", ' xmlns="y"', ' xmlns:image="y"', ' xmlns:n="y"', ' rel="alternate"', ' media="m"'),
    *("stray", "https://example.com/1", "http://", "0", "é", "<LOC>", "</news:news>", "<news:news>", "<mobile:mobile>"),
)


@cache
def corpus() -> list[str]:
    """The documents of the corpus, whatever they are."""
    return [case.document for case in read_cases().values() if case.document and len(case.document) < 10_000]


def generated(random: Random) -> str:
    """A plain document; now and then one of the corpus, or one that is read in several stretches."""
    if random.random() < 0.1:
        return random.choice(corpus())
    blank = random.choice(BLANKS)
    most = 1000 if random.random() < 0.005 else 8
    if random.random() < 0.25:
        entries = "".join(reference(random, number) + blank for number in range(random.randint(0, most)))
        root = "sitemapindex"
    else:
        entries = "".join(page(random, number) + blank for number in range(random.randint(0, most)))
        root = "urlset"
    tail = random.choice(("", "\n", "\n<!-- made by hand -->\n", "<?done?>"))
    return f"{random.choice(HEADS)}<{root}{random.choice(ROOTS)}>{blank}{entries}</{root}>{tail}"


def location(random: Random, number: int) -> str:
    if random.random() < 0.005:
        return random.choice(ODD_URLS).format(number)
    return random.choice(URLS).format(number if random.random() > 0.005 else 0)


def words(random: Random) -> str:
    return random.choice(ODD_WORDS if random.random() < 0.005 else WORDS)


def leaf(random: Random, name: str, words: str) -> str:
    given = random.choice(ATTRIBUTES[name]) if name in ATTRIBUTES and random.random() < 0.7 else ""
    if not words and random.random() < 0.5:
        return f"<{name}{given}/>"
    return f"<{name}{given}>{words}</{name}>"


def page(random: Random, number: int) -> str:
    parts = [leaf(random, "loc", location(random, number))]
    fields = [name for name in ("lastmod", "changefreq", "priority") if random.random() < 0.5]
    parts += [leaf(random, name, words(random)) for name in fields]
    for _ in range(random.choice((0, 0, 0, 1, 2, 3))):
        parts.append(part(random, number, story="<news:news>" not in "".join(parts)))
    if random.random() < 0.2:
        random.shuffle(parts)
    return "<url>" + "".join(f"{random.choice(BLANKS)}{one}" for one in parts) + random.choice(BLANKS) + "</url>"


def part(random: Random, number: int, *, story: bool) -> str:
    kinds = ("link", "link", "image:image", "video:video", "between", "news:news")
    kind = random.choice(kinds if story else kinds[:-1])
    if kind == "between":
        return random.choice(BETWEEN)
    if kind == "link":
        attributes = [
            'rel="alternate"',
            f'hreflang="{random.choice(LANGUAGES)}"',
            f"href='https://example.com/de/{number}?a&amp;b'",
        ]
        if random.random() < 0.3:
            random.shuffle(attributes)
        written = random.choice((" ", "  ", "\n")).join(attributes)
        return f"<xhtml:link {written}{random.choice(('/>', ' />', '></xhtml:link>'))}"
    choose = random.choices if random.random() < 0.02 else random.sample
    names = choose(LEAVES[kind], k=random.randint(0, 4))
    leaves = [leaf(random, name, words(random)) for name in names]
    if kind == "image:image":
        leaves.insert(0, f"<image:loc>https://example.com/{number}.jpg</image:loc>")
    if kind == "news:news" and random.random() < 0.5:
        leaves.append(f"<news:publication>{leaf(random, 'news:genres', 'Blog')}</news:publication>")
    return f"<{kind}>{random.choice(BLANKS).join(leaves)}</{kind}>"


def reference(random: Random, number: int) -> str:
    parts = [leaf(random, "loc", location(random, number))]
    if random.random() < 0.5:
        parts.append(leaf(random, "lastmod", words(random)))
    if random.random() < 0.1:
        parts.append(leaf(random, "loc", f"https://example.com/more/{number}"))
    return f"<sitemap>{random.choice(BLANKS).join(parts)}</sitemap>"


def damaged(random: Random, text: str) -> str:
    """The text with some edits."""
    for _ in range(random.choice((0, 0, 1, 1, 1, 2, 3))):
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice((0, 1, 1, 2, 5, 20)))
        edit = random.random()
        if edit < 0.6:
            text = text[:start] + random.choice(TOKENS) + text[random.choice((start, end)) :]
        elif edit < 0.8:
            text = text[:start] + text[end:]
        elif edit < 0.95:
            text = text[:end] + text[start:]
        else:
            text = text[:start]
    return text


def encoded(random: Random, text: str) -> bytes:
    charset = random.choice(("utf-8",) * 40 + ("utf-8-sig", "utf-8-sig", "utf-16", "latin-1", "utf-16-be"))
    return text.encode(charset, "replace")


def compressed(random: Random, body: bytes) -> bytes:
    kind = random.choice(("plain",) * 12 + ("gzip", "gzip", "gzip", "members", "twice", "zstd", "raw"))
    if kind == "plain":
        return body
    if kind == "members":
        cut = random.randint(0, len(body))
        return gzip.compress(body[:cut], mtime=0) + gzip.compress(body[cut:], mtime=0)
    if kind == "twice":
        return gzip.compress(gzip.compress(body, mtime=0), mtime=0)
    if kind == "zstd":
        return zst(body)
    return zlib.compress(body) if kind == "raw" else gzip.compress(body, random.choice((0, 1, 9)), mtime=0)


def flipped(random: Random, wire: bytes) -> bytes:
    """Bytes changed, cut off or put behind, now and then."""
    choice = random.random()
    if choice < 0.9 or not wire:
        return wire
    place = random.randrange(len(wire))
    if choice < 0.96:
        return wire[:place] + bytes((random.randrange(256),)) + wire[place + 1 :]
    return wire[:place] if choice < 0.98 else wire + random.choice((b"\0", b"junk", b"\x1f\x8b"))


HEADERS = (
    *({"content-type": "text/xml; charset=UTF-8"}, {"content-type": "text/xml; charset=iso-8859-1"}),
    *({"content-encoding": "gzip"}, {"content-encoding": "identity"}, {"content-encoding": "br"}),
)
LIMITS = (
    Limits(inflated_bytes=800),
    Limits(wire_bytes=500),
    Limits(encodings=1),
    Limits(ratio=3, ratio_after=200),
)


def body(seed: int) -> Body:
    """The document of a seed."""
    random = Random(seed)
    text = damaged(random, generated(random))
    wire = flipped(random, compressed(random, encoded(random, text)))
    headers = random.choice(HEADERS) if random.random() < 0.15 else {}
    limits = random.choice(LIMITS) if random.random() < 0.05 else DEFAULT_LIMITS
    return Body(wire, headers, limits)
