"""What the fetcher for everybody sends: URLs as they are written, headers, credentials to whom they belong."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.unit.fetching.asking import BASIC, failed, read, run, to_loopback
from tests.unit.fetching.loopback import ok, serving
from usp.fetching.aiohttp_fetcher import USER_AGENT, AiohttpFetcher
from usp.messages import Response
from usp.problems import Outcome

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
