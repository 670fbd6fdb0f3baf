"""What is held of bodies until they are read, and whose turn it is to be read.

Laws: all answers together hold no more bytes than their budget, outside of the heap, where pieces of many sizes would
leave holes and the process large for good. One answer at a time is read, as long as there is something to read of it:
the first is done sooner and none later than if all were read at once, and few documents are half read at any moment.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from mmap import mmap

from usp.limits import KIB, PIECE

CHUNK = 256 * KIB
"""Bytes that are taken from the system at a time; small bodies, nearly all there are, go without."""


class Budget:
    """Bytes that all answers together may hold.

    >>> budget = Budget(10)
    >>> budget.take(8), budget.take(8)
    (True, False)
    """

    def __init__(self, size: int) -> None:
        self.left = size

    def take(self, size: int) -> bool:
        """Whether there is room for so many more bytes, which then is taken."""
        if size > self.left:
            return False
        self.left -= size
        return True


class Held:
    """The bytes of one body that are held until they are read."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._first: list[bytes] = []
        self._chunks: list[mmap] = []
        self._size = 0
        self._overflown = False

    def add(self, piece: bytes) -> bool:
        """Whether a piece is held. Once one is not, no later one is: they are read in order."""
        if self._overflown or not self._budget.take(len(piece)):
            self._overflown = True
            return False
        self._size += len(piece)
        if self._size <= PIECE:
            self._first.append(piece)
        else:
            self._write(memoryview(piece))
        return True

    def _write(self, left: memoryview) -> None:
        while left:
            if not self._chunks or self._chunks[-1].tell() == CHUNK:
                self._chunks.append(mmap(-1, CHUNK))
            chunk = self._chunks[-1]
            left = left[chunk.write(left[: CHUNK - chunk.tell()]) :]

    @property
    def size(self) -> int:
        """How many bytes are held."""
        return self._size

    @property
    def whole(self) -> bool:
        """Whether all that came is held."""
        return not self._overflown

    def pieces(self) -> list[bytes]:
        """A copy of what is held."""
        return [*self._first, *(chunk[: chunk.tell()] for chunk in self._chunks)]

    def give(self) -> Iterator[bytes]:
        """What is held, piece by piece, dropped as it is taken."""
        while self._first:
            yield self._first.pop(0)
        while self._chunks:
            with self._chunks.pop(0) as chunk:
                end = chunk.tell()
                for start in range(0, end, PIECE):
                    yield chunk[start : min(start + PIECE, end)]
        self.release()

    def release(self) -> None:
        """Hold nothing any more."""
        self._first.clear()
        while self._chunks:
            self._chunks.pop().close()
        self._budget.left += self._size
        self._size = 0


class Turn:
    """An answer's turn to be read; ``reading`` is locked by the one that has it."""

    def __init__(self, reading: asyncio.Lock) -> None:
        self._reading = reading
        self._mine = False

    async def take(self) -> None:
        """Wait until it is this answer's turn; it may have it already."""
        if not self._mine:
            await self._reading.acquire()
            self._mine = True

    def give_up(self) -> None:
        """Let others have their turn."""
        if self._mine:
            self._mine = False
            self._reading.release()

    async def next_of(self, body: AsyncIterator[bytes]) -> bytes | None:
        """The next piece of the body, None at its end. Whoever has to wait for it gives up the turn."""
        if not self._mine:
            return await anext(body, None)
        following = asyncio.ensure_future(anext(body, None))
        try:
            await asyncio.sleep(0)
            if not following.done():
                self.give_up()
            return await following
        finally:
            if not following.done():
                following.cancel()
                await asyncio.wait((following,))
