"""USP finds, fetches, reads and keeps every sitemap of a web site.

    import usp
    tree = usp.sitemap_tree_for_homepage("https://example.com/")
    for page in tree.all_pages():
        print(page.url, page.last_modified)

    >>> import usp
    >>> sitemap = usp.parse("https://example.com/\\nhttps://example.com/cats")
    >>> [page.url for page in sitemap.all_pages()]
    ['https://example.com/', 'https://example.com/cats']

Nothing is imported before it is used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from usp.crawl.politeness import Politeness
    from usp.crawl.retry import Retry
    from usp.events import Event, EventKind
    from usp.exceptions import (
        InvalidOptionException,
        InvalidSourceException,
        InvalidWebClientException,
        SitemapException,
    )
    from usp.fetching.aiohttp_fetcher import AiohttpFetcher
    from usp.fetching.guard import Guard
    from usp.fetching.memory import MemoryFetcher
    from usp.limits import Limits
    from usp.parsing import parse, value_problems
    from usp.problems import Outcome, Problem, Problems, Severity
    from usp.tree import sitemap_tree_for_homepage, stream_pages

__version__ = "1.0.0a1"

_HOMES = {
    "AiohttpFetcher": "usp.fetching.aiohttp_fetcher",
    "Event": "usp.events",
    "EventKind": "usp.events",
    "Guard": "usp.fetching.guard",
    "InvalidOptionException": "usp.exceptions",
    "InvalidSourceException": "usp.exceptions",
    "InvalidWebClientException": "usp.exceptions",
    "Limits": "usp.limits",
    "MemoryFetcher": "usp.fetching.memory",
    "Outcome": "usp.problems",
    "Politeness": "usp.crawl.politeness",
    "Problem": "usp.problems",
    "Problems": "usp.problems",
    "Retry": "usp.crawl.retry",
    "Severity": "usp.problems",
    "SitemapException": "usp.exceptions",
    "parse": "usp.parsing",
    "sitemap_tree_for_homepage": "usp.tree",
    "stream_pages": "usp.tree",
    "value_problems": "usp.parsing",
}

__all__ = [
    "AiohttpFetcher",
    "Event",
    "EventKind",
    "Guard",
    "InvalidOptionException",
    "InvalidSourceException",
    "InvalidWebClientException",
    "Limits",
    "MemoryFetcher",
    "Outcome",
    "Politeness",
    "Problem",
    "Problems",
    "Retry",
    "Severity",
    "SitemapException",
    "parse",
    "sitemap_tree_for_homepage",
    "stream_pages",
    "value_problems",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'usp' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
