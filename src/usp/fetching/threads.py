"""Work that blocks, or that needs no interpreter, in a thread of its own beside the loop.

Laws: one thread for each piece of work and none afterwards: a pool would be joined at the end of the loop, and a name
server that does not answer would hold everybody up. Work that may hang runs in a daemon thread and is left to itself;
work that ends soon is told to stop, and waited for, before anybody goes on without it.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def left_to_itself(work: Callable[[], T], name: str) -> T:
    """What ``work`` gives; if nobody waits any more, it may go on as long as it likes."""
    _, outcome = _begin(work, name, daemon=True)
    return await outcome


async def stopped_and_joined(work: Callable[[], T], stop: Callable[[], object], name: str) -> T:
    """What ``work`` gives; if nobody waits any more, ``stop`` makes it end at once."""
    thread, outcome = _begin(work, name, daemon=False)
    try:
        return await outcome
    finally:
        if not outcome.done() or outcome.cancelled():
            stop()
        thread.join()


def _begin(work: Callable[[], T], name: str, *, daemon: bool) -> tuple[threading.Thread, asyncio.Future[T]]:
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if outcome.done():
            return
        if error is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(value)  # type: ignore[arg-type]

    def run() -> None:
        value: T | None = None
        error: BaseException | None = None
        try:
            value = work()
        except BaseException as caught:  # raised again where it is waited for
            error = caught
        with suppress(RuntimeError):  # nobody waits: the loop is closed
            loop.call_soon_threadsafe(settle, value, error)

    thread = threading.Thread(target=run, name=name, daemon=daemon)
    thread.start()
    return thread, outcome
