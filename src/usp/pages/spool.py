"""Where the blocks of a crawl are kept: in memory while they are few, else compressed in one temporary file.

Laws: the file has no name that could outlive us (``tempfile.TemporaryFile``: even a killed process leaves nothing), and
it lives exactly as long as a block that needs it; ``weakref.finalize`` closes it, at interpreter exit too. A block is
readable from any thread and after a fork, wherever it is kept, and pickles as its bytes. A full disk loses no page:
what cannot be written stays in memory.
"""

import logging
import os
import tempfile
import threading
import weakref
from collections import deque
from typing import NamedTuple

from usp.limits import MIB
from usp.rows import MemoryBlock

logger = logging.getLogger(__name__)

THRESHOLD = 8 * MIB
LEVEL = 3
"""A block of 97 KB becomes 20 KB in 0.3 ms; level 1 gives 22 KB a little faster, level 5 no less at thrice the time."""


class Spool:
    """Keeps blocks: ``spool.keep`` is a ``KeepBlock``; give the same spool to all documents of a crawl.

    Once the blocks in memory that somebody still holds are larger than ``threshold`` bytes together, they and all later
    ones move to the file.

    >>> from usp.rows import pack, unpack
    >>> block = Spool(threshold=0).keep(pack([("https://example.com/",)]), 1)
    >>> unpack(block.packed())[0].url
    'https://example.com/'
    """

    def __init__(self, threshold: int = THRESHOLD) -> None:
        self._threshold = threshold
        self._lock = threading.Lock()
        self._in_memory: dict[weakref.ref[SpoolBlock], int] = {}
        self._bytes_in_memory = 0
        # References whose block died wait here: such a moment can come anywhere, in a thread that holds the lock too.
        self._gone: deque[weakref.ref[SpoolBlock]] = deque()
        self._file: weakref.ref[_SpoolFile] | None = None
        self._file_refused = False

    def keep(self, packed: bytes, rows: int) -> "SpoolBlock":
        """Keep a packed block of so many rows."""
        block = SpoolBlock(packed, rows)
        if self._file_refused:
            return block
        with self._lock:
            file = self._file_of_this_process()
            moving = [block] if file else self._hold(block, len(packed))
            if moving and not file:
                file = self._new_file()
        if file:
            self._move(moving, file)
        return block

    def _hold(self, block: "SpoolBlock", size: int) -> "list[SpoolBlock]":
        """Count a block in memory; gives the blocks that have to move now, if any."""
        while self._gone:
            self._bytes_in_memory -= self._in_memory.pop(self._gone.popleft(), 0)
        self._in_memory[weakref.ref(block, self._gone.append)] = size
        self._bytes_in_memory += size
        if self._bytes_in_memory <= self._threshold:
            return []
        moving = [held for held in (reference() for reference in self._in_memory) if held]
        self._in_memory.clear()
        self._bytes_in_memory = 0
        return moving

    def _file_of_this_process(self) -> "_SpoolFile | None":
        """The file to write to: not one that all blocks have left, nor a parent's, which both would write over."""
        file = self._file() if self._file else None
        return file if file and file.process == os.getpid() else None

    def _new_file(self) -> "_SpoolFile | None":
        try:
            file = _SpoolFile()
        except OSError as error:
            self._refuse_file(error)
            return None
        self._file = weakref.ref(file)
        return file

    def _move(self, blocks: "list[SpoolBlock]", file: "_SpoolFile") -> None:
        try:
            for block in blocks:
                block.move(file)
        except OSError as error:
            self._refuse_file(error)

    def _refuse_file(self, error: OSError) -> None:
        if not self._file_refused:
            self._file_refused = True
            logger.warning("Pages stay in memory, since they cannot be written to a temporary file: %s", error)


class SpoolBlock:
    """A block of a spool, in memory or in its file."""

    __slots__ = ("__weakref__", "_kept", "rows")

    def __init__(self, packed: bytes, rows: int) -> None:
        self._kept: bytes | _Place = packed
        self.rows = rows

    def packed(self) -> bytes:
        """The bytes of the block, read again each time where they are in the file."""
        kept = self._kept
        return kept if isinstance(kept, bytes) else kept.read()

    def move(self, file: "_SpoolFile") -> None:
        """Move to the file; readers in other threads have the one place or the other."""
        from usp.decoding.zstandard import zstd

        if isinstance(self._kept, bytes):
            self._kept = file.append(zstd.compress(self._kept, LEVEL))

    def __copy__(self) -> "SpoolBlock":
        return self

    def __deepcopy__(self, memo: object) -> "SpoolBlock":
        return self  # nothing in it ever changes: a copied tree shares the file

    def __reduce__(self) -> tuple[type[MemoryBlock], tuple[bytes, int]]:
        return MemoryBlock, (self.packed(), self.rows)


class _Place(NamedTuple):
    """Where a block stands in the file; what holds a place keeps the file."""

    file: "_SpoolFile"
    start: int
    size: int

    def read(self) -> bytes:
        from usp.decoding.zstandard import zstd

        return zstd.decompress(self.file.read(self.start, self.size))


class _SpoolFile:
    """The temporary file: written at its end, read anywhere."""

    __slots__ = ("__weakref__", "_end", "_file", "_lock", "process")

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="usp-", buffering=0)  # noqa: SIM115 - lives as long as its blocks
        self._lock = threading.Lock()
        self._end = 0
        self.process = os.getpid()
        weakref.finalize(self, self._file.close)

    def append(self, written: bytes) -> _Place:
        with self._lock:
            self._file.seek(self._end)
            left = memoryview(written)
            while left:  # an unbuffered file may take a part only, just before the disk is full
                left = left[self._file.write(left) :]
            place = _Place(self, self._end, len(written))
            self._end += len(written)
        return place

    def read(self, start: int, size: int) -> bytes:
        if hasattr(os, "pread"):  # needs no lock: it neither uses nor moves the position that threads and forks share
            found = os.pread(self._file.fileno(), size, start)
        else:
            with self._lock:
                self._file.seek(start)
                found = self._file.read(size)
        if len(found) != size:
            raise OSError(f"the temporary file of pages ended at {start + len(found)}, within a block")
        return found
