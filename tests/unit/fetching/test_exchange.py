"""One exchange, whatever the fetcher is: bounded in bytes and time, guarded, with cookies; nothing is half read."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from usp.events import Event, EventKind
from usp.fetching.exchange import ERROR_PAGE, LONGEST_URL, Exchange, Reader
from usp.fetching.fetcher import Fetch, Interrupted
from usp.fetching.guard import CrawlGuard, Guard
from usp.fetching.memory import MemoryFetcher
from usp.limits import KIB, Limits
from usp.messages import Answered, Document, Failure, Kind, Redirect, Request, Response
from usp.problems import Outcome
from usp.reading import DocumentReader
from usp.rows import unpack

URL = "https://example.com/sitemap.xml"
NOW = datetime(2024, 1, 1, tzinfo=UTC)
MOST_BODIES = 10_000

Body = Callable[[], AsyncIterator[bytes]]


class Network:
    """A network that is asked for URLs and gives bodies, made by functions, with a status and headers."""

    def __init__(self, body: Body, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self.requests: list[Request] = []
        self._answer = body, status, headers or {}

    @asynccontextmanager
    async def fetch(self, request: Request) -> AsyncIterator[Response | Failure]:
        self.requests.append(request)
        body, status, headers = self._answer
        yield Response(request.url, status, headers, body())


def exchange_of(fetch: Fetch, limits: Limits | None = None, **options: Any) -> Exchange:
    limits = limits or Limits()

    def new_reader(response: Response) -> Reader:
        return DocumentReader(response.url, headers=response.headers, limits=limits)

    return Exchange(
        fetch, options.pop("new_reader", new_reader), limits, **{"guard": None, "now": lambda: NOW} | options
    )


def answers(fetch: Fetch, *urls: str, limits: Limits | None = None, **options: Any) -> list[Answered]:
    """The answers for some URLs, one after the other."""

    async def ask() -> list[Answered]:
        exchange = exchange_of(fetch, limits, **options)
        return [await exchange.answer(Request(url)) for url in urls or (URL,)]

    return asyncio.run(ask())


def failed(answered: Answered) -> Failure:
    assert isinstance(answered.answer, Failure), answered
    return answered.answer


def pages(document: Document | Failure | Redirect | None) -> list[str]:
    assert isinstance(document, Document), document
    return [row.url.rpartition("/")[2] for block in document.blocks for row in unpack(block.packed())]


def entry(name: object) -> bytes:
    return f"<url><loc>https://example.com/{name}</loc></url>".encode()


async def nothing() -> AsyncIterator[bytes]:
    return
    yield b""


async def two_pages() -> AsyncIterator[bytes]:
    yield b"<urlset>" + entry(1)
    yield entry(2) + b"</urlset>"


async def breaks_off() -> AsyncIterator[bytes]:
    yield b"<urlset>" + entry(1)
    yield entry(2)[:-9]
    raise Interrupted("The body broke off.")


async def stalls() -> AsyncIterator[bytes]:
    yield b"<urlset>" + entry(1)
    await asyncio.sleep(60)


async def drips() -> AsyncIterator[bytes]:
    yield b"<urlset>" + entry(1)
    while True:
        await asyncio.sleep(0.01)
        yield b" "


# What is asked


def test_a_url_beyond_all_measure_is_not_asked_for() -> None:
    network = Network(two_pages)
    longest = "https://example.com/".ljust(LONGEST_URL, "a")
    fine, refused = answers(network.fetch, longest, longest + "a")
    assert pages(fine.answer) == ["1", "2"]
    assert failed(refused).outcome is Outcome.REFUSED
    assert len(failed(refused).reason) < 300
    assert [request.url for request in network.requests] == [longest]


def test_the_guard_is_asked_for_every_url_and_given_to_who_dials() -> None:
    network = Network(two_pages)
    guard = CrawlGuard(Guard(), "https://example.com/")
    refused, fine = answers(network.fetch, "https://10.0.0.1/sitemap.xml", URL, guard=guard)
    assert failed(refused).outcome is Outcome.REFUSED
    assert pages(fine.answer) == ["1", "2"]
    (request,) = network.requests
    assert request.may_dial is not None
    assert not request.may_dial("example.com", "10.0.0.1")


def test_a_fetcher_that_was_led_to_a_private_address_is_not_believed() -> None:
    inside = Response("http://10.0.0.1/sitemap.xml", 200, {}, two_pages())
    fetch = MemoryFetcher({URL: inside})._fetch
    (answered,) = answers(fetch, guard=CrawlGuard(Guard(), "https://example.com/"))
    assert failed(answered).outcome is Outcome.REFUSED
    assert failed(answered).url == "http://10.0.0.1/sitemap.xml"


def test_cookies_come_back_to_their_origin_beside_other_headers() -> None:
    network = Network(two_pages, headers={"set-cookie": "a=1\nb=2; Path=/"})
    answers(network.fetch, URL, URL, "https://example.org/")
    assert [dict(request.headers) for request in network.requests] == [{}, {"cookie": "a=1; b=2"}, {}]


# http that cannot be connected


def not_connected(url: str, **more: Any) -> Failure:
    return Failure(url, Outcome.UNREACHABLE, "refused", **{"retryable": True, "connected": False} | more)


def test_https_is_tried_once_where_http_cannot_be_connected() -> None:
    insecure = "HTTP://example.com/sitemap.xml"
    network = MemoryFetcher({insecure: not_connected(insecure), URL: "https://example.com/page"})
    (answered,) = answers(network._fetch, insecure)
    assert pages(answered.answer) == ["page"]
    assert getattr(answered.answer, "url", None) == URL
    assert network.requests == [insecure, URL]


def test_https_is_not_tried_again_where_it_was_no_better() -> None:
    urls = [f"http://example.com/{name}" for name in "ab"]
    failures = {url: not_connected(url) for url in [*urls, *(url.replace("http:", "https:") for url in urls)]}
    network = MemoryFetcher(failures)
    one, other = answers(network._fetch, *urls)
    assert [failed(one).url, failed(other).url] == urls
    assert network.requests == [urls[0], "https://example.com/a", urls[1]]


@pytest.mark.parametrize(
    ("url", "more"),
    [
        ("http://example.com/", {"retryable": False}),  # an unknown name is unknown for https, too
        ("http://example.com/", {"connected": True}),
        ("http://example.com:8080/", {}),
        ("http://[2001:db8::1]:8080/", {}),
        ("https://example.com/", {}),
    ],
)
def test_https_is_not_tried_where_it_cannot_help(url: str, more: dict[str, bool]) -> None:
    network = MemoryFetcher({url: not_connected(url, **more)})
    (answered,) = answers(network._fetch, url)
    assert failed(answered).reason == "refused"
    assert network.requests == [url]


def test_https_that_answers_badly_is_the_answer_all_the_same() -> None:
    network = MemoryFetcher({"http://example.com/": not_connected("http://example.com/"), URL: (403, {}, "")})
    network._answers["https://example.com/"] = (403, {}, "no")
    (answered,) = answers(network._fetch, "http://example.com/")
    assert (failed(answered).outcome, failed(answered).url) == (Outcome.BLOCKED, "https://example.com/")


# Time


@pytest.mark.parametrize("in_flight", [1, 2**20])
def test_a_body_that_stalls_or_breaks_off_gives_what_it_had(in_flight: int) -> None:
    limits = Limits(idle_seconds=0.2, in_flight_bytes=in_flight)
    for body, reason in ((stalls, "Nothing came for 0.2 seconds"), (breaks_off, "The body broke off.")):
        (answered,) = answers(Network(body).fetch, limits=limits)
        failure = failed(answered)
        assert (failure.reason, failure.status, failure.connected, failure.retryable) == (reason, 200, True, True)
        assert pages(failure.partial) == ["1"]
        assert failure.partial is not None
        assert failure.partial.outcome is Outcome.TRUNCATED


@pytest.mark.parametrize("in_flight", [1, 2**20])
def test_a_body_that_drips_is_cut_at_the_longest_time_and_not_asked_for_again(in_flight: int) -> None:
    limits = Limits(idle_seconds=10, request_seconds=0.3, in_flight_bytes=in_flight)
    (answered,) = answers(Network(drips).fetch, limits=limits)
    failure = failed(answered)
    assert failure.reason == "The answer took longer than 0.3 seconds"
    assert not failure.retryable
    assert pages(failure.partial) == ["1"]


def test_a_head_that_never_comes_is_no_connection() -> None:
    @asynccontextmanager
    async def fetch(request: Request) -> AsyncIterator[Response | Failure]:
        await asyncio.sleep(60)
        yield Failure(request.url, Outcome.BROKEN, "never said")

    (answered,) = answers(fetch, limits=Limits(idle_seconds=0.1))
    failure = failed(answered)
    assert (failure.retryable, failure.connected, failure.partial, answered.status) == (True, False, None, None)


class SlowReader:
    """Takes longer to read each piece than anybody would wait for the next one; remembers what it read to the end."""

    done = False
    has_native = False

    def __init__(self) -> None:
        self.begun: list[bytes] = []
        self.finished: list[bytes] = []

    def steps(self, wire: bytes) -> Iterator[None]:
        self.begun.append(wire)
        for _ in range(3):
            time.sleep(0.03)
            yield
        self.finished.append(wire)

    def ask_native(self, source: list[bytes]) -> bool:  # noqa: ARG002 (of every reader)
        return False

    def stop_native(self) -> None:
        """There is nothing to be stopped."""

    def cut_short(self, code: str, detail: str) -> None:
        """It does not matter here."""

    def close(self) -> Document:
        return Document(URL, Kind.URLSET, Outcome.OK)


@pytest.mark.parametrize("in_flight", [1, 2**20])
@pytest.mark.parametrize(("idle", "whole"), [(0.05, 60), (60, 0.05)])
def test_reading_takes_as_long_as_it_takes_and_is_never_given_up_in_the_middle(
    in_flight: int, idle: float, whole: float
) -> None:
    reader = SlowReader()
    limits = Limits(idle_seconds=idle, request_seconds=whole, in_flight_bytes=in_flight)
    answers(Network(two_pages).fetch, limits=limits, new_reader=lambda response: reader)
    assert reader.begun
    assert reader.finished == reader.begun


# Bytes


def test_a_body_without_end_is_left_as_soon_as_it_is_longer_than_the_limit() -> None:
    given = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal given
        yield b"<urlset>" + entry(1)
        while True:
            given += 1
            yield b" " * KIB

    (answered,) = answers(Network(endless).fetch, limits=Limits(wire_bytes=100 * KIB))
    assert pages(answered.answer) == ["1"]
    assert isinstance(answered.answer, Document)
    assert answered.answer.outcome is Outcome.TRUNCATED
    assert "too-large" in answered.answer.problems.counts
    assert given <= 101


@pytest.mark.parametrize("in_flight", [1, 100, 1000, 2**20])
def test_no_more_is_held_than_the_budget_and_all_of_it_is_given_back(in_flight: int) -> None:
    async def many_pages() -> AsyncIterator[bytes]:
        yield b"<urlset>"
        for number in range(20):
            yield entry(number)
            await asyncio.sleep(0)
        yield b"</urlset>"

    async def ask() -> None:
        exchange = exchange_of(Network(many_pages).fetch, Limits(in_flight_bytes=in_flight))
        tasks = [asyncio.create_task(exchange.answer(Request(f"{URL}?{number}"))) for number in range(8)]
        while not all(task.done() for task in tasks):
            assert 0 <= exchange._budget.left <= in_flight
            await asyncio.sleep(0)
        expected = [str(number) for number in range(20)]
        assert [pages(task.result().answer) for task in tasks] == [expected] * 8
        assert exchange._budget.left == in_flight

    asyncio.run(ask())


@pytest.mark.parametrize("body", [breaks_off, stalls])
def test_the_budget_is_given_back_by_what_breaks_off_and_by_what_is_cancelled(body: Body) -> None:
    async def ask() -> None:
        exchange = exchange_of(Network(body).fetch, Limits(in_flight_bytes=1000, idle_seconds=0.05))
        await exchange.answer(Request(URL))
        task = asyncio.create_task(exchange.answer(Request(URL)))
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert exchange._budget.left == 1000

    asyncio.run(ask())


def test_progress_tells_of_every_byte_once() -> None:
    events: list[Event] = []
    answers(Network(two_pages).fetch, URL, URL, tell=events.append)
    assert {event.kind for event in events} == {EventKind.PROGRESS}
    assert sum(event.bytes for event in events) == 2 * len(b"<urlset>" + entry(1) + entry(2) + b"</urlset>")


# Pages of errors


async def challenge() -> AsyncIterator[bytes]:
    yield b"<!DOCTYPE html><html><script src='/cdn-cgi/challenge-platform/h/b/orchestrate/x'></script></html>"


@pytest.mark.parametrize(
    ("body", "status", "outcome"),
    [
        (challenge, 503, Outcome.BLOCKED),
        (challenge, 405, Outcome.BLOCKED),
        (challenge, 404, Outcome.ABSENT),
        (breaks_off, 503, Outcome.UNREACHABLE),
        (breaks_off, 418, Outcome.BROKEN),
        (stalls, 503, Outcome.UNREACHABLE),
        (stalls, 418, Outcome.BROKEN),
        (nothing, 500, Outcome.UNREACHABLE),
    ],
)
def test_the_page_of_an_error_can_say_no_more_than_that_it_is_a_challenge(
    body: Body, status: int, outcome: Outcome
) -> None:
    (answered,) = answers(Network(body, status, {"retry-after": "7"}).fetch, limits=Limits(idle_seconds=0.1))
    failure = failed(answered)
    assert (failure.outcome, failure.status, failure.wait, failure.partial) == (outcome, status, 7, None)
    assert failure.reason.startswith(str(status))


@pytest.mark.parametrize("status", [500, 418])
def test_of_the_page_of_an_error_only_the_beginning_is_read(status: int) -> None:
    given: list[int] = []

    async def endless() -> AsyncIterator[bytes]:
        while len(given) < MOST_BODIES:
            given.append(KIB)
            yield b" " * KIB

    answers(Network(endless, status).fetch)
    assert sum(given) == ERROR_PAGE


def test_pages_of_absent_and_blocked_sitemaps_are_not_read_at_all() -> None:
    def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")

    async def body() -> AsyncIterator[bytes]:
        never()
        yield b""

    outcomes: Sequence[Outcome] = [
        failed(answers(Network(body, status).fetch)[0]).outcome for status in (404, 410, 403, 429, 204)
    ]
    assert outcomes == [Outcome.ABSENT, Outcome.ABSENT, Outcome.BLOCKED, Outcome.BLOCKED, Outcome.EMPTY]
