"""Whatever is written is read back, and nothing is read that is not written."""

import ast
import inspect
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from usp.values import dates
from usp.values.dates import LONGEST, Precision, date_precision, is_w3c_date, parse_date, parse_dates

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
FULL_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
ZONES = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
FIRST, LAST = datetime(1000, 1, 1), datetime(9998, 12, 31)  # noqa: DTZ001
AWARE = st.datetimes(FIRST, LAST, timezones=st.just(UTC) | ZONES)
MOMENTS = st.datetimes(FIRST, LAST) | AWARE

# strftime is no help: it depends on the locale and on the C library.


def offset(moment: datetime, colon: str = "") -> str:
    distance = moment.utcoffset()
    if distance is None:
        return ""
    minutes = round(abs(distance).total_seconds()) // 60
    return f"{'-' if distance < timedelta() else '+'}{minutes // 60:02}{colon}{minutes % 60:02}"


def day_of(moment: datetime, dash: str = "-") -> str:
    return f"{moment.year:04}{dash}{moment.month:02}{dash}{moment.day:02}"


def minute_of(moment: datetime) -> str:
    return f"{moment.hour:02}:{moment.minute:02}"


def second_of(moment: datetime) -> str:
    return f"{minute_of(moment)}:{moment.second:02}"


def half_of(moment: datetime) -> str:
    return f"{moment.hour % 12 or 12}:{moment.minute:02}:{moment.second:02} {'PM' if moment.hour > 11 else 'AM'}"


def weekday_of(moment: datetime) -> str:
    return WEEKDAYS[moment.weekday()]


def month_of(moment: datetime) -> str:
    return MONTHS[moment.month - 1]


Writer = Callable[[datetime], str]

WRITTEN_TO_THE_SECOND: dict[str, Writer] = {
    "w3c": lambda m: f"{day_of(m)}T{second_of(m)}{offset(m, ':')}",
    "space": lambda m: f"{day_of(m)} {second_of(m)} {offset(m, ':')}",
    "lower case": lambda m: f"{day_of(m)}t{second_of(m)}{offset(m)}",
    "slashes": lambda m: f"{day_of(m, '/')} {second_of(m)} {offset(m)}",
    "points": lambda m: f"{day_of(m, '.')} {second_of(m)} {offset(m)}",
    "long fraction": lambda m: f"{day_of(m)}T{second_of(m)}.000000999{offset(m, ':')}",
    "comma": lambda m: f"{day_of(m)}T{second_of(m)},0{offset(m, ':')}",
    "zone name": lambda m: f"{day_of(m)} {second_of(m)} {'GMT' * bool(m.tzinfo)}{offset(m)}",
    "half": lambda m: f"{day_of(m)} {half_of(m)} {offset(m)}",
    "RFC 2822": lambda m: f"{weekday_of(m)}, {m.day:02} {month_of(m)} {m.year} {second_of(m)} {offset(m)}",
    "no weekday": lambda m: f"{m.day} {FULL_MONTHS[m.month - 1]} {m.year} {second_of(m)} {offset(m)}",
    "wrong weekday": lambda m: f"{WEEKDAYS[m.day % 7]} {m.day} {month_of(m)} {m.year} {second_of(m)} {offset(m)}",
    "log": lambda m: f"{m.day:02}/{month_of(m)}/{m.year}:{second_of(m)} {offset(m)}",
    "prose": lambda m: f"{FULL_MONTHS[m.month - 1]} {m.day}, {m.year} at {half_of(m)} {offset(m)}",
    "git": lambda m: f"{weekday_of(m)} {month_of(m)} {m.day:2} {second_of(m)} {m.year} {offset(m)}",
    "date(1)": lambda m: f"{weekday_of(m)} {month_of(m)} {m.day:2} {second_of(m)} {offset(m)} {m.year}",
    "JavaScript": lambda m: f"{weekday_of(m)} {month_of(m)} {m.day:02} {m.year} {second_of(m)} {offset(m)} (Any Time)",
    "year first": lambda m: f"{m.year}-{month_of(m)}-{m.day:02} {second_of(m)}{offset(m, ':')}",
    "two stamps": lambda m: f"{day_of(m)}T{second_of(m)}{offset(m, ':')} {day_of(m)}T00:00:00Z",
}


@pytest.mark.parametrize("form", WRITTEN_TO_THE_SECOND)
@given(moment=MOMENTS)
def test_every_moment_is_read_back_from_every_form(form: str, moment: datetime) -> None:
    words = WRITTEN_TO_THE_SECOND[form](moment)
    read = parse_date(words)
    assert read == moment.replace(microsecond=0), words
    assert read.utcoffset() == moment.utcoffset()
    assert date_precision(words) is Precision.SECOND


WRITTEN_COARSELY: dict[Precision, tuple[Writer, ...]] = {
    Precision.MINUTE: (
        lambda m: f"{day_of(m)}T{minute_of(m)}{offset(m, ':')}",
        lambda m: f"{m.day} {month_of(m)} {m.year}, {minute_of(m)} {offset(m)}",
    ),
    Precision.DAY: (
        day_of,
        lambda m: day_of(m, "/"),
        lambda m: f"{m.year}-{m.month}-{m.day}",
        lambda m: f"{m.day}-{month_of(m)}-{m.year}",
        lambda m: f"{FULL_MONTHS[m.month - 1]} {m.day}, {m.year}",
    ),
    Precision.MONTH: (lambda m: f"{m.year}-{m.month:02}", lambda m: f"{month_of(m)} {m.year}"),
    Precision.YEAR: (lambda m: f"{m.year}",),
}
DROPPED = {
    Precision.MINUTE: {"second": 0},
    Precision.DAY: {"second": 0, "minute": 0, "hour": 0},
    Precision.MONTH: {"second": 0, "minute": 0, "hour": 0, "day": 1},
    Precision.YEAR: {"second": 0, "minute": 0, "hour": 0, "day": 1, "month": 1},
}


