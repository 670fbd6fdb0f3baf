"""Asks the compiled reader first: the Rust crate ``usp_native``, which reads plain sitemaps near the speed of memory.

Laws: the parsers beside this file are the definition of what is accepted. The compiled reader gives exactly what they
would, without a single problem, or declines, and then they read from the start. It is never needed, and arrives as an
argument. What it gives is taken only if its versions are the ones that are known here.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from usp.handshake import Versions
from usp.limits import MIB, Limits
from usp.messages import Document, Kind, SitemapRef
from usp.problems import Outcome
from usp.rows import Block, KeepBlock

PANIC = "panic"
"""The reason of a decline that is a fault of the crate."""

MOST_TEXT = 8 * MIB
"""Characters of a text that is encoded for the compiled reader; one in ASCII needs no copy."""

UNBOUNDED = 2**63
"""Bytes of a text, whose characters were counted."""

Source = str | list[bytes] | Iterator[bytes | None]
"""Document text, all pieces of a body, or pieces as they come; None among these says that no more can be had."""


class Stop(Protocol):
    """Tells the compiled reader, from another thread, that nobody wants the result any more."""

    def set(self) -> None: ...


_Answer = str | tuple[str, list[Block], bytes]
"""The reason of a decline; or the kind, what was kept, and the references."""


class Compiled(Versions, Protocol):
    """The module ``usp_native``."""

    REASONS: Sequence[str]

    @property
    def Stop(self) -> Callable[[], Stop]: ...  # noqa: N802 (a class of the module)
    @property
    def Given(self) -> Callable[..., object]: ...  # noqa: N802
    def read(
        self, pieces: list[bytes] | list[str] | Iterator[bytes | None], given: object, keep: KeepBlock, /
    ) -> _Answer: ...


class Known(NamedTuple):
    """What is known of a document before it is read.

    ``references`` is how many of them are kept. ``gzip`` says that a header names it; None that one names another
    compression. ``utf_8`` is False where a header
    names another charset.
    """

    url: str
    limits: Limits
    references: int
    gzip: bool | None = False
    utf_8: bool = True


class NativeReader:
    """The compiled reader; ``accepted`` and ``declines`` count what became of the documents that it was asked for."""

    __slots__ = ("_compiled", "accepted", "declines")

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self.accepted = 0
        self.declines: Counter[str] = Counter()

    def new_stop(self) -> Stop:
        """What stops one reading."""
        return self._compiled.Stop()

    def read(self, source: Source, known: Known, keep: KeepBlock, stop: Stop | None = None) -> Document | str:
        """The document, or the reason for which it is declined. May be called in any thread.

        Of a large document that is declined in the end, blocks may have been kept before.
        """
        if known.gzip is None:
            return "content-encoding"
        pieces = _pieces(source, known.limits)
        if isinstance(pieces, str):
            return pieces
        limits = known.limits
        given = self._compiled.Given(
            wire_bytes=UNBOUNDED if isinstance(source, str) else limits.wire_bytes,
            inflated_bytes=UNBOUNDED if isinstance(source, str) else limits.inflated_bytes,
            ratio=limits.ratio,
            ratio_after=limits.ratio_after,
            encodings=limits.encodings,
            references=known.references,
            charset="decoded" if isinstance(source, str) else "utf-8" if known.utf_8 else "other",
            named_gzip=known.gzip,
            stop=stop,
        )
        answer = self._compiled.read(pieces, given, keep)
        if isinstance(answer, str):
            return answer
        kind, blocks, references = answer
        return Document(known.url, Kind(kind), Outcome.OK, tuple(blocks), _decode_references(references))

    def note(self, answer: Document | str) -> None:
        """Count an answer: in one thread, for all."""
        if isinstance(answer, str):
            self.declines[answer] += 1
        else:
            self.accepted += 1


def _pieces(source: Source, limits: Limits) -> list[bytes] | list[str] | Iterator[bytes | None] | str:
    """What the compiled reader takes, or why it cannot have it."""
    if not isinstance(source, str):
        return source
    if len(source) > limits.inflated_bytes:
        return "too-large"
    if source.isascii():
        return [source]
    if len(source) > MOST_TEXT:
        return "long-text"
    try:
        return [source.encode()]
    except UnicodeEncodeError:  # lone surrogates
        return "characters"


_decode_references = msgspec.msgpack.Decoder(tuple[SitemapRef, ...]).decode
