"""The cookies of one crawl. Some sites set one and redirect to where they were asked: without it, again and again.

Laws: a cookie goes back to the origin that set it and to no other, and lives as long as the crawl; how many and how
large they are is bounded. Paths and dates are not looked at: nobody logs in here.
"""

from usp.limits import MIB
from usp.values.urls import origin

COOKIES_AN_ORIGIN = 50
LENGTH = 4096
"""Characters of one cookie; browsers keep no longer ones."""

IN_ALL = 1 * MIB
"""Characters of all cookies; beyond, the origins that set theirs first are forgotten: an index can name any number."""


class Cookies:
    """Keeps what ``Set-Cookie`` says.

    >>> cookies = Cookies()
    >>> cookies.keep("https://example.com/", "seen=yes; Path=/; Secure")
    >>> cookies.header("https://example.com/sitemap.xml"), cookies.header("https://example.org/")
    ('seen=yes', '')
    """

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, str]] = {}
        self._size = 0

    def keep(self, url: str, set_cookie: str) -> None:
        """Take the values of the header, one a line."""
        for line in set_cookie.split("\n"):
            pair, _, attributes = line.partition(";")
            name, equals, value = pair.partition("=")
            name, value = name.strip(), value.strip()
            if not (equals and name) or len(pair) > LENGTH or not pair.isprintable() or not pair.isascii():
                continue
            kept = self._kept.setdefault(origin(url), {})
            known = kept.pop(name, None)
            self._size -= 0 if known is None else len(name) + len(known)
            if not _is_over(attributes) and len(kept) < COOKIES_AN_ORIGIN:
                kept[name] = value
                self._size += len(name) + len(value)
        self._forget_the_first()

    def header(self, url: str) -> str:
        """What to send as ``Cookie``; empty if there is nothing to send."""
        return "; ".join(f"{name}={value}" for name, value in self._kept.get(origin(url), {}).items())

    def _forget_the_first(self) -> None:
        while self._size > IN_ALL:
            forgotten = self._kept.pop(next(iter(self._kept)))
            self._size -= sum(len(name) + len(value) for name, value in forgotten.items())


def _is_over(attributes: str) -> bool:
    """Whether a cookie is set to be forgotten."""
    for attribute in attributes.lower().split(";"):
        name, _, value = attribute.partition("=")
        if name.strip() == "max-age":
            return value.strip().startswith("-") or value.strip() == "0"
        if name.strip() == "expires" and "1970" in value:
            return True
    return False
