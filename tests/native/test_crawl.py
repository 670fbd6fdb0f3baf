"""A crawl gives the same tree with either reader, and leaves nothing behind."""

import asyncio
import gzip
import threading
from datetime import date

import pytest

from tests.namespaces import NAMESPACES
from usp.aio import sitemap_tree_for_homepage as tree_in_a_loop
from usp.compiled import SWITCH, native_reader
from usp.fetching.memory import MemoryFetcher
from usp.limits import Limits
from usp.objects.sitemap import IndexWebsiteSitemap
from usp.tree import sitemap_tree_for_homepage, stream_pages

pytest.importorskip("usp_native")

HOME = "https://example.com/"


def urlset(name: str, pages: int) -> bytes:
    entries = "".join(
        f"<url><loc>{HOME}{name}/{page}</loc><lastmod>20{page % 24:02}-01-02</lastmod></url>\n" for page in range(pages)
    )
    return f"<urlset {NAMESPACES}>\n{entries}</urlset>".encode()


def site() -> MemoryFetcher:
    children = {f"{HOME}{name}.xml": urlset(name, pages) for name, pages in (("a", 3), ("b", 5000), ("c", 40_000))}
    children[f"{HOME}d.xml.gz"] = gzip.compress(urlset("d", 20_000))
    children[f"{HOME}broken.xml"] = urlset("broken", 5000).replace(b"</loc>", b"</lok>", 1)
    index = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in children)
    return MemoryFetcher(
        {f"{HOME}sitemap.xml": f"<sitemapindex {NAMESPACES}>{index}</sitemapindex>".encode(), **children}
    )


def crawled(switch: str, monkeypatch: pytest.MonkeyPatch, **options: date) -> IndexWebsiteSitemap:
    monkeypatch.setenv(SWITCH, switch)
    return sitemap_tree_for_homepage(HOME, fetcher=site(), **options)  # type: ignore[arg-type]


def test_trees_are_equal_with_either_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    native = native_reader()
    assert native is not None
    accepted = native.accepted
    tree = crawled("1", monkeypatch)
    assert native.accepted == accepted + 5
    without = crawled("0", monkeypatch)
    assert native.accepted == accepted + 5
    assert (tree, tree.complete, tree.incomplete_because) == (without, without.complete, without.incomplete_because)
    assert sum(1 for _ in tree.all_pages()) == 70_002


def test_since_leaves_out_the_same_pages_with_either_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    since = date(2012, 1, 1)
    assert crawled("1", monkeypatch, since=since) == crawled("0", monkeypatch, since=since)


def test_no_thread_is_left() -> None:
    before = set(threading.enumerate())
    sitemap_tree_for_homepage(HOME, fetcher=site())
    with stream_pages(HOME, fetcher=site()) as stream:
        next(stream)
    assert set(threading.enumerate()) == before


def test_who_cancels_a_crawl_leaves_no_thread() -> None:
    async def cancel_when_it_reads() -> None:
        crawl = asyncio.create_task(tree_in_a_loop(HOME, fetcher=site()))
        while not any(thread.name == "usp-native-reader" for thread in threading.enumerate()):
            await asyncio.sleep(0)
        crawl.cancel()
        with pytest.raises(asyncio.CancelledError):
            await crawl
        assert not any(thread.name == "usp-native-reader" for thread in threading.enumerate())

    asyncio.run(cancel_when_it_reads())


def test_limits_hold_with_either_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    trees = []
    for switch in "10":
        monkeypatch.setenv(SWITCH, switch)
        limits = Limits(inflated_bytes=1_000_000, pages=7000)
        trees.append(sitemap_tree_for_homepage(HOME, fetcher=site(), limits=limits))
    assert trees[0] == trees[1]
    assert sum(1 for _ in trees[0].all_pages()) == 7000
