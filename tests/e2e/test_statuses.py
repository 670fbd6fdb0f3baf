"""What a status means: gone, blocked, down, or only busy; and pages that only pretend to be an answer."""

import time
from collections.abc import Callable

import pytest

from tests.e2e import status_faults as faults
from tests.e2e.crawling import FAULT, Expected, check_fault, crawl, crawl_beside, good
from tests.e2e.server import Behaviour, Site
from usp import Politeness, Retry
from usp.events import Event, EventKind
from usp.problems import Outcome

OK, ABSENT, BLOCKED = Outcome.OK, Outcome.ABSENT, Outcome.BLOCKED
UNREACHABLE, BROKEN = Outcome.UNREACHABLE, Outcome.BROKEN
BOTH = ("one", "two")


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 509, 520, 522, 524, 530, 598, 400, 499])
def test_what_may_pass_is_asked_for_again(status: int) -> None:
    check_fault(faults.at_first(faults.status(f"{status} Later")), Expected(OK, pages=BOTH, asked=2))


@pytest.mark.parametrize("status", [400, 499])
def test_what_seldom_passes_is_asked_for_once_more_only(status: int) -> None:
    patient = Retry(attempts=5, first_wait=0.01, longest_wait=0.01)
    expected = Expected(BROKEN, status, asked=2)
    check_fault(faults.status(f"{status} Busy or bad"), expected, retry=patient)


@pytest.mark.parametrize(
    ("retry_after", "waits"),
    [
        (lambda: "1", True),
        (faults.in_an_hour, True),
        (lambda: "99999999999999999999", True),
        (lambda: "9" * 10_000, True),
        (faults.an_hour_ago, False),
        (lambda: "-120", False),
        (lambda: "0", False),
        (lambda: "soon", False),
        (lambda: "", False),
    ],
    ids=["seconds", "a date", "absurd", "very absurd", "a date that is over", "negative", "zero", "words", "nothing"],
)
def test_retry_after_is_obeyed_up_to_the_bound(retry_after: Callable[[], str], waits: bool) -> None:
    bound = 0.2
    retry = Retry(attempts=2, first_wait=0.01, longest_wait=0.01, longest_retry_after=bound)
    events: list[Event] = []
    fault = faults.at_first(faults.busy(retry_after))
    check_fault(fault, Expected(OK, pages=BOTH, asked=2), retry=retry, on_event=events.append)
    (wait,) = [event.wait for event in events if event.kind is EventKind.RETRIED]
    assert wait == bound if waits else 0 <= wait <= 0.01


def test_a_site_that_answers_everything_with_a_page_has_no_sitemaps() -> None:
    with Site(otherwise=faults.a_page) as site:
        tree = crawl(site)
        assert (list(tree.sub_sitemaps), tree.complete) == ([], True)
        assert {attempt.outcome for attempt in tree.attempts} == {ABSENT, OK}
        assert [attempt.url for attempt in tree.attempts if attempt.outcome is OK] == [site.url("/")]


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (faults.status("403 Forbidden"), BLOCKED),
        (faults.a_challenge(), BLOCKED),
        (faults.status("503 Service Unavailable"), UNREACHABLE),
    ],
)
def test_a_site_that_turns_everybody_away_is_not_one_without_sitemaps(fault: Behaviour, outcome: Outcome) -> None:
    with Site(otherwise=fault) as site:
        tree = crawl(site)
        assert (list(tree.sub_sitemaps), tree.complete) == ([], False)
        assert {attempt.outcome for attempt in tree.attempts} == {outcome}
        assert len(tree.incomplete_because) == len(tree.attempts)


@pytest.mark.parametrize(
    ("fault", "complete"),
    [
        (faults.status("404 Not Found"), True),
        (faults.a_page, True),
        (faults.status("403 Forbidden"), False),
        (faults.status("500 Oops"), False),
    ],
)
def test_a_robots_txt_that_could_not_be_had_makes_the_tree_incomplete(fault: Behaviour, complete: bool) -> None:
    with Site() as site:
        site.answers["/robots.txt"] = fault
        site.answers["/sitemap.xml"] = good
        tree = crawl(site)
        assert [sitemap.url for sitemap in tree.sub_sitemaps] == [site.url("/sitemap.xml")]
        assert tree.complete is complete


def test_a_busy_host_is_left_alone_as_a_whole() -> None:
    pause = 0.4
    moments: list[tuple[EventKind, float]] = []
    with Site() as site:
        site.answers[FAULT] = faults.at_first(faults.busy(lambda: "3600"))
        crawl_beside(
            site,
            site.url(FAULT),
            retry=Retry(attempts=2, longest_retry_after=pause),
            politeness=Politeness(connections=1),
            on_event=lambda event: moments.append((event.kind, time.monotonic())),
        ).check(Expected(OK, pages=BOTH))
    told = next(moment for kind, moment in moments if kind is EventKind.RETRIED)
    next_request = next(moment for kind, moment in moments if kind is EventKind.STARTED and moment > told)
    assert next_request - told >= pause * 0.9, "another URL of the host was asked for meanwhile"
