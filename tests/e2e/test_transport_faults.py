"""Whatever a server does to a connection costs its own sitemap at most, takes bounded time, and is told as it is."""

from dataclasses import replace

import pytest

from tests.e2e import transport_faults as faults
from tests.e2e.crawling import IMPATIENT, Expected, check_fault, crawl_beside
from tests.e2e.server import Behaviour, Site
from usp import Limits
from usp.problems import Outcome

UNREACHABLE, BROKEN, TRUNCATED, OK = Outcome.UNREACHABLE, Outcome.BROKEN, Outcome.TRUNCATED, Outcome.OK
BOTH = ("one", "two")
FIRST = ("one",)

NO_ANSWER = Expected(UNREACHABLE, None, asked=2)
NO_HTTP = Expected(BROKEN, None, "The answer is not HTTP")
INTERRUPTED = Expected(TRUNCATED, problems=["interrupted", "truncated-document"], pages=FIRST, asked=2)
INTERRUPTED_AT_ITS_END = Expected(TRUNCATED, problems=["interrupted"], pages=BOTH, asked=2)
GOOD = Expected(OK, pages=BOTH)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (faults.closes_before_the_head, NO_ANSWER),
        (faults.resets_before_the_head, NO_ANSWER),
        (faults.closes_within_the_head, NO_ANSWER),
        (faults.resets_within_the_head, NO_ANSWER),
        (faults.closes_before_the_body, Expected(UNREACHABLE, 200, "shorter than its Content-Length", asked=2)),
        (faults.closes_within_the_body, INTERRUPTED),
        (faults.resets_within_the_body, INTERRUPTED),
        (faults.resets_within_a_body_without_a_length, INTERRUPTED),
        (faults.has_a_body_without_a_length, GOOD),
        (faults.promises_more_than_it_sends, INTERRUPTED_AT_ITS_END),
        (faults.sends_more_than_it_promised, Expected(TRUNCATED, problems=["truncated-document"], pages=FIRST)),
        (faults.sends_junk_behind_its_answer, GOOD),
        (faults.contradicts_itself_about_the_length, NO_HTTP),
        (faults.has_no_number_as_its_length, NO_HTTP),
        (faults.has_chunks_without_a_size, Expected(UNREACHABLE, 200, "its chunks are broken", asked=2)),
        (faults.has_broken_chunks_behind_good_ones, INTERRUPTED),
        (faults.has_chunks_longer_than_said, INTERRUPTED),
        (faults.has_no_last_chunk, INTERRUPTED_AT_ITS_END),
        (faults.has_many_small_chunks, GOOD),
        (faults.has_a_chunk_of_an_impossible_size, Expected(UNREACHABLE, 200, "its chunks are broken", asked=2)),
        (faults.has_endless_headers, NO_HTTP),
        (faults.has_an_endless_header, NO_HTTP),
        (faults.speaks_another_protocol, NO_HTTP),
        (faults.answers_with_a_body_only, NO_HTTP),
        (faults.closes_after_each_answer, GOOD),
        (faults.closes_after_each_answer_without_a_word, GOOD),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_server_that(fault: Behaviour, expected: Expected) -> None:
    check_fault(fault, expected)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (faults.never_answers, Expected(UNREACHABLE, None, "Nothing came for 1.5 seconds", asked=2)),
        (faults.has_headers_that_drip, Expected(UNREACHABLE, None, "Nothing came for 1.5 seconds", asked=2)),
        (faults.sends_interim_answers_without_end, NO_ANSWER),
        (faults.sends_line_breaks_without_end, NO_ANSWER),
        (faults.stops_within_the_body, INTERRUPTED),
        (faults.promises_more_than_it_sends_and_waits, INTERRUPTED_AT_ITS_END),
        (faults.has_a_body_that_drips, replace(INTERRUPTED, asked=1)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_server_that_keeps_us_waiting(fault: Behaviour, expected: Expected) -> None:
    check_fault(fault, expected, limits=IMPATIENT)


def test_an_endless_body_is_read_up_to_the_limit() -> None:
    expected = Expected(TRUNCATED, problems=["too-large", "truncated-document"], pages=BOTH)
    check_fault(faults.has_an_endless_body, expected, limits=Limits(wire_bytes=2**20))


def test_a_host_that_refuses_connections_is_unreachable() -> None:
    with Site() as closed:
        url = closed.url("/sitemap.xml")
    with Site() as site:
        crawl_beside(site, url).check(Expected(UNREACHABLE, None, "connection refused"))
