import random
import time

import pytest

from tests.unit.web_client.clients import Success, failing
from usp.exceptions import SitemapException
from usp.web_client.abstract_client import (
    RETRYABLE_HTTP_STATUS_CODES,
    AbstractWebClient,
    AbstractWebClientResponse,
    AbstractWebClientSuccessResponse,
    LocalWebClient,
    LocalWebClientSuccessResponse,
    NoWebClientException,
    RequestWaiter,
    WebClientErrorResponse,
)
from usp.web_client.answers import is_error, is_success, status_and_phrase

URL = "https://example.org/sitemap.xml"


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    return seconds


@pytest.mark.parametrize("kind", [AbstractWebClient, AbstractWebClientSuccessResponse])
def test_what_programs_must_write_cannot_be_left_out(kind: type) -> None:
    with pytest.raises(TypeError, match="abstract"):
        kind()


def test_an_error_response_says_why_and_whether_asking_again_may_help() -> None:
    error = WebClientErrorResponse(message="503 Service Unavailable", retryable=True)
    assert (error.message(), error.retryable()) == ("503 Service Unavailable", True)
    assert isinstance(error, AbstractWebClientResponse)


def test_the_local_client_raises_when_it_is_asked() -> None:
    client = LocalWebClient()
    client.set_max_response_data_length(10)
    with pytest.raises(NoWebClientException, match=r"example\.org"):
        client.get(URL)
    assert issubclass(NoWebClientException, SitemapException)


def test_a_local_response_gives_its_text_as_bytes() -> None:
    response = LocalWebClientSuccessResponse(url=URL, data="café \ud800")
    assert response.raw_data() == "café \ufffd".encode()
    assert (response.status_code(), response.status_message(), response.url()) == (200, "OK", URL)
    assert response.header("Content-Type") is None


def test_a_waiter_waits_before_every_request_but_the_first(slept: list[float]) -> None:
    waiter = RequestWaiter(wait=2, random_wait=False)
    for _ in range(3):
        waiter.wait()
    assert slept == [2, 2]


def test_a_waiter_without_a_wait_never_waits(slept: list[float]) -> None:
    waiter = RequestWaiter()
    for _ in range(3):
        waiter.wait()
    assert slept == []


def test_a_random_wait_is_half_to_one_and_a_half_of_the_wait(
    slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "uniform", lambda low, high: high)
    waiter = RequestWaiter(wait=2)
    waiter.wait()
    waiter.wait()
    monkeypatch.setattr(random, "uniform", lambda low, high: low)
    waiter.wait()
    assert slept == [3, 1]


def test_the_retryable_statuses_are_those_that_may_pass() -> None:
    assert {408, 429, 500, 502, 503, 504, 522, 598} <= RETRYABLE_HTTP_STATUS_CODES
    assert RETRYABLE_HTTP_STATUS_CODES.isdisjoint({200, 301, 401, 403, 404, 410, 451, 501})


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("404 Not Found", (404, "Not Found")),
        ("503", (503, "")),
        (" 530: Origin DNS Error ", (530, "Origin DNS Error")),
        ("999 Request denied", (999, "Request denied")),
        ("timed out", None),
        ("", None),
        ("4040 is no status", None),
        ("404th try", None),
        ("200 OK, but nothing in it", None),
        ("HTTP 404", None),
    ],
)
def test_a_status_counts_where_it_leads_the_message(message: str, status: tuple[int, str] | None) -> None:
    assert status_and_phrase(message) == status


def test_responses_are_told_apart_by_class_or_by_what_they_can() -> None:
    class Error:
        def message(self) -> str:
            return ""

        def retryable(self) -> bool:
            return False

    success, error = Success(URL), failing(("no", False)).get(URL)
    assert [is_success(success), is_error(success)] == [True, False]
    assert [is_success(error), is_error(error)] == [False, True]
    assert [is_success(Error()), is_error(Error())] == [False, True]
    for nothing in (None, b"<urlset/>", object(), 404):
        assert not is_success(nothing)
        assert not is_error(nothing)
