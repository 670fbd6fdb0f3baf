"""The options of whatever fetches: who we are, how polite, how patient, how careful."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any, NamedTuple

from usp.cli.values import credentials, header, seconds, size, whole
from usp.crawl.politeness import Politeness
from usp.crawl.retry import Retry
from usp.limits import DEFAULT_LIMITS, MIB, Limits


class Bound(NamedTuple):
    """An option that sets one field of ``Limits``."""

    option: str
    field: str
    kind: Callable[[str], float]
    metavar: str
    help: str


_COUNT = whole(1)

BOUNDS = (
    Bound("--deadline", "seconds", seconds, "TIME", "the whole crawl may take this long"),
    Bound("--timeout", "idle_seconds", seconds, "TIME", "a connection or the next bytes may take this long"),
    Bound("--request-timeout", "request_seconds", seconds, "TIME", "one answer may take this long in all"),
    Bound("--max-depth", "depth", _COUNT, "N", "levels of sitemaps; robots.txt is level 0"),
    Bound("--max-sitemaps", "sitemaps", _COUNT, "N", "sitemaps in the tree"),
    Bound("--max-pages", "pages", _COUNT, "N", "pages in the tree, before anything is chosen among them"),
    Bound("--max-redirects", "redirects", _COUNT, "N", "redirects, one after the other"),
    Bound("--max-wire-size", "wire_bytes", size, "SIZE", "bytes of one answer, as they come over the wire"),
    Bound("--max-size", "inflated_bytes", size, "SIZE", "bytes of one sitemap, after it is inflated"),
    Bound("--max-ratio", "ratio", _COUNT, "N", "inflated bytes for each compressed one"),
    Bound("--ratio-after", "ratio_after", size, "SIZE", "the ratio is judged from this size on"),
    Bound("--max-encodings", "encodings", _COUNT, "N", "layers of compression"),
    Bound("--in-flight", "in_flight_bytes", size, "SIZE", "bytes of answers held in memory at a time"),
)
"""Every field of ``Limits``, as an option."""


def add_network_options(parser: ArgumentParser) -> None:
    """Add the options for requests, for politeness and for limits."""
    requests = parser.add_argument_group("requests")
    requests.add_argument("--user-agent", metavar="TEXT", help="who we say we are")
    requests.add_argument(
        "--header", type=header, action="append", default=[], metavar="'NAME: VALUE'",
        help="a header for every request; Authorization and Cookie go to the site itself only; can be repeated",
    )  # fmt: skip
    requests.add_argument("--auth", type=credentials, metavar="USER:PASSWORD", help="credentials for the site itself")
    requests.add_argument("--proxy", metavar="URL", help="fetch through this proxy (default: as the environment says)")
    requests.add_argument("--insecure", action="store_true", help="do not check certificates")
    requests.add_argument("--ca-file", metavar="FILE", help="trust the authorities in this file (PEM) besides")
    requests.add_argument(
        "--guard", choices=("auto", "strict", "off"), default="auto",
        help="keep the site from leading into private networks: all but its own address (auto, the default), "
        "its own too (strict), or do not (off)",
    )  # fmt: skip
    _add_politeness(parser)
    limits = parser.add_argument_group("limits", "What lies beyond is not read, and that is said.")
    for bound in BOUNDS:
        help_text = f"{bound.help} (default: {_shown(bound, getattr(DEFAULT_LIMITS, bound.field))})"
        limits.add_argument(
            bound.option, type=bound.kind, dest=f"limit_{bound.field}", metavar=bound.metavar, help=help_text
        )


def _add_politeness(parser: ArgumentParser) -> None:
    usual, retry = Politeness(), Retry()
    politeness = parser.add_argument_group("politeness")
    for option, kind, default, metavar, sentence in (
        ("--connections", whole(1), usual.connections, "N", "requests to one host at a time"),
        ("--connections-in-all", whole(1), usual.connections_in_all, "N", "requests at a time to all hosts together"),
        ("--delay", seconds, usual.delay, "TIME", "time between two requests to one host"),
        ("--retries", whole(0), retry.attempts - 1, "N", "how often to ask again where that may help"),
        ("--max-retry-after", seconds, retry.longest_retry_after, "TIME", "obey Retry-After up to this long"),
    ):
        help_text = f"{sentence} (default: {default:g})"
        politeness.add_argument(option, type=kind, default=default, metavar=metavar, help=help_text)


def crawl_options(options: Namespace) -> dict[str, Any]:
    """What the options mean to a crawl."""
    from usp.fetching.aiohttp_fetcher import AiohttpFetcher

    fetcher = AiohttpFetcher(
        headers=dict(options.header) or None,
        user_agent=options.user_agent,
        proxy=options.proxy,
        auth=options.auth,
        tls=_tls(options),
    )
    return {
        "fetcher": fetcher,
        "guard": None if options.guard == "off" else options.guard,
        "limits": limits_of(options),
        "politeness": Politeness(
            connections=options.connections, connections_in_all=options.connections_in_all, delay=options.delay
        ),
        "retry": Retry(attempts=options.retries + 1, longest_retry_after=options.max_retry_after),
    }


def limits_of(options: Namespace) -> Limits:
    """The limits, with what the options say otherwise."""
    return Limits(
        **{bound.field: value for bound in BOUNDS if (value := getattr(options, f"limit_{bound.field}")) is not None}
    )


def _tls(options: Namespace) -> Any:
    """What ``AiohttpFetcher`` takes as ``tls``."""
    if options.insecure or not options.ca_file:
        return not options.insecure
    import ssl

    context = ssl.create_default_context()
    context.load_verify_locations(options.ca_file)
    return context


def _shown(bound: Bound, value: float) -> str:
    return f"{value // MIB}M" if bound.kind is size else f"{value:g}" if bound.kind is seconds else f"{value:,}"
