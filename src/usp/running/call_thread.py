"""One thread for a call that cannot run where it is made, because an event loop runs there.

Laws: Ctrl-C reaches the main thread only, and at any moment; whenever it comes, what was begun is cancelled and waited
for. That is why there is no pool of threads here: its locks do not survive an exception in their midst.
"""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

from usp.running.interrupts import uninterrupted

Result = TypeVar("Result")


class _Outcome(Generic[Result]):
    """What came of some work: what it gave, or what it raised."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._error: BaseException | None = None
        try:
            self._given = work()
        except BaseException as error:  # raised again where it is waited for
            self._error = error

    def take(self) -> Result:
        error, self._error = self._error, None
        if error is None:
            return self._given
        try:
            raise error
        finally:
            del error  # whose traceback knows this frame


class CallThread:
    """A thread that does one thing after the other while its caller waits; begun with the first, ended by ``close``."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)

    def run(self, work: Callable[[], Result], cancel: Callable[[], object]) -> Result:
        """What ``work`` gives or raises; if the caller is interrupted, ``cancel`` must see to it that it ends soon."""
        if self._thread.ident is None:
            with uninterrupted():  # neither would this survive an exception in its midst
                self._thread.start()
        outcomes: SimpleQueue[_Outcome[Result]] = SimpleQueue()
        try:
            self._jobs.put(lambda: outcomes.put(_Outcome(work)))
            outcome = outcomes.get()
        except BaseException:
            cancel()
            self._wait_until_idle()
            raise
        return outcome.take()

    def close(self) -> None:
        """End the thread, if it was begun."""
        if self._thread.ident is not None:
            self._jobs.put(None)
            self._thread.join()

    def _wait_until_idle(self) -> None:
        idle: SimpleQueue[None] = SimpleQueue()
        self._jobs.put(lambda: idle.put(None))
        idle.get()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
