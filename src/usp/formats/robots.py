"""robots.txt: its ``Sitemap:`` lines, which belong to no group. https://www.rfc-editor.org/rfc/rfc9309#section-2.2.4"""

import re

from usp.formats.abstract import AbstractSitemapParser
from usp.formats.entries import Entries
from usp.formats.lines import INVISIBLE, Lines
from usp.messages import Document, Kind
from usp.problems import Outcome
from usp.values.urls import HTTP_URL

_LINE_LENGTH = 16 * 1024
"""What Google's parser reads of a line, too."""

_FIELD = re.compile(r"\s*(?:sitemaps?|site-map|site map)(?:\s*:|\s+(?=https?://))(.*)", re.IGNORECASE)
"""The tolerated spellings; the colon may be missing where a URL makes clear what is meant."""

_BETWEEN_URLS = re.compile(r",(?=https?://|/)", re.IGNORECASE)

LOOKS_LIKE_ROBOTS = re.compile(r"^[ \t]*(?:user-agent|disallow|allow|sitemap)[ \t]*:", re.IGNORECASE | re.MULTILINE)
"""A line by which a text without a name of its own is taken for a robots.txt."""

_is_http = HTTP_URL.match


class IndexRobotsTxtSitemapParser(AbstractSitemapParser):
    """Reads a robots.txt: an index, for it lists other sitemaps."""

    def __init__(self, url: str, entries: Entries, *, line: int = 1) -> None:
        super().__init__(url, entries)
        self._lines = Lines(_LINE_LENGTH, line)

    def feed(self, text: str) -> None:
        for line, content in self._lines.feed(text):
            self._read(line, content)

    def close(self, *, cut: bool = False) -> Document:
        for line, content in () if cut else self._lines.close():
            self._read(line, content)
        if self._lines.cut:
            self.log.add("long-line", f"lines: {self._lines.cut}", self._lines.first_cut)
        return self.entries.document(self.url, Kind.ROBOTS, Outcome.OK)

    def _read(self, line: int, content: str) -> None:
        field = _FIELD.match(content.translate(INVISIBLE))
        if field is None:
            return
        words = field[1].partition("#")[0].split()
        written = [url.rstrip(",") for word in words for url in _BETWEEN_URLS.split(word)]
        urls = [url for url in written if _is_http(url) or url.startswith("/")]
        if not urls and written and _may_be_relative(written[0]):
            urls = written[:1]
        for url in urls:
            usable = self.entries.usable_url(url, line)
            if usable is not None:
                self.entries.add_reference(usable, None, line)
        if not urls:
            self.log.add("bad-sitemap-line", content.strip(), line)


def _may_be_relative(word: str) -> bool:
    """``/sitemap.xml`` and ``sitemap.xml`` are URLs, ``none`` is not."""
    return "/" in word or "." in word
