"""What callers may say, checked once and turned into an assignment; the same for all faces of the engine."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any, Literal, TypedDict

import msgspec

from usp.crawl.callbacks import RecurseCallbackType, RecurseListCallbackType
from usp.crawl.politeness import Politeness
from usp.crawl.retry import Retry
from usp.crawl.rules import Rules
from usp.crawl.since import Since
from usp.crawl.sources import HomepageLinks, KnownPaths, RobotsTxt, Source
from usp.events import OnEvent
from usp.exceptions import InvalidOptionException
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.fetching.fetcher import Fetcher
from usp.fetching.guard import GuardOption, guard_of
from usp.limits import DEFAULT_LIMITS, Limits
from usp.running.assignment import Assignment
from usp.values.urls import folder_of, strip_url_to_homepage
from usp.web_client.abstract_client import AbstractWebClient
from usp.web_client.adapter import WebClientFetcher

Order = Literal["tree", "arrival"]


class CrawlOptions(TypedDict, total=False):
    """The options of a crawl beside the promised ones; all are keyword-only."""

    fetcher: Fetcher | None
    """What fetches; ``AiohttpFetcher()`` by default."""
    limits: Limits
    """How much a document, and the whole crawl, may cost."""
    retry: Retry
    """When to ask again."""
    politeness: Politeness
    """How much to ask one host at a time."""
    guard: GuardOption
    """Keeps sites from leading into private networks: "auto", "strict", None or a ``Guard``."""
    sources: Sequence[Source] | None
    """Where first URLs come from; by default robots.txt, known paths and the links of the homepage."""
    since: date | None
    """Leaves out pages, and sitemaps declared, before this date or moment, as far as the site dates them."""
    on_event: OnEvent | None
    """Is told what happens while it happens."""


class Promised(msgspec.Struct, frozen=True, kw_only=True):
    """The promised arguments, under their promised names."""

    web_client: AbstractWebClient | None = None
    use_robots: bool = True
    use_known_paths: bool = True
    extra_known_paths: Iterable[str] | None = None
    recurse_callback: RecurseCallbackType | None = None
    recurse_list_callback: RecurseListCallbackType | None = None
    normalize_homepage_url: bool = True
