"""What was read, as lines of plain text for people: one document, and all of them together.

Laws: lines are short because only the first few of anything are shown; what a document says is not trusted, so
whoever prints the lines passes them through ``printable`` first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import time
from textwrap import wrap

from usp.objects.page import SitemapPage
from usp.objects.sitemap import AbstractSitemap, InvalidSitemap
from usp.problems import CATALOGUE, Outcome, Problem, Problems, Severity
from usp.values.dates import Precision

WIDTH = 100
SHOWN = 5
"""So many pages, sitemaps and problems of one kind are shown: a document may hold 50,000."""

_MOST_PADDING = 56
_UNDER = " " * 11
_DATE_LENGTH = {Precision.YEAR: 4, Precision.MONTH: 7, Precision.DAY: 10}


def printable(line: str, encoding: str) -> str:
    """The line as a terminal can show it: an escape sequence within a URL must not rewrite the screen."""
    line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
    line = line.encode(encoding, "backslashreplace").decode(encoding)
    return line if len(line) <= WIDTH else line[: WIDTH - 3] + "..."


def describe(sitemap: AbstractSitemap, values: Problems) -> Iterator[str]:
    """One document; ``values`` are the problems of what its values mean."""
    size = counted(len(sitemap.pages), "page")
    if sitemap.sub_sitemaps:
        size += f", {counted(len(sitemap.sub_sitemaps), 'sitemap')}"
    yield f"  {type(sitemap).__name__}, {sitemap.outcome}, {size}"
    if isinstance(sitemap, InvalidSitemap) and not sitemap.problems:
        yield f"    {sitemap.reason}"
    yield from _pages(sitemap.pages)
    yield from _first([f"-> {_dated(child.url, child.lastmod)}" for child in sitemap.sub_sitemaps])
    yield from _problems("Problems", sitemap.problems)
    yield from _problems("Odd values", values)


def summary(sitemaps: Sequence[AbstractSitemap], counts: Mapping[str, int]) -> Iterator[str]:
    """All documents by outcome, and all problems, counted by code, by severity."""
    documents = Counter(sitemap.outcome for sitemap in sitemaps)
    pages: Counter[Outcome | None] = Counter()
    for sitemap in sitemaps:
        pages[sitemap.outcome] += len(sitemap.pages)
    yield f"  {'outcome':<12}{'documents':>10}{'pages':>10}"
    for outcome, count in documents.most_common():
        yield f"  {outcome or '':<12}{count:>10,}{pages[outcome]:>10,}"
    yield f"  {'all':<12}{documents.total():>10,}{pages.total():>10,}"
    yield ""
    yield f"  {'severity':<12}{'problems':>10}"
    for severity, count in _severities(counts).items():
        yield f"  {severity:<12}{count:>10,}   {_MEANINGS[severity]}"


_MEANINGS = {
    Severity.FATAL: "nothing usable",
    Severity.LOSS: "something was dropped",
    Severity.NOTE: "tolerated, nothing is missing",
}


def counted(count: int, noun: str) -> str:
    """The number and its noun: ``1 page``, ``2,000 pages``."""
    plural = "es" if noun.endswith("s") else "s"
    return f"{count:,} {noun}{'' if count == 1 else plural}"


def _pages(pages: Sequence[SitemapPage]) -> Iterator[str]:
    rows = [(page.url, _date(page), ", ".join(_extras(page))) for page in pages[:SHOWN]]
    url_width = min(max((len(url) for url, _, _ in rows), default=0), _MOST_PADDING)
    date_width = max((len(date) for _, date, _ in rows), default=0)
    lines = [(f"    {url:<{url_width}}  {date:<{date_width}}", extras) for url, date, extras in rows]
    together = all(len(line) + 2 + len(extras) <= WIDTH for line, extras in lines)
    for line, extras in lines:
        yield f"{line}  {extras}".rstrip() if together else line.rstrip()
        if extras and not together:
            yield f"      {extras}"
    yield from _more(len(pages))


def _date(page: SitemapPage) -> str:
    """When the page changed, no more exactly than the site said; for a feed's item when it was published."""
    date, precision = page.last_modified, page.last_modified_precision
    if date is None and page.news_story is not None:
        date = page.news_story.publish_date
    if date is None:
        return ""
    if precision in _DATE_LENGTH:
        return date.isoformat()[: _DATE_LENGTH[precision]]
    is_day = precision is None and date.timetz() == time()
    return (date.date() if is_day else date).isoformat()


def _extras(page: SitemapPage) -> Iterator[str]:
    if page.change_frequency:
        yield page.change_frequency.value
    if page.priority != SitemapPage("").priority:
        yield f"priority {page.priority}"
    if page.news_story and page.news_story.title:
        yield f'"{page.news_story.title}"'
    for noun, parts in (("image", page.images), ("video", page.videos), ("alternate", page.alternates)):
        if parts:
            yield counted(len(parts), noun)


def _dated(url: str, lastmod: str | None) -> str:
    return f"{url}  {lastmod}" if lastmod else url


def _first(lines: Sequence[str]) -> Iterator[str]:
    for line in lines[:SHOWN]:
        yield f"    {line}"
    yield from _more(len(lines))


def _more(count: int) -> Iterator[str]:
    if count > SHOWN:
        yield f"    ... and {count - SHOWN:,} more"


def _problems(heading: str, problems: Problems) -> Iterator[str]:
    """The problems of one document, those of a code together, the gravest first."""
    if problems:
        sums = ", ".join(counted(count, severity) for severity, count in _severities(problems.counts).items())
        yield f"  {heading}: {sums}"
        for code in _gravest_first(problems.counts):
            yield from _problem(code, [problem for problem in problems if problem.code == code], problems.counts[code])


def _problem(code: str, kept: Sequence[Problem], count: int) -> Iterator[str]:
    entry = CATALOGUE[code]
    yield from _wrapped(f"    {entry.severity:<5}  ", f"{entry.sentence} [{code}]")
    yield from _wrapped(f"{_UNDER}Remedy: ", entry.remedy)
    for problem in kept[:SHOWN]:
        places = (f"line {problem.line}" if problem.line else "", " ".join(problem.detail.split()))
        if any(places):
            yield _UNDER + ": ".join(filter(None, places))
    if count > SHOWN:
        yield f"{_UNDER}... and {count - SHOWN:,} more"


def _wrapped(start: str, sentence: str) -> list[str]:
    return wrap(sentence, WIDTH, initial_indent=start, subsequent_indent=_UNDER, break_on_hyphens=False)


def _severities(counts: Mapping[str, int]) -> dict[Severity, int]:
    sums: Counter[Severity] = Counter()
    for code, count in counts.items():
        sums[CATALOGUE[code].severity] += count
    return {severity: sums[severity] for severity in reversed(Severity) if severity in sums}


def _gravest_first(codes: Mapping[str, int]) -> list[str]:
    severities = list(Severity)
    return sorted(codes, key=lambda code: -severities.index(CATALOGUE[code].severity))
