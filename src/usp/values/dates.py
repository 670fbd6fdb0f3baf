"""Dates as sites write them -> ``datetime``.

Laws: never raises for what a site wrote; never guesses and never fills in (no default year, no order of day and month,
no clock is ever asked), so what is not certainly a date is None. The zone is the document's: an offset or a known name;
no zone, or a name that means several zones or none, stays naive. Of several stamps in one value the first counts.
The W3C profile (https://www.w3.org/TR/NOTE-datetime) is the hot path; every other tolerated form is one row of
``_stamps``. Values are bounded in length, and every pattern is linear in it.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from functools import cache

from msgspec import ValidationError, convert

from usp.exceptions import SitemapException

LONGEST = 100
"""Characters of the longest value read as a date: two stamps with long zones fit; text that holds a date does not."""


class Precision(StrEnum):
    """How much of a date the site wrote; a fraction of a second counts as second."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    MINUTE = "minute"
    SECOND = "second"


# ``fromisoformat`` is three times faster than any own reading, but invents dates for 1612123100000, 20240102112,
# 2024-01-02-05:00 and 2024-W01-1, and takes +00:75 for an offset: it is asked only once the shape is known.
_is_plain = re.compile(
    r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?[0-5]\d)?)?", re.ASCII
).fullmatch
_from_iso_format = datetime.fromisoformat

# msgspec reads RFC 3339 alone (dates with a time to the second), and many words at once: 25 ns each. Of more than six
# digits of a fraction it rounds the last one; the shortest moment with seven has 27 characters.
_DATES = list[datetime | None]
_MIDNIGHT = "T00:00:00"
_DAY_LENGTH = len("2024-01-02")
_EXACT_LENGTH = 26

_is_w3c = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:[0-5]\d))?)?)?", re.ASCII
).fullmatch


def parse_date(words: str | None) -> datetime | None:
    """The moment that a site's words certainly mean, or None.

    >>> parse_date("2024-01-02T03:04:05Z")
    datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    >>> parse_date("Tue, 2 Jan 24 03:04 EST").isoformat()
    '2024-01-02T03:04:00-05:00'
    >>> parse_date("2024")
    datetime.datetime(2024, 1, 1, 0, 0)
    >>> parse_date("02/03/2024") is None
    True
    """
    if words is not None and _is_plain(words):
        try:
            return _from_iso_format(words)
        except ValueError:
            pass  # impossible, or one of the few things it does not know: 24:00, a leap second
    stamp = _read(words)
    return stamp[0] if stamp else None


def parse_dates(words: Sequence[str | None]) -> list[datetime | None]:
    """What ``parse_date`` gives for each of many words; ten times faster where all are whole dates or moments.

    >>> [str(date) for date in parse_dates(["2024-01-02", None, "2024-01-02T03:04:05Z"])]
    ['2024-01-02 00:00:00', 'None', '2024-01-02 03:04:05+00:00']
    """
    lengths = set(map(len, filter(None, words)))
    if max(lengths, default=0) <= _EXACT_LENGTH:
        whole = words
        if _DAY_LENGTH in lengths:
            whole = [one + _MIDNIGHT if one is not None and len(one) == _DAY_LENGTH else one for one in words]
        try:
            return convert(whole, _DATES)
        except ValidationError:
            pass  # one of them at least is not of that form
    return list(map(parse_date, words))


def date_precision(words: str | None) -> Precision | None:
    """How much of a date the site wrote, or None where ``parse_date`` gives None.

    >>> str(date_precision("2024-01")), str(date_precision("2024-01-02 03:04"))
    ('month', 'minute')
    """
    stamp = _read(words)
    return stamp[1] if stamp else None


def is_w3c_date(words: str | None) -> bool:
    """Whether the words are a possible date, written exactly as the W3C profile wants it.

    >>> is_w3c_date("2024-01-02"), is_w3c_date("2024-01-02 03:04:05")
    (True, False)
    """
    return words is not None and _is_w3c(words) is not None and parse_date(words) is not None


