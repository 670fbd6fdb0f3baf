"""Blocks lose nothing: packing and unpacking is the identity, wherever the bytes lie in between."""

import pickle
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from usp.objects.page import SitemapPage
from usp.pages.block_pages import BlockPages
from usp.pages.spool import Spool
from usp.rows import ImageRow, MemoryBlock, NewsRow, PriceRow, Row, VideoRow, pack, unpack

T = TypeVar("T")

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
WORDS = st.none() | TEXT
DATES = WORDS | st.sampled_from(["2024", "2024-01-02", "2024-01-02T03:04:05Z", "2024-02-30", "Tue, 2 Jan 24 03:04 EST"])


def struct(kind: type[T], **fields: st.SearchStrategy[object]) -> st.SearchStrategy[T]:
    """Structs of words, but for the fields given."""
    words = {name: WORDS for name in kind.__struct_fields__ if name not in fields}  # type: ignore[attr-defined]
    return st.builds(kind, **words, **fields)


NEWS = struct(NewsRow, publication_date=DATES)
IMAGES = st.lists(struct(ImageRow, loc=TEXT), max_size=2)
VIDEOS = st.lists(
    struct(VideoRow, tags=st.lists(TEXT, max_size=2), prices=st.lists(struct(PriceRow, price=TEXT), max_size=2)),
    max_size=2,
)
PLAIN_ROWS = st.builds(Row, TEXT, DATES, WORDS, WORDS, st.integers(0, 2**31))
FULL_ROWS = st.builds(
    Row,
    TEXT,
    DATES,
    WORDS,
    WORDS,
    st.integers(0, 2**31),
    news=st.none() | NEWS,
    images=st.none() | IMAGES,
    videos=st.none() | VIDEOS,
    alternates=st.none() | st.lists(st.tuples(TEXT, TEXT), max_size=2),
)
ROWS = st.lists(PLAIN_ROWS | FULL_ROWS, max_size=8)
SLICES = st.slices(12)


def blocks_of(rows: list[Row], sizes: list[int], keep: Spool) -> BlockPages:
    """The pages of rows, cut into blocks of the given sizes; one more takes the rest."""
    blocks = []
    for size in [*sizes, len(rows)]:
        blocks.append(keep.keep(pack(rows[:size]), len(rows[:size])))
        rows = rows[size:]
    return BlockPages(blocks)


@given(ROWS)
def test_unpacking_gives_the_rows_that_were_packed(rows: list[Row]) -> None:
    assert unpack(pack(rows)) == rows


@given(ROWS)
def test_tuples_of_any_length_pack_as_the_rows_that_they_mean(rows: list[Row]) -> None:
    assert unpack(pack([row.packable() for row in rows])) == rows
    assert pack([row.packable() for row in rows]) == pack(rows)


@given(FULL_ROWS)
def test_any_row_gives_a_page_and_never_raises(row: Row) -> None:
    page = row.page()
    assert isinstance(page, SitemapPage)
    assert (page.url, page.lastmod) == (row.url, row.lastmod)
    assert page == row.page()
    assert page == pickle.loads(pickle.dumps(page))
    assert page.to_dict() == row.page().to_dict()
    assert (page.last_modified is None) == (page.last_modified_precision is None)


@given(ROWS, st.lists(st.integers(0, 3), max_size=4), st.sampled_from([0, 100, 10_000]), SLICES)
def test_pages_in_blocks_behave_as_their_list(rows: list[Row], sizes: list[int], threshold: int, cut: slice) -> None:
    pages = blocks_of(rows, sizes, Spool(threshold))
    listed = [row.page() for row in rows]
    assert len(pages) == len(listed)
    assert list(pages) == listed
    assert pages == listed
    assert pages[cut] == listed[cut]
    assert [pages[index] for index in range(-len(rows), len(rows))] == listed + listed
    assert all(page in pages for page in listed)
    assert list(pages.rows()) == rows
    assert pickle.loads(pickle.dumps(pages)) == listed


@given(ROWS)
def test_the_words_survive_where_equality_does_not_look(rows: list[Row]) -> None:
    pages = BlockPages([MemoryBlock(pack(rows), len(rows))])
    assert [page.lastmod for page in pages] == [row.lastmod for row in rows]
