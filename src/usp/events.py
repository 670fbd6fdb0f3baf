"""What happens during a crawl, told while it happens: one small value each, given to the caller's ``on_event``.

Laws: events tell, they decide nothing; whoever leaves them out gets the same tree. Nothing is counted twice: the sum of
``bytes`` (and of ``pages``) over all events is what was received (and read).
"""

from collections.abc import Callable
from enum import StrEnum

import msgspec

from usp.problems import Outcome


class EventKind(StrEnum):
    """What an event tells."""

    STARTED = "started"
    """A URL is being asked for; again after every wait."""
    PROGRESS = "progress"
    """``bytes`` more of the wire arrived."""
    RETRIED = "retried"
    """The answer was no use (``reason``); the URL will be asked for again after ``wait`` seconds."""
    REDIRECTED = "redirected"
    """The answer is to be had elsewhere: at the URL in ``reason``."""
    REFUSED = "refused"
    """USP will not fetch this URL, or not read on: see ``reason``."""
    FINISHED = "finished"
    """All that the URL has to say is known: ``outcome``, with ``pages`` and ``sitemaps`` that it lists."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened to one URL.

    >>> seen = []
    >>> seen.append(Event(kind=EventKind.PROGRESS, url="https://example.com/sitemap.xml", bytes=65536))
    >>> sum(event.bytes for event in seen)
    65536
    """

    kind: EventKind
    url: str
    outcome: Outcome | None = None
    reason: str = ""
    status: int | None = None
    wait: float = 0.0
    seconds: float = 0.0
    bytes: int = 0
    pages: int = 0
    sitemaps: int = 0


OnEvent = Callable[[Event], object]
"""Takes an event; what it returns is ignored, what it raises ends the crawl."""
