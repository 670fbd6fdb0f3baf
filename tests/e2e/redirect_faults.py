"""Redirects that lead nowhere good, or only just: one function a fault."""

from tests.e2e.crawling import FAULT, good
from tests.e2e.server import Behaviour, Visitor


def to(location: str, *headers: str, status: str = "302 Found") -> Behaviour:
    """A redirect."""

    def redirects(visitor: Visitor) -> None:
        visitor.answer(b"", f"Location: {location}", *headers, status=status)

    return redirects


def without_location(visitor: Visitor) -> None:
    visitor.answer(b"somewhere else", status="302 Found")


def with_an_empty_location(visitor: Visitor) -> None:
    visitor.answer(b"", "Location: ", status="302 Found")


def to_itself_until_the_cookie_comes_back(visitor: Visitor) -> None:
    if visitor.header("Cookie") == "seen=yes":
        good(visitor)
    else:
        to(FAULT, "Set-Cookie: seen=yes; Path=/; HttpOnly")(visitor)


def to_itself_with_ever_new_cookies(visitor: Visitor) -> None:
    count = int((visitor.header("Cookie") or "count=0").partition("=")[2])
    to(FAULT, f"Set-Cookie: count={count + 1}")(visitor)


def in_a_circle_until_the_cookie_comes_back(visitor: Visitor) -> None:
    """A site with a door: the door sets the cookie and sends back to where the visitor came from."""
    if visitor.header("Cookie") == "seen=yes":
        good(visitor)
    else:
        to("/door")(visitor)


def door(visitor: Visitor) -> None:
    to(FAULT, "Set-Cookie: seen=yes")(visitor)


def onwards(visitor: Visitor) -> None:
    """From /hop/1 to /hop/2, and so on."""
    number = int(visitor.target.rpartition("/")[2])
    to(f"/hop/{number + 1}")(visitor)


def with_an_endless_body(visitor: Visitor) -> None:
    visitor.say(b"HTTP/1.1 301 Moved\r\nLocation: /good.xml\r\n\r\n")
    while visitor.say(b"moved " * 1000):
        pass
