"""Reads one document: the bytes of the wire in, a ``Document`` out.

The way of the bytes: ``Inflater`` -> ``TextDecoder`` -> line ends -> ``sniff`` -> the parser of that form -> entries.
Laws: never raises for what the bytes say; the inflated document is never held whole; at most one piece of text is
parsed between two steps, so that whoever drives the reader can do something else in between. Who has all of a document
asks the compiled reader first, if there is one.
"""

import logging
from collections.abc import Iterator, Mapping
from io import IncrementalNewlineDecoder
from urllib.parse import urlsplit

import msgspec

from usp.decoding.charset import UTF_8, SurrogateFilter, TextDecoder, charset_of
from usp.decoding.codecs import GZIP, TOKENS
from usp.decoding.compression import Inflater
from usp.decoding.labels import codec_of
from usp.decoding.sniff import Form, Sniffed, sniff
from usp.formats.abstract import AbstractSitemapParser
from usp.formats.entries import MOST_REFERENCES, Entries
from usp.formats.html_links import HTMLLinksParser
from usp.formats.native import PANIC, Known, NativeReader, Source
from usp.formats.robots import LOOKS_LIKE_ROBOTS, IndexRobotsTxtSitemapParser
from usp.formats.text import PlainTextSitemapParser
from usp.formats.xml import XMLSitemapParser
from usp.limits import DEFAULT_LIMITS, PIECE, SNIFF, Limits
from usp.messages import Document, Kind
from usp.problems import Outcome, ProblemLog
from usp.rows import KeepBlock, MemoryBlock

logger = logging.getLogger(__name__)

_BYTE_ORDER_MARK = "\ufeff"


