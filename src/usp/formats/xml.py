"""XML documents: finds the root, selects the concrete parser, and drives it.

The way of the text: ``Cleaner`` (text -> UTF-8 that expat takes) -> ``PushParser`` (expat, restarted behind faults) ->
the concrete parser's events -> entries. A new kind of document is one file and one entry of ``CONCRETE_PARSERS``.
"""

import re
from xml.parsers.expat import XMLParserType

from usp.formats.abstract import AbstractSitemapParser
from usp.formats.atom import PagesAtomSitemapParser
from usp.formats.bounds import bound_depth, bound_names
from usp.formats.canonical import CanonicalEntries
from usp.formats.clean import Cleaner
from usp.formats.elements import AbstractXMLSitemapParser
from usp.formats.entries import Entries
from usp.formats.index import IndexXMLSitemapParser
from usp.formats.push import PushParser
from usp.formats.rss import PagesRSSSitemapParser
from usp.formats.urlset import PagesXMLSitemapParser
from usp.formats.vocabulary import Attributes
from usp.limits import PIECE
from usp.messages import Document, Kind
from usp.problems import Outcome

CONCRETE_PARSERS: dict[str, type[AbstractXMLSitemapParser]] = {
    "urlset": PagesXMLSitemapParser,
    "sitemapindex": IndexXMLSitemapParser,
    "rss": PagesRSSSitemapParser,
    "rdf": PagesRSSSitemapParser,
    "feed": PagesAtomSitemapParser,
    # fragments: the root is missing, or is none of the protocol
    "url": PagesXMLSitemapParser,
    "sitemap": IndexXMLSitemapParser,
    "channel": PagesRSSSitemapParser,
    "item": PagesRSSSitemapParser,
    "entry": PagesAtomSitemapParser,
}
_UNUSUAL_ROOTS = frozenset({"url", "sitemap", "channel", "item", "entry"})


_FIRST_ENTRY = re.compile("<(?:url|sitemap)>")
_WORTH_WHILE = 2048
"""Characters read the short way that make up for the attempt."""


class XMLSitemapParser(AbstractSitemapParser):
    """Looks at the root of an XML document and selects the parser for what it is."""

    def __init__(self, url: str, entries: Entries, *, line: int = 1) -> None:
        super().__init__(url, entries)
        self._cleaner = Cleaner(self.log, line)
        self._concrete: AbstractXMLSitemapParser | None = None
        self._first = ""
        self._push = PushParser(self, self.log, line)
        self._canonical: CanonicalEntries | None = None
        self._patience = 1  # characters to go the long way at least

    def feed(self, text: str) -> None:
        position = 0
        while position < len(text):
            position = self._read_canonical(text, position)
            end = self._next_entry(text, position)
            self._feed(self._cleaner.feed(text[position:end]))
            position = end

    def _feed(self, cleaned: bytes) -> None:
        """Of an HTML page nothing is read but what the cleaner notes: where pieces end must not count."""
        if not self._is_html:
            self._push.feed(cleaned)

    # -- the short way

    def _read_canonical(self, text: str, position: int) -> int:
        """Read canonical entries where that is possible; where what is not begins."""
        canonical = self._canonical
        if canonical is None or not (self._cleaner.idle and self._push.idle and self._concrete and self._concrete.idle):
            self._patience = min(PIECE, self._patience * 2)
            return position
        line = self._cleaner.line
        end = canonical.read(text, position, line)
        if end - position >= _WORTH_WHILE:
            self._patience = max(1, self._patience // 2)
        else:
            self._patience = min(PIECE, self._patience * 2)
        if end > position:
            self._cleaner.line = canonical.line
            self._push.pass_over(canonical.line - line)
        return end

    def _next_entry(self, text: str, position: int) -> int:
        """How far to go the long way before the short one is tried again."""
        if self._concrete is None:
            root_read = _FIRST_ENTRY.search(text, position + self._patience)
            return root_read.start() if root_read else len(text)
        if self._canonical is None:
            return len(text)
        entry = text.find(self._canonical.opening, position + self._patience)
        return entry if entry >= 0 else len(text)

    @property
    def _is_html(self) -> bool:
        return self._first == "html"

    in_entry = False

    @property
    def path(self) -> list[str]:
        return []

    # -- events until the root is found

    def attach(self, parser: XMLParserType, lines: int) -> None:
        self._parser = parser
        self._lines = lines
        self._depth = 0
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end

    def _start(self, name: str, attributes: Attributes) -> None:
        local = name.lower().rpartition(":")[2]
        concrete = CONCRETE_PARSERS.get(local)
        line = self._lines + self._parser.CurrentLineNumber
        self._first = self._first or local
        self._depth += 1
        bound_names(self._parser, (name, *attributes))
        bound_depth(self._parser, self._depth)
        if concrete is None or self._is_html:
            return
        if self._first != local or local in _UNUSUAL_ROOTS:
            self.log.add("unusual-root", self._first, line)
        self._concrete = self._push.events = concrete(self.entries)
        self._concrete.attach(self._parser, self._lines)
        self._concrete.start(name, attributes)
        self._canonical = self._concrete.canonical_entries()

    def _end(self, name: str) -> None:  # noqa: ARG002 (of expat)
        self._depth -= 1

    def fault(self, detail: str, line: int, token: bytes) -> bool:  # noqa: ARG002 (as of every taker of events)
        if not self._is_html:
            self.log.add("bad-markup", detail, line)
        return False

    def pass_over(self, lines: int) -> None:
        """Nothing is passed over before the root."""

    def reopen(self, ending: str = "") -> list[str]:  # noqa: ARG002
        return []

    def bound_text(self) -> None:
        """No text is kept before the root."""

    # -- the end

    def close(self, *, cut: bool = False) -> Document:  # noqa: ARG002 (an unclosed entry tells)
        self._feed(self._cleaner.close())
        unfinished = self._push.close()
        if self._cleaner.unfinished:
            unfinished = unfinished or self._cleaner.line
        if self._cleaner.refused:
            return Document(self.url, Kind.UNKNOWN, Outcome.REFUSED, problems=self.log.problems())
        concrete = self._concrete
        if concrete is None:
            return self._unknown(unfinished)
        truncated = concrete.finish(line=self._cleaner.line, unfinished=unfinished) or self._push.exhausted
        outcome = Outcome.TRUNCATED if truncated else Outcome.OK
        if self.entries.none and self.log.count("broken-entry"):
            outcome = Outcome.BROKEN
        return self.entries.document(self.url, self._kind(concrete.kind), outcome)

    def _unknown(self, unfinished: int) -> Document:
        """No root was found."""
        if self._is_html:
            self.log.add("html-page", self._first)
            return self.entries.document(self.url, Kind.HTML, Outcome.BROKEN)
        if unfinished:
            self.log.add("truncated-document", line=unfinished)
            return self.entries.document(self.url, Kind.UNKNOWN, Outcome.TRUNCATED)
        self.log.add("unknown-root", self._first)
        return self.entries.document(self.url, Kind.UNKNOWN, Outcome.BROKEN)

    def _kind(self, kind: Kind) -> Kind:
        """The kind of the root, unless all that is in it is of the other kind."""
        if kind is Kind.URLSET and self.entries.only_references:
            return Kind.INDEX
        if kind is Kind.INDEX and self.entries.only_pages:
            return Kind.URLSET
        return kind
