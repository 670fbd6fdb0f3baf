"""How much one host is asked at a time. A frozen policy; ``turns.py`` keeps its books."""

import math

import msgspec

from usp.exceptions import InvalidOptionException


class Politeness(msgspec.Struct, frozen=True, kw_only=True):
    """How many requests go out at once, and how far apart.

    >>> Politeness(connections=2, delay=0.5).connections
    2
    """

    connections: int = 8
    """Requests to one host at a time."""

    connections_in_all: int = 64
    """Requests at a time, to whatever hosts."""

    delay: float = 0.0
    """Seconds between the starts of two requests to one host."""

    def __post_init__(self) -> None:
        for name in ("connections", "connections_in_all"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InvalidOptionException(f"Politeness.{name} must be a whole number of at least 1, not {value!r}")
        if not isinstance(self.delay, int | float) or isinstance(self.delay, bool) or not 0 <= self.delay < math.inf:
            raise InvalidOptionException(f"Politeness.delay must be a number of at least 0, not {self.delay!r}")
