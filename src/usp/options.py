"""What callers may say, checked once and turned into an assignment; the same for all faces of the engine."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from inspect import iscoroutinefunction
from typing import Any, Literal, TypedDict, TypeVar

from msgspec.structs import replace

from usp.compiled import native_reader
from usp.crawl.callbacks import RecurseCallbackType, RecurseListCallbackType
from usp.crawl.politeness import Politeness
from usp.crawl.retry import Retry
from usp.crawl.rules import Rules
from usp.crawl.since import Since
from usp.crawl.sources import HomepageLinks, KnownPaths, RobotsTxt, Source
from usp.crawl.sources.seed import check_texts
from usp.events import OnEvent
from usp.exceptions import InvalidOptionException
from usp.fetching.aiohttp_fetcher import AiohttpFetcher
from usp.fetching.fetcher import Fetcher
from usp.fetching.guard import GuardOption, guard_of
from usp.limits import DEFAULT_LIMITS, Limits
from usp.running.assignment import Assignment
from usp.running.stream import READ_AHEAD
from usp.values.urls import folder_of, strip_url_to_homepage
from usp.web_client.abstract_client import AbstractWebClient
from usp.web_client.adapter import WebClientFetcher

Order = Literal["tree", "arrival"]
Policy = TypeVar("Policy")
Callback = TypeVar("Callback")


class NewOptions(TypedDict, total=False):
    """The options of a crawl that are ours; all are keyword-only."""

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


class CrawlOptions(NewOptions, total=False):
    """All options of a crawl: ours, and the promised arguments under their promised names."""

    web_client: AbstractWebClient | None
    """A promised client, to be used instead of a fetcher."""
    use_robots: bool
    """Whether robots.txt is read; it is by default."""
    use_known_paths: bool
    """Whether sitemaps are looked for in the usual places; they are by default."""
    extra_known_paths: Iterable[str] | None
    """Paths below the homepage, or whole URLs, to be tried besides."""
    recurse_callback: RecurseCallbackType | None
    """Says of each sitemap of an index or robots.txt whether to follow it."""
    recurse_list_callback: RecurseListCallbackType | None
    """Chooses among all sitemaps of an index or robots.txt."""
    normalize_homepage_url: bool
    """Whether the homepage URL is reduced to its origin; by default it is."""


def assignment_of(homepage_url: str, options: CrawlOptions, *, in_thread: bool) -> Assignment:
    """The crawl that a caller asks for. ``in_thread`` keeps a promised client from blocking the event loop."""
    unknown = options.keys() - CrawlOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"unexpected keyword argument {min(unknown)!r}")
    homepage = _homepage(homepage_url, normalize=options.get("normalize_homepage_url", True))
    rules = _rules(options)
    sources = _sources(options)
    return Assignment(
        homepage_url=homepage,
        seeds=tuple(seed for source in sources for seed in source.seeds(homepage)),
        rules=rules,
        fetcher=fetcher_of(options.get("web_client"), options.get("fetcher"), rules.limits, in_thread=in_thread),
        guard=guard_of(options.get("guard", "auto")),
        on_event=_callable("on_event", options.get("on_event")),
        native=native_reader(),
    )


def stream_assignment_of(homepage_url: str, options: CrawlOptions, *, order: Order, in_thread: bool) -> Assignment:
    """The crawl behind a stream. By arrival nothing waits for an earlier sitemap, so that nothing is read ahead."""
    if order not in ("tree", "arrival"):
        raise InvalidOptionException(f'order must be "tree" or "arrival", not {order!r}')
    assignment = assignment_of(homepage_url, options, in_thread=in_thread)
    if order == "arrival":
        return replace(assignment, by_arrival=True)
    return replace(assignment, read_ahead=READ_AHEAD)


def fetcher_of(
    client: AbstractWebClient | None, fetcher: Fetcher | None, limits: Limits, *, in_thread: bool
) -> Fetcher:
    """What fetches: the caller's fetcher, the caller's client, or the default."""
    if client is not None and fetcher is not None:
        raise InvalidOptionException("web_client and fetcher exclude each other: give one of them")
    if client is not None:
        return WebClientFetcher(client, in_thread, wire_bytes=limits.wire_bytes)
    if fetcher is None:
        return AiohttpFetcher()
    if isinstance(fetcher, type) or not all(hasattr(fetcher, name) for name in ("open", "at_once", "sees_addresses")):
        raise InvalidOptionException(f"fetcher must be a fetcher such as AiohttpFetcher(), not {fetcher!r:.200}")
    return fetcher


def _homepage(url: str, *, normalize: bool) -> str:
    if not isinstance(url, str):
        raise InvalidOptionException(f"homepage_url must be a str, not {type(url).__name__}")
    return strip_url_to_homepage(url) if normalize else folder_of(url)


def _rules(options: CrawlOptions) -> Rules:
    since = options.get("since")
    return Rules(
        limits=_instance("limits", options.get("limits", DEFAULT_LIMITS), Limits),
        retry=_instance("retry", options.get("retry", Retry()), Retry),
        politeness=_instance("politeness", options.get("politeness", Politeness()), Politeness),
        since=None if since is None else Since(since),
        recurse_callback=_callable("recurse_callback", options.get("recurse_callback")),
        recurse_list_callback=_callable("recurse_list_callback", options.get("recurse_list_callback")),
    )


def _sources(options: CrawlOptions) -> Sequence[Source]:
    """The caller's sources, or those that the promised arguments leave, in their fixed order."""
    sources = options.get("sources")
    if sources is not None:
        if not isinstance(sources, Iterable) or not all(map(_is_source, sources := tuple(sources))):
            raise InvalidOptionException(f"sources must be a sequence of sources, not {sources!r:.200}")
        return sources
    extra = _paths(options.get("extra_known_paths") or ())
    found: list[Source] = [RobotsTxt()] if options.get("use_robots", True) else []
    if options.get("use_known_paths", True):
        found.append(KnownPaths(extra=extra))
    return [*found, HomepageLinks()]


def _is_source(source: object) -> bool:
    return not isinstance(source, type) and callable(getattr(source, "seeds", None))


def _paths(paths: Iterable[str]) -> tuple[str, ...]:
    listed = tuple(paths) if isinstance(paths, Iterable) and not isinstance(paths, str) else paths
    check_texts("extra_known_paths", listed)
    return tuple(sorted(listed) if isinstance(paths, AbstractSet) else listed)  # a set has no order to be kept


def _instance(name: str, value: Any, kind: type[Policy]) -> Policy:
    if not isinstance(value, kind):
        raise InvalidOptionException(f"{name} must be usp.{kind.__name__}, not {type(value).__name__}")
    return value


def _callable(name: str, value: Callback) -> Callback:
    if value is not None and not callable(value):
        raise InvalidOptionException(f"{name} must be a function, not {type(value).__name__}")
    if iscoroutinefunction(value):  # nobody would await it, and what it gives would pass for True
        raise InvalidOptionException(f"{name} must be a plain function, not a coroutine function")
    return value
