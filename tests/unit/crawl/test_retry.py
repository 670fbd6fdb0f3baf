"""Whether and when to ask again: BEHAVIOUR of retries, status by status."""

from typing import Any

import pytest

from usp.crawl.retry import Retry
from usp.exceptions import InvalidOptionException
from usp.messages import Failure
from usp.problems import Outcome

URL = "https://example.com/sitemap.xml"


def answered(status: int | None = None, **more: Any) -> Failure:
    return Failure(URL, Outcome.UNREACHABLE, "no", status=status, **more)


def tries_of(failure: Failure, retry: Retry) -> int:
    """How often a URL is asked for that always fails like this."""
    return next(tries for tries in range(1, 100) if retry.wait(failure, tries, chance=1.0) is None)


@pytest.mark.parametrize(
    "status", [408, 425, 429, 500, 502, 503, 504, 509, *range(520, 530), 530, 598], ids=lambda status: f"{status}"
)
def test_a_status_that_may_pass_is_asked_for_four_times(status: int) -> None:
    assert tries_of(answered(status), Retry()) == 4


@pytest.mark.parametrize("status", [400, 499])
def test_a_status_that_is_mostly_meant_is_asked_for_once_more(status: int) -> None:
    assert tries_of(answered(status), Retry()) == 2
    assert tries_of(answered(status), Retry(attempts=1)) == 1


@pytest.mark.parametrize("status", [204, 304, 401, 403, 404, 406, 410, 418, 451, 501, 505, 511, 531])
def test_a_status_that_is_meant_is_not_asked_for_again(status: int) -> None:
    assert tries_of(answered(status), Retry()) == 1


def test_a_fault_of_the_connection_is_asked_for_again_if_it_may_pass() -> None:
    assert tries_of(answered(retryable=True), Retry()) == 4
    assert tries_of(answered(retryable=False), Retry()) == 1, "an unknown name, a refused certificate"


@pytest.mark.parametrize("attempts", [1, 2, 7])
def test_there_are_as_many_attempts_as_the_caller_says(attempts: int) -> None:
    assert tries_of(answered(503), Retry(attempts=attempts)) == attempts


def test_waits_double_up_to_the_longest() -> None:
    retry = Retry(attempts=10, first_wait=1, longest_wait=10)
    waits = [retry.wait(answered(503), tries, chance=1.0) for tries in range(1, 7)]
    assert waits == [1, 2, 4, 8, 10, 10]


def test_the_real_wait_is_anything_up_to_that_by_chance() -> None:
    assert Retry().wait(answered(503), 3, chance=0.0) == 0
    assert Retry().wait(answered(503), 3, chance=0.25) == 1


def test_so_many_tries_that_nobody_counts_them_overflow_nothing() -> None:
    assert Retry(attempts=10**6).wait(answered(503), 5000, chance=1.0) == 30


def test_a_server_is_obeyed_that_asks_for_more() -> None:
    assert Retry().wait(answered(503, wait=20), 1, chance=0.5) == 20
    assert Retry(first_wait=60, longest_wait=60).wait(answered(503, wait=20), 1, chance=0.5) == 30


@pytest.mark.parametrize(("asked", "wait"), [(119, 119), (121, 120), (10.0**17, 120), (0, None), (-5, None)])
def test_what_a_server_may_ask_for_is_bounded(asked: float, wait: float | None) -> None:
    assert Retry().asked_for(answered(503, wait=asked)) == wait


@pytest.mark.parametrize("wait", [None, float("nan")])
def test_a_server_that_asks_for_nothing_gets_the_usual_wait(wait: float | None) -> None:
    assert Retry().asked_for(answered(503, wait=wait)) is None
    assert Retry().wait(answered(503, wait=wait), 1, chance=0.5) == 0.5


@pytest.mark.parametrize("value", [0, -1, 1.5, "4", None, True])
def test_a_number_of_attempts_that_is_none_raises(value: Any) -> None:
    with pytest.raises(InvalidOptionException, match=r"Retry.attempts must be"):
        Retry(attempts=value)


@pytest.mark.parametrize("name", ["first_wait", "longest_wait", "longest_retry_after"])
@pytest.mark.parametrize("value", [-0.1, float("nan"), "1", None, True])
def test_a_wait_that_is_none_raises_with_its_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidOptionException, match=f"Retry.{name} must be"):
        Retry(**{name: value})
