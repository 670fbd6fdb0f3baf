import asyncio
import contextvars
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.web_client.clients import Client, Success, failing
from usp.exceptions import InvalidWebClientException, NoWebClientException
from usp.fetching.fetcher import Fetcher
from usp.limits import PIECE
from usp.messages import Failure, Request, Response
from usp.problems import Outcome
from usp.web_client.abstract_client import AbstractWebClient, LocalWebClient, LocalWebClientSuccessResponse
from usp.web_client.adapter import WebClientFetcher

URL = "https://example.org/sitemap.xml"


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    with asyncio.Runner() as runner:
        return runner.run(work())  # type: ignore[arg-type]


def fetched(
    client: AbstractWebClient, *, in_thread: bool = False, wire_bytes: int | None = None
) -> tuple[Response | Failure, list[bytes]]:
    """The answer to one request, and the pieces of its body."""

    async def fetch_one() -> tuple[Response | Failure, list[bytes]]:
        fetcher: Fetcher = WebClientFetcher(client, in_thread, wire_bytes=wire_bytes)
        async with fetcher.open() as fetch, fetch(Request(URL)) as answer:
            return answer, [piece async for piece in answer.body] if isinstance(answer, Response) else []

    result: tuple[Response | Failure, list[bytes]] = run(fetch_one)
    return result


def duck(**values: object) -> Any:
    """Something with methods that give these values."""
    return SimpleNamespace(**{name: (lambda *_, value=value: value) for name, value in values.items()})


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C as Python sets it up; a runner of tests may have been told to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_success_becomes_a_response_with_the_final_url(in_thread: bool) -> None:
    client = Client(lambda url: Success("https://www.example.org/map.xml", b"<urlset/>"))
    answer, pieces = fetched(client, in_thread=in_thread)
    assert isinstance(answer, Response)
    assert (answer.url, answer.status, answer.phrase) == ("https://www.example.org/map.xml", 200, "OK")
    assert pieces == [b"<urlset/>"]
    assert client.asked == [URL]


def test_the_headers_that_matter_are_asked_for_but_never_the_content_encoding() -> None:
    headers = {
        "Content-Type": "text/xml",
        "Retry-After": "3",
        "Location": "/b",
        "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT",
        "ETag": '"a"',
        "cf-mitigated": "challenge",
        "Content-Encoding": "gzip",
    }
    answer, _ = fetched(Client(lambda url: Success(url, headers=headers)))
    assert isinstance(answer, Response)
    assert answer.headers == {name.lower(): value for name, value in headers.items() if name != "Content-Encoding"}


def test_a_body_comes_in_pieces_and_is_asked_for_once_it_is_read() -> None:
    response = Success(URL, b"x" * (2 * PIECE + 1))
    _, pieces = fetched(Client(lambda url: response))
    assert [len(piece) for piece in pieces] == [PIECE, PIECE, 1]
    assert response.reads == 1

    async def read_no_body() -> None:
        async with WebClientFetcher(Client(lambda url: response)).open() as fetch, fetch(Request(URL)):
            pass

    run(read_no_body)
    assert response.reads == 1


@pytest.mark.parametrize("body", [bytearray(b"<urlset/>"), memoryview(b"<urlset/>")])
def test_any_kind_of_bytes_is_a_body(body: Any) -> None:
    _, pieces = fetched(Client(lambda url: Success(url, body)))
    assert pieces == [b"<urlset/>"]


def test_one_byte_more_than_the_limit_is_asked_for_so_that_a_cut_is_seen() -> None:
    client = Client(Success)
    fetched(client, wire_bytes=100)
    fetched(client)
    assert client.limits == [101]


@pytest.mark.parametrize("status", [204, 301, 404, 503])
def test_a_success_with_any_status_is_a_response(status: int) -> None:
    answer, _ = fetched(Client(lambda url: Success(url, status=status)))
    assert isinstance(answer, Response)
    assert answer.status == status


@pytest.mark.parametrize(
    ("message", "retryable"),
    [("404 Not Found", False), ("403 Forbidden", False), ("503 Service Unavailable", True), ("500 Oh no", False)],
)
def test_an_error_with_a_status_counts_like_a_response_with_it(message: str, retryable: bool) -> None:
    answer, pieces = fetched(failing((message, retryable)))
    assert isinstance(answer, Response)
    assert f"{answer.status} {answer.phrase}" == message
    assert (answer.url, pieces) == (URL, [])


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        ("404 Not Found", Outcome.ABSENT),
        ("403 Forbidden", Outcome.BLOCKED),
        ("501 Not Implemented", Outcome.UNREACHABLE),
    ],
)
def test_an_error_is_retryable_if_its_client_says_so_whatever_its_status(message: str, outcome: Outcome) -> None:
    answer, _ = fetched(failing((message, True)))
    assert answer == Failure(URL, outcome, message, status=int(message[:3]), retryable=True)


@pytest.mark.parametrize("retryable", [False, True])
def test_an_error_without_a_status_is_a_failure(retryable: bool) -> None:
    answer, _ = fetched(failing(("no route to host", retryable)))
    assert answer == Failure(URL, Outcome.UNREACHABLE, "no route to host", retryable=retryable)


def test_an_error_that_knows_headers_and_its_url_tells_them() -> None:
    error = duck(message="429 Slow down", retryable=True, header="120", url="https://www.example.org/")
    answer, _ = fetched(Client(lambda url: error))
    assert isinstance(answer, Response)
    assert (answer.url, answer.headers["retry-after"]) == ("https://www.example.org/", "120")


