"""Bodies are taken for what they are, whatever is said about them, and never for more than the limits allow."""

import pytest

from tests.e2e import body_faults as faults
from tests.e2e.crawling import GOOD, Expected, check_fault, good
from usp import Limits
from usp.problems import Outcome

OK, TRUNCATED = Outcome.OK, Outcome.TRUNCATED
BOTH = ("one", "two")


@pytest.mark.parametrize("name", ["wire_bytes", "inflated_bytes"])
def test_a_document_of_exactly_the_limit_is_whole(name: str) -> None:
    check_fault(good, Expected(OK, pages=BOTH), limits=Limits(**{name: len(GOOD)}))


@pytest.mark.parametrize("name", ["wire_bytes", "inflated_bytes"])
def test_a_document_of_one_byte_more_than_the_limit_is_truncated(name: str) -> None:
    expected = Expected(TRUNCATED, problems=["too-large"], pages=BOTH)
    check_fault(faults.body(GOOD), expected, limits=Limits(**{name: len(GOOD) - 1}))
