"""What a document lists: pages become blocks, one by one or many at a time; of references there are only so many."""

from typing import Any

import pytest

from usp.formats.entries import MOST_REFERENCES, Entries
from usp.limits import Limits
from usp.messages import Document, Kind
from usp.problems import Outcome, ProblemLog
from usp.reading import DocumentReader
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


def test_references_beyond_the_bound_are_dropped_with_one_problem() -> None:
    log = ProblemLog(URL)
    entries = Entries(URL, log, MemoryBlock, most_references=2)
    for number in range(5):
        entries.add_reference(f"{URL}?page={number}", None, number)
    problems = log.problems()
    assert [(problem.code, problem.line, problem.detail) for problem in problems] == [
        ("too-large", 2, "more than 2 sitemaps")
    ]
    assert entries.cut


def test_duplicates_do_not_count_against_the_bound_of_references() -> None:
    log = ProblemLog(URL)
    entries = Entries(URL, log, MemoryBlock, most_references=2)
    for name in "aabab":
        entries.add_reference(name, None, 1)
    assert (entries.cut, log.problems().counts) == (False, {"duplicate-url": 3})


@pytest.mark.parametrize(("sitemaps", "kept"), [(1, MOST_REFERENCES), (MOST_REFERENCES + 2, MOST_REFERENCES + 2)])
def test_as_many_references_are_kept_as_the_protocol_or_the_limit_allows(sitemaps: int, kept: int) -> None:
    lines = "".join(f"Sitemap: https://example.com/{number}\n" for number in range(MOST_REFERENCES + 3))
    reader = DocumentReader("https://example.com/robots.txt", limits=Limits(sitemaps=sitemaps))
    reader.feed(lines.encode())
    document = reader.close()
    assert (len(document.references), document.outcome) == (kept, Outcome.TRUNCATED)
    assert document.references[-1].url == f"https://example.com/{kept - 1}"
