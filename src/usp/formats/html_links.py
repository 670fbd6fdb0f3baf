"""The links of an HTML page that lead to sitemaps and feeds.

Laws: no tree is built and nothing is executed; the text is read once, from left to right, up to a bound. Links within
comments and scripts do not count. As a sitemap an HTML page is broken; its links are for whoever asked for a homepage.
"""

import re

from usp.formats.abstract import AbstractSitemapParser
from usp.formats.challenges import challenge_mark
from usp.formats.entries import Entries
from usp.limits import TOKEN
from usp.messages import Document, Kind, SitemapRef
from usp.problems import Outcome
from usp.values.text import html_unescape_strip
from usp.values.urls import resolve, resolve_base

_OPENING = re.compile(r"<!--|<(script|style|template|noscript|textarea|title)\b|<(link|base)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"<]*+)"|'([^'<]*+)'|([^\s"'=<>`]++)))?""",
)
_TAG_LENGTH = 8 * 1024
_FEEDS = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
_MOST_LINKS = 1000


class HTMLLinksParser(AbstractSitemapParser):
    """Reads ``<link rel="sitemap">`` and ``<link rel="alternate">`` of a feed."""

    def __init__(self, url: str, entries: Entries, *, line: int = 1) -> None:
        super().__init__(url, entries)
        self._line = line
        self._pieces: list[str] = []
        self._length = 0
        self._feeds: dict[str, SitemapRef] = {}

    def feed(self, text: str) -> None:
        if self._length < TOKEN:
            self._pieces.append(text[: TOKEN - self._length])
            self._length += len(text)
            self.done = self._length >= TOKEN

    def close(self, *, cut: bool = False) -> Document:  # noqa: ARG002
        text = "".join(self._pieces)
        self._read(text)
        mark = challenge_mark(text)
        if mark is None:
            self.log.add("html-page", line=self._line)
        else:
            self.log.add("challenge-page", mark, self._line)
        outcome = Outcome.BROKEN if mark is None else Outcome.BLOCKED
        return self.entries.document(self.url, Kind.HTML, outcome, tuple(self._feeds.values()))

    def _read(self, text: str) -> None:
        position, counted, line = 0, 0, self._line
        base, based = self.entries.base, False
        found = _OPENING.search(text)
        while found is not None:
            position = found.end()
            if found[2]:
                line += text.count("\n", counted, position)
                counted = position
                attributes = _attributes(text, position)
                if found[2].lower() != "base":
                    self._link(attributes, base, line)
                elif not based and "href" in attributes:  # the first one counts, as in browsers
                    base, based = resolve_base(base, attributes["href"]), True
            else:
                ending = "-->" if found[0] == "<!--" else f"</{found[1]}"
                position = _find(text, ending, position)
            found = _OPENING.search(text, position)

    def _link(self, attributes: dict[str, str], base: str | None, line: int) -> None:
        relations = attributes.get("rel", "").lower().split()
        url = resolve(base, attributes.get("href", "").strip())
        if url is None:
            return
        if "sitemap" in relations:
            self.entries.add_reference(url, None, line)
        elif "alternate" in relations and _is_feed(attributes) and len(self._feeds) < _MOST_LINKS:
            self._feeds.setdefault(url, SitemapRef(url, None, line))


def _is_feed(attributes: dict[str, str]) -> bool:
    return attributes.get("type", "").partition(";")[0].strip().lower() in _FEEDS


def _attributes(text: str, position: int) -> dict[str, str]:
    """The attributes of the tag that is open at the position; the first of a name counts."""
    attributes: dict[str, str] = {}
    end = position + _TAG_LENGTH
    while position < min(end, len(text)) and text[position] not in "<>":
        found = _ATTRIBUTE.match(text, position, end)
        if found is None:
            position += 1
            continue
        value = found[2] or found[3] or found[4] or ""
        attributes.setdefault(found[1].lower(), html_unescape_strip(value) or "")
        position = found.end()
    return attributes


def _find(text: str, ending: str, position: int) -> int:
    """Where what begins before the position ends; the end of the text if it never does."""
    found = re.compile(re.escape(ending), re.IGNORECASE).search(text, position)
    return found.end() if found else len(text)
