"""What a document lists, collected while it is read: pages into packed blocks, references in declared order.

Laws: the first declaration of a URL counts, in its place; a URL stays as the site wrote it unless it is relative; rows
leave as packed blocks as soon as a block is full, so that the size of a document never shows in memory.
"""

from typing import Any

from usp.formats.lines import INVISIBLE
from usp.formats.seen import SeenUrls
from usp.messages import Document, Kind, SitemapRef
from usp.problems import Outcome, ProblemLog
from usp.rows import ROWS_A_BLOCK, Block, KeepBlock, pack
from usp.values.urls import HTTP_URL, resolve

PARTS_A_PAGE = 10_000
"""Images, videos or alternates of one page; search engines read 1,000. More would defeat the bound on a block."""

BLOCK_TEXT = 1024 * 1024
"""Characters of a document that may go into one block: those of 1,000 ordinary pages and more."""

MOST_REFERENCES = 50_000
"""What the protocol allows in one index; a limit on sitemaps may allow more."""

_CLOSING = {'"': '"', "'": "'", "<": ">", "(": ")", "[": "]"}
_MOST_WRAPPINGS = 4
_is_http = HTTP_URL.match


class Entries:
    """The pages and references of one document.

    ``base`` is what relative URLs are resolved against; None leaves them as they are (a document without a URL).
    References stay in memory, so that there are at most ``most_references``; ``cut`` says whether there were more.
    """

    __slots__ = (
        "_blocks",
        "_keep",
        "_most_references",
        "_parts",
        "_references",
        "_rows",
        "_seen",
        "_seen_references",
        "_text",
        "base",
        "cut",
        "log",
    )

    def __init__(
        self, base: str | None, log: ProblemLog, keep: KeepBlock, *, most_references: int = MOST_REFERENCES
    ) -> None:
        self.base = base
        self.log = log
        self.cut = False
        self._most_references = most_references
        self._keep = keep
        self._rows: list[tuple[Any, ...]] = []
        self._parts = 0
        self._text = 0  # characters read since the last block
        self._blocks: list[Block] = []
        self._references: list[SitemapRef] = []
        self._seen = SeenUrls()
        self._seen_references = SeenUrls()

    def usable_url(self, written: str, line: int | None, base: str | None = None) -> str | None:
        """The URL as written if it is HTTP(S), resolved if it is relative, else None and a problem."""
        if _is_http(written):
            return written
        bare = _unwrapped(written)
        if _is_http(bare):
            self.log.add("wrapped-url", written, line)
            return bare
        base = base or self.base
        url = resolve(base, _trimmed(written)) if bare else None
        if url is None or (base is not None and not _is_http(url)):
            self.log.add("not-http", written, line)
            return None
        self.log.add("relative-url", written, line)
        return url

    def add_page(self, row: tuple[Any, ...], parts: int = 0) -> None:
        """Add one page: an array of the fields of ``Row``, whose URL is usable; ``parts`` counts what hangs on it."""
        if not self._seen.add(row[0]):
            self.log.add("duplicate-url", row[0], row[4])
            return
        rows = self._rows
        rows.append(row)
        self._parts += parts
        if len(rows) == ROWS_A_BLOCK or self._parts >= PARTS_A_PAGE:
            self._pack()

    def add_pages(self, rows: list[tuple[Any, ...]]) -> None:
        """Add pages on which nothing hangs; for many at a time, this costs a fraction of adding each."""
        if not self._seen.add_all([row[0] for row in rows]):
            for row in rows:
                self.add_page(row)
            return
        mine = self._rows
        mine += rows
        while len(mine) >= ROWS_A_BLOCK:
            self._rows, rest = mine[:ROWS_A_BLOCK], mine[ROWS_A_BLOCK:]
            self._pack()
            self._rows = mine = rest

    def add_reference(self, url: str, lastmod: str | None, line: int | None) -> None:
        """Add one reference to another sitemap."""
        if not self._seen_references.add(url):
            self.log.add("duplicate-url", url, line)
        elif len(self._references) < self._most_references:
            self._references.append(SitemapRef(url, lastmod, line))
        elif not self.cut:
            self.cut = True
            self.log.add("too-large", f"more than {self._most_references} sitemaps", line)

    def note_text(self, length: int) -> None:
        """That much text is about to be read: rows that hold much of it must not wait for a full block."""
        self._text += length
        if self._text > BLOCK_TEXT and self._rows:
            self._pack()

    def _pack(self) -> None:
        self._blocks.append(self._keep(pack(self._rows), len(self._rows)))
        self._rows.clear()
        self._parts = self._text = 0

    @property
    def none(self) -> bool:
        """Whether nothing at all was listed."""
        return not (self._rows or self._blocks or self._references)

    @property
    def only_references(self) -> bool:
        return bool(self._references) and not (self._rows or self._blocks)

    @property
    def only_pages(self) -> bool:
        return not self._references and bool(self._rows or self._blocks)

    def document(self, url: str, kind: Kind, outcome: Outcome, feeds: tuple[SitemapRef, ...] = ()) -> Document:
        """All that was collected, with the problems met so far."""
        if self._rows:
            self._pack()
        return Document(url, kind, outcome, tuple(self._blocks), tuple(self._references), feeds, self.log.problems())


def _unwrapped(written: str) -> str:
    """A URL without the quotes, brackets and invisible characters around it.

    What closes goes only with what opens: the bracket at the end of ``/wiki/Cat_(animal)`` is the URL's own.
    """
    bare = _trimmed(written)
    for _ in range(_MOST_WRAPPINGS):
        closing = _CLOSING.get(bare[:1])
        if closing is None:
            break
        bare = _trimmed(bare[1:].removesuffix(closing))
    return bare


def _trimmed(text: str) -> str:
    """Without white space and invisible characters at its ends, however they are mixed."""
    blanked = text.translate(INVISIBLE)
    return text[len(blanked) - len(blanked.lstrip()) : len(blanked.rstrip())]
