"""What happened so far: the sum of the events of a crawl, for whoever shows it."""

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from usp.crawl.sources.known_paths import KNOWN_PATHS
from usp.events import Event, EventKind
from usp.problems import Outcome

_USABLE = (Outcome.OK, Outcome.TRUNCATED)


class Wait(NamedTuple):
    """Until when a URL is waited for, by the clock of the account, and why."""

    until: float
    reason: str


class Account:
    """Takes events, and sums them up.

    ``done`` counts the sitemaps that were read or given up, ``found`` those known of so far; places where sitemaps
    usually are count only once there is one. ``written`` is what the command writes, told by it.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self.began = clock()
        self.homepage = ""
        self.requests = self.bytes = self.pages = self.done = self.written = 0
        self.fetching: dict[str, int] = {}
        self.waiting: dict[str, Wait] = {}
        self._declared = 0

    @property
    def seconds(self) -> float:
        """How long it takes already."""
        return self.clock() - self.began

    @property
    def found(self) -> int:
        """The sitemaps known of."""
        return max(self._declared, self.done)

    def take(self, event: Event) -> None:
        """Add one event."""
        url = event.url
        if event.kind is EventKind.STARTED:
            self.requests += 1
            self.waiting.pop(url, None)
            self.fetching[url] = 0
        elif event.kind is EventKind.PROGRESS:
            self.bytes += event.bytes
            self.fetching[url] = self.fetching.get(url, 0) + event.bytes
        elif event.kind is EventKind.RETRIED:
            self.fetching.pop(url, None)
            self.waiting[url] = Wait(self.clock() + event.wait, event.reason)
        elif event.kind is EventKind.REDIRECTED:
            self.fetching.pop(url, None)
        else:
            self._finish(event)

    def is_guess(self, event: Event) -> bool:
        """Whether nobody said that there is a sitemap, and there is none."""
        rest = event.url.removeprefix(self.homepage)
        return rest in ("", "robots.txt") or (rest in KNOWN_PATHS and event.outcome not in _USABLE)

    def _finish(self, event: Event) -> None:
        self.fetching.pop(event.url, None)
        self.pages += event.pages
        self._declared += event.sitemaps
        self.done += not self.is_guess(event)
