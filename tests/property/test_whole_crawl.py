"""The whole engine, from URLs to the tree: how long answers take and who is told of it changes nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from usp import sitemap_tree_for_homepage
from usp.events import Event, EventKind
from usp.fetching.memory import MemoryFetcher, OneAnswer
from usp.messages import Request
from usp.objects.sitemap import IndexWebsiteSitemap

SITE = "https://example.com/"
NAMES = ["sitemap.xml", "a", "b", "c", "d"]
XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

Site = dict[str, OneAnswer]


def index(names: list[str]) -> str:
    entries = "".join(f"<sitemap><loc>/{name}</loc></sitemap>" for name in names)
    return f"<sitemapindex {XMLNS}>{entries}</sitemapindex>"


def urlset(names: list[str]) -> str:
    return f"<urlset {XMLNS}>{''.join(f'<url><loc>/{name}</loc></url>' for name in names)}</urlset>"


some_names = st.lists(st.sampled_from(NAMES), max_size=4)
answers: st.SearchStrategy[OneAnswer] = st.one_of(
    some_names.map(index),
    some_names.map(urlset),
    st.sampled_from(NAMES).map(lambda name: (302, {"Location": f"/{name}"}, "")),
    st.sampled_from([(404, {}, ""), (403, {}, ""), "<!doctype html><html><body>Hello</body></html>", ""]),
)
robots = some_names.map(lambda names: "".join(f"Sitemap: /{name}\n" for name in names))
sites = st.fixed_dictionaries({"robots.txt": robots | answers, **dict.fromkeys(NAMES, answers)})


def crawled(site: Site, patience: Callable[[], int], on_event: Callable[[Event], object] | None) -> IndexWebsiteSitemap:
    """The tree of a site each of whose answers takes so many turns of the event loop."""

    def slow(answer: OneAnswer) -> Callable[[Request], Awaitable[OneAnswer]]:
        async def wait(request: Request) -> OneAnswer:
            for _ in range(patience()):
                await asyncio.sleep(0)
            return answer

        return wait

    fetcher = MemoryFetcher({SITE + name: slow(answer) for name, answer in site.items()})
    return sitemap_tree_for_homepage(SITE, fetcher=fetcher, guard=None, on_event=on_event)


@given(sites, st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_neither_how_long_answers_take_nor_who_is_told_changes_the_tree(site: Site, order: Random) -> None:
    at_once = crawled(site, lambda: 0, None)
    events: list[Event] = []
    slowly = crawled(site, lambda: order.randrange(20), events.append)
    assert slowly == at_once
    assert [(one.url, one.final_url, one.outcome) for one in slowly.attempts] == [
        (one.url, one.final_url, one.outcome) for one in at_once.attempts
    ]
    assert slowly.incomplete_because == at_once.incomplete_because
    started = [event.url for event in events if event.kind is EventKind.STARTED]
    assert len(set(started)) == len(started), "nothing is fetched twice"
