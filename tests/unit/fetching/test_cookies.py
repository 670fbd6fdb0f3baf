"""Cookies live within one crawl, go back to their own origin, and are bounded."""

import pytest

from usp.fetching.cookies import COOKIES_AN_ORIGIN, IN_ALL, LENGTH, Cookies

URL = "https://example.com/"


def kept(*set_cookie: str) -> str:
    cookies = Cookies()
    for header in set_cookie:
        cookies.keep(URL, header)
    return cookies.header(URL)


@pytest.mark.parametrize(
    ("set_cookie", "header"),
    [
        ("a=1", "a=1"),
        ("a=1; Path=/; Secure; HttpOnly; SameSite=Lax", "a=1"),
        (' a = "one two" ;x', 'a="one two"'),
        ("a=", "a="),
        ("a=b=c==", "a=b=c=="),
        ("a=1\nb=2\na=3", "b=2; a=3"),
        ("=1", ""),
        ("a", ""),
        ("", ""),
        ("a=\x00", ""),
        ("a=\t1\x0b2", ""),
        ("a=\u00fc", ""),
        ("a=" + "b" * LENGTH, ""),
    ],
)
def test_a_set_cookie_is_taken_as_far_as_it_is_one(set_cookie: str, header: str) -> None:
    assert kept(set_cookie) == header


@pytest.mark.parametrize(
    "attributes",
    [
        "Max-Age=0",
        "max-age=-1",
        "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "Path=/; expires=Thu, 01-Jan-1970 00:00:01 GMT",
    ],
)
def test_a_cookie_that_is_over_is_forgotten(attributes: str) -> None:
    assert kept("a=1\nb=2", f"a=; {attributes}") == "b=2"


def test_a_cookie_goes_to_its_own_origin_only() -> None:
    cookies = Cookies()
    cookies.keep("https://example.com:443/one", "a=1")
    assert cookies.header("HTTPS://Example.COM/two") == "a=1"
    for other in (
        "http://example.com/",
        "https://example.com:8443/",
        "https://www.example.com/",
        "https://example.org/",
    ):
        assert cookies.header(other) == ""


def test_an_origin_has_so_many_cookies_and_can_change_them() -> None:
    cookies = Cookies()
    for number in range(2 * COOKIES_AN_ORIGIN):
        cookies.keep(URL, f"c{number}=1")
    cookies.keep(URL, "c0=2")
    header = cookies.header(URL)
    assert header.count("=") == COOKIES_AN_ORIGIN
    assert "c0=2" in header


def test_of_any_number_of_origins_the_last_ones_are_remembered() -> None:
    cookies = Cookies()
    large = "\n".join(f"c{number}={'x' * (LENGTH - 10)}" for number in range(COOKIES_AN_ORIGIN))
    urls = [f"https://host{number}.example/" for number in range(100)]
    for url in urls:
        cookies.keep(url, large)
    remembered = [url for url in urls if cookies.header(url)]
    assert remembered == urls[-len(remembered) :]
    assert 0 < sum(len(cookies.header(url)) for url in remembered) <= 1.1 * IN_ALL


def test_a_cookie_that_is_set_again_and_again_makes_nobody_forget() -> None:
    cookies = Cookies()
    cookies.keep("https://first.example/", "a=1")
    for number in range(1000):
        cookies.keep(URL, f"a={number}{'x' * 4000}")
    assert cookies.header("https://first.example/") == "a=1"
