"""Every case of the corpus, read in one piece and in the smallest: what the case says, and the same for any split."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.both_readers import Said, said
from tests.corpus_cases import CORPUS, Case, named_part, page_as_data, read_cases
from usp.compiled import SWITCH
from usp.decoding.sniff import Sniffed
from usp.formats.abstract import LOCAL_URL, AbstractSitemapParser
from usp.formats.urlset import PagesXMLSitemapParser
from usp.messages import Document
from usp.objects.sitemap import AbstractSitemap, InvalidSitemap
from usp.parsing import parse, value_problems
from usp.problems import Problem, Problems
from usp.reading import DocumentReader

CASES = read_cases()
PIECES = (1, 7)
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


class CutUp(AbstractSitemapParser):
    """Hands text on to a parser in the smallest pieces: the reader gathers them, which would hide what they show."""

    def __init__(self, parser: AbstractSitemapParser, size: int) -> None:
        super().__init__(parser.url, parser.entries)
        self._parser = parser
        self._size = size

    def feed(self, text: str) -> None:
        for start in range(0, len(text), self._size):
            self._parser.feed(text[start : start + self._size])

    def close(self, *, cut: bool = False) -> Document:
        return self._parser.close(cut=cut)


class CutUpReader(DocumentReader):
    """Reads as ever, but for the size of the pieces that its parser gets."""

    size = 1

    def _choose(self, sniffed: Sniffed, head: str) -> tuple[AbstractSitemapParser, str]:
        parser, text = super()._choose(sniffed, head)
        return CutUp(parser, self.size), text


def reader_of(case: Case, reader: type[DocumentReader] = DocumentReader) -> DocumentReader:
    headers = {name.lower(): value for name, value in case.headers.items()}
    return reader(case.url or LOCAL_URL, relative=case.url is not None, headers=headers, limits=case.limits)


def read(case: Case, reader: DocumentReader, size: int | None = None) -> Said:
    """What the document says that is fed in pieces of that size."""
    whole: Sequence[Any] = case.text() if case.as_text else case.body()
    size = size or len(whole) or 1
    for start in range(0, len(whole), size):
        piece = whole[start : start + size]
        if case.as_text:
            reader.feed_text(str(piece))
        else:
            reader.feed(bytes(piece))
    return said(reader.close())


def sitemap_of(case: Case) -> AbstractSitemap:
    source = case.text() if case.as_text else case.body()
    return parse(source, url=case.url, headers=case.headers or None, limits=case.limits)


def written(problem: Problem) -> str:
    return problem.code if problem.line is None else f"{problem.code}@{problem.line}"


def check_problems(case: Case, problems: Problems) -> None:
    expect = case.expect
    assert [written(problem) for problem in problems] == expect.problems
    assert problems.counts == {**Counter(problem.partition("@")[0] for problem in expect.problems), **expect.counts}


@every_case
@pytest.mark.parametrize("switch", ["0", "1"], ids=["Python", "compiled first"])
def test_case_gives_what_it_expects(case: Case, switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, switch)
    expect = case.expect
    sitemap = sitemap_of(case)
    assert (type(sitemap).__name__, sitemap.outcome) == (expect.sitemap, expect.outcome)
    assert [page.url for page in sitemap.pages] == expect.urls
    assert [child.url for child in sitemap.sub_sitemaps] == expect.sub_sitemaps
    check_problems(case, sitemap.problems)
    if expect.complete is not None:
        assert sitemap.complete is expect.complete
    if expect.reason is not None:
        assert isinstance(sitemap, InvalidSitemap)
        assert expect.reason in sitemap.reason
    if expect.sub_sitemap_dates is not None:
        assert [child.lastmod or "" for child in sitemap.sub_sitemaps] == expect.sub_sitemap_dates
    if expect.value_problems is not None:
        assert [problem.code for problem in value_problems(sitemap)] == expect.value_problems
    if expect.pages is not None:
        found = [page_as_data(page) for page in sitemap.pages]
        assert named_part(found, expect.pages) == expect.pages


@every_case
def test_case_names_these_links(case: Case) -> None:
    found = read(case, reader_of(case))
    expected = case.expect.sub_sitemaps if case.expect.references is None else case.expect.references
    assert [reference.url for reference in found.references] == expected
    assert [feed.url for feed in found.feeds] == case.expect.feeds


@every_case
@pytest.mark.parametrize("size", PIECES)
def test_case_says_the_same_in_pieces_of_the_wire(case: Case, size: int) -> None:
    assert read(case, reader_of(case), size) == read(case, reader_of(case))


@every_case
@pytest.mark.parametrize("size", PIECES)
def test_case_says_the_same_in_pieces_of_text(case: Case, size: int) -> None:
    cut_up = type("CutUpReader", (CutUpReader,), {"size": size})
    assert read(case, reader_of(case, cut_up)) == read(case, reader_of(case))


@every_case
def test_case_says_the_same_the_long_way(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """``formats/canonical.py`` is a short cut: without it nothing may differ."""
    short = read(case, reader_of(case))
    monkeypatch.setattr(PagesXMLSitemapParser, "canonical_entries", lambda parser: None)
    assert read(case, reader_of(case)) == short


def test_every_decision_names_cases_that_exist() -> None:
    rows = re.findall(
        r"^\| (?!decision)(.+) \| (.+) \|$", (CORPUS / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    sites = {path.stem for path in CORPUS.with_name("corpus_of_sites").glob("*.toml")}
    named = {decision: set(re.findall(r"`([^`]+)`", cases)) for decision, cases in rows}
    assert len(named) > 50
    assert [decision for decision, cases in named.items() if not cases or cases - CASES.keys() - sites] == []
