"""However a document is cut into pieces, it says the same; and what was written well reads back exactly."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from xml.sax.saxutils import escape, quoteattr

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.namespaces import NAMESPACES
from tests.property.documents import (
    IN_URLSET,
    ROBOTS_URL,
    SAMPLED,
    SAMPLES,
    TEXTS,
    URL,
    Wire,
    damaged,
    pieces,
    read,
    read_text,
    read_whole,
    wires,
)
from tests.unit.decoding.bodies import cut
from usp.formats.lines import INVISIBLE
from usp.limits import TOKEN
from usp.messages import Kind
from usp.problems import Outcome
from usp.rows import ImageRow, NewsRow, PriceRow, Row, VideoRow

T = TypeVar("T")

SIZES = st.lists(st.integers(0, 40), min_size=1, max_size=5).filter(any)
URLS = st.sampled_from([URL, ROBOTS_URL])


@pytest.mark.parametrize("size", [1, 7, 50])
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_say_the_same_in_pieces(name: str, size: int) -> None:
    text = SAMPLES[name]
    whole = read_whole(text)
    assert read(cut(text.encode(), size)) == whole
    assert read_text(text, size) == whole


@example(Wire(b"<!-- <urlset> " + b"x" * 5000 + b"--><html><body>", {}), [1], URL)
@example(Wire(b"hello\n" * 11_000 + b"Sitemap: https://example.com/s.xml\n" + b"hello\n" * 6000, {}), [50_000], URL)
@given(wires(), SIZES, URLS)
def test_any_split_of_the_bytes_gives_the_same_document(wire: Wire, sizes: list[int], url: str) -> None:
    whole = read(wire.body, url=url, headers=wire.headers)
    for split in (cut(wire.body, 1), cut(wire.body, 7), pieces(wire.body, sizes)):
        assert read(split, url=url, headers=wire.headers) == whole


@example("<urlset><?xml-stylesheet href='a.xsl'?></urlset>", 7)
@example("<!DOCTYPE a><?xml version='1.0'?><urlset/>", 1)
@example("<!--></url><html><title>Lost</b'", 1)
@example("<urlset>\x01\n\n\ufffe</urlset>", 1)
@example("<urlset>]]>]]>]]></urlset>", 2)
@example("<urlset>lost</sitemapindex>", 1)
@example("<urlset><a<b><url", 1)
@example("<urlset><url><loc>https://example.com/</loc></url><loc>é</urlset>", 1)
@given(TEXTS, st.sampled_from([1, 2, 3, 7, 16]))
def test_any_split_of_the_text_gives_the_same_document(text: str, size: int) -> None:
    assert read_text(text, size) == read_text(text)


LARGE = st.tuples(IN_URLSET | damaged(SAMPLED), st.integers(0, 5000)).map(
    lambda drawn: drawn[0][: drawn[1]] + "<urlset>" + drawn[0] * (100_000 // (len(drawn[0]) + 1))
)


@settings(max_examples=25)
@example("<urlset>" + "]]>" * 60_000, [1000])
@example("<urlset>" + "<url " * 30_000, [1000])
@example("<urlset>" + "</x>" * 30_000, [1000])
@given(LARGE, st.lists(st.sampled_from([1, 7, 500, 4095, 4096, 32_767, 50_000]), min_size=1, max_size=4))
def test_any_split_of_a_document_of_many_pieces_gives_the_same_document(text: str, sizes: list[int]) -> None:
    """The reader gathers what it is given into pieces of its own, whose ends fall anywhere."""
    body = text.encode()
    assert read(pieces(body, sizes)) == read(body)


@pytest.mark.parametrize("over", [-100, 100, 40_000, 5_000_000])
@pytest.mark.parametrize(
    "frame",
    [
        "<url><loc>https://example.com/{}</loc></url>",
        "<url><loc>https://example.com/</loc><lastmod><![CDATA[{}]]></lastmod></url>",
        "<url a='{}'><loc>https://example.com/</loc></url>",
        "<url><loc>https://example.com/</loc><!--{}--></url>",
    ],
)
def test_the_bound_on_a_token_does_not_depend_on_the_split(frame: str, over: int) -> None:
    entry = b"<url><loc>https://example.com/z</loc></url>"
    body = b"<urlset>" + frame.replace("{}", "a" * (TOKEN + over)).encode() + entry
    assert read(pieces(body, [10_000, 60_000])) == read(body)


# -- what is written well reads back

CHARACTERS = st.characters(
    exclude_categories=["Cs", "Cc"], include_characters="\t\n", exclude_characters="\ufffe\uffff"
)
WORDS = st.none() | st.text(CHARACTERS, max_size=15).map(lambda words: words.strip() or None)
PATHS = st.text(CHARACTERS, max_size=15).map(lambda words: f"https://example.com/{words}".strip())
DATES = st.none() | st.sampled_from(["2024", "2024-01-02", "2024-01-02T03:04:05+01:00"])


def struct(kind: type[T], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[T]:
    """Structs of words, but for the fields given."""
    words = {name: WORDS for name in kind.__struct_fields__ if name not in fields}  # type: ignore[attr-defined]
    return st.builds(kind, **words, **fields)


TAGS = st.text(CHARACTERS, min_size=1).map(str.strip).filter(bool)
PRICES = struct(PriceRow, price=TAGS)
VIDEOS = struct(VideoRow, tags=st.lists(TAGS, max_size=2), prices=st.lists(PRICES, max_size=2)).map(
    lambda video: msgspec.structs.replace(
        video,  # an attribute stands on its element
        restriction_relationship=video.restriction_relationship if video.restriction else None,
        platform_relationship=video.platform_relationship if video.platform else None,
        uploader_info=video.uploader_info if video.uploader else None,
    )
)
ROWS = st.builds(
    Row,
    PATHS,
    DATES,
    st.none() | st.sampled_from(["daily", "Weekly"]),
    st.none() | st.just("0.8"),
    news=st.none() | struct(NewsRow),
    images=st.none() | st.lists(struct(ImageRow, loc=PATHS), min_size=1, max_size=2),
    videos=st.none() | st.lists(VIDEOS, min_size=1, max_size=2),
    alternates=st.none() | st.lists(st.tuples(TAGS, PATHS), min_size=1, max_size=2),
)
"""Pages with all that may hang on them, in any characters that XML allows."""

Write = Callable[[str], str]


def as_section(words: str) -> str:
    """A CDATA section; its references are decoded all the same, so that those of the words are written as such."""
    return f"<![CDATA[{words.replace('&', '&amp;')}]]>" if "]]>" not in words else escape(words)


def leaves(prefix: str, fields: Mapping[str, str | None], write: Write) -> str:
    return "".join(f"<{prefix}{name}>{write(words)}</{prefix}{name}>" for name, words in fields.items() if words)


def news_written(news: NewsRow, write: Write) -> str:
    fields = msgspec.structs.asdict(news)
    publication = leaves("news:", {name: fields.pop(name) for name in ("name", "language")}, write)
    content = f"<news:publication>{publication}</news:publication>{leaves('news:', fields, write)}"
    return f"<news:news>{content}</news:news>"


def video_written(video: VideoRow, write: Write) -> str:
    fields = msgspec.structs.asdict(video)
    tags, prices = fields.pop("tags"), fields.pop("prices")
    attributes = {
        name: f" {attribute}={quoteattr(fields.pop(f'{name}_{attribute}') or '')}"
        for name, attribute in (("restriction", "relationship"), ("platform", "relationship"), ("uploader", "info"))
    }
    content = "".join(
        f"<video:{name}{attributes.get(name, '')}>{write(words)}</video:{name}>"
        for name, words in [*fields.items(), *(("tag", tag) for tag in tags)]
        if words
    )
    for price in prices:
        given = "".join(
            f" {name}={quoteattr(getattr(price, name) or '')}" for name in ("currency", "type", "resolution")
        )
        content += f"<video:price{given}>{write(price.price)}</video:price>"
    return f"<video:video>{content}</video:video>"


def written(row: Row, write: Write) -> str:
    """The entry that says what the row says."""
    fields = {"loc": row.url, "lastmod": row.lastmod, "changefreq": row.changefreq, "priority": row.priority}
    parts = [leaves("", fields, write)]
    if row.news is not None:
        parts.append(news_written(row.news, write))
    parts += [
        f"<image:image>{leaves('image:', msgspec.structs.asdict(image), write)}</image:image>"
        for image in row.images or ()
    ]
    parts += [video_written(video, write) for video in row.videos or ()]
    parts += [
        f'<xhtml:link rel="alternate" hreflang={quoteattr(language)} href={quoteattr(href)}/>'
        for language, href in row.alternates or ()
    ]
    return f"<url>{''.join(parts)}</url>"


@given(st.lists(ROWS, max_size=4, unique_by=lambda row: row.url), st.sampled_from([escape, as_section]))
def test_a_urlset_reads_back_as_it_was_written(rows: list[Row], write: Write) -> None:
    text = "".join(written(row, write) for row in rows)
    document = read_whole(f'<?xml version="1.0" encoding="UTF-8"?><urlset {NAMESPACES}>{text}</urlset>')
    assert [msgspec.structs.replace(row, line=0) for row in document.rows] == rows
    assert (document.kind, document.outcome) == (Kind.URLSET, Outcome.OK)
    assert set(document.counts) <= {"reference-in-cdata"}


@given(st.lists(st.tuples(PATHS, WORDS), max_size=5, unique_by=lambda child: child[0]))
def test_an_index_reads_back_as_it_was_written(children: list[tuple[str, str | None]]) -> None:
    text = "".join(
        f"<sitemap>{leaves('', {'loc': url, 'lastmod': lastmod}, escape)}</sitemap>" for url, lastmod in children
    )
    document = read_whole(f"<sitemapindex {NAMESPACES}>{text}</sitemapindex>")
    assert [(child.url, child.lastmod) for child in document.references] == children
    assert (document.kind, document.counts) == (Kind.INDEX, {})


@given(
    st.lists(
        PATHS.filter(lambda url: not any(ord(one) in INVISIBLE or one.isspace() for one in url)),
        min_size=1,
        unique=True,
    )
)
def test_a_text_reads_back_as_it_was_written(urls: list[str]) -> None:
    document = read_whole("\n".join(urls))
    assert document.urls == urls
    assert [row.line for row in document.rows] == list(range(1, len(urls) + 1))
    assert (document.kind, document.counts) == (Kind.TEXT, {})