class DocumentReader:
    """Reads one document; ``relative`` says whether relative URLs are resolved against ``url``.

    ``headers`` have lower-case names. A document at /robots.txt is a robots.txt unless it is markup.
    """

    def __init__(
        self,
        url: str,
        *,
        relative: bool = True,
        headers: Mapping[str, str] | None = None,
        limits: Limits = DEFAULT_LIMITS,
        keep: KeepBlock = MemoryBlock,
        native: NativeReader | None = None,
    ) -> None:
        headers = headers or {}
        self._native = native
        # What is left out by callbacks is not counted yet.
        self._known = _known(url, limits, headers, max(limits.sitemaps, MOST_REFERENCES))
        self._keep = keep
        self._stop = native.new_stop() if native else None
        self._answer: Document | str | None = None
        self.url = url
        self.log = ProblemLog(url)
        base = url if relative else None
        self._entries = Entries(base, self.log, keep, most_references=self._known.references)
        self._inflater = Inflater(headers.get("content-encoding"), limits, self.log)
        self._decoder = TextDecoder(charset_of(headers.get("content-type")), self.log)
        self._surrogates = SurrogateFilter(self.log)
        self._newlines = IncrementalNewlineDecoder(None, translate=True)
        self._limits = limits
        self._text_is_cut = False
        self._parser: AbstractSitemapParser | None = None
        self._pieces: list[str] = []
        self._length = 0
        self._enough = PIECE // 16  # of the first text mostly suffices to tell what it is

    @property
    def _truncated(self) -> bool:
        return self._inflater.truncated or self._text_is_cut

    @property
    def done(self) -> bool:
        """Whether further bytes would be ignored."""
        return self._inflater.done or (self._parser is not None and self._parser.done)

    @property
    def has_native(self) -> bool:
        """Whether there is a compiled reader that may be asked."""
        return self._native is not None and not self._text_is_cut and not self.log.problems().total

    def ask_native(self, source: Source) -> bool:
        """Let the compiled reader read all of the document. If it declines, what it was given has to be fed."""
        if self._native is None or not self.has_native:
            return False
        self._answer = self._native.read(source, self._known, self._keep, self._stop)
        return isinstance(self._answer, Document)

    def stop_native(self) -> None:
        """Nobody wants the document any more: from another thread than the one that asks."""
        if self._stop is not None:
            self._stop.set()

    def steps(self, wire: bytes) -> Iterator[None]:
        """Read the next bytes of the wire, one piece of text a step."""
        for inflated in self._inflater.feed(wire):
            self._take(self._decoder.feed(inflated))
            yield

    def feed(self, wire: bytes) -> None:
        """Read the next bytes of the wire."""
        for _ in self.steps(wire):
            pass

    def feed_text(self, text: str) -> None:
        """Read a document that was decoded by somebody else; its length counts as inflated bytes."""
        if len(text) > self._limits.inflated_bytes:
            self.log.add("too-large", f"more than {self._limits.inflated_bytes} characters")
            self._text_is_cut = True
            text = text[: self._limits.inflated_bytes]
        for start in range(0, len(text), PIECE):
            self._take(self._surrogates.feed(text[start : start + PIECE]))

    def cut_short(self, code: str, detail: str) -> None:
        """Note that the body is not whole: what is half written at its end does not count."""
        self.log.add(code, detail)
        self._text_is_cut = True

    def close(self) -> Document:
        """The end of the document: all that it said."""
        if self._native is not None and self._answer is not None:
            self._note_answer(self._native, self._answer)
            if isinstance(self._answer, Document):
                return self._answer
        for inflated in self._inflater.close():
            self._take(self._decoder.feed(inflated))
        self._take(self._decoder.close())
        self._take(self._surrogates.close())
        self._take("", final=True)
        if self._parser is None:
            return self._empty()
        document = self._parser.close(cut=self._truncated)
        if self._inflater.refused:
            return Document(self.url, Kind.UNKNOWN, Outcome.REFUSED, problems=document.problems)
        if (self._truncated or self._entries.cut) and document.outcome is Outcome.OK:
            return msgspec.structs.replace(document, outcome=Outcome.TRUNCATED)
        return document

    def _note_answer(self, native: NativeReader, answer: Document | str) -> None:
        native.note(answer)
        if answer == PANIC:
            logger.error("%s: the compiled reader failed; please report this sitemap", self.url)
        elif isinstance(answer, str):
            logger.debug("%s: left to the Python reader, because of: %s", self.url, answer)

    def _empty(self) -> Document:
        if self._inflater.refused:
            outcome = Outcome.REFUSED
        elif self._truncated:
            outcome = Outcome.TRUNCATED
        else:
            outcome = Outcome.EMPTY
            self.log.add("empty-document")
        return Document(self.url, Kind.UNKNOWN, outcome, problems=self.log.problems())

    def _take(self, text: str, *, final: bool = False) -> None:
        """Gather text into pieces whose ends do not depend on how it came: nor does anything that the parsers do."""
        text = self._newlines.decode(text, final)
        if text:
            self._pieces.append(text)
            self._length += len(text)
        while self._length >= self._enough or (final and self._length):
            text = "".join(self._pieces)
            piece, rest = text[: self._enough], text[self._enough :]
            self._pieces = [rest]
            self._length = len(rest)
            if self._parser is not None:
                self._entries.note_text(len(piece))
                self._parser.feed(piece)
            elif not self._begin(piece, final=final and not rest):
                self._pieces.insert(0, piece)
                self._length += len(piece)
                self._enough = 2 * len(piece)

    def _begin(self, head: str, *, final: bool) -> bool:
        """Choose the parser by the first text; False if more of it is needed."""
        sniffed = sniff(head, final=final)
        if sniffed is None:
            return False
        if sniffed.form is not Form.EMPTY or not final:
            self._parser, head = self._choose(sniffed, head)
            self._parser.feed(head)
        self._enough = PIECE
        return True

    def _choose(self, sniffed: Sniffed, head: str) -> tuple[AbstractSitemapParser, str]:
        """The parser for what the text is, and the text from where the document begins."""
        form, start, known = sniffed
        before, text = head[:start].replace(_BYTE_ORDER_MARK, ""), head[start:]
        line = 1 + before.count("\n")
        named_robots = self._is_named_robots()
        if form is Form.TEXT or (named_robots and (not known or not text.startswith("<"))):
            if named_robots or LOOKS_LIKE_ROBOTS.search(head, start, SNIFF):
                return IndexRobotsTxtSitemapParser(self.url, self._entries, line=line), text
            return PlainTextSitemapParser(self.url, self._entries, line=line), text
        if form is Form.HTML:
            return HTMLLinksParser(self.url, self._entries, line=line), text
        if not before.strip():
            return XMLSitemapParser(self.url, self._entries), before + text
        self.log.add("junk-before-document", before.strip(), 1)
        return XMLSitemapParser(self.url, self._entries, line=line), text

    def _is_named_robots(self) -> bool:
        try:
            return urlsplit(self.url).path.lower().endswith("/robots.txt")
        except ValueError:
            return False


def _known(url: str, limits: Limits, headers: Mapping[str, str], references: int) -> Known:
    """What the compiled reader has to know of a document."""
    named = TOKENS.get(headers.get("content-encoding", "").strip().lower())
    charset = charset_of(headers.get("content-type"))
    return Known(
        url,
        limits,
        references,
        gzip=named == (GZIP,) if named in ((), (GZIP,)) else None,
        utf_8=charset is None or codec_of(charset) == UTF_8,
    )
