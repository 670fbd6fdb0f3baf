"""``json``: the whole tree as one JSON object, with pages, outcomes, problems and attempts.

Laws: written while it is walked, without recursion: a tree may be deep and its pages many. After each piece, what
closes all that is open makes valid JSON of what is written.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from usp.objects.sitemap import (
    AbstractIndexSitemap,
    AbstractPagesSitemap,
    AbstractSitemap,
    IndexWebsiteSitemap,
    InvalidSitemap,
)
from usp.outputs.batches import check_tree, of_sitemap
from usp.outputs.delivery import BinaryFile, check_binary, deliver, put
from usp.outputs.fields import FIELDS, OF_THE_SITEMAP, Field, fields_named, records
from usp.outputs.jsonl import JSON
from usp.outputs.kinds import kind_of


def write_json(tree: AbstractSitemap, file: BinaryFile, *, fields: Iterable[str] | None = None) -> None:
    """Write a tree as one JSON object in UTF-8; ``fields`` are those of each page, by default all of its own.

    >>> import io
    >>> from usp.parsing import parse
    >>> file = io.BytesIO()
    >>> write_json(parse("https://example.com/", url="https://example.com/sitemap.txt"), file, fields=["url"])
    >>> print(file.getvalue().decode())
    {"url":"https://example.com/sitemap.txt","kind":"text","outcome":"ok","lastmod":null,"problems":{},"pages":[
    {"url":"https://example.com/"}]}
    <BLANKLINE>
    """
    check_tree(tree)
    own = [field for field in FIELDS if field.name not in OF_THE_SITEMAP]  # the others are said once, by the sitemap
    chosen = own if fields is None else fields_named(fields)
    deliver(_pieces(tree, chosen), _JSONWriter(file))


class _Piece(NamedTuple):
    """What is written, then what will have to close it; or how many of those that are open it closes first."""

    text: bytes = b""
    opens: bytes = b""
    closes: int = 0


class _JSONWriter:
    def __init__(self, file: BinaryFile) -> None:
        check_binary(file)
        self._file = file
        self._open: list[bytes] = []

    def write(self, piece: _Piece) -> None:
        closed = b"".join(self._open.pop() for _ in range(piece.closes))
        put(self._file, closed + piece.text)
        if piece.opens:
            self._open.append(piece.opens)

    def close(self) -> None:
        self.write(_Piece(b"\n", closes=len(self._open)))


def _pieces(tree: AbstractSitemap, fields: Iterable[Field]) -> Iterator[_Piece]:
    chosen = tuple(fields)
    yield _head(tree, b"")
    yield from _pages(tree, chosen)
    walks = [_children(tree)]
    while walks:
        step = next(walks[-1], None)
        if step is None:
            walks.pop()
            yield _Piece(closes=1)
        elif isinstance(step, _Piece):
            yield step
        else:
            yield from _pages(step, chosen)
            walks.append(_children(step))


def _children(sitemap: AbstractSitemap) -> Iterator[_Piece | AbstractSitemap]:
    """The list of the sitemaps below: the head of each, then itself for what follows its head."""
    if not sitemap.sub_sitemaps and not isinstance(sitemap, AbstractIndexSitemap):
        return
    yield _Piece(b',"sub_sitemaps":[', opens=b"]")
    separator = b"\n"
    for below in sitemap.sub_sitemaps:
        yield _head(below, separator)
        yield below
        separator = b",\n"
    yield _Piece(closes=1)


def _pages(sitemap: AbstractSitemap, fields: tuple[Field, ...]) -> Iterator[_Piece]:
    if not len(sitemap.pages) and not isinstance(sitemap, AbstractPagesSitemap):
        return
    yield _Piece(b',"pages":[', opens=b"]")
    separator = b"\n"
    for batch in of_sitemap(sitemap.pages, sitemap):
        yield _Piece(separator + b",\n".join(map(JSON.encode, records(batch, fields))))
        separator = b",\n"
    yield _Piece(closes=1)


def _head(sitemap: AbstractSitemap, separator: bytes) -> _Piece:
    """The beginning of a sitemap's object: all but its pages and the sitemaps below."""
    return _Piece(separator + JSON.encode(_said(sitemap)).removesuffix(b"}"), opens=b"}")


def _said(sitemap: AbstractSitemap) -> dict[str, Any]:
    said: dict[str, Any] = {"url": sitemap.url, "kind": kind_of(sitemap).word}
    if isinstance(sitemap, IndexWebsiteSitemap):
        said["complete"] = sitemap.complete
        said["incomplete_because"] = sitemap.incomplete_because
        said["attempts"] = sitemap.attempts
    else:
        said["outcome"] = sitemap.outcome
        said["lastmod"] = sitemap.lastmod
    if isinstance(sitemap, InvalidSitemap):
        said["reason"] = sitemap.reason
    said["problems"] = sitemap.problems.counts
    return said
