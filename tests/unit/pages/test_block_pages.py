"""The sequence over blocks behaves as the list of pages that programs know, and unpacks no more than it must."""

import copy
import gc
import pickle
import threading
import weakref
from collections.abc import Sequence
from unittest.mock import ANY

import pytest

from usp.objects.page import SitemapPage
from usp.objects.sitemap import PagesXMLSitemap
from usp.pages.block_pages import BlockPages
from usp.pages.spool import Spool
from usp.rows import Row, pack

SIZES = (3, 0, 1, 4)


class CountedBlock:
    """A block that counts how often it is read."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = len(rows)
        self.read = 0
        self._packed = pack(rows)

    def packed(self) -> bytes:
        self.read += 1
        return self._packed


def some_rows(start: int, count: int) -> list[Row]:
    return [Row(f"https://example.com/{number}", "2024", line=number) for number in range(start, start + count)]


def some_blocks() -> list[CountedBlock]:
    blocks, start = [], 0
    for size in SIZES:
        blocks.append(CountedBlock(some_rows(start, size)))
        start += size
    return blocks


ROWS = some_rows(0, sum(SIZES))
PAGES = [row.page() for row in ROWS]
OTHER = SitemapPage("https://example.com/other")


@pytest.fixture
def blocks() -> list[CountedBlock]:
    return some_blocks()


@pytest.fixture
def pages(blocks: list[CountedBlock]) -> BlockPages:
    return BlockPages(blocks)


def times_read(blocks: list[CountedBlock]) -> list[int]:
    return [block.read for block in blocks]


def test_the_length_is_known_without_unpacking(pages: BlockPages, blocks: list[CountedBlock]) -> None:
    assert len(pages) == 8
    assert times_read(blocks) == [0, 0, 0, 0]


def test_no_blocks_are_no_pages() -> None:
    assert len(BlockPages([])) == 0
    assert not BlockPages([])
    assert list(BlockPages([])) == []
    assert BlockPages([]) == []
    assert BlockPages([])[:] == []


def test_pages_can_be_walked_again_and_again(pages: BlockPages) -> None:
    assert list(pages) == PAGES
    assert list(pages) == PAGES


def test_walking_unpacks_one_block_at_a_time(pages: BlockPages, blocks: list[CountedBlock]) -> None:
    walk = iter(pages)
    assert times_read(blocks) == [0, 0, 0, 0]
    assert [next(walk) for _ in range(3)] == PAGES[:3]
    assert times_read(blocks) == [1, 0, 0, 0]
    next(walk)
    assert times_read(blocks) == [1, 1, 1, 0]


def test_two_walks_do_not_disturb_each_other(pages: BlockPages) -> None:
    assert list(zip(pages, pages, strict=True)) == list(zip(PAGES, PAGES, strict=True))


def test_rows_are_the_words_of_the_site(pages: BlockPages) -> None:
    assert list(pages.rows()) == ROWS


@pytest.mark.parametrize("index", range(-8, 8))
def test_every_index_gives_the_page_of_the_list(pages: BlockPages, index: int) -> None:
    assert pages[index] == PAGES[index]


@pytest.mark.parametrize("index", [8, -9, 100])
def test_an_index_beyond_the_end_raises_as_in_a_list(pages: BlockPages, index: int) -> None:
    with pytest.raises(IndexError):
        pages[index]


def test_an_index_that_is_no_number_raises_as_in_a_list(pages: BlockPages) -> None:
    with pytest.raises(TypeError):
        pages["first"]  # type: ignore[call-overload]


def test_an_index_unpacks_its_own_block_only(pages: BlockPages, blocks: list[CountedBlock]) -> None:
    assert pages[3] == PAGES[3]
    assert times_read(blocks) == [0, 0, 1, 0]


def test_neighbouring_indexes_unpack_a_block_once(pages: BlockPages, blocks: list[CountedBlock]) -> None:
    assert [pages[index] for index in range(len(pages))] == PAGES
    assert times_read(blocks) == [1, 0, 1, 1]
    assert list(reversed(pages)) == PAGES[::-1]
    assert times_read(blocks) == [2, 0, 2, 1]


def test_the_block_kept_for_one_sitemap_is_not_taken_for_that_of_another(pages: BlockPages) -> None:
    others = BlockPages([CountedBlock(some_rows(100, 3))])
    assert pages[0] == PAGES[0]
    assert others[0].url == "https://example.com/100"
    assert pages[0] == PAGES[0]


def test_looking_into_many_sitemaps_keeps_one_block_unpacked() -> None:
    sitemaps = [BlockPages(some_blocks()) for _ in range(10)]
    assert [pages[0] for pages in sitemaps] == [PAGES[0]] * 10
    kept = BlockPages._last_unpacked
    assert kept is not None
    assert kept.pages() is sitemaps[-1]


def test_the_kept_block_keeps_no_pages_alive() -> None:
    pages = BlockPages(some_blocks())
    assert pages[0] == PAGES[0]
    gone = weakref.ref(pages)
    del pages
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("step", [None, 1, 2, 3, 7, -1, -2, -5])
@pytest.mark.parametrize("stop", [None, -20, -3, 0, 2, 4, 8, 20])
@pytest.mark.parametrize("start", [None, -20, -2, 0, 3, 7, 20])
def test_every_slice_gives_the_list_of_the_list(start: int | None, stop: int | None, step: int | None) -> None:
    found = BlockPages(some_blocks())[start:stop:step]
    assert type(found) is list
    assert found == PAGES[start:stop:step]


def test_a_slice_unpacks_the_blocks_that_it_touches_once(pages: BlockPages, blocks: list[CountedBlock]) -> None:
    assert pages[5:7] == PAGES[5:7]
    assert times_read(blocks) == [0, 0, 0, 1]
    assert pages[::-3] == PAGES[::-3]
    assert times_read(blocks) == [1, 0, 0, 1]  # the last block was still at hand; its neighbour was stepped over


def test_a_slice_of_step_zero_raises_as_in_a_list(pages: BlockPages) -> None:
    with pytest.raises(ValueError, match="zero"):
        pages[::0]


def test_pages_equal_the_same_pages_in_any_sequence(pages: BlockPages) -> None:
    assert pages == PAGES
    assert PAGES == pages  # noqa: SIM300 - the list is asked first
    assert pages == tuple(PAGES)
    assert pages == BlockPages(some_blocks())
    assert pages == BlockPages([CountedBlock(ROWS)])


def test_pages_of_the_same_blocks_are_equal_without_unpacking(blocks: list[CountedBlock]) -> None:
    assert BlockPages(blocks) == BlockPages(blocks)
    assert times_read(blocks) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "other", [PAGES[:-1], [*PAGES[:-1], OTHER], PAGES[::-1], [], [1] * 8, "12345678", b"12345678", None, 8], ids=repr
)
def test_pages_are_unequal_to_anything_else(pages: BlockPages, other: object) -> None:
    assert pages != other
    assert other != pages


def test_pages_of_another_length_are_unequal_without_unpacking(pages: BlockPages, blocks: list[CountedBlock]) -> None:
    assert pages != PAGES[1:]
    assert times_read(blocks) == [0, 0, 0, 0]


def test_no_pages_are_no_empty_text() -> None:
    assert BlockPages([]) not in ("", b"")


def test_pages_cannot_be_hashed_as_no_list_can(pages: BlockPages) -> None:
    with pytest.raises(TypeError):
        hash(pages)


def test_pages_and_lists_add_up_to_lists(pages: BlockPages) -> None:
    one, ones = [OTHER], (OTHER,)
    for joined, expected in [
        (pages + one, [*PAGES, OTHER]),
        (one + pages, [OTHER, *PAGES]),
        (pages + pages, PAGES + PAGES),
        (pages + ones, [*PAGES, OTHER]),
        (ones + pages, [OTHER, *PAGES]),
    ]:
        assert type(joined) is list
        assert joined == expected


def test_pages_extend_a_list(pages: BlockPages) -> None:
    collected = [OTHER]
    collected += pages
    collected.extend(pages)
    assert collected == [OTHER, *PAGES, *PAGES]


@pytest.mark.parametrize("other", [None, 1, "text", b"bytes"])
def test_pages_add_to_nothing_else(pages: BlockPages, other: object) -> None:
    with pytest.raises(TypeError):
        pages + other  # type: ignore[operator]
    with pytest.raises(TypeError):
        other + pages  # type: ignore[operator]


def test_a_page_is_in_the_pages_when_it_is_equal_to_one(pages: BlockPages) -> None:
    assert PAGES[6] in pages
    assert OTHER not in pages
    assert SitemapPage(PAGES[6].url) not in pages  # it has no date
    assert PAGES[6].url not in pages
    assert ANY in pages
    assert ANY not in BlockPages([])


def test_pages_can_be_found_and_counted_as_in_a_list(pages: BlockPages) -> None:
    assert pages.index(PAGES[6]) == 6
    assert pages.count(PAGES[6]) == 1
    assert pages.count(OTHER) == 0
    with pytest.raises(ValueError):  # noqa: PT011 - the list's own message is empty
        pages.index(OTHER)


def test_the_repr_counts(pages: BlockPages) -> None:
    assert repr(pages) == "<BlockPages: 8 pages>"
    assert repr(BlockPages([CountedBlock(ROWS[:1])])) == "<BlockPages: 1 page>"


@pytest.mark.parametrize("threshold", [0, 10_000_000], ids=["spooled", "in memory"])
def test_pages_pickle_whole_wherever_they_are_kept(threshold: int) -> None:
    spool = Spool(threshold)
    sitemap = PagesXMLSitemap("https://example.com/", BlockPages([spool.keep(pack(ROWS), len(ROWS))]))
    frozen = pickle.dumps(sitemap)
    del spool
    again = pickle.loads(frozen)
    assert isinstance(again.pages, BlockPages)
    assert again == sitemap
    assert again.pages == PAGES
    assert list(again.pages.rows()) == ROWS


def test_copies_share_the_blocks(pages: BlockPages) -> None:
    assert copy.copy(pages) == pages
    assert copy.copy(pages)._blocks is pages._blocks


def test_a_sitemap_of_blocks_equals_one_of_a_list(pages: BlockPages) -> None:
    assert PagesXMLSitemap("https://example.com/", pages) == PagesXMLSitemap("https://example.com/", PAGES)


def test_many_threads_may_read_the_same_pages(pages: BlockPages) -> None:
    found: list[bool] = []

    def read() -> None:
        found.extend(pages[index] == PAGES[index] for index in range(-8, 8))
        found.append(list(pages) == PAGES)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * (17 * 8)
