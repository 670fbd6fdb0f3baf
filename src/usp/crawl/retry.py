"""Whether and when to ask again. A frozen policy: it is asked, it never waits; chance and time arrive as arguments."""

import msgspec

from usp.exceptions import InvalidOptionException
from usp.messages import Failure

RETRYABLE_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 509, *range(520, 530), 530, 598})
"""Answers that may be different in a moment: those of HTTP, and what CDNs answer when the server behind them fails."""

ONCE_MORE_STATUSES = frozenset({400, 499})
"""Some load balancers answer so when they are busy; most mean it."""


class Retry(msgspec.Struct, frozen=True, kw_only=True):
    """How often to ask for a URL, and how long to wait between.

    >>> from usp.problems import Outcome
    >>> busy = Failure("https://example.com/", Outcome.UNREACHABLE, "503", status=503)
    >>> [Retry().wait(busy, tries, chance=0.5) for tries in (1, 2, 3, 4)]
    [0.5, 1.0, 2.0, None]
    """

    attempts: int = 4
    """Requests for one URL in all; 1 never asks again."""

    first_wait: float = 1.0
    """The longest first wait in seconds; it doubles with every attempt. The real one is anything up to it, by chance,
    so that many clients turned away together do not come back together."""

    longest_wait: float = 30.0
    """The bound on that doubling."""

    longest_retry_after: float = 120.0
    """What a server may ask for by Retry-After, in seconds; more counts as this much."""

    def __post_init__(self) -> None:
        if not isinstance(self.attempts, int) or isinstance(self.attempts, bool) or self.attempts < 1:
            raise InvalidOptionException(f"Retry.attempts must be a whole number of at least 1, not {self.attempts!r}")
        for name in ("first_wait", "longest_wait", "longest_retry_after"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or isinstance(value, bool) or not value >= 0:
                raise InvalidOptionException(f"Retry.{name} must be a number of at least 0, not {value!r}")

    def wait(self, failure: Failure, tries: int, *, chance: float) -> float | None:
        """Seconds to wait after so many tries; None if it is of no use to ask again. ``chance`` is from 0 to 1."""
        if tries >= self._attempts_after(failure):
            return None
        asked = self.asked_for(failure)
        backoff = min(self.first_wait * 2.0 ** min(tries - 1, 60), self.longest_wait) * chance
        return max(asked or 0.0, backoff)

    def asked_for(self, failure: Failure) -> float | None:
        """What the server asked for by Retry-After, within the bound; what lies in the past asks for nothing."""
        if failure.wait is None or not failure.wait > 0:
            return None
        return min(failure.wait, self.longest_retry_after)

    def _attempts_after(self, failure: Failure) -> int:
        if failure.status in ONCE_MORE_STATUSES:
            return min(2, self.attempts)
        may_pass = failure.retryable or failure.status in RETRYABLE_STATUSES
        return self.attempts if may_pass else 1
