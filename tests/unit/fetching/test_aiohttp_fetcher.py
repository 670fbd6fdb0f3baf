"""The fetcher for everybody, against real servers on loopback: one hop, as written, past the guard, nothing leaked."""

import asyncio
import gc
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.unit.fetching.loopback import Say, Then, ok, serving
from usp.exceptions import InvalidOptionException
from usp.fetching.aiohttp_fetcher import USER_AGENT, AiohttpFetcher
from usp.fetching.fetcher import Fetch, Interrupted
from usp.messages import Failure, Request, Response
from usp.problems import Outcome

BASIC = "Basic bWU6c2VjcmV0"  # me:secret


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees the proxies and passwords of the machine that it runs on."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "netrc"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))


def to_loopback(host: str) -> Sequence[str]:
    return ["127.0.0.1"]


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test in a loop of its own; what it leaves open becomes a warning, and that an error."""

    async def whole() -> None:
        async with asyncio.timeout(30):
            await test()

    asyncio.run(whole())
    gc.collect()


async def read(fetch: Fetch, url: str, **options: Any) -> tuple[Response | Failure, bytes]:
    """The answer to one request, and its body."""
    async with fetch(Request(url, **options)) as answer:
        if isinstance(answer, Failure):
            return answer, b""
        return answer, b"".join([piece async for piece in answer.body])


async def failed(fetch: Fetch, url: str, **options: Any) -> Failure:
    answer, _ = await read(fetch, url, **options)
    assert isinstance(answer, Failure), answer
    assert answer.url == url
    assert answer.reason.endswith(".")
    for word in ("Error", "Errno", "Exception", "Client"):
        assert word not in answer.reason
    return answer


# What is asked


@pytest.mark.parametrize(
    "written",
    [
        "/%2e%2E/a%2fb%2F/./../c?x=%zz&y=+%20&&z=a%C3%BC",
        "//double//slash;p=1?a?b",
        "/!$&'()*+,;=:@-._~|^`{}\"<>[]",
        "/?",
        "/%",
    ],
)
def test_a_url_arrives_as_written(written: str) -> None:
    async def test() -> None:
        async with serving() as server, AiohttpFetcher().open() as fetch:
            answer, _ = await read(fetch, server.url(written))
            assert isinstance(answer, Response)
            assert answer.url == server.url(written)
            assert server.targets == [written.removesuffix("?")]  # yarl drops the mark of an empty query

    run(test)


def test_only_what_cannot_be_sent_is_escaped_and_the_fragment_stays_here() -> None:
    async def test() -> None:
        async with serving() as server, AiohttpFetcher().open() as fetch:
            for path in ("/ü b\t%2f?ä=\r\n€#top", "?only=query", "#only", "", "/\udce9\ud800"):
                await read(fetch, server.url(path))
            assert server.targets == [
                "/%C3%BC%20b%09%2f?%C3%A4=%0D%0A%E2%82%AC",
                "/?only=query",
                "/",
                "/",
                "/%ED%B3%A9%ED%A0%80",
            ]

    run(test)


def test_a_url_of_a_megabyte_arrives() -> None:
    async def test() -> None:
        async with serving() as server, AiohttpFetcher().open() as fetch:
            path = "/" + "a" * 1_000_000
            answer, _ = await read(fetch, server.url(path))
            assert isinstance(answer, Response)
            assert server.targets == [path]

    run(test)


@pytest.mark.parametrize(
    ("host", "looked_up"),
    [
        ("bücher.example", "xn--bcher-kva.example"),
        ("STRASSE.example", "strasse.example"),
        ("straße.example", "xn--strae-oqa.example"),
        ("b%C3%BCcher.example", "xn--bcher-kva.example"),
        ("under_score.example", "under_score.example"),
        ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
        ("i❤.example", "xn--i-7iq.example"),
    ],
)
def test_a_host_is_looked_up_and_named_as_dns_knows_it(host: str, looked_up: str) -> None:
    async def test() -> None:
        asked: list[str] = []

        def resolver(name: str) -> Sequence[str]:
            asked.append(name)
            return ["127.0.0.1"]

        async with serving() as server, AiohttpFetcher(resolver=resolver).open() as fetch:
            await read(fetch, server.url(host=host))
            assert asked == [looked_up]
            assert server.header("host") == f"{looked_up}:{server.port}"

    run(test)


@pytest.mark.parametrize(
    "url",
    [
        "http://exa mple.com/",
        "http://exa$mple.com/",
        "http://" + "a" * 64 + ".example/",
        "http://" + "a." * 130 + "example/",
        "http://a..example/",
        "http://.example/",
        "http://%ff.example/",
        "http://\udcff.example/",
        "http://xn--\u0378.example/",
        "http://" + "ü" * 100_000 + "/",
        "http://[::1",
        "http://[fe80::1%25eth0]/",
        "http://[1::2::3]/",
        "http://example.com:99999/",
        "http://example.com:" + "9" * 10_000 + "/",
        "http://example.com:0/",
        "https://example.com:000/",
        "http://example.com:80a/",
        "http://example.com:-1/",
        "http:///path",
        "http://",
        "ftp://example.com/",
        "nonsense",
        "",
    ],
)
def test_a_url_that_cannot_be_requested_is_a_failure(url: str) -> None:
    async def test() -> None:
        async with AiohttpFetcher(resolver=to_loopback).open() as fetch:
            failure = await failed(fetch, url)
            assert failure.outcome is Outcome.UNREACHABLE
            assert not failure.retryable
            assert not failure.connected

    run(test)


@pytest.mark.parametrize("host", ["2130706433", "127.1", "0177.0.0.1.", "999.999.999.999"])
def test_a_number_that_is_no_usual_address_is_a_failure(host: str) -> None:
    async def test() -> None:
        async with serving() as server, AiohttpFetcher(resolver=to_loopback).open() as fetch:
            failure = await failed(fetch, server.url(host=host))
            assert not failure.retryable
            assert not failure.connected
            assert server.heads == []

    run(test)


def test_the_head_says_who_asks_and_what_can_be_decoded() -> None:
    async def test() -> None:
        async with serving() as server, AiohttpFetcher().open() as fetch:
            await read(fetch, server.url())
            assert server.heads[0].startswith("GET / HTTP/1.1\r\n")
            assert server.header("user-agent") == USER_AGENT
            assert server.header("accept-encoding") == "gzip, deflate, br, zstd"
            accept = server.header("accept") or ""
            assert "application/xml" in accept
            assert "*/*" in accept

    run(test)


def test_the_callers_headers_and_user_agent_replace_the_defaults() -> None:
    async def test() -> None:
        fetcher = AiohttpFetcher(headers={"X-Key": "1", "accept-encoding": "identity"}, user_agent="me/1")
        async with serving() as server, fetcher.open() as fetch:
            await read(fetch, server.url(), headers={"If-None-Match": '"a"', "x-key": "2"})
            assert server.header("user-agent") == "me/1"
            assert server.header("accept-encoding") == "identity"
            assert server.header("x-key") == "2"
            assert server.header("if-none-match") == '"a"'
            assert server.heads[0].lower().count("x-key") == 1
            await read(fetch, server.url())
            assert server.header("x-key") == "1"
            assert server.header("if-none-match") is None

    run(test)


# Credentials


def test_credentials_go_to_trusted_urls_only() -> None:
    async def test() -> None:
        headers = {"Cookie": "a=1", "X-Other": "yes", "proxy-authorization": "Basic cDpx"}
        async with serving() as server, AiohttpFetcher(headers=headers, auth=("me", "secret")).open() as fetch:
            await read(fetch, server.url(), trusted=True)
            assert [server.header(name) for name in ("authorization", "cookie", "proxy-authorization", "x-other")] == [
                BASIC,
                "a=1",
                "Basic cDpx",
                "yes",
            ]
            await read(fetch, server.url())
            assert [server.header(name) for name in ("authorization", "cookie", "proxy-authorization", "x-other")] == [
                None,
                None,
                None,
                "yes",
            ]

    run(test)


def test_an_authorization_header_goes_to_trusted_urls_only() -> None:
    async def test() -> None:
        async with serving() as server, AiohttpFetcher(headers={"authorization": "Bearer x"}).open() as fetch:
            await read(fetch, server.url(), trusted=True)
            assert server.header("authorization") == "Bearer x"
            await read(fetch, server.url())
            assert server.header("authorization") is None

    run(test)


def test_userinfo_in_a_url_is_its_authorization_whatever_else_there_is() -> None:
    async def test() -> None:
        async with serving() as server, AiohttpFetcher(auth=("other", "one")).open() as fetch:
            for trusted in (True, False):
                await read(fetch, server.url(host="m%65:s%65cret@127.0.0.1"), trusted=trusted)
                assert server.header("authorization") == BASIC
                assert server.header("host") == f"127.0.0.1:{server.port}"
            await read(fetch, server.url(host="me@127.0.0.1"))
            assert server.header("authorization") == "Basic bWU6"
            await read(fetch, server.url(host="@127.0.0.1"))
            assert server.header("authorization") is None

    run(test)


def test_the_crawls_cookies_join_the_callers_and_win_by_name() -> None:
    async def test() -> None:
        async with serving() as server, AiohttpFetcher(headers={"Cookie": "login=me; seen=0"}).open() as fetch:
            await read(fetch, server.url(), trusted=True, headers={"Cookie": "seen=1"})
            assert server.header("cookie") == "login=me; seen=1"
            await read(fetch, server.url(), headers={"Cookie": "seen=1"})
            assert server.header("cookie") == "seen=1"

    run(test)


def test_no_cookie_is_kept() -> None:
    async def test() -> None:
        async with serving(ok(b"", "Set-Cookie: a=1")) as server, AiohttpFetcher().open() as fetch:
            await read(fetch, server.url())
            await read(fetch, server.url())
            assert server.header("cookie") is None

    run(test)


def test_netrc_gives_the_password_of_its_host_and_its_default_to_trusted_urls(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passwords = tmp_path / "passwords"
    passwords.write_text("machine known.example login me password secret\ndefault login any password one\n")
    monkeypatch.setenv("NETRC", str(passwords))

    async def test() -> None:
        async with serving() as server, AiohttpFetcher(resolver=to_loopback).open() as fetch:
            await read(fetch, server.url(host="known.example"))
            assert server.header("authorization") == BASIC
            await read(fetch, server.url(host="other.example"))
            assert server.header("authorization") is None
            await read(fetch, server.url(host="other.example"), trusted=True)
            assert server.header("authorization") == "Basic YW55Om9uZQ=="

    run(test)


def test_the_callers_auth_beats_netrc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    passwords = tmp_path / "passwords"
    passwords.write_text("machine known.example login other password one\n")
    monkeypatch.setenv("NETRC", str(passwords))

    async def test() -> None:
        fetcher = AiohttpFetcher(auth=("me", "secret"), resolver=to_loopback)
        async with serving() as server, fetcher.open() as fetch:
            await read(fetch, server.url(host="known.example"), trusted=True)
            assert server.header("authorization") == BASIC

    run(test)


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


def test_broken_chunks_right_behind_the_head_are_a_failure_or_an_interruption_that_can_be_tried_again() -> None:
    async def test() -> None:
        raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense\r\n"
        async with (
            serving(Say(raw, Then.WAIT)) as server,
            AiohttpFetcher().open() as fetch,
            fetch(Request(server.url())) as answer,
        ):
            if isinstance(answer, Failure):
                assert answer.retryable
            else:
                with pytest.raises(Interrupted):
                    [piece async for piece in answer.body]

    run(test)


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
        async with (
            serving(Say(raw, Then.WAIT), ok(b"next")) as server,
            AiohttpFetcher().open() as fetch,
            fetch(Request(server.url())) as answer,
        ):
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


def test_without_a_bound_all_go_at_once() -> None:
    async def test() -> None:
        async with serving(Say(b"", Then.WAIT)) as server, AiohttpFetcher().open() as fetch:
            tasks = [asyncio.create_task(read(fetch, server.url())) for _ in range(120)]
            while len(server.heads) < 120:
                await asyncio.sleep(0)
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
        async with serving(Say(b"", Then.WAIT)) as server, AiohttpFetcher().open() as fetch:
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


# Options


def test_importing_the_fetcher_loads_no_http_client() -> None:
    script = "import sys, usp.fetching.aiohttp_fetcher as f; f.AiohttpFetcher(); print('aiohttp' in sys.modules)"
    finished = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "False"


@pytest.mark.parametrize(
    "options",
    [
        {"proxy": "socks5://127.0.0.1:1080"},
        {"proxy": "127.0.0.1:3128"},
        {"proxy": ""},
        {"proxy": 5},
        {"auth": "me:secret"},
        {"auth": ("me",)},
        {"auth": ("m:e", "secret")},
        {"auth": ("me", "secret"), "headers": {"AUTHORIZATION": "Bearer x"}},
        {"headers": {"X": "a\r\nY: b"}},
        {"headers": {"X\n": "a"}},
        {"headers": {"X": 1}},
        {"user_agent": "a\nb"},
        {"tls": "no"},
        {"connections": 0},
        {"connections": True},
        {"connections": 1.5},
        {"resolver": None},
    ],
)
def test_an_option_that_cannot_be_is_the_callers_mistake(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionException):
        AiohttpFetcher(**options)


def test_what_a_fetcher_looks_like_tells_no_secret() -> None:
    fetcher = AiohttpFetcher(auth=("me", "secret"), proxy="http://me:secret@proxy", headers={"Cookie": "secret"})
    assert "secret" not in repr(fetcher)
