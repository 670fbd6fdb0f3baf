"""What a document lists, and how much of it is kept."""

import pytest

from usp.formats.entries import MOST_REFERENCES, Entries
from usp.limits import Limits
from usp.problems import Outcome, ProblemLog
from usp.reading import DocumentReader
from usp.rows import MemoryBlock

URL = "https://example.com/sitemap.xml"


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