def in_utc(moment: datetime) -> datetime:
    """The same moment in UTC; one without a zone is taken as UTC.

    >>> in_utc(datetime.fromisoformat("2024-01-02T03:04:05+01:00")).isoformat()
    '2024-01-02T02:04:05+00:00'
    """
    shown, offset = moment.replace(tzinfo=UTC), moment.utcoffset()
    try:
        return shown - offset if offset else shown
    except OverflowError:  # the first or the last day of all, in another zone
        return shown


def parse_iso8601_date(s: str | None) -> datetime | None:
    """``parse_date`` under the name that programs know; None and the empty string are a caller's mistake.

    >>> parse_iso8601_date("2024-01-02T03:04:05+01:00").isoformat()
    '2024-01-02T03:04:05+01:00'
    """
    if not s:
        raise SitemapException("There is no date to parse: the value is empty.")
    return parse_date(s)


def parse_rfc2822_date(s: str | None) -> datetime | None:
    """``parse_date`` under the name that programs know; None and the empty string are a caller's mistake.

    >>> parse_rfc2822_date("Tue, 02 Jan 2024 03:04:05 +0000").isoformat()
    '2024-01-02T03:04:05+00:00'
    """
    return parse_iso8601_date(s)


# --- the wild forms -------------------------------------------------------------------------------------------------
# Parts of the patterns. White space is already collapsed to single blanks and letter case does not count.

_WEEKDAY = r"(?:[^0-9 ,:]{2,14}, ?|(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?[.,]? ?)?"
"""Any single word before a comma (sites write it in their own language), or an English name. It is never believed."""

_MONTH = (
    r"(?P<month_name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_GAP = r"[ ,/-][ ,/]?"
"""Before a year. Never `` -``: PHP writes the zero date of databases as 30 Nov -0001, which is no year 1."""
_YEAR = r"(?P<year>\d{4})"
_CERTAIN_YEAR = r"(?P<year>(?:19|20)\d\d)"
"""Digits in a row are a date only if they begin like one: 10101010 is a number."""

_FRACTION = r"(?:[.,](?P<fraction>\d+))?"
_TIME = (
    rf"(?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?::(?P<second>\d\d){_FRACTION})?"
    r"(?: ?(?P<half>[ap])\.?m(?![a-z])\.?)?"
)
_OFFSET = r"(?P<sign>[+−-])(?P<offset>\d{1,2}:?[0-5]\d|\d{1,2})(?::00)?"
_ZONE = (
    r"(?: ?(?P<zone>[a-z]+/[a-z_/]+|[a-z]{1,5})(?![a-z]))?"  # Z, GMT, CET, Europe/Paris
    rf"(?: ?{_OFFSET}(?: ?[a-z]{{1,5}}(?![a-z]))?)?"  # +0100, also after UTC or before CET: the offset counts
    r"(?: ?[(\[][^()\[\]]*[)\]])?"  # (Central European Time), [Europe/Paris]: a comment
)
# The schema of the protocol allows xsd:date, which can have a zone without a time: 2024-01-02Z, 2024-01-02-05:00.
_ZONE_OF_DAY = r"(?: ?(?P<zone_of_day>z|utc|gmt)(?![a-z])|(?P<sign_of_day>[+−-])(?P<offset_of_day>\d\d:[0-5]\d))"
_JOIN = r"(?: ?[t,] ?| (?:at|-) | |:)"
_WHEN = rf"(?:{_JOIN}{_TIME}{_ZONE}|{_ZONE_OF_DAY})?"


def _compile(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.ASCII | re.IGNORECASE) for pattern in patterns)


