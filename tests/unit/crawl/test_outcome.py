"""What the head of an answer means, and what Retry-After asks for."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from usp.crawl.outcome import judged, retry_after, said
from usp.messages import Failure, Redirect, Response
from usp.problems import Outcome

URL = "https://example.com/maps/sitemap.xml"
NOW = datetime(2024, 1, 1, tzinfo=UTC)


async def no_body() -> AsyncIterator[bytes]:
    yield b""


def answer(status: int, phrase: str = "", **headers: str) -> Failure | Redirect | None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return judged(Response(URL, status, named, no_body(), phrase), NOW)


def failure(status: int, phrase: str = "", **headers: str) -> Failure:
    found = answer(status, phrase, **headers)
    assert isinstance(found, Failure)
    assert (found.url, found.status, found.partial, found.connected) == (URL, status, None, True)
    return found


@pytest.mark.parametrize("status", [200, 201, 203, 206, 226, 299])
def test_a_body_is_read(status: int) -> None:
    assert answer(status) is None


@pytest.mark.parametrize(
    ("outcome", "statuses"),
    [
        (Outcome.EMPTY, [204, 205]),
        (Outcome.ABSENT, [404, 410]),
        (Outcome.BLOCKED, [401, 403, 407, 429, 451, 999]),
        (Outcome.UNREACHABLE, [500, 501, 502, 503, 504, 509, 520, 530, 598, 998]),
        (Outcome.BROKEN, [100, 199, 300, 304, 305, 306, 400, 402, 405, 406, 408, 418, 499]),
    ],
)
def test_every_other_status_has_an_outcome(outcome: Outcome, statuses: list[int]) -> None:
    assert {status: failure(status).outcome for status in statuses} == dict.fromkeys(statuses, outcome)


@pytest.mark.parametrize("status", [200, 204, 403, 404, 503])
def test_a_challenge_that_says_so_is_blocked_whatever_the_status(status: int) -> None:
    assert failure(status, cf_mitigated="challenge").outcome is Outcome.BLOCKED


def test_a_failure_names_its_status_as_people_know_it() -> None:
    assert failure(404).reason == "404 Not Found"
    assert failure(530).reason == "530"
    assert failure(503, "Back in five minutes").reason == "503 Back in five minutes"
    assert (said(404), said(200, "Fine"), said(7)) == ("404 Not Found", "200 Fine", "7")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_leads_to_its_location(status: int) -> None:
    assert answer(status, location="/b.xml") == Redirect(URL, "https://example.com/b.xml", status)


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("https://example.org/A%2fb?c=%20", "https://example.org/A%2fb?c=%20"),
        ("//example.org/b", "https://example.org/b"),
        ("b.xml", "https://example.com/maps/b.xml"),
        ("?page=2", f"{URL}?page=2"),
        ("  /b.xml ", "https://example.com/b.xml"),
    ],
)
def test_a_location_is_resolved_and_not_rewritten(location: str, target: str) -> None:
    found = answer(302, location=location)
    assert isinstance(found, Redirect)
    assert found.target == target


def test_a_redirect_tells_whether_it_set_a_cookie() -> None:
    plain, set_cookie = answer(302, location="/"), answer(302, location="/", set_cookie="seen=yes")
    assert isinstance(plain, Redirect)
    assert isinstance(set_cookie, Redirect)
    assert (plain.fresh_cookie, set_cookie.fresh_cookie) == (False, True)


@pytest.mark.parametrize("headers", [{}, {"location": ""}, {"location": "  "}])
def test_a_redirect_without_a_location_is_broken(headers: dict[str, str]) -> None:
    assert failure(302, **headers).outcome is Outcome.BROKEN
    assert "does not say where to" in failure(302, **headers).reason


@pytest.mark.parametrize("location", ["ftp://example.com/", "javascript:alert(1)", "mailto:me@example.com"])
def test_a_redirect_to_another_scheme_is_refused(location: str) -> None:
    assert failure(302, location=location).outcome is Outcome.REFUSED
    assert location in failure(302, location=location).reason


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("000007", 7),
        ("9" * 400, 10.0**18 - 1),
        ("Mon, 01 Jan 2024 00:00:30 GMT", 30),
        ("Monday, 01-Jan-24 00:00:30 GMT", 30),
        ("Mon, 01 Jan 2024 01:00:30 +0100", 30),
        ("2024-01-01T00:00:30Z", 30),
        ("2024-01-01T00:00:30", 30),
        ("Sun, 31 Dec 2023 23:59:00 GMT", -60),
    ],
)
def test_retry_after_asks_for_seconds_or_a_date(written: str, seconds: float) -> None:
    assert retry_after({"retry-after": written}, NOW) == pytest.approx(seconds)
    assert failure(503, retry_after=written).wait == pytest.approx(seconds)


@pytest.mark.parametrize(
    "written", ["", " ", "-1", "+5", "-2024-01-01", "soon", "1.5", "1e3", "１２０", "10 minutes", "\x00"]
)
def test_a_retry_after_that_says_nothing_certain_asks_for_nothing(written: str) -> None:
    assert retry_after({"retry-after": written}, NOW) is None


def test_no_retry_after_asks_for_nothing() -> None:
    assert failure(429).wait is None
