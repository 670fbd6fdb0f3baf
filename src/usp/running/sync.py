"""The synchronous face: the same engine, run to its end or step by step in the caller's thread.

Laws: callbacks, events and promised clients run where the caller is. Where an event loop runs there already
(Jupyter), the call uses one thread of its own and joins it. Nothing outlives the call.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self, TypeVar

from usp.crawl.places import Place
from usp.objects.sitemap import IndexWebsiteSitemap
from usp.running.assignment import Assignment
from usp.running.stream import PageSource, StreamedPage

Result = TypeVar("Result")


class Loop:
    """An event loop of the call's own: in the caller's thread if that has none running, else in one more thread."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="usp-loop") if _a_loop_is_running() else None

    def run(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Run a coroutine to its end."""
        if self._thread is None:
            return self._runner.run(work())
        running: list[asyncio.Task[Result]] = []

        async def run_here() -> Result:
            running.append(asyncio.ensure_future(work()))
            return await running[0]

        result = self._thread.submit(lambda: self._runner.run(run_here()))
        try:
            return result.result()
        except BaseException:  # Ctrl-C reaches the caller's thread only
            if running and not result.done():
                self._runner.get_loop().call_soon_threadsafe(running[0].cancel)
            raise

    def close(self) -> None:
        """End the loop, and the thread."""
        if self._thread is None:
            self._runner.close()
        else:
            self._thread.submit(self._runner.close).result()
            self._thread.shutdown()

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
        self._pages = self._all_pages()

    @property
    def tree(self) -> IndexWebsiteSitemap:
        """The tree of all that was streamed, with its attempts; asked for before the end, it ends the stream."""
        return self._source.tree

    def _all_pages(self) -> Generator[StreamedPage, None, None]:
        with Loop() as loop:
            sitemaps = self._source.runner.sitemaps()
            try:
                while places := loop.run(lambda: _next_of(sitemaps)):
                    yield from self._source.pages(places)
            finally:
                loop.run(lambda: _close(sitemaps))

    def __iter__(self) -> Self:
        return self

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


async def _next_of(sitemaps: AsyncGenerator[list[Place], None]) -> list[Place]:
    """The next sitemaps; none at the end."""
    return await anext(sitemaps, [])


async def _close(sitemaps: AsyncGenerator[list[Place], None]) -> None:
    await sitemaps.aclose()


def _a_loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
