"""Bodies that are here whole go to the compiled reader first: small ones at once, others in threads beside the loop."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from usp.fetching.exchange import Exchange
from usp.fetching.holding import CHUNK
from usp.fetching.threads import left_to_itself, stopped_and_joined
from usp.limits import PIECE, Limits
from usp.messages import Answered, Document, Kind, Request, Response
from usp.problems import Outcome

URL = "https://example.com/sitemap.xml"
LARGE = 3 * PIECE
Work = Callable[[list[bytes], threading.Event], bool]


class NativeFirst:
    """A reader whose compiled one does what a test wants."""

    done = False
    has_native = True

    def __init__(self, work: Work) -> None:
        self._work = work
        self._stop = threading.Event()
        self.asked: list[bytes] = []
        self.thread: threading.Thread | None = None
        self.fed: list[bytes] = []

    def ask_native(self, source: list[bytes]) -> bool:
        self.asked = source
        self.thread = threading.current_thread()
        return self._work(source, self._stop)

    def stop_native(self) -> None:
        self._stop.set()

    def steps(self, wire: bytes) -> Iterator[None]:
        self.fed.append(wire)
        yield

    def cut_short(self, code: str, detail: str) -> None:
        """It does not matter here."""

    def close(self) -> Document:
        return Document(URL, Kind.URLSET, Outcome.OK)


def accepts(source: list[bytes], stop: threading.Event) -> bool:
    return True


def declines(source: list[bytes], stop: threading.Event) -> bool:
    return False


def reads_until_stopped(source: list[bytes], stop: threading.Event) -> bool:
    assert stop.wait(60)
    return False


def exchange_with(*readers: NativeFirst, size: int, limits: Limits | None = None) -> Exchange:
    left = list(readers)

    @asynccontextmanager
    async def fetch(request: Request) -> AsyncIterator[Response]:
        async def body() -> AsyncIterator[bytes]:
            for start in range(0, size, 10_000):
                yield b"x" * min(10_000, size - start)

        yield Response(request.url, 200, {}, body())

    return Exchange(
        fetch,
        lambda response: left.pop(0),
        limits or Limits(),
        guard=None,
        now=lambda: datetime(2024, 1, 1, tzinfo=UTC),
    )


def answered(*readers: NativeFirst, size: int, limits: Limits | None = None) -> list[Answered]:
    async def ask() -> list[Answered]:
        exchange = exchange_with(*readers, size=size, limits=limits)
        return await asyncio.gather(*(exchange.answer(Request(f"{URL}?{number}")) for number in range(len(readers))))

    return asyncio.run(ask())


@pytest.mark.parametrize("size", [0, 1, PIECE, PIECE + 1, CHUNK - 1, CHUNK + PIECE, 3 * CHUNK + 5])
def test_it_is_given_the_whole_body(size: int) -> None:
    reader = NativeFirst(accepts)
    answered(reader, size=size)
    assert b"".join(reader.asked) == b"x" * size
    assert reader.fed == []


@pytest.mark.parametrize("size", [1, PIECE, LARGE])
def test_what_it_declines_is_fed_whole(size: int) -> None:
    reader = NativeFirst(declines)
    answered(reader, size=size)
    assert b"".join(reader.fed) == b"x" * size


def test_small_bodies_are_read_where_they_are_and_others_aside() -> None:
    small, large = NativeFirst(accepts), NativeFirst(accepts)
    answered(small, size=PIECE)
    answered(large, size=PIECE + 1)
    assert small.thread is threading.main_thread()
    assert large.thread is not None
    assert large.thread is not threading.main_thread()
    assert not large.thread.is_alive()


def test_a_body_that_is_not_held_whole_is_none_of_its_business() -> None:
    reader = NativeFirst(accepts)
    answered(reader, size=LARGE, limits=Limits(in_flight_bytes=PIECE))
    assert reader.asked == []
    assert b"".join(reader.fed) == b"x" * LARGE


def test_a_reader_without_it_is_fed() -> None:
    reader = NativeFirst(accepts)
    reader.has_native = False
    answered(reader, size=LARGE)
    assert reader.asked == []
    assert b"".join(reader.fed) == b"x" * LARGE


def test_several_are_read_at_once_as_many_as_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    both = threading.Barrier(2)
    running: list[int] = []

    def meets_another(source: list[bytes], stop: threading.Event) -> bool:
        running.append(1)
        assert len(running) <= 2
        both.wait(60)
        running.pop()
        return True

    readers = [NativeFirst(meets_another) for _ in range(4)]
    assert len(answered(*readers, size=LARGE)) == 4
    assert all(reader.asked for reader in readers)


def test_the_loop_goes_on_while_it_reads() -> None:
    gone_on = threading.Event()
    seen: list[bool] = []

    def waits_for_the_loop(source: list[bytes], stop: threading.Event) -> bool:
        seen.append(gone_on.wait(60))
        return True

    reader = NativeFirst(waits_for_the_loop)

    async def go() -> None:
        answer = asyncio.create_task(exchange_with(reader, size=LARGE).answer(Request(URL)))
        while reader.thread is None:
            await asyncio.sleep(0.001)
        gone_on.set()
        await answer

    asyncio.run(go())
    assert seen == [True]


def test_who_goes_on_without_it_stops_it_and_leaves_no_thread() -> None:
    reader = NativeFirst(reads_until_stopped)

    async def give_up() -> None:
        exchange = exchange_with(reader, size=LARGE)
        answer = asyncio.create_task(exchange.answer(Request(URL)))
        while reader.thread is None:
            await asyncio.sleep(0.001)
        answer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answer
        assert not reader.thread.is_alive()

    asyncio.run(give_up())


def test_what_is_raised_there_is_raised_here() -> None:
    def fails(source: list[bytes], stop: threading.Event) -> bool:
        raise MemoryError("full")

    with pytest.raises(MemoryError, match="full"):
        answered(NativeFirst(fails), size=LARGE)


class TestThreads:
    def test_work_left_to_itself_is_not_waited_for(self) -> None:
        go_on = threading.Event()

        async def give_up() -> None:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await left_to_itself(lambda: go_on.wait(60), "test-left")

        asyncio.run(give_up())
        (thread,) = (thread for thread in threading.enumerate() if thread.name == "test-left")
        assert thread.daemon
        go_on.set()
        thread.join(60)

    def test_work_is_not_told_to_stop_when_it_is_done(self) -> None:
        stopped = threading.Event()
        assert asyncio.run(stopped_and_joined(lambda: 5, stopped.set, "test-done")) == 5
        assert not stopped.is_set()
