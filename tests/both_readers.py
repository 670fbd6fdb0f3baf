"""Whatever any test reads is read by both readers: what they say must be equal, or the compiled one declines.

Laws: what is compared is everything that a Document says, however its rows are packed. Where the compiled reader is not
installed, or switched off, nothing is compared: every test must pass with the Python reader alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from usp.compiled import native_reader
from usp.formats.native import NativeReader, Source
from usp.messages import Document, Kind, SitemapRef
from usp.problems import Outcome, Problem
from usp.reading import DocumentReader
from usp.rows import Row, unpack

LARGE = 4_000_000
"""Documents of more bytes are not read again: the tests of bounds have their own cases of both readers."""


class Said(NamedTuple):
    """All that a Document says."""

    url: str
    kind: Kind
    outcome: Outcome
    rows: list[Row]
    references: tuple[SitemapRef, ...]
    feeds: tuple[SitemapRef, ...]
    problems: list[Problem]
    counts: dict[str, int]


def said(document: Document) -> Said:
    rows = [row for block in document.blocks for row in unpack(block.packed())]
    problems = document.problems
    return Said(
        document.url,
        document.kind,
        document.outcome,
        rows,
        tuple(document.references),
        document.feeds,
        list(problems),
        problems.counts,
    )


def native_answer(native: NativeReader, reader: DocumentReader, source: Source) -> Said | str:
    """What the compiled reader says of a source, given to that reader, or why it declines."""
    answer = native.read(source, reader._known, reader._keep)  # which may leave out old pages
    return answer if isinstance(answer, str) else said(answer)


def headers_of(reader: DocumentReader) -> dict[str, str]:
    """Headers that say what is known of the document."""
    headers = {} if reader._known.utf_8 else {"content-type": "text/xml; charset=iso-8859-1"}
    return {**headers, "content-encoding": "gzip"} if reader._known.gzip else headers


def python_answer(reader: DocumentReader, source: Source) -> Said:
    """What the Python reader says of a source, told the same as that reader."""
    again = DocumentReader(reader.url, headers=headers_of(reader), limits=reader._known.limits, keep=reader._keep)
    if isinstance(source, str):
        again.feed_text(source)
    else:
        for piece in source:
            again.feed(piece or b"")
    return said(again.close())


def size(source: str | list[bytes]) -> int:
    return len(source) if isinstance(source, str) else sum(map(len, source))


@contextmanager
def compared(native: NativeReader) -> Iterator[None]:
    """Compare the readers wherever one of them is used."""
    feed_text, steps, ask, close = (
        DocumentReader.feed_text,
        DocumentReader.steps,
        DocumentReader.ask_native,
        DocumentReader.close,
    )
    fed: Any = {}

    def note_text(reader: DocumentReader, text: str) -> None:
        fed.setdefault(reader, []).append(text)
        feed_text(reader, text)

    def note_steps(reader: DocumentReader, wire: bytes) -> Iterator[None]:
        fed.setdefault(reader, []).append(wire)
        return steps(reader, wire)

    def note_asked(reader: DocumentReader, source: Source) -> bool:
        given: list[bytes] = []

        def noted(pieces: Iterator[bytes | None]) -> Iterator[bytes | None]:
            for piece in pieces:
                if sum(map(len, given)) <= LARGE:
                    given.append(piece or b"")
                yield piece

        taken = ask(reader, source if isinstance(source, str | list) else noted(source))
        whole = source if isinstance(source, str | list) else given
        if taken and reader._native is native and size(whole) <= LARGE:  # not one that a test made up
            assert python_answer(reader, whole) == native_answer(native, reader, whole)
        return taken

    def note_close(reader: DocumentReader) -> Document:
        pieces = fed.pop(reader, None)
        cut = reader._text_is_cut
        document = close(reader)
        if pieces and not cut:
            source: str | list[bytes] = "".join(pieces) if isinstance(pieces[0], str) else pieces
            answer = native_answer(native, reader, source) if size(source) <= LARGE else ""
            assert isinstance(answer, str) or answer == said(document)
        return document

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DocumentReader, "feed_text", note_text)
        patch.setattr(DocumentReader, "steps", note_steps)
        patch.setattr(DocumentReader, "ask_native", note_asked)
        patch.setattr(DocumentReader, "close", note_close)
        yield


@contextmanager
def compared_if_installed() -> Iterator[None]:
    native = native_reader()
    if native is None:
        yield
        return
    with compared(native):
        yield
