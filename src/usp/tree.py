"""Trees of sitemaps: the promised entry points, and streams of pages.

>>> from usp.fetching.memory import MemoryFetcher
>>> site = MemoryFetcher({"https://example.com/sitemap.xml": "<urlset><url><loc>/cats</loc></url></urlset>"})
>>> tree = sitemap_tree_for_homepage("https://example.com/", fetcher=site)
>>> [page.url for page in tree.all_pages()]
['https://example.com/cats']
"""

from collections.abc import Iterable
from typing import Unpack

from usp.crawl.callbacks import RecurseCallbackType, RecurseListCallbackType
from usp.crawl.sources.known_paths import KNOWN_PATHS
from usp.objects.sitemap import AbstractSitemap, IndexWebsiteSitemap
from usp.options import CrawlOptions, NewOptions, Order, assignment_of, stream_assignment_of
from usp.parsing import parse
from usp.running.runner import Runner
from usp.running.stream import StreamedPage
from usp.running.sync import Loop, PageStream, a_loop_is_running
from usp.web_client.abstract_client import AbstractWebClient

__all__ = ["PageStream", "StreamedPage", "sitemap_from_str", "sitemap_tree_for_homepage", "stream_pages"]

_UNPUBLISHED_SITEMAP_PATHS = set(KNOWN_PATHS)
"""The known paths, under the name by which old programs reach them."""


def sitemap_tree_for_homepage(
    homepage_url: str,
    web_client: AbstractWebClient | None = None,
    use_robots: bool = True,
    use_known_paths: bool = True,
    extra_known_paths: Iterable[str] | None = None,
    recurse_callback: RecurseCallbackType | None = None,
    recurse_list_callback: RecurseListCallbackType | None = None,
    normalize_homepage_url: bool = True,
    **options: Unpack[NewOptions],
) -> IndexWebsiteSitemap:
    """Find, fetch and read every sitemap of a site.

    ``options`` are keyword-only: ``fetcher, limits, retry, politeness, guard, sources, since, on_event``; see
    ``usp.options.NewOptions``. Never raises for what a site does: look at ``tree.complete`` and ``tree.attempts``.

    >>> from usp.fetching.memory import MemoryFetcher
    >>> tree = sitemap_tree_for_homepage("https://example.com/", fetcher=MemoryFetcher({}))
    >>> tree.sub_sitemaps, tree.complete, tree.attempts[0].outcome
    ([], True, <Outcome.ABSENT: 'absent'>)
    """
    every: CrawlOptions = {
        "web_client": web_client,
        "use_robots": use_robots,
        "use_known_paths": use_known_paths,
        "extra_known_paths": extra_known_paths,
        "recurse_callback": recurse_callback,
        "recurse_list_callback": recurse_list_callback,
        "normalize_homepage_url": normalize_homepage_url,
        **options,
    }
    runner = Runner(assignment_of(homepage_url, every, in_thread=a_loop_is_running()))
    with Loop() as loop:
        loop.run(runner.run)
    return runner.tree()


def stream_pages(homepage_url: str, *, order: Order = "tree", **options: Unpack[CrawlOptions]) -> PageStream:
    """The pages of a site as its sitemaps are read, each with the sitemap that lists it; memory stays bounded.

    Pages come in the order of the tree, or by ``order="arrival"`` as they come. ``options`` are all those of
    ``sitemap_tree_for_homepage``, by name. While the consumer does something else, nothing is fetched, and its
    time is not the crawl's.

    >>> from usp.fetching.memory import MemoryFetcher
    >>> site = MemoryFetcher({"https://example.com/sitemap.txt": "https://example.com/cats"})
    >>> with stream_pages("https://example.com/", fetcher=site) as stream:
    ...     for page, sitemap in stream:
    ...         print(page.url, "from", sitemap.url)
    https://example.com/cats from https://example.com/sitemap.txt
    >>> stream.tree.complete
    True
    """
    return PageStream(stream_assignment_of(homepage_url, options, order=order, in_thread=a_loop_is_running()))


def sitemap_from_str(content: str) -> AbstractSitemap:
    """Read one sitemap from the text of its document.

    >>> sitemap_from_str("https://example.com/\\nhttps://example.com/cats").pages[1].url
    'https://example.com/cats'
    """
    return parse(content)
