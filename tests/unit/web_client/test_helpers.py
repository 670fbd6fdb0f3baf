import gzip
import logging
import time

import pytest

from tests.unit.decoding.bodies import gz_bomb
from tests.unit.web_client.clients import Client, Success, failing
from usp.exceptions import GunzipException
from usp.helpers import get_url_retry_on_client_errors, ungzipped_response_content
from usp.web_client.abstract_client import WebClientErrorResponse

URL = "https://example.org/sitemap.xml"


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    return seconds


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, int, str]]:
    return caplog.record_tuples


def test_a_success_is_given_at_once(slept: list[float], caplog: pytest.LogCaptureFixture) -> None:
    client = Client(lambda url: Success(url, b"good"))
    response = get_url_retry_on_client_errors(URL, client)
    assert isinstance(response, Success)
    assert (client.asked, slept, told(caplog)) == ([URL], [], [])


def test_a_retryable_error_is_asked_again_after_a_sleep(slept: list[float], caplog: pytest.LogCaptureFixture) -> None:
    client = failing(("503 Service Unavailable", True), ("timed out", True))
    response = get_url_retry_on_client_errors(url=URL, web_client=client, sleep_between_retries=3)
    assert isinstance(response, Success)
    assert slept == [3, 3]
    assert told(caplog) == [
        ("usp.helpers", logging.WARNING, f"Request for URL {URL} failed: 503 Service Unavailable"),
        ("usp.helpers", logging.WARNING, f"Request for URL {URL} failed: timed out"),
    ]


def test_an_error_that_will_not_pass_is_given_at_once(slept: list[float]) -> None:
    client = failing(("403 Forbidden", False))
    response = get_url_retry_on_client_errors(URL, client)
    assert isinstance(response, WebClientErrorResponse)
    assert (len(client.asked), slept) == (1, [])


@pytest.mark.parametrize(("retry_count", "requests"), [(5, 5), (2, 2), (1, 1), (0, 1)])
def test_no_more_requests_are_made_than_asked_for(slept: list[float], retry_count: int, requests: int) -> None:
    client = Client(lambda url: WebClientErrorResponse("timed out", True))
    response = get_url_retry_on_client_errors(URL, client, retry_count=retry_count)
    assert isinstance(response, WebClientErrorResponse)
    assert (len(client.asked), slept) == (requests, [1] * (requests - 1))


@pytest.mark.parametrize(
    ("message", "quiet_404", "level"),
    [
        ("404 Not Found", True, logging.INFO),
        ("404 Not Found", False, logging.WARNING),
        ("403 Forbidden", True, logging.WARNING),
        ("no connection", True, logging.WARNING),
    ],
)
def test_a_failure_is_logged_loudly_unless_it_is_a_quiet_404(
    caplog: pytest.LogCaptureFixture, message: str, quiet_404: bool, level: int
) -> None:
    caplog.set_level(logging.INFO, logger="usp.helpers")
    get_url_retry_on_client_errors(URL, failing((message, False)), quiet_404=quiet_404)
    assert told(caplog) == [("usp.helpers", level, f"Request for URL {URL} failed: {message}")]


def test_content_is_ungzipped_where_its_bytes_are_gzip() -> None:
    for body in (b"https://example.org/", gzip.compress(b"https://example.org/")):
        for url in (URL, URL + ".gz"):
            assert ungzipped_response_content(url, Success(url, body)) == "https://example.org/"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("café".encode(), None),
        ("\ufeffcafé".encode(), "text/plain; charset=iso-8859-1"),
        ("café".encode("latin-1"), "text/plain; charset=ISO-8859-1"),
        ("café".encode("utf-16"), None),
    ],
)
def test_content_is_decoded_by_its_charset(body: bytes, content_type: str | None) -> None:
    headers = {"Content-Type": content_type} if content_type else {}
    assert ungzipped_response_content(URL, Success(URL, body, headers=headers)) == "café"


def test_invalid_bytes_become_replacement_characters() -> None:
    assert ungzipped_response_content(URL, Success(URL, b"caf\xff")) == "caf\ufffd"


def test_no_content_is_no_text() -> None:
    assert ungzipped_response_content(URL, Success(URL)) == ""


def test_content_beyond_the_bound_raises_and_is_never_cut() -> None:
    for body in (b"x" * 100, gzip.compress(b"x" * 100), gz_bomb(20)):
        with pytest.raises(GunzipException, match="99 bytes"):
            ungzipped_response_content(URL, Success(URL, body), max_uncompressed_bytes=99)
    for body in (b"x" * 100, gzip.compress(b"x" * 100)):
        assert ungzipped_response_content(URL, Success(URL, body), max_uncompressed_bytes=100) == "x" * 100
    with pytest.raises(GunzipException, match="0 bytes"):
        ungzipped_response_content(URL, Success(URL, b"x"), max_uncompressed_bytes=0)


def test_content_that_inflates_like_a_bomb_raises_without_a_bound_too() -> None:
    with pytest.raises(GunzipException, match="bomb"):
        ungzipped_response_content(URL, Success(URL, gz_bomb(20)))


def test_damaged_content_is_read_up_to_the_damage_and_said_so(caplog: pytest.LogCaptureFixture) -> None:
    text = "".join(f"https://example.org/{number}\n" for number in range(2000))
    body = gzip.compress(text.encode())
    content = ungzipped_response_content(URL, Success(URL, body[: len(body) // 2]))
    assert content
    assert text.startswith(content)
    assert [(name, level) for name, level, _ in told(caplog)] == [("usp.helpers", logging.WARNING)]
