"""Plain text: one URL a line. https://www.sitemaps.org/protocol.html#otherformats"""

from usp.formats.abstract import AbstractSitemapParser
from usp.formats.entries import Entries
from usp.formats.lines import INVISIBLE, Lines
from usp.limits import TOKEN
from usp.messages import Document, Kind
from usp.problems import Outcome
from usp.rows import Row
from usp.values.urls import HTTP_URL

_is_http = HTTP_URL.match


class PlainTextSitemapParser(AbstractSitemapParser):
    """Reads a list of URLs; what is no URL is counted in one note."""

    Page = Row

    def __init__(self, url: str, entries: Entries, *, line: int = 1) -> None:
        super().__init__(url, entries)
        self._lines = Lines(TOKEN, line)
        self._others = 0
        self._first_other = 0

    def feed(self, text: str) -> None:
        for line, content in self._lines.feed(text):
            self._read(line, content)

    def _read(self, line: int, content: str) -> None:
        words = content.translate(INVISIBLE).split()
        if not words:
            return
        urls = list(filter(_is_http, words)) if _is_http(words[0]) else []
        for url in urls:
            self.entries.add_page((url, None, None, None, line))
        if len(urls) < len(words):
            self._others += 1
            self._first_other = self._first_other or line

    def close(self, *, cut: bool = False) -> Document:
        for line, content in () if cut else self._lines.close():
            self._read(line, content)
        if self._lines.cut:
            self.log.add("long-line", f"lines: {self._lines.cut}", self._lines.first_cut)
        if self.entries.none:
            self.log.add("no-urls", line=self._first_other or None)
            return self.entries.document(self.url, Kind.TEXT, Outcome.BROKEN)
        if self._others:
            self.log.add("not-a-url", f"lines: {self._others}", self._first_other)
        return self.entries.document(self.url, Kind.TEXT, Outcome.OK)
