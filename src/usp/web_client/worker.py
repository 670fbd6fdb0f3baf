"""One thread for calls that block, one after the other, that never holds up the end of the loop.

Laws: the thread is a daemon and belongs to whoever opened it; a call that nobody waits for any more is left to itself,
since a thread cannot be interrupted; what was not begun by then is not begun.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import TypeVar, cast

T = TypeVar("T")

_Outcome = tuple[object, BaseException | None]


class Worker:
    """A thread, begun with the first call; to be used by one event loop, and closed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._busy = 0

    async def call(self, work: Callable[[], T]) -> T:
        """What ``work`` returns, or raises, in the thread; in the caller's context (``contextvars``)."""
        loop = asyncio.get_running_loop()
        settled: asyncio.Future[_Outcome] = loop.create_future()
        context = contextvars.copy_context()

        def settle(outcome: _Outcome) -> None:
            self._busy -= 1
            if not settled.done():
                settled.set_result(outcome)

        def run() -> None:
            outcome: _Outcome = (None, None)
            if not settled.cancelled():
                try:
                    outcome = (context.run(work), None)
                except BaseException as error:  # raised again where it is waited for
                    outcome = (None, error)
            with suppress(RuntimeError):  # nobody waits: the loop is closed
                loop.call_soon_threadsafe(settle, outcome)

        self._busy += 1
        self._begin()
        self._jobs.put(run)
        # As a value: a future takes no StopIteration.
        value, error = await settled
        if error is not None:
            raise error
        return cast("T", value)

    def close(self) -> None:
        """End the thread: at once if it has nothing to do, else when its call is over, without waiting for that."""
        self._jobs.put(None)
        if self._thread is not None and not self._busy:
            self._thread.join()

    def _begin(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
