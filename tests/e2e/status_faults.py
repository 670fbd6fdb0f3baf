"""Statuses that are no plain 200, and pages that pretend: one function a fault."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from tests.e2e.crawling import GOOD, good
from tests.e2e.server import Behaviour, Visitor

CHALLENGE = (
    b"<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>"
    b'<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=1"></script></body></html>'
)
PAGE = b"<!DOCTYPE html><html><head><title>Welcome</title></head><body><p>Have a look around.</p></body></html>"


def status(said: str, *headers: str, body: bytes = b"<html><body>Sorry.</body></html>") -> Behaviour:
    """Always that status."""

    def answers(visitor: Visitor) -> None:
        visitor.answer(body, *headers, status=said)

    answers.__name__ = f"{said}, {'; '.join(headers) or 'no headers'}, {len(body)} bytes"
    return answers


def with_a_page_that_breaks_off(said: str) -> Behaviour:
    """A status whose page is shorter than its length says."""

    def answers(visitor: Visitor) -> None:
        visitor.say(f"HTTP/1.1 {said}\r\nContent-Length: 1000\r\n\r\n<html>Sor".encode())
        visitor.close()

    answers.__name__ = f"{said}, breaks off"
    return answers


def without_body(said: str) -> Behaviour:
    """A status that never has a body, and so no length."""

    def answers(visitor: Visitor) -> None:
        visitor.say(f"HTTP/1.1 {said}\r\n\r\n".encode())

    answers.__name__ = said
    return answers


def at_first(fault: Behaviour, then: Behaviour = good) -> Behaviour:
    """The fault once, and then as if nothing had been."""
    waiting = [fault]

    def answers(visitor: Visitor) -> None:
        (waiting.pop() if waiting else then)(visitor)

    return answers


def busy(retry_after: Callable[[], str]) -> Behaviour:
    """429, with a Retry-After as it is at the moment."""

    def answers(visitor: Visitor) -> None:
        visitor.answer(b"", f"Retry-After: {retry_after()}", status="429 Too Many Requests")

    answers.__name__ = "busy"
    return answers


def in_an_hour() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)


def an_hour_ago() -> str:
    return format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)


def only_a_part(visitor: Visitor) -> None:
    end = GOOD.index(b"two")
    visitor.answer(GOOD[:end], f"Content-Range: bytes 0-{end - 1}/{len(GOOD)}", status="206 Partial Content")


def all_of_it_as_a_part(visitor: Visitor) -> None:
    visitor.answer(GOOD, status="206 Partial Content")


def a_page(visitor: Visitor) -> None:
    visitor.answer(PAGE, "Content-Type: text/html")


def a_challenge(said: str = "200 OK") -> Behaviour:
    return status(said, "Content-Type: text/html", body=CHALLENGE)
