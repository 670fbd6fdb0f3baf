"""How much one host may be asked: good defaults, and no nonsense."""

from typing import Any

import pytest

from usp.crawl.politeness import Politeness
from usp.exceptions import InvalidOptionException


def test_a_host_gets_eight_requests_at_a_time_and_no_delay_by_default() -> None:
    assert (Politeness().connections, Politeness().delay) == (8, 0.0)
    assert Politeness().connections_in_all >= Politeness().connections


@pytest.mark.parametrize("name", ["connections", "connections_in_all"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "8", None, True])
def test_a_number_of_connections_that_is_none_raises_with_its_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidOptionException, match=f"Politeness.{name} must be"):
        Politeness(**{name: value})


@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "1", None, True])
def test_a_delay_that_is_none_raises(value: Any) -> None:
    with pytest.raises(InvalidOptionException, match=r"Politeness.delay must be"):
        Politeness(delay=value)


def test_a_politeness_never_changes() -> None:
    with pytest.raises(AttributeError):
        Politeness().delay = 1.0  # type: ignore[misc]
