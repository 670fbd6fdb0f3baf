"""Every field of ``Limits``, ``Retry``, ``Politeness`` and ``Guard``, by its effect on a crawl in virtual time."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest

import usp
from tests.options.every import untested
from tests.unit.running import virtual_time
from tests.unit.running.sites import HOME, index, site, urlset
from usp import aio
from usp.crawl.sources import GivenSitemaps
from usp.events import Event, EventKind
from usp.fetching.guard import CrawlGuard
from usp.fetching.memory import Answer, MemoryFetcher
from usp.messages import Request, Response
from usp.objects.sitemap import IndexWebsiteSitemap, InvalidSitemap
from usp.problems import Outcome


def crawled(answers: dict[str, Answer], **options: Any) -> tuple[IndexWebsiteSitemap, float]:
    """The tree of a site whose first sitemap is at ``a.xml``, and the seconds that it took."""
    options = {"sources": [GivenSitemaps(("a.xml",))], "fetcher": site(answers), **options}
    return virtual_time.run(aio.sitemap_tree_for_homepage(HOME, **options))


def sitemap_under(limits: usp.Limits, answer: Answer) -> Any:
    """What stands in the tree for one sitemap."""
    (sitemap,) = crawled({"a.xml": answer}, limits=limits)[0].sub_sitemaps
    return sitemap


def paths(found: Any) -> list[str]:
    return [page.url.removeprefix(HOME) for page in found.all_pages()]


PAGES = urlset(*(f"/{number}" for number in range(1000)))


# limits


def test_limits_wire_bytes__cut_what_comes_over_the_wire() -> None:
    cut = sitemap_under(usp.Limits(wire_bytes=len(PAGES) // 2), PAGES)
    assert cut.outcome is Outcome.TRUNCATED
    assert 490 < len(cut.pages) < 510


def test_limits_inflated_bytes__cut_what_comes_out_of_compression() -> None:
    compressed = gzip.compress(PAGES.encode())
    cut = sitemap_under(usp.Limits(inflated_bytes=len(PAGES) // 2), compressed)
    assert cut.outcome is Outcome.TRUNCATED
    assert 490 < len(cut.pages) < 510


@pytest.mark.parametrize(("ratio", "outcome"), [(1000, Outcome.OK), (20, Outcome.REFUSED)])
def test_limits_ratio__refuses_what_inflates_like_a_bomb(ratio: int, outcome: Outcome) -> None:
    compressed = gzip.compress(urlset("/1", "/" + "x" * 100_000).encode())
    assert sitemap_under(usp.Limits(ratio=ratio, ratio_after=1), compressed).outcome is outcome


@pytest.mark.parametrize(("ratio_after", "outcome"), [(usp.Limits().ratio_after, Outcome.OK), (1, Outcome.REFUSED)])
def test_limits_ratio_after__lets_small_documents_be(ratio_after: int, outcome: Outcome) -> None:
    compressed = gzip.compress(urlset("/1", "/" + "x" * 100_000).encode())
    assert sitemap_under(usp.Limits(ratio=20, ratio_after=ratio_after), compressed).outcome is outcome


@pytest.mark.parametrize(("encodings", "outcome"), [(2, Outcome.OK), (1, Outcome.REFUSED)])
def test_limits_encodings__refuse_more_layers_of_compression(encodings: int, outcome: Outcome) -> None:
    twice = gzip.compress(gzip.compress(PAGES.encode()))
    assert sitemap_under(usp.Limits(encodings=encodings), twice).outcome is outcome


@pytest.mark.parametrize(("depth", "found"), [(2, ["c"]), (1, [])])
def test_limits_depth__refuses_what_lies_deeper(depth: int, found: list[str]) -> None:
    answers: dict[str, Answer] = {"a.xml": index("/b.xml"), "b.xml": index("/c.xml"), "c.xml": urlset("/c")}
    tree, _ = crawled(answers, limits=usp.Limits(depth=depth))
    assert paths(tree) == found
    assert tree.complete is bool(found)


def test_limits_sitemaps__keep_the_first_of_the_tree() -> None:
    answers: dict[str, Answer] = {"a.xml": index("/b.xml", "/c.xml"), "b.xml": urlset("/b"), "c.xml": urlset("/c")}
    tree, _ = crawled(answers, limits=usp.Limits(sitemaps=2))
    assert [sitemap.url for sitemap in tree.all_sitemaps()] == [HOME + "a.xml", HOME + "b.xml"]
    assert tree.incomplete_because == ["The limit of 2 sitemaps was reached."]


def test_limits_pages__keep_the_first_of_the_tree() -> None:
    answers: dict[str, Answer] = {
        "a.xml": index("/b.xml", "/c.xml"),
        "b.xml": urlset("/b1", "/b2"),
        "c.xml": urlset("/c"),
    }
    tree, _ = crawled(answers, limits=usp.Limits(pages=1))
    assert paths(tree) == ["b1"]
    assert tree.incomplete_because == ["The limit of 1 pages was reached."]


@pytest.mark.parametrize(("redirects", "outcome"), [(2, Outcome.OK), (1, Outcome.REFUSED)])
def test_limits_redirects__are_followed_so_often(redirects: int, outcome: Outcome) -> None:
    answers: dict[str, Answer] = {
        "a.xml": (301, {"Location": "/b.xml"}, ""),
        "b.xml": (301, {"Location": "/c.xml"}, ""),
        "c.xml": urlset("/c"),
    }
    (sitemap,) = crawled(answers, limits=usp.Limits(redirects=redirects))[0].sub_sitemaps
    assert sitemap.outcome is outcome


@pytest.mark.parametrize(("in_flight_bytes", "read_before_the_end"), [(10**6, False), (10, True)])
def test_limits_in_flight_bytes__bound_what_is_held_of_bodies(in_flight_bytes: int, read_before_the_end: bool) -> None:
    """What cannot be held is read as it comes: here the limit on bytes is noticed, and no more is asked for."""
    given = []

    async def body() -> AsyncIterator[bytes]:
        for number in range(100):
            given.append(number)
            yield PAGES.encode()

    limits = usp.Limits(in_flight_bytes=in_flight_bytes, inflated_bytes=len(PAGES))
    sitemap_under(limits, lambda request: Response(request.url, 200, {}, body()))
    assert (len(given) < 10) is read_before_the_end


def test_limits_idle_seconds__bound_the_wait_for_something() -> None:
    async def silent(request: Request) -> str:
        await asyncio.Event().wait()
        return ""

    retry = usp.Retry(attempts=1)
    tree, seconds = crawled({"a.xml": silent}, limits=usp.Limits(idle_seconds=7), retry=retry)
    assert seconds == pytest.approx(7)
    (sitemap,) = tree.sub_sitemaps
    assert isinstance(sitemap, InvalidSitemap)
    assert sitemap.reason == "Nothing came for 7 seconds"


def test_limits_request_seconds__bound_one_answer_that_goes_on_and_on() -> None:
    async def drip() -> AsyncIterator[bytes]:
        while True:
            yield b"<urlset>"
            await asyncio.sleep(1)

    limits = usp.Limits(request_seconds=7)
    tree, seconds = crawled({"a.xml": lambda request: Response(request.url, 200, {}, drip())}, limits=limits)
    assert seconds == pytest.approx(7)
    assert not tree.complete


def test_limits_seconds__bound_the_whole_crawl() -> None:
    async def slow(request: Request) -> str:
        await asyncio.sleep(5)
        return index(request.url + "x")

    tree, seconds = crawled({"a.xml" + "x" * n: slow for n in range(9)}, limits=usp.Limits(seconds=12))
    assert seconds == pytest.approx(12)
    assert tree.incomplete_because[0] == "The limit of 12 seconds was reached."


# retry


def tries(retry: usp.Retry, answer: Answer, *, until: int = 50) -> list[float]:
    """The moments at which a sitemap that is never to be had is asked for."""
    moments: list[float] = []

    def asked(event: Event) -> None:
        if event.kind is EventKind.STARTED:
            moments.append(asyncio.get_running_loop().time())

    crawled({"a.xml": answer}, retry=retry, on_event=asked)
    return moments[:until]


def test_retry_attempts__are_the_requests_in_all() -> None:
    assert len(tries(usp.Retry(attempts=3), (503, {}, ""))) == 3
    assert len(tries(usp.Retry(attempts=1), (503, {}, ""))) == 1


def test_retry_first_wait__bounds_the_first_wait_and_doubles() -> None:
    moments = tries(usp.Retry(attempts=4, first_wait=1), (503, {}, ""))
    waits = [after - before for before, after in pairwise(moments)]
    assert all(0 <= wait <= bound for wait, bound in zip(waits, [1, 2, 4], strict=True))
    assert tries(usp.Retry(attempts=4, first_wait=0), (503, {}, ""))[-1] == pytest.approx(0)


def test_retry_longest_wait__bounds_the_doubling() -> None:
    moments = tries(usp.Retry(attempts=8, first_wait=10, longest_wait=0.5), (503, {}, ""))
    assert len(moments) == 8
    assert moments[-1] <= 7 * 0.5


def test_retry_longest_retry_after__bounds_what_servers_ask_for() -> None:
    moments = tries(usp.Retry(attempts=2, first_wait=0, longest_retry_after=20), (503, {"Retry-After": "100000"}, ""))
    assert moments[1] == pytest.approx(20)


# politeness


def most_under_way(politeness: usp.Politeness, hosts: list[str]) -> int:
    """The most requests at a time to three sitemaps of each of some hosts."""
    under_way = most = 0

    async def answer(request: Request) -> str:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(1)
        under_way -= 1
        return urlset("/x")

    listed = [f"https://{host}/{number}.xml" for number in range(3) for host in hosts]
    fetcher = MemoryFetcher({HOME + "a.xml": index(*listed), **dict.fromkeys(listed, answer)})
    crawled({}, fetcher=fetcher, politeness=politeness)
    return most


def test_politeness_connections__bound_the_requests_to_one_host() -> None:
    assert most_under_way(usp.Politeness(connections=2), ["one.example"]) == 2
    assert most_under_way(usp.Politeness(connections=2), ["one.example", "two.example"]) == 4


def test_politeness_connections_in_all__bound_the_requests_to_all_hosts() -> None:
    assert most_under_way(usp.Politeness(connections_in_all=4), ["one.example", "two.example"]) == 4


def test_politeness_delay__keeps_requests_to_one_host_apart() -> None:
    names = [f"{number}.xml" for number in range(5)]
    answers: dict[str, Answer] = {"a.xml": index(*(f"/{name}" for name in names)), **dict.fromkeys(names, urlset("/x"))}
    _, seconds = crawled(answers, politeness=usp.Politeness(delay=3))
    assert seconds == pytest.approx(5 * 3)


# guard


def test_guard_strict__exempts_nobody_not_even_the_homepage() -> None:
    for strict in (False, True):
        guard = CrawlGuard(usp.Guard(strict=strict), "http://10.0.0.1/")
        assert guard.may_ask("http://10.0.0.1/") is not strict
        assert guard.may_dial("10.0.0.1", "10.0.0.1") is not strict


def test_guard_public__networks_count_as_public() -> None:
    answers: dict[str, Answer] = {HOME + "a.xml": index("http://10.1.2.3/b.xml"), "http://10.1.2.3/b.xml": urlset("/b")}
    for public, found in (((), 0), (("10.1.0.0/16",), 1)):
        tree, _ = crawled({}, fetcher=MemoryFetcher(answers), guard=usp.Guard(public=public))
        assert len(list(tree.all_pages())) == found


def test_guard_resolver__is_asked_where_the_homepage_lives() -> None:
    asked: list[str] = []

    def resolver(host: str) -> list[str]:
        asked.append(host)
        return []

    asyncio.run(aio.sitemap_tree_for_homepage(HOME, fetcher=site({}), guard=usp.Guard(resolver=resolver)))
    assert asked == ["example.com"]


def test_every_field_of_every_policy_has_a_test() -> None:
    options = [
        f"{policy.__name__.lower()}_{name}"
        for policy in (usp.Limits, usp.Retry, usp.Politeness, usp.Guard)
        for name in policy.__struct_fields__
    ]
    assert untested(options, globals()) == []
