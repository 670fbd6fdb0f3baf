"""The asynchronous face: the same crawl, within the caller's event loop.

>>> import asyncio
>>> from usp.fetching.memory import MemoryFetcher
>>> site = MemoryFetcher({"https://example.com/sitemap.xml": "<urlset><url><loc>/cats</loc></url></urlset>"})
>>> tree = asyncio.run(sitemap_tree_for_homepage("https://example.com/", fetcher=site))
>>> [page.url for page in tree.all_pages()]
['https://example.com/cats']
"""

from collections.abc import Iterable
from typing import Unpack

from usp.crawl.callbacks import RecurseCallbackType, RecurseListCallbackType
from usp.objects.sitemap import IndexWebsiteSitemap
from usp.options import CrawlOptions, NewOptions, Order, assignment_of, stream_assignment_of
from usp.running.runner import Runner
from usp.running.stream import AsyncPageStream, StreamedPage
from usp.web_client.abstract_client import AbstractWebClient

__all__ = ["AsyncPageStream", "StreamedPage", "sitemap_tree_for_homepage", "stream_pages"]


async def sitemap_tree_for_homepage(
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
    """Find, fetch and read every sitemap of a site: ``usp.tree.sitemap_tree_for_homepage`` as a coroutine."""
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
    runner = Runner(assignment_of(homepage_url, every, in_thread=True))
    await runner.run()
    return runner.tree()


def stream_pages(homepage_url: str, *, order: Order = "tree", **options: Unpack[CrawlOptions]) -> AsyncPageStream:
    """The pages of a site as its sitemaps are read: ``usp.tree.stream_pages`` as an asynchronous iterator.

    >>> import asyncio
    >>> from usp.fetching.memory import MemoryFetcher
    >>> site = MemoryFetcher({"https://example.com/sitemap.txt": "https://example.com/cats"})
    >>> async def urls():
    ...     async with stream_pages("https://example.com/", fetcher=site) as stream:
    ...         return [page.url async for page, sitemap in stream]
    >>> asyncio.run(urls())
    ['https://example.com/cats']
    """
    return AsyncPageStream(stream_assignment_of(homepage_url, options, order=order, in_thread=True))