@pytest.mark.parametrize("precision", WRITTEN_COARSELY)
@given(moment=MOMENTS)
def test_coarse_dates_begin_their_period_and_keep_their_precision(precision: Precision, moment: datetime) -> None:
    begin = moment.replace(microsecond=0, tzinfo=moment.tzinfo if precision is Precision.MINUTE else None)
    for form in WRITTEN_COARSELY[precision]:
        words = form(moment)
        assert parse_date(words) == begin.replace(**DROPPED[precision]), words  # type: ignore[arg-type]
        assert date_precision(words) is precision, words


@given(AWARE)
def test_the_profile_of_the_w3c_is_read_and_recognised_with_any_fraction(moment: datetime) -> None:
    words = moment.isoformat()
    assert parse_date(words) == moment
    assert is_w3c_date(words)
    assert parse_date(words.replace("+00:00", "Z")) == moment


@given(st.datetimes(datetime(1950, 1, 1), datetime(2049, 12, 31, 23, 59)))  # noqa: DTZ001
def test_two_digits_of_a_year_mean_the_hundred_years_of_rfc_2822(moment: datetime) -> None:
    words = f"{moment.day} {month_of(moment)} {moment.year % 100:02} {second_of(moment)} GMT"
    assert parse_date(words) == moment.replace(microsecond=0, tzinfo=UTC)


@given(MOMENTS)
def test_basic_forms_are_read_where_the_year_is_a_likely_one(moment: datetime) -> None:
    words = f"{day_of(moment, '')}T{second_of(moment).replace(':', '')}{offset(moment)}"
    likely = 1900 <= moment.year < 2100
    assert parse_date(words) == (moment.replace(microsecond=0) if likely else None)


DATE_LIKE = st.lists(
    st.text("0123456789", min_size=1, max_size=5)
    | st.sampled_from([*"-/.:,TtZzWw+ ()[]|", "24:00", "AM", "pm", "GMT", "+01:00", "2024", "-01", ":30", "2024-07-16"])
    | st.sampled_from(WEEKDAYS + MONTHS),
    max_size=14,
).map("".join)


@given(st.text() | DATE_LIKE)
def test_nothing_is_invented(words: str) -> None:
    """Year, month and day of what is read stand in the text, unless the end of the day moved them on."""
    read, precision = parse_date(words), date_precision(words)
    assert (read is None) == (precision is None)
    if read is None or re.search(r"24:?00|59:?60", words):
        return
    numbers = set(re.findall(r"\d", words))
    assert f"{read.year % 100:02}" in words
    assert set(str(read.month)) <= numbers or month_of(read).lower() in words.lower() or precision is Precision.YEAR
    assert set(str(read.day)) <= numbers or precision in (Precision.YEAR, Precision.MONTH)
    assert read.tzinfo is not None or not words.endswith("Z")


@given(DATE_LIKE)
def test_the_hot_path_reads_as_the_table_of_forms_does(words: str) -> None:
    stamp = dates._read(words)
    assert parse_date(words) == (stamp[0] if stamp else None)


@given(AWARE, st.integers(0, 26), st.sampled_from("0123456789-:+TZ "))
def test_the_hot_path_reads_damaged_stamps_as_the_table_of_forms_does(
    moment: datetime, place: int, damage: str
) -> None:
    whole = f"{day_of(moment)}T{second_of(moment)}{offset(moment, ':')}"
    words = whole[:place] + damage + whole[place + 1 :]
    stamp = dates._read(words)
    assert parse_date(words) == (stamp[0] if stamp else None)


NEARLY_WHOLE = st.sampled_from(
    ["2024-01-02", "2024-01-02T03:04:05Z", "2024-02-29 23:59:59.123456+05:30", "0001-01-01T00:00:00-00:00"]
)


@st.composite
def nearly_whole_dates(draw: st.DrawFn) -> str:
    """A date as RFC 3339 has it, with some characters changed."""
    words = draw(NEARLY_WHOLE)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(words)))
        end = draw(st.sampled_from([start, start + 1]))
        words = words[:start] + draw(st.sampled_from(["", *"0123456789-+:.,TtZzW ٣", "999999"])) + words[end:]
    return words


@example(["2024-01-02T03:04:05.1234567"])  # rounding would give another microsecond
@example(["2024-01-02", None, "2024-01-02T24:00:00", "2024-W01-1", "", "10"])
@example(["2024-01-02T03:04:05+00:75"])
@given(st.lists(st.none() | nearly_whole_dates() | st.text(max_size=30), max_size=4))
def test_many_dates_are_read_as_one_is(words: list[str | None]) -> None:
    assert list(map(repr, parse_dates(words))) == [repr(parse_date(one)) for one in words]


@given(st.text(min_size=LONGEST + 1))
def test_longer_values_are_none(words: str) -> None:
    assert parse_date(words) is None


def test_no_clock_is_asked() -> None:
    named = {
        getattr(node, "attr", getattr(node, "id", None))
        for node in ast.walk(ast.parse(inspect.getsource(dates)))
        if isinstance(node, ast.Attribute | ast.Name)
    }
    assert "fromisoformat" in named
    assert not named & {"now", "utcnow", "today", "localtime", "gmtime", "time_ns", "fromtimestamp", "astimezone"}
