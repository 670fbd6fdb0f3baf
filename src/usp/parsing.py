"""Reading what the caller already has: bytes, text, a file. No network."""

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from usp.compiled import native_reader
from usp.crawl.nodes import node_of
from usp.exceptions import InvalidOptionException, InvalidSourceException
from usp.formats.abstract import LOCAL_URL
from usp.limits import DEFAULT_LIMITS, KIB, PIECE, Limits
from usp.messages import Document
from usp.objects.sitemap import AbstractSitemap, InvalidSitemap, PagesAtomSitemap, PagesRSSSitemap
from usp.pages.block_pages import BlockPages
from usp.pages.judge import judge, judge_children
from usp.pages.spool import Spool
from usp.problems import CATALOGUE, Outcome, Problem, Problems
from usp.reading import DocumentReader
from usp.rows import without_last

MOST_HELD = 256 * KIB
"""Bytes of what comes only once that are held in case that the compiled reader declines: it does not get more of it."""

NOT_FETCHED = "not fetched: the document that declares it was read on its own"


def parse(
    source: bytes | str | os.PathLike[str] | BinaryIO,
    *,
    url: str | None = None,
    headers: Mapping[str, str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> AbstractSitemap:
    """Read one document that is already here, of any kind that a site may call a sitemap.

    ``source`` is bytes as they came over the wire, a ``str`` of document text, a path (``os.PathLike``, never ``str``)
    or a binary file object. ``url`` is the document's own: relative URLs are resolved against it. ``headers`` are
    those of its response: Content-Encoding and Content-Type count where the bytes themselves do not say. What lies
    beyond ``limits`` is left out, and a problem says so. The children of an index are ``InvalidSitemap``: nothing is
    fetched.

    >>> sitemap = parse(b"<urlset><url><loc>/cats</loc></url></urlset>", url="https://example.com/sitemap.xml")
    >>> [page.url for page in sitemap.pages]
    ['https://example.com/cats']
    >>> [problem.code for problem in sitemap.problems]
    ['missing-namespace', 'relative-url']
    """
    _check_options(url, headers, limits)
    spool = Spool()
    reader = DocumentReader(
        url if url is not None else _url_of(source),
        relative=url is not None,
        headers={name.lower(): value for name, value in headers.items()} if headers else None,
        limits=limits,
        keep=spool.keep,
        native=native_reader(),
    )
    _read(source, reader)
    return _tree_of(_within(limits, reader.close()))


def value_problems(sitemap: AbstractSitemap) -> Iterator[Problem]:
    """Judge what a sitemap's values mean: odd dates, priorities, change frequencies, URLs of its pages and children.

    A pass of its own over the site's words, for nobody else needs to pay for it. Pages that a program constructed have
    no words, and give nothing.

    >>> text = "<urlset><url><loc>https://example.com/</loc><lastmod>10</lastmod></url></urlset>"
    >>> [problem.code for problem in value_problems(parse(text))]
    ['bad-date']
    """
    if not isinstance(sitemap, AbstractSitemap):
        raise InvalidSourceException(f"cannot judge {type(sitemap).__name__}: give a sitemap")
    rows = sitemap.pages.rows() if isinstance(sitemap.pages, BlockPages) else ()
    feed = isinstance(sitemap, PagesRSSSitemap | PagesAtomSitemap)
    return chain(judge(rows, sitemap.url, feed=feed), judge_children(sitemap.sub_sitemaps, sitemap.url))


def _read(source: object, reader: DocumentReader) -> None:
    """Give the reader all of the source: at once if the compiled reader takes it, else piece by piece."""
    if isinstance(source, str):
        if not reader.ask_native(source):
            reader.feed_text(source)
        return
    first, again = _passes(source)
    if reader.ask_native(first):
        return
    for piece in again():
        reader.feed(piece)
        if reader.done:
            break


def _passes(source: object) -> tuple[list[bytes] | Iterator[bytes | None], Callable[[], Iterable[bytes]]]:
    """The bytes of a source for the compiled reader, and all of them again for the Python parser."""
    if isinstance(source, bytes | bytearray | memoryview):
        pieces = [bytes(source)]
        return pieces, lambda: pieces
    if isinstance(source, os.PathLike):
        path = os.fsdecode(source)
        if Path(path).is_file():
            return _pieces_of_path(path), lambda: _pieces_of_path(path)
        remembered = _Remembered(_pieces_of_path(path))
        return remembered.first(), remembered.all
    read = getattr(source, "read", None)
    if not callable(read) or isinstance(source, type):
        raise InvalidSourceException(
            f"cannot read {type(source).__name__}: give bytes, str (document text), a path or a binary file object"
        )
    start = _position(source)
    if start is not None:
        return _pieces_of_file(read), lambda: _pieces_from(start, source)
    remembered = _Remembered(_pieces_of_file(read))
    return remembered.first(), remembered.all


def _pieces_from(start: int, file: Any) -> Iterator[bytes]:
    try:
        file.seek(start)
    except Exception as error:
        raise InvalidSourceException(f"cannot read the file object again: {error}") from error
    yield from _pieces_of_file(file.read)


def _position(file: Any) -> int | None:
    """Where a file stands, if it can be put back there."""
    try:
        return int(file.tell()) if file.seekable() else None
    except Exception:  # whose code it is, and what that raises, only the caller knows
        return None


class _Remembered:
    """Pieces that come only once, for two readers: the first ones are held until the second one takes them."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._held: deque[bytes] = deque()

    def first(self) -> Iterator[bytes | None]:
        """The pieces, as long as they can be held."""
        size = 0
        for piece in self._pieces:
            self._held.append(piece)
            size += len(piece)
            if size > MOST_HELD:
                yield None
                return
            yield piece

    def all(self) -> Iterator[bytes]:
        """All of them, from the beginning."""
        while self._held:
            yield self._held.popleft()
        yield from self._pieces


def _check_options(url: object, headers: object, limits: object) -> None:
    if url is not None and not isinstance(url, str):
        raise InvalidOptionException(f"url must be a str, not {type(url).__name__}")
    if headers is not None and not (
        isinstance(headers, Mapping) and all(isinstance(text, str) for header in headers.items() for text in header)
    ):
        raise InvalidOptionException("headers must be a mapping of str to str")
    if not isinstance(limits, Limits):
        raise InvalidOptionException(f"limits must be usp.Limits, not {type(limits).__name__}")


def _within(limits: Limits, document: Document) -> Document:
    """The document with as many pages and references as the limits allow."""
    pages = sum(block.rows for block in document.blocks)
    sitemaps = len(document.references)
    over = [f"more than {limits.pages} pages"] if pages > limits.pages else []
    over += [f"more than {limits.sitemaps} sitemaps"] if sitemaps > limits.sitemaps else []
    if not over:
        return document
    problems = [Problem("too-large", CATALOGUE["too-large"].severity, document.url, detail) for detail in over]
    counts = Counter(document.problems.counts)
    counts["too-large"] += len(over)
    return msgspec.structs.replace(
        document,
        blocks=tuple(without_last(document.blocks, max(0, pages - limits.pages))),
        references=document.references[: limits.sitemaps],
        problems=Problems([*problems, *document.problems], counts),
        outcome=Outcome.TRUNCATED if document.outcome is Outcome.OK else document.outcome,
    )


def _tree_of(document: Document) -> AbstractSitemap:
    children: list[AbstractSitemap] = [
        InvalidSitemap(reference.url, NOT_FETCHED, lastmod=reference.lastmod) for reference in document.references
    ]
    return node_of(document, BlockPages(document.blocks), children)


def _url_of(source: object) -> str:
    """A document without a URL is called by its file's name at most: a robots.txt is known by that."""
    if isinstance(source, os.PathLike):
        return LOCAL_URL + Path(os.fsdecode(source)).name
    return LOCAL_URL


def _pieces_of_path(path: str) -> Iterator[bytes]:
    try:
        with Path(path).open("rb") as file:
            yield from _pieces_of_file(file.read)
    except (OSError, ValueError) as error:  # a ValueError: no file can have that name
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidSourceException(f"cannot read {path!r}: {reason}") from error


def _pieces_of_file(read: Callable[[int], object]) -> Iterator[bytes]:
    while True:
        try:
            piece = read(PIECE)
        except Exception as error:  # whose code it is, and what that raises, only the caller knows
            raise InvalidSourceException(f"cannot read the file object: {error}") from error
        if not isinstance(piece, bytes):
            raise InvalidSourceException("the file object gives no bytes: open it in binary mode")
        if not piece:
            return
        yield piece
