"""What a runner is told to do: one crawl, with everything it needs."""

import msgspec

from usp.crawl.rules import Rules
from usp.crawl.sources import Seed
from usp.events import OnEvent
from usp.fetching.fetcher import Fetcher
from usp.fetching.guard import Guard
from usp.formats.native import NativeReader


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """One crawl. ``read_ahead`` is how many sitemaps may be read before earlier ones; ``by_arrival`` gives up order."""

    homepage_url: str
    seeds: tuple[Seed, ...]
    rules: Rules
    fetcher: Fetcher
    guard: Guard | None = None
    on_event: OnEvent | None = None
    read_ahead: float = float("inf")
    by_arrival: bool = False
    native: NativeReader | None = None
