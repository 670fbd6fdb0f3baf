"""Settings of the whole suite: properties are tested with the same examples everywhere, on slow machines too."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.both_readers import compared_if_installed

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],  # it judges by the clock
)
settings.register_profile("search", parent=settings.get_profile("repeatable"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_configure() -> None:
    """Let Ctrl-C be heard: what a script starts in the background ignores it, and so would all that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def both_readers() -> Iterator[None]:
    """Whatever any test reads is read by both readers, and compared."""
    with compared_if_installed():
        yield
