"""The connections of the fetcher for everybody: kept, bounded, past the guard, nothing leaked."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from tests.unit.fetching.asking import failed, read, run, to_loopback
from tests.unit.fetching.loopback import Say, Then, ok, serving
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.fetching.dialling import KEPT
from usp.messages import Failure, Request, Response
from usp.problems import Outcome

# Connections


def test_a_connection_is_used_again_once_a_body_is_read() -> None:
    async def test() -> None:
        async with serving(ok(b"hi")) as server, AiohttpFetcher().open() as fetch:
            for _ in range(5):
                await read(fetch, server.url())
            assert (len(server.heads), server.connections) == (5, 1)

    run(test)


def test_a_kept_connection_that_the_server_closed_meanwhile_is_replaced_without_a_word() -> None:
    async def test() -> None:
        async with serving(ok(b"hi"), Say(b"", Then.CLOSE), ok(b"again")) as server, AiohttpFetcher().open() as fetch:
            await read(fetch, server.url())
            _, body = await read(fetch, server.url())
            assert body == b"again"
            assert server.connections == 2

    run(test)


def test_leaving_before_the_body_is_read_drops_the_connection() -> None:
    async def test() -> None:
        raw = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nstart"
        async with serving(Say(raw, Then.WAIT), ok(b"next")) as server, AiohttpFetcher().open() as fetch:
            async with fetch(Request(server.url())) as answer:
                assert isinstance(answer, Response)
            await server.gone.wait()
            _, body = await read(fetch, server.url())
            assert body == b"next"
            assert server.connections == 2

    run(test)


def test_the_number_of_connections_is_bounded() -> None:
    async def test() -> None:
        fetcher = AiohttpFetcher(connections=2)
        assert fetcher.at_once == 2
        assert AiohttpFetcher().at_once is None
        async with serving(ok(b"hi")) as server, fetcher.open() as fetch:
            await asyncio.gather(*(read(fetch, server.url(f"/{number}")) for number in range(20)))
            assert len(server.heads) == 20
            assert server.connections <= 2

    run(test)


def test_of_thousands_of_hosts_only_so_many_connections_are_kept() -> None:
    async def test() -> None:
        async with serving(ok(b"hi")) as server, AiohttpFetcher(resolver=to_loopback).open() as fetch:
            for number in range(0, 400, 20):
                hosts = [f"host{number + one}.example" for one in range(20)]
                await asyncio.gather(*(read(fetch, server.url(host=host)) for host in hosts))
            assert server.connections == 400
            assert KEPT <= server.most_open <= KEPT + 40

    run(test)


def test_without_a_bound_all_go_at_once() -> None:
    async def test() -> None:
        async with serving(Say(b"", Then.WAIT)) as server, AiohttpFetcher().open() as fetch:
            tasks = [asyncio.create_task(read(fetch, server.url())) for _ in range(120)]
            while len(server.heads) < 120:
                await asyncio.sleep(0)
            assert server.most_open == 120
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(test)


def test_a_fetcher_can_be_opened_again_in_another_loop_and_at_the_same_time() -> None:
    fetcher = AiohttpFetcher()

    async def test() -> None:
        async with serving(ok(b"hi")) as server, fetcher.open() as one, fetcher.open() as other:
            assert (await read(one, server.url()))[1] == (await read(other, server.url()))[1] == b"hi"
            assert server.connections == 2

    run(test)
    run(test)


# Closing


def test_closing_ends_what_is_under_way_and_leaves_no_thread() -> None:
    before = set(threading.enumerate())

    async def test() -> None:
        async with serving(Say(b"", Then.WAIT)) as server:
            async with AiohttpFetcher().open() as fetch:
                task = asyncio.create_task(read(fetch, server.url()))
                while not server.heads:
                    await asyncio.sleep(0)
            answer, _ = await task
            assert isinstance(answer, Failure)
            await server.gone.wait()

    run(test)
    assert set(threading.enumerate()) <= before


def test_a_name_server_that_never_answers_holds_nobody_up() -> None:
    never = threading.Event()

    def resolver(host: str) -> Sequence[str]:
        never.wait(20)
        return ["127.0.0.1"]

    async def test() -> None:
        async with AiohttpFetcher(resolver=resolver).open() as fetch:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await read(fetch, "http://slow.example/")

    started = asyncio.new_event_loop()
    clock = started.time
    started.close()
    begun = clock()
    run(test)
    assert clock() - begun < 10
    never.set()


@pytest.mark.parametrize("steps", range(0, 60, 3))
def test_cancelling_at_any_moment_leaves_nothing_open(steps: int) -> None:
    async def test() -> None:
        async with (
            serving(Say(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nstart", Then.WAIT)) as server,
            AiohttpFetcher(resolver=lambda host: ["127.0.0.1", "127.0.0.1"]).open() as fetch,
        ):
            task = asyncio.create_task(read(fetch, server.url(host="some.example")))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    run(test)


# The guard


def refuse(host: str, address: str) -> bool:
    return False


def test_every_address_that_is_dialled_is_put_before_the_guard() -> None:
    async def test() -> None:
        asked: list[tuple[str, str]] = []

        def may_dial(host: str, address: str) -> bool:
            asked.append((host, address))
            return True

        async with serving() as server, AiohttpFetcher(resolver=to_loopback).open() as fetch:
            await read(fetch, server.url(host="Some.Example"), may_dial=may_dial)
            await read(fetch, server.url(), may_dial=may_dial)
            await read(fetch, server.url(), may_dial=may_dial)
            assert asked == [("some.example", "127.0.0.1"), ("127.0.0.1", "127.0.0.1")]

    run(test)


@pytest.mark.parametrize("host", ["inner.example", "127.0.0.1", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_a_refused_address_is_never_dialled(host: str) -> None:
    async def test() -> None:
        async with serving() as server, AiohttpFetcher(resolver=to_loopback).open() as fetch:
            failure = await failed(fetch, server.url(host=host), may_dial=refuse)
            assert (failure.outcome, failure.retryable, failure.connected) == (Outcome.REFUSED, False, True)
            assert "no public address" in failure.reason
            assert server.connections == 0

    run(test)


def test_another_address_is_dialled_if_the_guard_refuses_the_first() -> None:
    async def test() -> None:
        fetcher = AiohttpFetcher(resolver=lambda host: ["10.0.0.1", "::1", "127.0.0.1"])
        async with serving(ok(b"hi")) as server, fetcher.open() as fetch:
            _, body = await read(
                fetch, server.url(host="two.example"), may_dial=lambda host, address: address == "127.0.0.1"
            )
            assert body == b"hi"

    run(test)


def test_a_dead_public_address_beside_a_refused_one_is_unreachable() -> None:
    async def test() -> None:
        async with serving() as server:
            url = server.url(host="two.example")
        fetcher = AiohttpFetcher(resolver=lambda host: ["10.0.0.1", "127.0.0.1"])
        async with fetcher.open() as fetch:
            failure = await failed(fetch, url, may_dial=lambda host, address: address == "127.0.0.1")
            assert (failure.outcome, failure.retryable, failure.connected) == (Outcome.UNREACHABLE, True, False)

    run(test)


def test_a_name_that_leads_inside_at_the_second_look_up_is_refused_then() -> None:
    async def test() -> None:
        answers = [["127.0.0.1"], ["127.0.0.2"]]
        close = Say(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", Then.CLOSE)

        def public(host: str, address: str) -> bool:
            return address == "127.0.0.1"

        fetcher = AiohttpFetcher(resolver=lambda host: answers.pop(0))
        async with serving(close) as server:
            for outcome in (Response, Failure):
                async with fetcher.open() as fetch:
                    answer, _ = await read(fetch, server.url(host="rebinding.example"), may_dial=public)
                    assert isinstance(answer, outcome)
            assert server.connections == 1

    run(test)