@cache  # compiled at the first wild date: most sites have none, and it costs some ten milliseconds
def _stamps() -> tuple[re.Pattern[str], ...]:
    """Every tolerated form that names a day. Numbers alone are read only where the year stands first."""
    return _compile(
        # RFC 822, 850 and 2822, NCSA logs: Tue, 02 Jan 2024 03:04:05 GMT · 02-Jan-24 · 02/Jan/2024:03:04:05 +0000
        # A two-digit year before a colon would be the hour of a date without year.
        rf"{_WEEKDAY}{_DAY}\.?[ /-]?(?:of )?{_MONTH}(?:{_GAP})?(?P<year>\d{{4}}|\d{{2,3}}(?![\d:])){_WHEN}",
        # ISO 8601 with whatever stands for T and for the zone: 2024-01-02 03:04:05 +0000 · 2024/1/2 · 2024.01.02
        rf"{_YEAR}(?P<dash>[/.-])(?P<month>\d{{1,2}})(?P=dash)(?P<day>\d{{1,2}}){_WHEN}",
        # ISO 8601 basic date: 20240102 · 20240102 03:04:05
        rf"{_CERTAIN_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?!\d){_WHEN}",
        # ISO 8601 basic time: 20240102T030405Z · 2024-01-02T0304+0100
        rf"{_CERTAIN_YEAR}(?P<dash>-?)(?P<month>\d\d)(?P=dash)(?P<day>\d\d)"
        rf"t(?P<hour>\d\d)(?P<minute>\d\d)(?:(?P<second>\d\d){_FRACTION})?{_ZONE}",
        # A database's fourteen digits: 20240102030405. Twelve or thirteen could be anything.
        rf"{_CERTAIN_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)(?!\d)",
        # JavaScript, American prose: Tue Jan 02 2024 03:04:05 GMT+0100 (CET) · January 2nd, 2024 at 3:04 PM
        rf"{_WEEKDAY}{_MONTH}[ /-]?{_DAY}{_GAP}{_YEAR}{_WHEN}",
        # 2024-Jan-02 · 2024 January 2
        rf"{_YEAR}[ /-]{_MONTH}[ /-]{_DAY}{_WHEN}",
        # asctime, git: Tue Jan 2 03:04:05 2024 · Tue Jan 2 03:04:05 2024 +0100
        rf"{_WEEKDAY}{_MONTH} {_DAY},? {_TIME} {_YEAR}{_ZONE}",
        # date(1), Java, Ruby: Tue Jan 2 03:04:05 UTC 2024 · Tue 2 Jan 03:04:05 PM CET 2024
        rf"{_WEEKDAY}{_MONTH} {_DAY},? {_TIME}{_ZONE} {_YEAR}",
        rf"{_WEEKDAY}{_DAY} {_MONTH},? {_TIME}{_ZONE} {_YEAR}",
    )


@cache
def _coarse_stamps() -> tuple[re.Pattern[str], ...]:
    """Forms without a day, which must be the whole value: 2024 · 2024-01 · January 2024."""
    return _compile(rf"{_YEAR}\Z", rf"{_YEAR}[/-](?P<month>\d\d)\Z", rf"{_MONTH}{_GAP}{_YEAR}\Z")


_BETWEEN_STAMPS = re.compile(r"[ ,;|/&-]*")


def _read(words: str | None) -> tuple[datetime, Precision] | None:
    if not words or len(words) > LONGEST:
        return None
    written = " ".join(words.split())
    for form in _stamps() + _coarse_stamps():
        match = form.match(written)
        if match and _holds_only_stamps(written, match.end()):
            return _stamp(match.groupdict())
    return None


def _holds_only_stamps(written: str, start: int) -> bool:
    while start < len(written):
        between = _BETWEEN_STAMPS.match(written, start)
        start = between.end() if between else start
        match = next(filter(None, (form.match(written, start) for form in _stamps())), None)
        if match is None:
            return False
        start = match.end()
    return True


