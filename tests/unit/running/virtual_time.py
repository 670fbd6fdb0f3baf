"""An event loop whose time is made of waits: where all wait, the clock jumps to the end of the shortest wait.

What takes an hour takes no time, and how long something took is exact.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class VirtualTime(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        super().__init__(_Jump(self))
        self.now = 0.0

    def time(self) -> float:
        return self.now


class _Jump(selectors.DefaultSelector):
    """Passes the time that the loop would wait for."""

    def __init__(self, loop: VirtualTime) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(10)  # a thread will speak up, or the test hangs for good
        ready = super().select(0)
        if not ready:
            self._loop.now += timeout
        return ready


def run(work: Coroutine[Any, Any, Result]) -> tuple[Result, float]:
    """What a coroutine gives, and the seconds that it thought to take."""
    with asyncio.Runner(loop_factory=VirtualTime) as runner:
        began = runner.get_loop().time()
        result = runner.run(work)
        return result, runner.get_loop().time() - began


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
