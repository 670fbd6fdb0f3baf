"""The short way through canonical entries gives what the long way gives, whatever is done to the document."""

from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from usp.formats.entries import Entries
from usp.formats.urlset import PagesXMLSitemapParser
from usp.formats.xml import XMLSitemapParser
from usp.messages import Document
from usp.problems import ProblemLog
from usp.rows import MemoryBlock, Row, unpack

URL = "https://example.com/sitemap.xml"
HEAD = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">'
)
INDEX_HEAD = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
SPOILERS = [
    *"<>&;\"'/:!? \t\n\x0b\x00]=é\u00a0\u2028\ufffe-a",
    "&amp;",
    "&lt;",
    "&#65;",
    "&eacute;",
    "]]>",
    "<!-- c -->",
    "<![CDATA[x&amp;y]]>",
    "<?pi?>",
    "<url>",
    "</url>",
    "<loc>",
    "<lastmod>2024</lastmod>",
    "<image:loc>https://example.com/i</image:loc>",
    "<x/>",
    "stray",
]

blank = st.sampled_from(["", " ", "\n", "\n\t "])
value = st.text(st.sampled_from("ab1 -:é&"), max_size=8).map(lambda text: text.replace("&", "&amp;"))
url = st.builds("https://example.com/{}{}".format, st.integers(0, 6), st.sampled_from(["", "?a=1&amp;b=2", " ", "/é"]))


def leaf(name: str, content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(f"<{name}>{{}}</{name}>{{}}".format, content, blank)


alternate = st.builds(
    '<xhtml:link rel="alternate" hreflang="{}" href="{}"/>'.format, st.sampled_from(["de", "x "]), url
)
image = st.builds("<image:image>{}{}{}</image:image>".format, blank, leaf("image:loc", url), leaf("image:title", value))
story = st.builds(
    "<news:news>{}<news:publication>{}</news:publication>{}</news:news>".format,
    leaf("news:title", value),
    leaf("news:name", value),
    leaf("news:publication_date", value),
)
part = st.one_of(
    leaf("lastmod", value), leaf("changefreq", value), leaf("priority", value), alternate, image, story, blank
)
page = st.builds("<url>{}{}{}</url>{}".format, blank, leaf("loc", url), st.lists(part, max_size=5).map("".join), blank)
reference = st.builds(
    "<sitemap>{}{}</sitemap>{}".format, leaf("loc", url), st.one_of(st.just(""), leaf("lastmod", value)), blank
)
documents = st.one_of(
    st.lists(page, max_size=8).map(lambda pages: HEAD + "".join(pages) + "</urlset>"),
    st.lists(reference, max_size=8).map(lambda references: INDEX_HEAD + "".join(references) + "</sitemapindex>"),
)


@st.composite
def spoiled(draw: st.DrawFn) -> str:
    text = draw(documents)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.sampled_from([0, 0, 1, 2, 9]))
        text = text[:start] + draw(st.sampled_from(["", *SPOILERS])) + text[end:]
    return text


def read(text: str, size: int) -> tuple[Document, list[Row]]:
    parser = XMLSitemapParser(URL, Entries(URL, ProblemLog(URL), MemoryBlock))
    for start in range(0, len(text), size):
        parser.feed(text[start : start + size])
    document = parser.close()
    return document, [row for block in document.blocks for row in unpack(block.packed())]


@given(spoiled(), st.sampled_from([1, 7, 50, 10_000]))
@example(HEAD + "<url><loc>https://example.com/</loc>]]></url></urlset>", 10_000)
@example(HEAD + "<url><loc>https://\x00example.com/</loc></url></urlset>", 10_000)
@example(HEAD + "stray<url><loc>https://example.com/</loc></url></urlset>", 10_000)
def test_the_short_way_gives_what_the_long_way_gives(text: str, size: int) -> None:
    short = read(text, size)
    with patch.object(PagesXMLSitemapParser, "canonical_entries", lambda parser: None):
        assert read(text, size) == short


def test_canonical_entries_are_read_the_short_way() -> None:
    pages = "".join(f"<url><loc>https://example.com/{number}</loc></url>\n" for number in range(100))
    with patch.object(PagesXMLSitemapParser, "finish_entry", side_effect=AssertionError("the long way")):
        document, rows = read(f"{HEAD}\n{pages}</urlset>", 10_000)
    assert [row.url for row in rows] == [f"https://example.com/{number}" for number in range(100)]
    assert [row.line for row in rows] == list(range(2, 102))
    assert document.problems.total == 0