def _stamp(parts: dict[str, str | None]) -> tuple[datetime, Precision] | None:
    """The moment of a matched form, or None if there is no such moment."""
    month_name = parts.get("month_name")
    month = _MONTHS.index(month_name[:3].lower()) + 1 if month_name else int(parts.get("month") or 1)
    time = _time_of_day(parts)
    if time is None:
        return None
    try:
        midnight = datetime(_year(parts["year"] or ""), month, int(parts.get("day") or 1), tzinfo=_zone(parts))
        return midnight + time, _precision(parts)
    except (ValueError, OverflowError):
        return None


def _year(digits: str) -> int:
    """RFC 2822, section 4.3: two digits below 50 are of this century, others and three digits count from 1900."""
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + 2000 if len(digits) == 2 and year < 50 else year + 1900


def _time_of_day(parts: dict[str, str | None]) -> timedelta | None:
    """The time since midnight, nothing if no time is written; None if it is impossible."""
    hour, minute, second = (int(parts.get(name) or 0) for name in ("hour", "minute", "second"))
    microsecond = int(((parts.get("fraction") or "") + "000000")[:6])
    half = parts.get("half")
    if half:
        hour = _hour_of_day(hour, afternoon=half in "pP")
    # 24:00 is the end of the day; a leap second, unknown to datetime, is the first second of the next minute.
    possible_hour = 0 <= hour < 24 or (hour, minute, second, microsecond) == (24, 0, 0, 0)
    possible_second = second < 60 or (second == 60 and minute == 59)
    if not possible_hour or minute > 59 or not possible_second:
        return None
    return timedelta(hours=hour, minutes=minute, seconds=second, microseconds=microsecond)


def _hour_of_day(hour: int, *, afternoon: bool) -> int:
    """The hour that AM or PM makes of an hour, -1 if none: 15:04 PM is certain, 15:04 AM and 0:04 PM are not."""
    if hour == 12:
        return 12 if afternoon else 0
    if hour < 12:
        return hour if not afternoon else hour + 12 if hour else -1
    return hour if afternoon and hour < 24 else -1


def _precision(parts: dict[str, str | None]) -> Precision:
    if parts.get("second"):
        return Precision.SECOND
    if parts.get("minute"):
        return Precision.MINUTE
    if parts.get("day"):
        return Precision.DAY
    return Precision.MONTH if parts.get("month") or parts.get("month_name") else Precision.YEAR


# Hours from UTC. RFC 822 defines those of North America; the others are what sites that write them mean.
# Not here, so that their times stay naive: names in use for several zones (IST, AST), and the military letters, which
# RFC 2822 calls unknown because everybody had their sign wrong.
_ZONES: dict[str, float] = (
    dict.fromkeys(("z", "ut", "utc", "gmt", "wet"), 0)
    | {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}
    | {"akst": -9, "akdt": -8, "hst": -10, "brt": -3}
    | {"bst": 1, "west": 1, "cet": 1, "cest": 2, "met": 1, "mest": 2, "eet": 2, "eest": 3, "msk": 3, "sast": 2}
    | {"pkt": 5, "wib": 7, "hkt": 8, "sgt": 8, "awst": 8, "jst": 9, "kst": 9, "acst": 9.5, "acdt": 10.5}
    | {"aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13}
)


def _zone(parts: dict[str, str | None]) -> timezone | None:
    """The zone written, None if there is none or its name is unknown; ValueError for a day or more."""
    offset = parts.get("offset") or parts.get("offset_of_day")
    if offset:
        digits = offset.replace(":", "")
        hours, minutes = (digits, "0") if len(digits) < 3 else (digits[:-2], digits[-2:])
        distance = timedelta(hours=int(hours), minutes=int(minutes))
        distance = distance if (parts.get("sign") or parts.get("sign_of_day")) == "+" else -distance
    else:
        known = _ZONES.get((parts.get("zone") or parts.get("zone_of_day") or "").lower())
        if known is None:
            return None
        distance = timedelta(hours=known)
    return timezone(distance) if distance else UTC