def test_responses_that_only_look_like_the_promised_ones_will_do() -> None:
    old = duck(status_code="200", header=None, raw_data=b"<urlset/>")
    answer, pieces = fetched(duck(get=old))
    assert isinstance(answer, Response)
    assert (answer.url, answer.status, answer.phrase, pieces) == (URL, 200, "", [b"<urlset/>"])
    assert fetched(Client(lambda url: LocalWebClientSuccessResponse(url, "<urlset/>")))[1] == [b"<urlset/>"]


@pytest.mark.parametrize("client", [None, "client", LocalWebClient, object()])
def test_what_is_no_client_is_refused_at_once(client: Any) -> None:
    with pytest.raises(InvalidWebClientException, match="no web client"):
        WebClientFetcher(client)


@pytest.mark.parametrize("in_thread", [False, True])
@pytest.mark.parametrize(
    ("response", "complaint"),
    [
        (None, "no response: None"),
        (b"<urlset/>", "no response"),
        (duck(status_code="fine", header=None, raw_data=b""), "status code"),
        (duck(status_code=200, header=None, raw_data="<urlset/>"), "must be bytes, not str"),
    ],
)
def test_an_answer_that_is_no_response_is_the_programs_mistake(response: Any, complaint: str, in_thread: bool) -> None:
    with pytest.raises(InvalidWebClientException, match=complaint):
        fetched(Client(lambda url: response), in_thread=in_thread)


@pytest.mark.parametrize("in_thread", [False, True])
@pytest.mark.parametrize("error", [KeyError("mine"), NoWebClientException("mine"), KeyboardInterrupt()])
def test_what_a_client_raises_goes_through(error: BaseException, in_thread: bool) -> None:
    def get(url: str) -> Any:
        raise error

    with pytest.raises(type(error)) as caught:
        fetched(Client(get), in_thread=in_thread)
    assert caught.value is error or isinstance(error, KeyboardInterrupt)


def test_a_stop_iteration_of_a_client_does_not_hang_the_thread() -> None:
    def get(url: str) -> Any:
        raise StopIteration

    with pytest.raises(RuntimeError, match="StopIteration"):
        fetched(Client(get), in_thread=True)


def test_a_client_is_called_in_the_callers_thread() -> None:
    threads = []

    def get(url: str) -> Success:
        threads.append(threading.current_thread())
        return Success(url)

    fetched(Client(get))
    assert threads == [threading.current_thread()]


def test_one_thread_serves_an_open_fetcher_and_ends_with_it() -> None:
    threads = []
    tongue = contextvars.ContextVar("tongue", default="none")

    def get(url: str) -> Success:
        threads.append((threading.current_thread(), tongue.get()))
        return Success(url, b"x")

    async def fetch_twice() -> None:
        tongue.set("English")
        async with WebClientFetcher(Client(get), in_thread=True).open() as fetch:
            for _ in range(2):
                async with fetch(Request(URL)) as answer:
                    assert isinstance(answer, Response)
                    assert [piece async for piece in answer.body] == [b"x"]
        assert not threads[0][0].is_alive()

    run(fetch_twice)
    (first, words), (second, _) = threads
    assert first is second
    assert first is not threading.current_thread()
    assert first.daemon
    assert words == "English"


def test_an_open_fetcher_that_is_asked_nothing_begins_no_thread() -> None:
    async def open_only() -> int:
        before = threading.active_count()
        async with WebClientFetcher(LocalWebClient(), in_thread=True).open():
            return threading.active_count() - before

    assert run(open_only) == 0


def test_cancelling_a_request_that_hangs_does_not_hang() -> None:
    begun, go_on = threading.Event(), threading.Event()
    asked = []

    def get(url: str) -> Success:
        asked.append(url)
        begun.set()
        go_on.wait(30)
        return Success(url)

    async def cancel_two() -> None:
        loop = asyncio.get_running_loop()
        async with WebClientFetcher(Client(get), in_thread=True).open() as fetch:

            async def fetch_one(url: str) -> None:
                async with fetch(Request(url)):
                    raise AssertionError("never answered")

            first = loop.create_task(fetch_one("https://example.org/1"))
            second = loop.create_task(fetch_one("https://example.org/2"))
            while not begun.is_set():
                await asyncio.sleep(0)
            for task in (first, second):
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

    before = set(threading.enumerate())
    try:
        run(cancel_two)
        (left,) = set(threading.enumerate()) - before
        assert left.daemon
    finally:
        go_on.set()
    left.join(30)
    assert not left.is_alive()
    assert asked == ["https://example.org/1"]  # what nobody waits for any more is not begun


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_a_client_that_blocks_the_loop_at_once() -> None:
    went_on = []

    def get(url: str) -> Success:
        signal.raise_signal(signal.SIGINT)
        went_on.append(url)
        return Success(url)

    with pytest.raises(KeyboardInterrupt):
        fetched(Client(get))
    assert went_on == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("ctrl_c")
def test_the_programs_own_handler_of_ctrl_c_stays_in_charge() -> None:
    signals = []
    signal.signal(signal.SIGINT, lambda number, frame: signals.append(number))

    def get(url: str) -> Success:
        signal.raise_signal(signal.SIGINT)
        return Success(url)

    answer, _ = fetched(Client(get))
    assert isinstance(answer, Response)
    assert signals == [signal.SIGINT]


def test_the_same_fetcher_can_be_opened_in_one_loop_after_the_other() -> None:
    fetcher = WebClientFetcher(Client(Success), in_thread=True)

    async def fetch_one() -> str:
        async with fetcher.open() as fetch, fetch(Request(URL)) as answer:
            return answer.url

    assert [run(fetch_one), run(fetch_one)] == [URL, URL]


def test_a_client_is_asked_one_thing_at_a_time_and_dials_unseen() -> None:
    fetcher = WebClientFetcher(LocalWebClient())
    assert (fetcher.at_once, fetcher.sees_addresses) == (1, False)
