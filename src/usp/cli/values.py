"""What options take: text to value; what is no such value is said as argparse says it."""

import re
from argparse import ArgumentTypeError
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fnmatch import translate

from usp.limits import KIB, MIB

_UNITS = {"": 1, "k": KIB, "m": MIB, "g": 1024 * MIB}
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}

_size = re.compile(r"(\d{1,15})([kmg]?)(?:i?b)?", re.ASCII | re.IGNORECASE).fullmatch
_duration = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)([smhdw]?)", re.ASCII).fullmatch


def size(words: str) -> int:
    """Bytes.

    >>> size("50M"), size("64KiB"), size("1000")
    (52428800, 65536, 1000)
    """
    found = _size(words)
    if not found:
        raise ArgumentTypeError(f"{words!r} is no size: write 1000, 64K, 50M or 2G")
    return int(found[1]) * _UNITS[found[2].lower()]


def seconds(words: str) -> float:
    """A length of time.

    >>> seconds("90"), seconds("1.5m"), seconds("2h")
    (90.0, 90.0, 7200.0)
    """
    found = _duration(words)
    if not found:
        raise ArgumentTypeError(f"{words!r} is no length of time: write 30, 30s, 5m or 2h")
    return float(found[1]) * _SECONDS[found[2]]


def whole(least: int) -> Callable[[str], int]:
    """A whole number that is not smaller than this.

    >>> whole(1)("12")
    12
    """

    def number(words: str) -> int:
        if not re.fullmatch(r"\d{1,15}", words, re.ASCII) or int(words) < least:
            raise ArgumentTypeError(f"{words!r} is no whole number of at least {least}")
        return int(words)

    return number


def moment(words: str, now: datetime | None = None) -> str:
    """A date as the W3C writes it, or how long ago it was; a date either way.

    >>> moment("2024-06"), moment("7d", datetime(2024, 6, 8, tzinfo=UTC))
    ('2024-06', '2024-06-01T00:00:00+00:00')
    """
    from usp.values.dates import is_w3c_date

    if is_w3c_date(words):
        return words
    found = _duration(words)
    if not found or not found[2]:
        raise ArgumentTypeError(f"{words!r} is no date: write 2024-06-01, or 7d, 12h or 2w for so long ago")
    try:
        return ((now or datetime.now(UTC)) - timedelta(seconds=seconds(words))).isoformat(timespec="seconds")
    except OverflowError:
        raise ArgumentTypeError(f"{words!r} is longer ago than dates go back") from None


def pattern(words: str) -> Callable[[str], bool]:
    """What says of a URL whether it is meant: a glob of the whole URL, or of its path if it begins with a slash, or a
    regular expression to be found anywhere.

    >>> [pattern(words)("https://example.com/news/a?b") for words in ("*/news/*", "/news/*", "re:/a\\\\b", "/news")]
    [True, True, True, False]
    """
    if words.startswith("re:"):
        try:
            found = re.compile(words.removeprefix("re:")).search
        except re.error as error:
            raise ArgumentTypeError(f"{words!r} is no regular expression: {error}") from None
        return lambda url: found(url) is not None
    matches = re.compile(translate(words)).match
    if words.startswith("/"):
        return lambda url: matches("/" + url.partition("://")[2].partition("/")[2]) is not None
    return lambda url: matches(url) is not None


def header(words: str) -> tuple[str, str]:
    """A header of a request.

    >>> header("Accept-Language: en")
    ('Accept-Language', 'en')
    """
    name, colon, value = words.partition(":")
    if not colon or not name.strip():
        raise ArgumentTypeError(f"{words!r} is no header: write 'Name: value'")
    return name.strip(), value.strip()


def credentials(words: str) -> tuple[str, str]:
    """A user and a password.

    >>> credentials("ann:se:cret")
    ('ann', 'se:cret')
    """
    user, colon, password = words.partition(":")
    if not colon:
        raise ArgumentTypeError("credentials are written USER:PASSWORD")
    return user, password
