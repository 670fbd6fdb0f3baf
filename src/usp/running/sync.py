"""The synchronous face: the same engine, run to its end or step by step in the caller's thread.

Laws: callbacks, events and promised clients run where the caller is. Where an event loop runs there already
(Jupyter), the call uses one thread of its own and joins it. Nothing outlives the call. While the consumer of a stream
does something else, time stands still: no server is blamed for a wait that is the consumer's.
"""

import asyncio
import contextvars
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

from usp.crawl.places import Place
from usp.objects.sitemap import IndexWebsiteSitemap
from usp.running.assignment import Assignment
from usp.running.call_thread import CallThread
from usp.running.interrupts import interruptible
from usp.running.stream import PageSource, StreamedPage

Result = TypeVar("Result")

LONGEST_SILENCE = 1.0
"""Seconds after which a stream looks after the requests under way while its consumer is busy with one sitemap's pages:
servers drop a connection that takes nothing."""


class Loop:
    """An event loop of the call's own, whose clock goes only while it runs.

    It runs in the caller's thread if no other loop runs there, else in one more thread.
    """

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=self._new_loop)
        self._context = contextvars.copy_context()
        self._thread = CallThread("usp-loop")
        self._task: asyncio.Task[Any] | None = None
        self._interrupted = False
        self._ran_until = time.monotonic()
        self._stood_still = 0.0

    def run(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Run a coroutine to its end."""
        self._stood_still += self.stands_still_for()
        self._interrupted = False
        try:
            if not a_loop_is_running():
                return self._run(work)
            with interruptible():
                return self._thread.run(lambda: self._run(work), self._cancel)
        finally:
            self._ran_until = time.monotonic()

    def stands_still_for(self) -> float:
        """Seconds since the loop ran."""
        return time.monotonic() - self._ran_until

    def close(self) -> None:
        """End the loop, and the thread."""
        try:
            if a_loop_is_running():
                self._thread.run(self._runner.close, cancel=_nothing)
            else:
                self._runner.close()
        finally:
            self._thread.close()

    def _new_loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        loop.time = lambda: time.monotonic() - self._stood_still  # type: ignore[method-assign]
        return loop

    def _run(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        async def run_here() -> Result:
            self._task = asyncio.current_task()
            if self._interrupted:
                raise asyncio.CancelledError
            return await work()

        try:
            return self._runner.run(run_here(), context=self._context)
        except BaseException:
            self._end_tasks()
            raise
        finally:
            self._task = None

    def _end_tasks(self) -> None:
        """End what Ctrl-C, or ``sys.exit`` in the caller's code, left as it was when it broke out of the loop."""
        loop = self._runner.get_loop()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.call_soon(loop.stop)
        loop.run_forever()  # the queue may hold a stop already, which would end the next run too early
        if tasks:
            self._runner.run(_end_of(tasks))

    def _cancel(self) -> None:
        """End what runs in the thread, also if it was only about to begin."""
        self._interrupted = True
        if (task := self._task) is not None:
            task.get_loop().call_soon_threadsafe(task.cancel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class PageStream:
    """An iterator of ``StreamedPage``; close it, or use it as a context manager, to leave early."""

    def __init__(self, assignment: Assignment) -> None:
        self._source = PageSource(assignment)
        self._pages = _all_pages(self._source)  # which must not know us: a stream that is forgotten ends at once

    @property
    def tree(self) -> IndexWebsiteSitemap:
        """The tree of all that was streamed, with its attempts; asked for before the end, it ends the stream."""
        return self._source.tree

    def __iter__(self) -> Iterator[StreamedPage]:
        return self._pages  # not self: a loop then needs no call of Python's for each page

    def __next__(self) -> StreamedPage:
        return next(self._pages)

    def close(self) -> None:
        """Leave the stream: cancel what is under way, close the connections."""
        self._pages.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _all_pages(source: PageSource) -> Generator[StreamedPage, None, None]:
    with Loop() as loop:
        sitemaps = source.runner.sitemaps()
        try:
            while places := loop.run(lambda: _next_of(sitemaps)):
                for page in source.pages(places):
                    yield page
                    if loop.stands_still_for() > LONGEST_SILENCE:
                        loop.run(_let_requests_go_on)
        finally:
            loop.run(lambda: _close(sitemaps))


async def _next_of(sitemaps: AsyncGenerator[list[Place], None]) -> list[Place]:
    """The next sitemaps; none at the end."""
    return await anext(sitemaps, [])


async def _close(sitemaps: AsyncGenerator[list[Place], None]) -> None:
    await sitemaps.aclose()


async def _end_of(tasks: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


def _nothing() -> None:
    """A loop that ends needs no cancelling."""


async def _let_requests_go_on() -> None:
    await asyncio.sleep(0)


def a_loop_is_running() -> bool:
    """Whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
