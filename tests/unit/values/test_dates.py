"""Every form of date that is tolerated, and what is none, in one table."""

import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from usp.exceptions import SitemapException
from usp.values.dates import (
    LONGEST,
    Precision,
    date_precision,
    is_w3c_date,
    parse_date,
    parse_iso8601_date,
    parse_rfc2822_date,
)

W3C = [
    ("2024", "2024-01-01T00:00:00", "year"),
    ("1997", "1997-01-01T00:00:00", "year"),
    ("2024-07", "2024-07-01T00:00:00", "month"),
    ("2024-07-16", "2024-07-16T00:00:00", "day"),
    ("2024-02-29", "2024-02-29T00:00:00", "day"),
    ("2024-07-16T19:20Z", "2024-07-16T19:20:00+00:00", "minute"),
    ("2024-07-16T19:20+01:00", "2024-07-16T19:20:00+01:00", "minute"),
    ("2024-07-16T19:20:30Z", "2024-07-16T19:20:30+00:00", "second"),
    ("2024-07-16T19:20:30+01:00", "2024-07-16T19:20:30+01:00", "second"),
    ("2024-07-16T19:20:30-11:30", "2024-07-16T19:20:30-11:30", "second"),
    ("2024-07-16T19:20:30-00:00", "2024-07-16T19:20:30+00:00", "second"),
    ("2024-07-16T19:20:30.4Z", "2024-07-16T19:20:30.400000+00:00", "second"),
    ("2024-07-16T19:20:30.45+01:00", "2024-07-16T19:20:30.450000+01:00", "second"),
    ("2024-07-16T19:20:30.123456Z", "2024-07-16T19:20:30.123456+00:00", "second"),
    ("2024-07-16T19:20:30.123456789+02:00", "2024-07-16T19:20:30.123456+02:00", "second"),
    ("2024-07-16T19:20:30.12345678901234567890Z", "2024-07-16T19:20:30.123456+00:00", "second"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+00:00", "second"),
]

NEARLY_W3C = [
    # something else than T
    ("2024-07-16 19:20:30", "2024-07-16T19:20:30", "second"),
    ("2024-07-16 19:20", "2024-07-16T19:20:00", "minute"),
    ("2024-07-16t19:20:30z", "2024-07-16T19:20:30+00:00", "second"),
    ("2024-07-16  19:20:30", "2024-07-16T19:20:30", "second"),
    ("2024-07-16 T 19:20:30", "2024-07-16T19:20:30", "second"),
    ("2024-07-16, 19:20:30", "2024-07-16T19:20:30", "second"),
    ("2024-07-16:19:20:30", "2024-07-16T19:20:30", "second"),
    ("2024-07-16 at 9:20", "2024-07-16T09:20:00", "minute"),
    ("\n\t2024-07-16\u00a019:20:30 ", "2024-07-16T19:20:30", "second"),
    # other separators, the year first
    ("2024/07/16", "2024-07-16T00:00:00", "day"),
    ("2024/7/6 9:20", "2024-07-06T09:20:00", "minute"),
    ("2024.07.16 19:20:30", "2024-07-16T19:20:30", "second"),
    ("2024-7-6", "2024-07-06T00:00:00", "day"),
    ("2024/07", "2024-07-01T00:00:00", "month"),
    # fractions
    ("2024-07-16T19:20:30,5Z", "2024-07-16T19:20:30.500000+00:00", "second"),
    ("2024-07-16 19:20:30.000", "2024-07-16T19:20:30", "second"),
    # missing and odd zones
    ("2024-07-16T19:20:30", "2024-07-16T19:20:30", "second"),
    ("2024-07-16T19:20:30+0000", "2024-07-16T19:20:30+00:00", "second"),
    ("2024-07-16T19:20:30.000-0530", "2024-07-16T19:20:30-05:30", "second"),
    ("2024-07-16T19:20:30+02", "2024-07-16T19:20:30+02:00", "second"),
    ("2024-07-16T19:20:30+2", "2024-07-16T19:20:30+02:00", "second"),
    ("2024-07-16T19:20:30+2:00", "2024-07-16T19:20:30+02:00", "second"),
    ("2024-07-16T19:20:30+530", "2024-07-16T19:20:30+05:30", "second"),
    ("2024-07-16T19:20:30+02:00:00", "2024-07-16T19:20:30+02:00", "second"),
    ("2024-07-16T19:20:30 +02:00", "2024-07-16T19:20:30+02:00", "second"),
    ("2024-07-16T19:20:30\N{MINUS SIGN}02:00", "2024-07-16T19:20:30-02:00", "second"),
    ("2024-07-16T19:20:30UTC", "2024-07-16T19:20:30+00:00", "second"),
    ("2024-07-16 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
    ("2024-07-16T19:20:30 UTC+2", "2024-07-16T19:20:30+02:00", "second"),
    ("2024-07-16T19:20:30GMT-03:00", "2024-07-16T19:20:30-03:00", "second"),
    ("2024-07-16T19:20:30+00:00Z", "2024-07-16T19:20:30+00:00", "second"),
    ("2024-07-16T19:20:30+02:00[Europe/Paris]", "2024-07-16T19:20:30+02:00", "second"),
    ("2024-07-16 19:20:30 Europe/Paris", "2024-07-16T19:20:30", "second"),
    ("2024-07-16 19:20:30 CEST", "2024-07-16T19:20:30+02:00", "second"),
    ("2024-07-16 19:20:30 Uhr", "2024-07-16T19:20:30", "second"),
    ("2024-07-16 19:20:30.123456789 +0200 CEST", "2024-07-16T19:20:30.123456+02:00", "second"),
    ("2024-07-16Z", "2024-07-16T00:00:00+00:00", "day"),
    ("2024-07-16+02:00", "2024-07-16T00:00:00+02:00", "day"),
    ("2024-01-02-05:00", "2024-01-02T00:00:00-05:00", "day"),
    ("2024-07-16 UTC", "2024-07-16T00:00:00+00:00", "day"),
    # the ends of the day
    ("2024-07-16T24:00:00Z", "2024-07-17T00:00:00+00:00", "second"),
    ("2024-12-31 24:00", "2025-01-01T00:00:00", "minute"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00+00:00", "second"),
    # halves of the day
    ("2024-07-16 7:20 PM", "2024-07-16T19:20:00", "minute"),
    ("2024-07-16 7:20:30 am", "2024-07-16T07:20:30", "second"),
    ("2024-07-16 12:20 AM", "2024-07-16T00:20:00", "minute"),
    ("2024-07-16 12:20pm", "2024-07-16T12:20:00", "minute"),
    ("2024-07-16 07:20 p.m. EDT", "2024-07-16T19:20:00-04:00", "minute"),
    ("2024-07-16 19:20 PM", "2024-07-16T19:20:00", "minute"),
    ("2024-07-16 0:20 AM", "2024-07-16T00:20:00", "minute"),
    # basic forms
    ("20240716", "2024-07-16T00:00:00", "day"),
    ("20240716T192030Z", "2024-07-16T19:20:30+00:00", "second"),
    ("20240716T192030.5+0200", "2024-07-16T19:20:30.500000+02:00", "second"),
    ("20240716T1920", "2024-07-16T19:20:00", "minute"),
    ("20240716 19:20:30", "2024-07-16T19:20:30", "second"),
    ("2024-07-16T192030Z", "2024-07-16T19:20:30+00:00", "second"),
    ("20240716192030", "2024-07-16T19:20:30", "second"),
]

WITH_MONTH_NAMES = [
    # RFC 822, 1123, 2822
    ("Tue, 16 Jul 2024 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
    ("Tue, 16 Jul 2024 19:20:30 +0200", "2024-07-16T19:20:30+02:00", "second"),
    ("Tue, 16 Jul 2024 19:20:30 -0000", "2024-07-16T19:20:30+00:00", "second"),
    ("16 Jul 2024 19:20:30 UT", "2024-07-16T19:20:30+00:00", "second"),
    ("Tue, 6 Jul 2024 19:20 Z", "2024-07-06T19:20:00+00:00", "minute"),
    ("Mon, 16 Jul 2024 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
    ("Tue 16 Jul 2024 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
    ("Tue,16 Jul 2024 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
    ("Tuesday, 16 July 2024 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
    ("Mardi, 16 Jul 2024 19:20:30 +0200", "2024-07-16T19:20:30+02:00", "second"),
    ("Tue, 16 Jul 2024 19:20:30", "2024-07-16T19:20:30", "second"),
    ("Tue, 16 Jul 2024 00:00:00 EST", "2024-07-16T00:00:00-05:00", "second"),
    ("Tue, 16 Jul 2024 19:20:30 PDT", "2024-07-16T19:20:30-07:00", "second"),
    ("Tue, 16 Jul 2024 19:20:30 CST", "2024-07-16T19:20:30-06:00", "second"),
    ("Tue, 16 Jul 2024 19:20:30 BST", "2024-07-16T19:20:30+01:00", "second"),
    ("Tue, 16 Jul 2024 19:20:30 JST", "2024-07-16T19:20:30+09:00", "second"),
    ("Tue, 16 Jul 2024 19:20:30 ACST", "2024-07-16T19:20:30+09:30", "second"),
    ("Tue, 16 Jul 2024 19:20:30 IST", "2024-07-16T19:20:30", "second"),
    ("Tue, 16 Jul 2024 19:20:30 A", "2024-07-16T19:20:30", "second"),
    ("Tue, 16 Jul 2024 19:20:30 +0200 (CEST)", "2024-07-16T19:20:30+02:00", "second"),
    ("Tue, 16 Jul 2024 19:20:30 GMT+0200", "2024-07-16T19:20:30+02:00", "second"),
    ("Tue, 16 Jul 2024 7:20:30 PM GMT", "2024-07-16T19:20:30+00:00", "second"),
    ("TUE, 16 JUL 2024 19:20:30 gmt", "2024-07-16T19:20:30+00:00", "second"),
    ("16 Jul 24 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
    ("16 Jul 49 19:20 GMT", "2049-07-16T19:20:00+00:00", "minute"),
    ("16 Jul 50 19:20 GMT", "1950-07-16T19:20:00+00:00", "minute"),
    ("16 Jul 99 19:20:30 GMT", "1999-07-16T19:20:30+00:00", "second"),
    ("16 Jul 124 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
    # RFC 850, logs, prose
    ("Tuesday, 16-Jul-24 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
    ("16-Jul-2024", "2024-07-16T00:00:00", "day"),
    ("16/Jul/2024:19:20:30 +0200", "2024-07-16T19:20:30+02:00", "second"),
    ("16 July 2024", "2024-07-16T00:00:00", "day"),
    ("16. July 2024", "2024-07-16T00:00:00", "day"),
    ("1st of July, 2024", "2024-07-01T00:00:00", "day"),
    ("July 16, 2024", "2024-07-16T00:00:00", "day"),
    ("July 2nd, 2024 at 7:20 PM", "2024-07-02T19:20:00", "minute"),
    ("Tuesday, July 16, 2024 - 19:20", "2024-07-16T19:20:00", "minute"),
    ("Sept. 2, 2024", "2024-09-02T00:00:00", "day"),
    ("Sep 2 2024", "2024-09-02T00:00:00", "day"),
    ("2024-Jul-16", "2024-07-16T00:00:00", "day"),
    ("2024 July 16 19:20", "2024-07-16T19:20:00", "minute"),
    ("July 2024", "2024-07-01T00:00:00", "month"),
    ("Jul 2024", "2024-07-01T00:00:00", "month"),
    # programs
    ("Tue Jul 16 19:20:30 2024", "2024-07-16T19:20:30", "second"),
    ("Tue Jul  6 19:20:30 2024", "2024-07-06T19:20:30", "second"),
    ("Tue Jul 16 19:20:30 2024 +0200", "2024-07-16T19:20:30+02:00", "second"),
    ("Tue Jul 16 19:20:30 UTC 2024", "2024-07-16T19:20:30+00:00", "second"),
    ("Tue Jul 16 07:20:30 PM CEST 2024", "2024-07-16T19:20:30+02:00", "second"),
    ("Tue 16 Jul 19:20:30 BST 2024", "2024-07-16T19:20:30+01:00", "second"),
    ("Tue Jul 16 2024", "2024-07-16T00:00:00", "day"),
    ("Tue Jul 16 2024 19:20:30 GMT+0200 (CEST)", "2024-07-16T19:20:30+02:00", "second"),
    ("Tue Jul 16 2024 19:20:30 GMT+0200 (Central European Summer Time)", "2024-07-16T19:20:30+02:00", "second"),
]

TWO_STAMPS = [
    ("2024-07-16 2024-07-17", "2024-07-16T00:00:00", "day"),
    ("2024-07-16/2024-07-17", "2024-07-16T00:00:00", "day"),
    ("2024-07-16 - 2024-07-17", "2024-07-16T00:00:00", "day"),
    ("2024-07-162024-07-17", "2024-07-16T00:00:00", "day"),
    ("2024-07-16T19:20:30Z2024-07-17T19:20:30Z", "2024-07-16T19:20:30+00:00", "second"),
    ("2024-07-16T19:20:30+02:002024-07-17T19:20:30+02:00", "2024-07-16T19:20:30+02:00", "second"),
    ("2024-07-16T19:20:30Z, 2024-07-17, 2024-07-18", "2024-07-16T19:20:30+00:00", "second"),
    ("2024-07-16 2024-02-31", "2024-07-16T00:00:00", "day"),
    ("Tue, 16 Jul 2024 19:20:30 GMT Wed, 17 Jul 2024 19:20:30 GMT", "2024-07-16T19:20:30+00:00", "second"),
]

NO_DATES = [
    None,
    "",
    " ",
    "today",
    "now",
    "yesterday",
    "null",
    "0",
    "1",
    "10",
    "-1",
    "+2024",
    "-2024-07-16",
    "20240",
    "202407",
    "2024-7",
    "24-07-16",
    # numbers that libraries take for dates
    "99999999999",
    "1612123100",
    "1612123100000",
    "20240102112",
    "202407161920",
    "10101010",
    "99999999",
    "2024-W01-1",
    "2024W011",
    "2024-198",
    "2024198",
    # impossible
    "0000",
    "0000-00-00",
    "0000-00-00T00:00:00Z",
    "0000-00-00 00:00:00",
    "2024-00-10",
    "2024-13-01",
    "2024-13",
    "2024-02-30",
    "2023-02-29",
    "2024-07-32",
    "20240732",
    "2024-07-16T25:00:00Z",
    "2024-07-16T24:00:01Z",
    "2024-07-16T19:60:00Z",
    "2024-07-16T19:20:60Z",
    "2024-07-16T19:20:30+00:75",
    "2024-07-16T19:20:30+24:00",
    "2024-07-16T19:20:30+9900",
    "2024-07-16 19:20 AM",
    "2024-07-16 0:20 PM",
    "2024-07-16 24:00 PM",
    "9999-12-31T24:00:00Z",
    "31 Feb 2024",
    "Tue, 31 Jun 2024 19:20:30 GMT",
    "0 Jul 2024",
    # PHP's zero date: the year 1 before Christ, not the year 1
    "Wed, 30 Nov -0001 00:00:00 +0000",
    "Nov 30 -0001",
    "November -0001",
    # the order of day and month is never guessed
    "02/03/2024",
    "02/30/2024",
    "25/12/2024",
    "12/25/2024",
    "25.12.2024",
    "25-12-2024",
    "07/16/24",
    "01/2024",
    "02/03/2024 19:20:30",
    # something is missing, and is not filled in
    "19:20:30",
    "T19:20:30Z",
    "16 Jul",
    "July 16",
    "July",
    "Tuesday",
    "16 Jul 19:20:30",
    "Tue Jul 16 19:20:30",
    "2024-07-16T",
    "2024-07-16T19",
    "2024-07-16 19",
    "2024-07-16T19:",
    "--07-16",
    "{{ lastmod }}",
    "%Y-%m-%d",
    "YYYY-MM-DD",
    # a date and something else
    "2024-07-16 foo",
    "updated 2024-07-16",
    "version 2024-07-16-rc1",
    "2024-07-161",
    "2024-07-16T19:20:30.Z",
    "2024-07-16T19:20:30 00:00",
    "2024-07-16 10",
    "2024-07-16 2024",
    "2024-07/16",
    "16 Foo 2024",
    "16 Julember 2024",
    # digits, but not ours
    "٢٠٢٤-٠٧-١٦",
    "２０２４-07-16",
    "2024-07-1\N{SUPERSCRIPT SIX}",
    "2024\x00",
    "2024-07-16\ud800",
]

DATES = W3C + NEARLY_W3C + WITH_MONTH_NAMES + TWO_STAMPS


def test_the_table_is_long_enough_to_trust() -> None:
    assert len(DATES) + len(NO_DATES) > 200
    assert len({words for words, _, _ in DATES} | set(NO_DATES)) == len(DATES) + len(NO_DATES)


@pytest.mark.parametrize(("words", "moment", "precision"), DATES)
def test_dates_are_read_with_their_zone_and_precision(words: str, moment: str, precision: str) -> None:
    read = parse_date(words)
    assert read is not None
    assert read.isoformat() == moment
    assert date_precision(words) == precision


@pytest.mark.parametrize("words", NO_DATES)
def test_what_is_not_certainly_a_date_is_none(words: str | None) -> None:
    assert parse_date(words) is None
    assert date_precision(words) is None
    assert not is_w3c_date(words)


@pytest.mark.parametrize("words", [words for words, _, _ in W3C])
def test_the_profile_of_the_w3c_is_recognised(words: str) -> None:
    assert is_w3c_date(words)


@pytest.mark.parametrize("words", [words for words, _, _ in NEARLY_W3C + WITH_MONTH_NAMES + TWO_STAMPS])
def test_tolerated_forms_are_not_the_profile_of_the_w3c(words: str) -> None:
    assert not is_w3c_date(words)


@pytest.mark.parametrize(
    "words", ["2024-07-16T19:20:30Z", "2024-07-16T19:20:30+00:00", "2024-07-16 19:20:30 gmt", "2024-07-16Z"]
)
def test_universal_time_is_the_one_of_the_standard_library(words: str) -> None:
    read = parse_date(words)
    assert read is not None
    assert read.tzinfo is UTC


def test_zones_survive_pickling_and_comparison() -> None:
    read = parse_date("16 Jul 2024 19:20:30 EST")
    assert read is not None
    assert pickle.loads(pickle.dumps(read)) == read == datetime(2024, 7, 17, 0, 20, 30, tzinfo=UTC)
    assert read.utcoffset() == timedelta(hours=-5)


def test_precisions_are_strings() -> None:
    assert [str(precision) for precision in Precision] == ["year", "month", "day", "minute", "second"]


def test_long_values_are_not_read() -> None:
    stamps = "2024-07-16 " * 100
    assert parse_date(stamps[: LONGEST - 2]) is not None
    assert parse_date(stamps[: LONGEST + 9]) is None
    assert parse_date("2024-07-16" + " " * LONGEST) is None
    assert parse_date("2" * 10_000_000) is None
    assert date_precision("2024-07-16T19:20:30." + "0" * LONGEST + "Z") is None


@pytest.mark.parametrize("parse", [parse_iso8601_date, parse_rfc2822_date])
def test_the_promised_names_read_what_parse_date_reads(parse: Callable[[str | None], datetime | None]) -> None:
    for words, moment, _ in DATES:
        read = parse(words)
        assert read is not None
        assert read.isoformat() == moment
    assert all(parse(words) is None for words in NO_DATES if words)


@pytest.mark.parametrize("parse", [parse_iso8601_date, parse_rfc2822_date])
@pytest.mark.parametrize("nothing", [None, ""])
def test_the_promised_names_raise_for_nothing(
    parse: Callable[[str | None], datetime | None], nothing: str | None
) -> None:
    with pytest.raises(SitemapException):
        parse(nothing)
