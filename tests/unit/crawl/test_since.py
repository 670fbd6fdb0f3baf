"""What is older than a moment, as far as the site's dates tell."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from usp.crawl.since import Since
from usp.exceptions import InvalidOptionException
from usp.rows import NewsRow, Row, pack, unpack

NOON = datetime(2024, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "admitted"),
    [
        ("2024-06-01T12:00:00Z", True),
        ("2024-06-01T11:59:59Z", False),
        ("2024-06-01T11:59:59.5Z", True),
        ("2024-06-01T11:59Z", False),
        ("2024-06-01T12:00Z", True),
        ("2024-06-01T13:59:00+02:00", False),
        ("2024-06-01T14:00:00+02:00", True),
        ("2024-06-01T12:00:00", True),
        ("2024-06-01T11:00:00", False),
        ("2024-06-01", True),
        ("2024-05-31", False),
        ("2024-06", True),
        ("2024-05", False),
        ("2024", True),
        ("2023", False),
        ("Sat, 01 Jun 2024 11:00:00 GMT", False),
        ("2030", True),
    ],
)
def test_a_date_stays_unless_all_of_it_lies_before_the_moment(words: str, admitted: bool) -> None:
    assert Since(NOON).admits(words) is admitted


@pytest.mark.parametrize("words", [None, "", "soon", "10", "0000-00-00", "02/30/2024"])
def test_what_has_no_certain_date_stays(words: str | None) -> None:
    assert Since(NOON).admits(words)


def test_a_leap_year_and_a_long_month_last_to_their_end() -> None:
    assert Since(datetime(2024, 12, 31, 23, tzinfo=UTC)).admits("2024")
    assert not Since(datetime(2025, 1, 1, tzinfo=UTC)).admits("2024")
    assert Since(datetime(2024, 2, 29, 23, tzinfo=UTC)).admits("2024-02")
    assert not Since(datetime(2024, 3, 1, tzinfo=UTC)).admits("2024-02")


def test_a_date_begins_at_midnight_in_utc() -> None:
    since = Since(date(2024, 6, 1))
    assert since.admits("2024-06-01T00:00:00Z")
    assert not since.admits("2024-05-31T23:59:59Z")
    assert not since.admits("2024-06-01T01:00:00+02:00")


def test_a_moment_keeps_its_zone_and_is_in_utc_without_one() -> None:
    east = timezone(timedelta(hours=9))
    assert Since(datetime(2024, 6, 1, 9, tzinfo=east)).admits("2024-06-01T00:00:00Z")
    assert not Since(datetime(2024, 6, 1, 9)).admits("2024-06-01T08:00:00Z")  # noqa: DTZ001


def test_the_first_and_the_last_moment_of_all_overflow_nothing() -> None:
    east, west = timezone(timedelta(hours=14)), timezone(timedelta(hours=-14))
    assert Since(datetime.min.replace(tzinfo=east)).admits("0001-01-01")
    assert not Since(datetime.max.replace(tzinfo=west)).admits("2024")
    assert Since(NOON).admits("9999-12-31T23:59:59-14:00")
    assert not Since(NOON).admits("0001-01-01T00:00:00+14:00")


def test_pages_stay_in_their_order_and_count_anew() -> None:
    rows = [
        Row("new", "2024-07-01"),
        Row("old", "2024-01-01"),
        Row("none"),
        Row("story", news=NewsRow(publication_date="2024-01-01")),
        Row("fresh story", news=NewsRow(publication_date="2024-07-01")),
    ]
    packed, count = Since(NOON).filter(pack(rows), len(rows))
    assert [row.url for row in unpack(packed)] == ["new", "none", "fresh story"]
    assert count == 3


def test_a_block_of_which_all_stays_is_left_as_it_is() -> None:
    packed = pack([Row("new", "2024-07-01")])
    assert Since(NOON).filter(packed, 1)[0] is packed


@pytest.mark.parametrize("moment", ["2024-06-01", 1717243200, None, [], object()])
def test_what_is_no_moment_raises(moment: Any) -> None:
    with pytest.raises(InvalidOptionException, match="since must be a datetime or a date"):
        Since(moment)
