"""Pages become blocks, whether they are added one by one or many at a time."""

from typing import Any

import pytest

from usp.formats.entries import Entries
from usp.messages import Document, Kind
from usp.problems import Outcome, ProblemLog
from usp.rows import MemoryBlock

URL = "https://example.com/sitemap.xml"
Rows = list[tuple[Any, ...]]


def _document(batches: list[Rows], *, at_once: bool) -> Document:
    entries = Entries(URL, ProblemLog(URL), MemoryBlock)
    for batch in batches:
        if at_once:
            entries.add_pages(batch)
        else:
            for row in batch:
                entries.add_page(row)
    return entries.document(URL, Kind.URLSET, Outcome.OK)


def _rows(numbers: range) -> Rows:
    return [(f"https://example.com/{number}", None, None, None, number) for number in numbers]


@pytest.mark.parametrize(
    ("batches", "blocks"),
    [
        ([_rows(range(0)), _rows(range(3))], [3]),
        ([_rows(range(999)), _rows(range(999, 1000))], [1000]),
        ([_rows(range(999)), _rows(range(999, 3500)), _rows(range(3500, 4001))], [1000, 1000, 1000, 1000, 1]),
        ([_rows(range(10)), _rows(range(5, 15)), _rows(range(15, 20)) * 2], [20]),
    ],
)
def test_many_pages_at_a_time_give_what_they_give_one_by_one(batches: list[Rows], blocks: list[int]) -> None:
    document = _document(batches, at_once=True)
    assert [block.rows for block in document.blocks] == blocks
    assert document == _document(batches, at_once=False)
