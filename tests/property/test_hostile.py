"""Whatever is thrown at the reader: nothing raises, one fault costs one entry, and no page is invented."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from tests.namespaces import NAMESPACES
from tests.property.documents import (
    TAG,
    TEXTS,
    URL,
    Wire,
    damaged,
    read_text,
    read_whole,
    wires,
)
from usp.messages import Document
from usp.objects.page import SitemapPage
from usp.objects.sitemap import AbstractSitemap, InvalidSitemap, PagesXMLSitemap
from usp.pages.block_pages import BlockPages
from usp.parsing import parse, value_problems
from usp.problems import CATALOGUE, Outcome, Severity
from usp.reading import DocumentReader
from usp.rows import MemoryBlock, NewsRow, Row, VideoRow, pack
from usp.tree import sitemap_from_str
from usp.values.text import decode_references

ANY_TEXT = st.text(st.characters(), max_size=80)  # with surrogates and all

# -- nothing raises


def is_sound(sitemap: AbstractSitemap) -> bool:
    """Whether everything about a result can be looked at."""
    pages = list(sitemap.pages)
    looked_at = [repr(sitemap), sitemap.to_dict(), list(sitemap.all_sitemaps()), sitemap.incomplete_because]
    looked_at += [str(problem) for problem in [*sitemap.problems, *value_problems(sitemap)]]
    return bool(looked_at) and all(isinstance(page, SitemapPage) for page in pages) and len(pages) == len(sitemap.pages)


@given(st.binary(max_size=300))
def test_random_bytes_never_raise(body: bytes) -> None:
    assert is_sound(parse(body))


@example("<html><link href='&#" + "1" * 5000 + ";'>")  # more digits than int takes
@example("<sitemapindex><sitemap><loc>a</loc><image:image><image:loc>b</image:loc></image:image></sitemap>")
@example("<url><xhtml:link hreflang='a' href='https://example.com/'/><sitemap><xhtml:link hreflang='a' href='b'/>")
@given(ANY_TEXT | TEXTS)
def test_any_text_never_raises(text: str) -> None:
    assert is_sound(sitemap_from_str(text))


@given(wires(), st.sampled_from([None, URL, "", "no url", "http://[", "https://example.com/robots.txt"]))
def test_mutated_documents_never_raise(wire: Wire, url: str | None) -> None:
    sitemap = parse(wire.body, url=url, headers=wire.headers)
    assert is_sound(sitemap)
    assert isinstance(sitemap, InvalidSitemap) or sitemap.outcome in (Outcome.OK, Outcome.TRUNCATED)


@given(st.binary(max_size=300) | TEXTS.map(str.encode), st.text(max_size=20), st.text(max_size=30))
def test_headers_of_any_kind_never_raise(body: bytes, encoding: str, content_type: str) -> None:
    headers = {"Content-Encoding": encoding, "CONTENT-TYPE": content_type + ";charset=" + encoding}
    assert is_sound(parse(body, headers=headers))


@given(wires())
def test_an_unusable_document_says_why(wire: Wire) -> None:
    document = said_by(wire)
    assert document.usable or document.reason
    assert document.usable or not document.blocks or document.outcome is not Outcome.OK
    assert set(document.problems.counts) <= set(CATALOGUE)
    if document.outcome in (Outcome.TRUNCATED, Outcome.BROKEN, Outcome.REFUSED):
        assert document.problems.worst() in (Severity.LOSS, Severity.FATAL)


def said_by(wire: Wire) -> Document:
    reader = DocumentReader(URL, headers=wire.headers)
    reader.feed(wire.body)
    return reader.close()


WORDS = st.none() | st.text(max_size=12) | st.sampled_from(["2024-01-02", "0.8", "daily", "10", "0000-00-00", "NaN"])


@given(st.text(max_size=12), WORDS, WORDS, WORDS)
def test_judging_values_never_raises(
    url: str, lastmod: str | None, changefreq: str | None, priority: str | None
) -> None:
    row = Row(url, lastmod, changefreq, priority, 7, news=NewsRow(lastmod, priority), videos=[VideoRow(rating=lastmod)])
    sitemap = PagesXMLSitemap(URL, BlockPages([MemoryBlock(pack([row]), 1)]))
    assert is_sound(sitemap)
    assert all((problem.url, problem.line) == (URL, 7) for problem in value_problems(sitemap))


# -- one fault costs one entry

ENTRIES = tuple(
    f"<url><loc>https://example.com/{number}</loc>{rest}</url>\n"
    for number, rest in enumerate(
        (
            "",
            "<lastmod>2024-01-02</lastmod><changefreq>daily</changefreq><priority>0.8</priority>",
            '<image:image><image:loc>https://example.com/i.png</image:loc></image:image><image:image a="b"/>',
            '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/><lastmod>2024</lastmod>',
            "<news:news><news:publication><news:name>N</news:name></news:publication><news:title>T</news:title></news:news>",
            "<video:video><video:title><![CDATA[V]]></video:title><video:tag>a</video:tag></video:video>",
            "<lastmod>2024-01-03</lastmod>",
        )
    )
)
BEGIN, END = f"<urlset {NAMESPACES}>\n", "</urlset>"
WHOLE = {row.url: row for row in read_whole(BEGIN + "".join(ENTRIES) + END).rows}

FAULTS = st.sampled_from(
    (
        *("</b>", "</loc>", "</url>", "</urlset>", "</image:image>", "</x:y>", "</ url>", "</>"),
        *("<b>", "<loc>", "<url>", "<image:image>", "<image:loc>", "<news:news>", "<b", "<loc", "<url", "< ", "<>"),
        *("<b a='1' a='1'>", "<b a=1>", "<b a>", "<b a='1>", '<b a="<">', "<loc a=1>", "<loc a='1' a='2'>"),
        *("&", "&bogus;", "&#0;", "&#xD800;", "&;", "&lt", "]]>", "]]", "<![CDATA[]]>", "<![CDATA[", "\x00", "<"),
        *("<b 1='2'>", "<sitemap>", "</sitemap>", "<urlset>", "<item>", "</item>", "<!", "<!x>", "<1>", "=", '"', "'"),
    )
)  # fmt: skip


def faulty(text: str, place: int, fault: str) -> str:
    """The text with a fault at the place, which counts tags, the text between them, and what is within them."""
    return text[: place % (len(text) + 1)] + fault + text[place % (len(text) + 1) :]


@st.composite
def faulty_entries(draw: st.DrawFn) -> tuple[int, str]:
    """An entry, by its number, with something put in or a tag dropped, cut or doubled."""
    number = draw(st.integers(0, len(ENTRIES) - 1))
    text = ENTRIES[number]
    if draw(st.booleans()):
        return number, faulty(text, draw(st.integers(0, len(text))), draw(FAULTS))
    tag = draw(st.sampled_from(list(TAG.finditer(text))))
    left = draw(st.sampled_from(["", tag[0][:-1], tag[0][1:], tag[0] * 2, tag[0].upper(), tag[0].replace("/", "")]))
    return number, text[: tag.start()] + left + text[tag.end() :]


@example((0, "<url><loc>https://example.com/0</loc></url><b a='1>\n"), None)  # a quote that never ends
@example((2, "<<sitemap>url>" + ENTRIES[2].removeprefix("<url>")), None)  # an image in a <sitemap>
@example((1, "<" + ENTRIES[1]), 1)
@example((1, "<x" + ENTRIES[1]), None)
@given(faulty_entries(), st.sampled_from([None, 1, 7]))
def test_a_broken_entry_never_costs_a_neighbour(broken: tuple[int, str], size: int | None) -> None:
    number, text = broken
    found = rows_with(number, text, size)
    for neighbour in range(len(ENTRIES)):
        if neighbour != number:
            url = f"https://example.com/{neighbour}"
            assert found.get(url) == WHOLE[url], f"entry {neighbour} of {text!r} as entry {number}"


def rows_with(number: int, text: str, size: int | None) -> dict[str, Row]:
    """The rows of the document in which this text stands for an entry."""
    entries = [*ENTRIES[:number], text, *ENTRIES[number + 1 :]]
    return {row.url: row for row in read_text(BEGIN + "".join(entries) + END, size).rows}


@example((3, "<url <loc>https://example.com/3</loc></url>\n"))
@given(faulty_entries())
def test_what_is_dropped_is_reported_with_a_line_of_its_entry(broken: tuple[int, str]) -> None:
    number, text = broken
    entries = [*ENTRIES[:number], text, *ENTRIES[number + 1 :]]
    document = read_whole(BEGIN + "".join(entries) + END)
    lines = {number + 2, number + 3}  # a fault may show at the next tag only
    found = any(row.line in lines and row.url not in WHOLE for row in document.rows)
    found |= f"https://example.com/{number}" in document.urls or bool(document.references)
    # Where even the start tag of the entry is destroyed, nobody can say that an entry was lost.
    grave = (Severity.LOSS,) if text.startswith("<url>") else tuple(Severity)
    reported = {problem.line for problem in document.problems if problem.severity in grave}
    assert found or reported & lines, f"{text!r} as entry {number}"


# -- no page is invented


@given(damaged(st.just(BEGIN + "".join(ENTRIES) + END)) | TEXTS.filter(lambda text: "xml:base" not in text))
def test_every_url_stands_in_the_document(text: str) -> None:
    sitemap = sitemap_from_str(text)
    urls = [*(page.url for page in sitemap.pages), *(child.url for child in sitemap.sub_sitemaps)]
    words = flat(TAG.sub("", MARKUP.sub("", text))) + "\n" + flat(text)  # in values, in attributes
    assert [url for url in urls if flat(url) not in words] == []


MARKUP = re.compile(r"<!\[CDATA\[|\]\]>|<!--.*?-->|<\?.*?\?>", re.DOTALL)
BLANKS = re.compile(r"[\s\x00-\x20\ufeff\ufffe\uffff]")


def flat(text: str) -> str:
    """A text without white space and what XML forbids, its references decoded as often as any format does."""
    return BLANKS.sub("", decode_references(decode_references(BLANKS.sub("", text))))
