"""How every output is written: piece by piece, each of them whole.

Laws: whatever ends the writing (the source raises, Ctrl-C, the disk is full), the writer is closed, and what it has
written until then is whole and can be read. Ctrl-C is heard between two pieces and while the source is waited for; a
second one is heard at once.
"""

import io
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Protocol, Self, TypeVar

from usp.exceptions import InvalidOptionException

Piece = TypeVar("Piece")
Piece_contra = TypeVar("Piece_contra", contravariant=True)


class BinaryFile(Protocol):
    """What an output is written to: a file opened in binary mode, or whatever takes bytes like one."""

    def write(self, written: bytes, /) -> object:
        """Take all these bytes."""

    def flush(self) -> object:
        """Hold none of them back."""


class Writer(Protocol[Piece_contra]):
    """Writes pieces of one kind; after each of them, ``close`` makes a whole of what is written."""

    def write(self, piece: Piece_contra) -> None:
        """Write one piece."""

    def close(self) -> None:
        """Write what ends the output. The file stays open: it is the caller's."""


def deliver(pieces: Iterable[Piece], writer: Writer[Piece]) -> None:
    """Write all pieces, or whole ones until something happens; then it happens."""
    with _Interrupts() as interrupts:
        waiting = iter(pieces)
        try:
            while True:
                with interrupts.heard():
                    piece = next(waiting, None)
                if piece is None:
                    break
                writer.write(piece)
        finally:
            writer.close()


class LinesWriter:
    """Writes lists of lines; what the encoding cannot say is escaped."""

    def __init__(self, file: BinaryFile, encoding: str = "utf-8") -> None:
        check_binary(file)
        self._file = file
        self._encoding = encoding

    def write(self, piece: list[str]) -> None:
        """Write some lines."""
        if piece:
            put(self._file, ("\n".join(piece) + "\n").encode(self._encoding, "backslashreplace"))

    def close(self) -> None:
        """Lines end with themselves."""


def check_binary(file: object) -> None:
    """Raise for what bytes cannot be written to."""
    if isinstance(file, io.TextIOBase) or not callable(getattr(file, "write", None)):
        raise InvalidOptionException("an output is written to a binary file object: open the file in binary mode")


def put(file: BinaryFile, written: bytes) -> None:
    """Write, and let go of it: the reader of a pipe wants pages as they are found."""
    if written:
        file.write(written)
        file.flush()


class _Interrupts:
    """Holds Ctrl-C back until it is heard. Does nothing where a program has a handler of its own, or in a thread."""

    def __init__(self) -> None:
        self._arrived = False
        self._ours = False

    def __enter__(self) -> Self:
        in_main_thread = threading.current_thread() is threading.main_thread()
        self._ours = in_main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        self._hold_back()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hear()
        if self._arrived and kind is None:
            raise KeyboardInterrupt

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Ctrl-C raises here, also one that was held back before."""
        self._hear()
        if self._arrived:
            raise KeyboardInterrupt
        try:
            yield
        finally:
            self._hold_back()

    def _hear(self) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _hold_back(self) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, self._remember)

    def _remember(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as handlers are called
        if self._arrived:
            raise KeyboardInterrupt
        self._arrived = True
