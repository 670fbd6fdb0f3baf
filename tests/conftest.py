"""Settings of the whole suite: properties are tested with the same examples everywhere, on slow machines too."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],  # it judges by the clock
)
settings.register_profile("search", parent=settings.get_profile("repeatable"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
