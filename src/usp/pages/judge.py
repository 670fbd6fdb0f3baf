"""Judges what the values of rows mean: dates, priorities, change frequencies, URLs. Never done while reading."""

from collections.abc import Iterable, Iterator

from usp.objects.page import SitemapPageChangeFrequency
from usp.objects.sitemap import AbstractSitemap
from usp.problems import CATALOGUE, Problem
from usp.rows import NewsRow, Row
from usp.values.dates import is_w3c_date, parse_date
from usp.values.numbers import is_priority
from usp.values.urls import has_white_space_or_control

_LONGEST_URL = 2048


def judge(rows: Iterable[Row], url: str, *, feed: bool = False) -> Iterator[Problem]:
    """What is odd about the values of the rows of the sitemap, or feed, at ``url``, in order."""
    for row in rows:
        for code, words in _oddities(row, feed):
            yield _problem(code, words, row.url, url, row.line)


def judge_children(children: Iterable[AbstractSitemap], url: str) -> Iterator[Problem]:
    """What is odd about the sitemaps that the one at ``url`` declares; nobody keeps their lines."""
    for child in children:
        for code, words in (*_odd_url(child.url), *_odd_date(child.lastmod)):
            yield _problem(code, words, child.url, url, None)


def _problem(code: str, words: str, whose: str, url: str, line: int | None) -> Problem:
    return Problem(code, CATALOGUE[code].severity, url, f"{words[:200]} of {whose[:200]}", line)


def _oddities(row: Row, feed: bool) -> Iterator[tuple[str, str]]:
    yield from _odd_url(row.url)
    yield from _odd_date(row.lastmod)
    if row.priority is not None and not is_priority(row.priority):
        yield "bad-priority", row.priority
    if row.changefreq is not None and not SitemapPageChangeFrequency.has_value(row.changefreq.lower()):
        yield "bad-changefreq", row.changefreq
    if row.news is not None:
        yield from _odd_moment(row.news.publication_date) if feed else _odd_news(row.news)
    for video in row.videos or ():
        yield from _odd_date(video.publication_date)
        yield from _odd_date(video.expiration_date)


def _odd_url(url: str) -> Iterator[tuple[str, str]]:
    if len(url) > _LONGEST_URL:
        yield "long-url", f"{len(url)} characters"
    if has_white_space_or_control(url):
        yield "space-in-url", "white space"
    if "\ufffd" in url:
        yield "damaged-url", "U+FFFD"


def _odd_date(words: str | None) -> Iterator[tuple[str, str]]:
    if words is None or is_w3c_date(words):
        return
    yield ("bad-date" if parse_date(words) is None else "unusual-date"), words


def _odd_moment(words: str | None) -> Iterator[tuple[str, str]]:
    """A date that may be written in any of the ways of feeds."""
    if words is not None and parse_date(words) is None:
        yield "bad-date", words


def _odd_news(news: NewsRow) -> Iterator[tuple[str, str]]:
    if not news.title:
        yield "incomplete-news", "no title"
    if not news.publication_date:
        yield "incomplete-news", "no date"
    yield from _odd_date(news.publication_date)
