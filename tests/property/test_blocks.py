"""Blocks lose nothing: packing and unpacking is the identity, wherever the bytes lie in between."""

import pickle

from hypothesis import given
from hypothesis import strategies as st

from tests.property.rows import FULL_ROWS, ROWS
from usp.objects.page import SitemapPage
from usp.pages.block_pages import BlockPages
from usp.pages.spool import Spool
from usp.rows import MemoryBlock, Row, pack, unpack

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
    assert list(map(repr, pages)) == list(map(repr, listed))  # moments in two zones may be equal
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
