"""What the fetcher for everybody makes of answers, whole and broken."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.unit.fetching.asking import failed, read, run
from tests.unit.fetching.loopback import Say, Then, ok, serving
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.fetching.fetcher import Interrupted
from usp.messages import Request, Response
from usp.problems import Outcome

# What comes back


def test_a_response_has_plain_headers_and_the_bytes_of_the_wire() -> None:
    async def test() -> None:
        raw = b"\x1f\x8bnot really gzip"
        answer = ok(
            raw, "Content-Encoding: gzip", "Vary: a", "VARY: b", "Set-Cookie: a=1", "Set-Cookie: b=2", "X-Name: ö"
        )
        async with serving(answer) as server, AiohttpFetcher().open() as fetch:
            response, body = await read(fetch, server.url())
            assert isinstance(response, Response)
            assert (response.status, response.phrase, body) == (200, "OK", raw)
            assert response.headers["content-encoding"] == "gzip"
            assert response.headers["vary"] == "a, b"
            assert response.headers["set-cookie"] == "a=1\nb=2"

    run(test)


def test_bytes_of_a_location_that_are_not_utf8_go_out_as_they_came_in() -> None:
    async def test() -> None:
        async with (
            serving(ok(b"", "Location: /caf\xe9", "X-Name: caf\xe9")) as server,
            AiohttpFetcher().open() as fetch,
        ):
            response, _ = await read(fetch, server.url())
            assert isinstance(response, Response)
            assert response.headers["location"] == "/caf%E9"
            assert response.headers["x-name"] == "café"

    run(test)


@pytest.mark.parametrize("status", ["301 Moved", "302", "404 Not Found", "500 Oops", "299 Odd", "999 Request denied"])
def test_every_status_is_an_answer_and_no_redirect_is_followed(status: str) -> None:
    async def test() -> None:
        raw = f"HTTP/1.1 {status}\r\nLocation: /other\r\nContent-Length: 2\r\n\r\nhi".encode()
        async with serving(Say(raw)) as server, AiohttpFetcher().open() as fetch:
            response, body = await read(fetch, server.url())
            assert isinstance(response, Response)
            assert f"{response.status} {response.phrase}".strip() == status
            assert body == b"hi"
            assert len(server.heads) == 1

    run(test)


@pytest.mark.parametrize(
    ("raw", "then", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n1;x=y\r\n!\r\n0\r\n\r\n", Then.KEEP, b"hi!"),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", Then.CLOSE, b"until the end"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", Then.CLOSE, b"hi"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", Then.KEEP, b""),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", Then.KEEP, b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", Then.KEEP, b""),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", Then.KEEP, b"hi"),
        (b"HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", Then.CLOSE, b"hi"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and more", Then.CLOSE, b"hi"),
    ],
)
def test_a_body_ends_where_its_framing_says(raw: bytes, then: Then, body: bytes) -> None:
    async def test() -> None:
        async with serving(Say(raw, then)) as server, AiohttpFetcher().open() as fetch:
            response, read_body = await read(fetch, server.url())
            assert isinstance(response, Response), response
            assert read_body == body

    run(test)


def test_a_large_body_comes_in_pieces_and_no_faster_than_it_is_read() -> None:
    async def test() -> None:
        body = bytes(8 * 2**20)
        async with (
            serving(ok(body)) as server,
            AiohttpFetcher().open() as fetch,
            fetch(Request(server.url())) as answer,
        ):
            assert isinstance(answer, Response)
            sizes = []
            async for piece in answer.body:
                sizes.append(len(piece))
                await asyncio.sleep(0)
            assert sum(sizes) == len(body)
            assert max(sizes) <= 2**20

    run(test)


# What breaks


def test_nobody_listening_can_be_tried_again() -> None:
    async def test() -> None:
        async with serving() as server:
            url = server.url()
        async with AiohttpFetcher().open() as fetch:
            failure = await failed(fetch, url)
            assert (failure.outcome, failure.retryable, failure.connected) == (Outcome.UNREACHABLE, True, False)
            assert "refused" in failure.reason

    run(test)


@pytest.mark.parametrize("fault", [OSError("no such name"), UnicodeError("label too long"), RuntimeError("broken")])
def test_a_name_that_cannot_be_resolved_is_not_tried_again(fault: Exception) -> None:
    def resolver(host: str) -> Sequence[str]:
        raise fault

    async def test() -> None:
        async with AiohttpFetcher(resolver=resolver).open() as fetch:
            failure = await failed(fetch, "http://nowhere.example/")
            assert (failure.outcome, failure.retryable, failure.connected) == (Outcome.UNREACHABLE, False, False)
            assert "nowhere.example" in failure.reason
            assert str(fault) in failure.reason

    run(test)


@pytest.mark.parametrize("addresses", [[], ["not an address"], [""]])
def test_a_resolver_that_gives_no_address_is_a_failure(addresses: list[str]) -> None:
    async def test() -> None:
        async with AiohttpFetcher(resolver=lambda host: addresses).open() as fetch:
            failure = await failed(fetch, "http://nowhere.example/")
            assert (failure.retryable, failure.connected) == (False, False)

    run(test)


@pytest.mark.parametrize("raw", [b"", b"HTTP/1.1 200 OK\r\nContent-", b"HTTP/1.1 200 OK\r\n"])
@pytest.mark.parametrize("then", [Then.CLOSE, Then.RESET])
def test_a_connection_that_breaks_before_the_head_is_complete_can_be_tried_again(raw: bytes, then: Then) -> None:
    async def test() -> None:
        async with serving(Say(raw, then)) as server, AiohttpFetcher().open() as fetch:
            failure = await failed(fetch, server.url())
            assert (failure.outcome, failure.retryable, failure.connected) == (Outcome.UNREACHABLE, True, True)
            assert len(server.heads) == 1, "a fetcher retries nothing"

    run(test)


@pytest.mark.parametrize(
    "raw",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"<html>no head</html>\r\n\r\n",
        b"HTTP/9.9 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 " + b"a" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 10_000,
        b"HTTP/1.1 200 OK\r\n" + (b"X: " + b"a" * 60_000 + b"\r\n") * 20 + b"\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 50_000,
        b"\r\n" * 500_000,
    ],
)
def test_an_answer_that_is_not_http_is_broken(raw: bytes) -> None:
    async def test() -> None:
        async with serving(Say(raw, Then.WAIT)) as server, AiohttpFetcher().open() as fetch:
            failure = await failed(fetch, server.url())
            assert (failure.outcome, failure.connected) == (Outcome.BROKEN, True)
            assert len(failure.reason) < 300

    run(test)


@pytest.mark.parametrize(
    ("framing", "rest"),
    [
        (b"Content-Length: 100", b""),
        (b"Transfer-Encoding: chunked", b""),
        (b"Transfer-Encoding: chunked", b"\r\nnonsense\r\n"),
    ],
)
@pytest.mark.parametrize("then", [Then.CLOSE, Then.RESET])
def test_a_body_that_breaks_off_gives_what_it_had_and_then_is_interrupted(
    framing: bytes, rest: bytes, then: Then
) -> None:
    async def test() -> None:
        heard = asyncio.Event()
        start = b"5\r\nhello" if b"chunked" in framing else b"hello"
        raw = b"HTTP/1.1 200 OK\r\n" + framing + b"\r\n\r\n" + start
        async with (
            serving(Say(raw, then, heard)) as server,
            AiohttpFetcher().open() as fetch,
            fetch(Request(server.url())) as answer,
        ):
            assert isinstance(answer, Response)
            got = [await anext(answer.body)]
            if rest:
                server.writers[0].write(rest)
            heard.set()
            with pytest.raises(Interrupted) as interrupted:
                got.extend([piece async for piece in answer.body])
            assert b"".join(got) == b"hello"
            assert str(interrupted.value).endswith(".")
            assert "Error" not in str(interrupted.value)

    run(test)


def test_what_arrived_before_a_body_broke_off_is_given_even_if_it_is_read_later() -> None:
    async def test() -> None:
        raw = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"
        async with (
            serving(Say(raw, Then.CLOSE)) as server,
            AiohttpFetcher().open() as fetch,
            fetch(Request(server.url())) as answer,
        ):
            assert isinstance(answer, Response)
            await server.gone.wait()
            for _ in range(10):
                await asyncio.sleep(0)
            assert await anext(answer.body) == b"hello"
            with pytest.raises(Interrupted):
                await anext(answer.body)

    run(test)


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense\r\n",
        b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\r\nhello!\r\n",
    ],
)
def test_broken_chunks_right_behind_the_head_cost_neither_the_head_nor_what_came_before(raw: bytes) -> None:
    async def test() -> None:
        async with (
            serving(Say(raw, Then.WAIT)) as server,
            AiohttpFetcher().open() as fetch,
            fetch(Request(server.url())) as answer,
        ):
            assert isinstance(answer, Response), answer
            assert await anext(answer.body) == b"hello"
            with pytest.raises(Interrupted, match="chunks are broken"):
                await anext(answer.body)

    run(test)


def test_a_body_without_a_length_that_is_reset_is_interrupted() -> None:
    async def test() -> None:
        heard = asyncio.Event()
        async with (
            serving(Say(b"HTTP/1.1 200 OK\r\n\r\nhello", Then.RESET, heard)) as server,
            AiohttpFetcher().open() as fetch,
            fetch(Request(server.url())) as answer,
        ):
            assert isinstance(answer, Response)
            assert await anext(answer.body) == b"hello"
            heard.set()
            with pytest.raises(Interrupted, match="connection was lost"):
                await anext(answer.body)

    run(test)


def test_junk_behind_an_answer_costs_its_connection_only() -> None:
    async def test() -> None:
        longer = Say(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and more", Then.KEEP)
        async with serving(longer, ok(b"next")) as server, AiohttpFetcher().open() as fetch:
            assert (await read(fetch, server.url()))[1] == b"hi"
            assert (await read(fetch, server.url()))[1] == b"next"
            assert server.connections == 2

    run(test)
