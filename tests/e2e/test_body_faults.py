"""Bodies are taken for what they are, whatever is said about them, and never for more than the limits allow."""

import pytest

from tests.e2e import body_faults as faults
from tests.e2e.crawling import GOOD, Expected, check_fault, good
from tests.e2e.server import Behaviour
from usp import Limits
from usp.problems import Outcome

OK, TRUNCATED, REFUSED, BROKEN = Outcome.OK, Outcome.TRUNCATED, Outcome.REFUSED, Outcome.BROKEN
BOTH = ("one", "two")


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (faults.says_gzip_but_is_not, Expected(OK, problems=["wrong-content-encoding"], pages=BOTH)),
        (faults.is_gzip_but_does_not_say_so, Expected(OK, pages=BOTH)),
        (faults.says_gzip_twice_and_is_it_once, Expected(OK, problems=["wrong-content-encoding"], pages=BOTH)),
        (faults.says_br_but_is_gzip, Expected(OK, problems=["wrong-content-encoding"], pages=BOTH)),
        (faults.says_deflate_and_is_raw, Expected(OK, pages=BOTH)),
        (faults.is_gzip_in_gzip, Expected(OK, pages=BOTH)),
        (faults.is_gzip_three_times, Expected(REFUSED, problems=["too-many-encodings"])),
        (faults.has_an_unknown_encoding, Expected(OK, problems=["unknown-content-encoding"], pages=BOTH)),
        (faults.has_a_truncated_gzip, Expected(TRUNCATED, problems=["truncated-compression"], pages=BOTH)),
        (faults.has_a_damaged_gzip, Expected(TRUNCATED, problems=["corrupt-compression"], pages=BOTH)),
        (faults.is_a_bomb, Expected(REFUSED, problems=["compression-ratio"])),
        (faults.is_a_bomb_in_gzip, Expected(REFUSED, problems=["compression-ratio"])),
        (faults.is_random, Expected(BROKEN, problems=["no-urls", "invalid-bytes"])),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_body_that(fault: Behaviour, expected: Expected) -> None:
    check_fault(fault, expected)


@pytest.mark.parametrize("name", ["wire_bytes", "inflated_bytes"])
def test_a_document_of_exactly_the_limit_is_whole(name: str) -> None:
    check_fault(good, Expected(OK, pages=BOTH), limits=Limits(**{name: len(GOOD)}))


@pytest.mark.parametrize("name", ["wire_bytes", "inflated_bytes"])
def test_a_document_of_one_byte_more_than_the_limit_is_truncated(name: str) -> None:
    expected = Expected(TRUNCATED, problems=["too-large"], pages=BOTH)
    check_fault(faults.body(GOOD), expected, limits=Limits(**{name: len(GOOD) - 1}))
