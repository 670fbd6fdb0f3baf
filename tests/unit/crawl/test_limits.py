"""Limits that cut: what they leave is what comes first in the tree, whatever came first over the wire."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.crawls import SITE, Drive, Says, Site, declared, fails, has, lists, outcomes, robots, shapes, tree
from usp.crawl.places import Place
from usp.crawl.plan import PLACES_AT_ONCE
from usp.crawl.politeness import Politeness
from usp.crawl.references import PackedReferences
from usp.crawl.rules import Rules
from usp.limits import Limits
from usp.problems import Outcome

FORWARD, BACKWARD = (lambda count: 0), (lambda count: count - 1)
ORDERS = pytest.mark.parametrize("choose", [FORWARD, BACKWARD], ids=["forward", "backward"])
Choose = Callable[[int], int]

FAMILY: Site = {
    "a": lists("b", "e", "h"),
    "b": lists("c", "d"),
    "e": lists("f", "g"),
    **{leaf: has(2) for leaf in "cdfgh"},
}


# -- sitemaps


@ORDERS
@pytest.mark.parametrize(
    ("sitemaps", "shape"),
    [
        (1, "a"),
        (2, ("a", "b")),
        (3, ("a", ("b", "c"))),
        (4, ("a", ("b", "c", "d"))),
        (5, ("a", ("b", "c", "d"), "e")),
        (7, ("a", ("b", "c", "d"), ("e", "f", "g"))),
        (8, ("a", ("b", "c", "d"), ("e", "f", "g"), "h")),
    ],
)
def test_the_limit_on_sitemaps_leaves_the_first_depth_first(choose: Choose, sitemaps: int, shape: object) -> None:
    found = tree(FAMILY, declared("a"), rules=Rules(limits=Limits(sitemaps=sitemaps)), choose=choose)
    assert shapes(found) == [shape]
    assert found.shortcomings == (() if sitemaps == 8 else (f"The limit of {sitemaps} sitemaps was reached.",))
    assert found.complete == (sitemaps == 8)
    assert len(found.attempts) == sitemaps, "what a limit cut off is not told of, for it may have been asked for or not"


@ORDERS
def test_the_limit_on_sitemaps_counts_places_not_documents(choose: Choose) -> None:
    site: Site = {"a": lists("b", "c"), "b": lists("x", "y"), "c": lists("x", "y"), "x": has(1), "y": has(1)}
    found = tree(site, declared("a"), rules=Rules(limits=Limits(sitemaps=6)), choose=choose)
    assert shapes(found) == [("a", ("b", "x", "y"), ("c", "x"))]


@ORDERS
def test_the_limit_on_sitemaps_holds_for_all_branches_together(choose: Choose) -> None:
    site: Site = {"robots.txt": robots("a"), "a": has(1), "sitemap.xml": lists("b", "c"), "b": has(1)}
    found = tree(site, rules=Rules(limits=Limits(sitemaps=4)), choose=choose)
    assert shapes(found) == [("robots.txt", "a"), ("sitemap.xml", "b")]
    found = tree(site, rules=Rules(limits=Limits(sitemaps=2)), choose=choose)
    assert shapes(found) == [("robots.txt", "a")]
    assert found.shortcomings == ("The limit of 2 sitemaps was reached.",)


@ORDERS
def test_known_paths_that_are_absent_reach_no_limit(choose: Choose) -> None:
    found = tree({"sitemap.xml": has(1)}, rules=Rules(limits=Limits(sitemaps=1)), choose=choose)
    assert (shapes(found), found.complete) == (["sitemap.xml"], True)


def test_given_sitemaps_beyond_the_limit_are_cut_too() -> None:
    found = tree(FAMILY, declared("c", "d", "h"), rules=Rules(limits=Limits(sitemaps=2)))
    assert (shapes(found), found.complete, len(found.attempts)) == (["c", "d"], False, 2)


# -- pages


@ORDERS
@pytest.mark.parametrize(
    ("pages", "shape", "left"),
    [
        (1, ("a", ("b", "c")), 1),
        (2, ("a", ("b", "c", "d")), 2),
        (3, ("a", ("b", "c", "d")), 3),
        (4, ("a", ("b", "c", "d"), ("e", "f")), 4),
        (9, ("a", ("b", "c", "d"), ("e", "f", "g"), "h"), 9),
        (10, ("a", ("b", "c", "d"), ("e", "f", "g"), "h"), 10),
    ],
)
def test_the_limit_on_pages_ends_the_tree_within_the_sitemap_that_crosses_it(
    choose: Choose, pages: int, shape: object, left: int
) -> None:
    found = tree(FAMILY, declared("a"), rules=Rules(limits=Limits(pages=pages)), choose=choose)
    every = [f"{SITE}{leaf}#{number}" for leaf in "cdfgh" for number in range(2)]
    assert [page.url for page in found.all_pages()] == every[:left]
    if pages == 10:
        assert (shapes(found), found.complete) == ([shape], True)
    else:
        assert found.shortcomings == (f"The limit of {pages} pages was reached.",)
        assert len(found.attempts) == len(list(found.all_sitemaps()))


def test_the_sitemap_that_would_give_the_first_page_too_many_is_the_last_of_the_tree() -> None:
    found = tree(FAMILY, declared("a"), rules=Rules(limits=Limits(pages=2)))
    assert shapes(found) == [("a", ("b", "c", "d"))]
    assert [len(sitemap.pages) for sitemap in found.all_sitemaps()] == [0, 0, 2, 0]


def test_the_limit_on_pages_cuts_within_blocks_and_between_them() -> None:
    site: Site = {"a": has(2500)}
    for pages in (1, 999, 1000, 1001, 2000, 2499):
        found = tree(site, declared("a"), rules=Rules(limits=Limits(pages=pages)))
        assert [page.url for page in found.all_pages()] == [f"{SITE}a#{number}" for number in range(pages)]


@ORDERS
def test_a_document_that_stands_twice_is_cut_where_it_crosses_the_limit_only(choose: Choose) -> None:
    found = tree(FAMILY, declared("c", "c"), rules=Rules(limits=Limits(pages=3)), choose=choose)
    assert [len(sitemap.pages) for sitemap in found.sub_sitemaps] == [2, 1]


@ORDERS
def test_nothing_is_told_of_what_lies_behind_the_limit_on_pages(choose: Choose) -> None:
    """However much of it was known when the limit was found to be reached."""
    site: Site = {"a": has(5), "b": lists(*(f"x{number}" for number in range(9))), "c": fails(Outcome.BLOCKED, 403)}
    rules = Rules(limits=Limits(pages=3, sitemaps=5))
    found = tree(site, declared("a", "b", "c"), rules=rules, choose=choose)
    assert shapes(found) == ["a"]
    assert [attempt.url for attempt in found.attempts] == [f"{SITE}a"]
    assert found.incomplete_because == ["The limit of 3 pages was reached."]


def test_nothing_more_is_asked_for_once_there_are_pages_enough() -> None:
    rules = Rules(limits=Limits(pages=1), politeness=Politeness(connections=1))
    drive = Drive(FAMILY, declared("c", "d", "h"), rules=rules).run()
    assert drive.asked == [f"{SITE}c"]
    assert drive.crawl.done
    assert drive.crawl.wants(drive.now) == []


# -- time, and other ends


def test_the_limit_on_time_ends_the_crawl_and_leaves_what_is_known() -> None:
    drive = Drive(FAMILY, declared("a"), rules=Rules(limits=Limits(seconds=10)))
    drive.ask()
    drive.answer("a")
    drive.ask()
    drive.answer("b")
    drive.crawl.expire(drive.now + 9.9)
    assert not drive.crawl.done
    assert drive.crawl.wakes_at() == drive.now + 10
    drive.crawl.expire(drive.now + 10)
    assert drive.crawl.done
    found = drive.tree()
    because = "not fetched: The limit of 10 seconds was reached."
    assert shapes(found) == [("a", ("b", ("c", because), ("d", because)), ("e", because), ("h", because))]
    assert found.shortcomings == ("The limit of 10 seconds was reached.",)
    assert outcomes(found) == {"a": "ok", "b": "ok", "c": "refused", "d": "refused", "e": "refused", "h": "refused"}


def test_the_time_counts_from_the_first_request() -> None:
    drive = Drive(FAMILY, declared("a"), rules=Rules(limits=Limits(seconds=10)))
    drive.crawl.expire(drive.now + 99)
    assert not drive.crawl.done
    drive.now += 99
    drive.ask()
    assert drive.crawl.wakes_at() == drive.now + 10


def test_a_crawl_that_is_done_does_not_expire() -> None:
    drive = Drive(FAMILY, declared("c")).run()
    drive.crawl.expire(drive.now + 10**6)
    assert drive.tree().complete


def test_a_crawl_may_be_ended_for_any_reason_and_only_the_first_counts() -> None:
    drive = Drive(FAMILY, declared("c", "d"))
    drive.ask()
    drive.crawl.end("Enough.")
    drive.crawl.end("Too late.")
    found = drive.tree()
    assert found.shortcomings == ("Enough.",)
    assert shapes(found) == []
    assert outcomes(found) == {"c": "refused", "d": "refused"}


# -- what only an enemy writes


def layers(depth: int, width: int) -> Site:
    """Indexes of which each lists all those of the next layer."""
    site: dict[str, Says | list[Says]] = {"0/0": lists(*(f"1/{number}" for number in range(width)))}
    for level in range(1, depth + 1):
        below = lists(*(f"{level + 1}/{number}" for number in range(width)))
        site.update({f"{level}/{number}": below for number in range(width)})
    return site


@ORDERS
def test_layers_of_indexes_that_list_each_other_do_not_explode(choose: Choose) -> None:
    began = time.process_time()
    drive = Drive(layers(11, 50), declared("0/0"), rules=Rules(limits=Limits(sitemaps=30_000)), choose=choose).run()
    assert time.process_time() - began < 20
    assert len(drive.asked) <= 1 + 11 * 50
    found = list(drive.tree().all_sitemaps())
    assert len(found) == 30_000
    first = [f"{SITE}{level}/0" for level in range(12)] + [f"{SITE}12/{number}" for number in range(50)]
    assert [sitemap.url for sitemap in found[: len(first)]] == first
    assert drive.tree().incomplete_because[0] == "The limit of 30,000 sitemaps was reached."


def places_made(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many places are made while a crawl runs."""
    made = 0
    make = Place.__init__

    def count(self: Place, *given: Any) -> None:
        nonlocal made
        made += 1
        make(self, *given)

    monkeypatch.setattr(Place, "__init__", count)
    drive.run()
    return made


@ORDERS
def test_hardly_more_places_are_made_than_the_limit_leaves(choose: Choose, monkeypatch: pytest.MonkeyPatch) -> None:
    drive = Drive(layers(11, 50), declared("0/0"), rules=Rules(limits=Limits(sitemaps=20_000)), choose=choose)
    assert places_made(drive, monkeypatch) <= 20_000 + 2 * 12 * 50 * 50


def test_no_answer_holds_up_the_crawl_while_what_is_known_grows() -> None:
    """Whoever drives can look at the clock between portions."""
    drive = Drive(layers(6, 8), declared("0/0"), rules=Rules(limits=Limits(sitemaps=40_000, seconds=60)))
    while not drive.crawl.done and drive.crawl.wakes_at() > drive.now:
        drive.step()
    assert not drive.crawl.done
    assert len(list(drive.tree().all_sitemaps())) < PLACES_AT_ONCE + 1000
    drive.crawl.expire(drive.now + 60)
    assert drive.crawl.done
    assert drive.tree().shortcomings == ("The limit of 60 seconds was reached.",)


def test_the_children_of_a_wide_index_are_asked_for_in_portions_and_all_of_them() -> None:
    names = [f"{number}" for number in range(3 * PLACES_AT_ONCE)]
    drive = Drive({"a": lists(*names, "a"), "0": has(1), names[-1]: has(1)}, declared("a"))
    drive.ask()
    drive.answer("a")
    assert drive.crawl.wakes_at() < drive.now, "there is more to do at once"
    assert [request.url.removeprefix(SITE) for request in drive.ask()] == names[:8]
    below = drive.run().tree().sub_sitemaps[0].sub_sitemaps
    assert [sitemap.url for sitemap in below] == [*(SITE + name for name in names), f"{SITE}a"]
    assert [len(below[0].pages), len(below[-2].pages)] == [1, 1]


def test_endless_fresh_indexes_end_at_the_depth() -> None:
    drive = Drive(lambda url: lists(f"{url}/1", f"{url}/2"), declared("a"), rules=Rules(limits=Limits(depth=5))).run()
    assert len(drive.asked) == 2**6 - 1
    assert sum(1 for _ in drive.tree().all_sitemaps()) == 2**7 - 1


def test_endless_fresh_indexes_end_at_the_limit_on_sitemaps() -> None:
    rules = Rules(limits=Limits(sitemaps=3000))
    drive = Drive(lambda url: lists(*(f"{url}/{number}" for number in range(20))), declared("a"), rules=rules).run()
    assert sum(1 for _ in drive.tree().all_sitemaps()) == 3000
    assert len(drive.asked) < 3000


def test_what_a_limit_cut_off_is_forgotten() -> None:
    """A site may make the tree overflow with every answer; memory is for what is in it."""
    rules = Rules(limits=Limits(sitemaps=400, depth=100))
    drive = Drive(lambda url: lists(*(f"{url}/{number}" for number in range(100))), declared("a"), rules=rules)
    while len(drive.asked) < 60:
        drive.step()
    resources = drive.crawl._resources
    assert len(resources._known) <= 400 + 64
    assert sum(len(host.waiting) for host in resources._turns._hosts.values()) <= 2 * 400


def test_places_that_a_limit_cut_off_wait_for_nothing() -> None:
    rules = Rules(limits=Limits(sitemaps=300, depth=100))
    slow = [f"slow/{number}" for number in range(100)]
    drive = Drive(lambda url: lists(f"{url}/next", *slow), declared("a"), rules=rules)
    for _ in range(50):
        drive.ask()
        drive.answer(drive.under_way[0].url)
    waiting = sum(len(resource.waiting) for resource in drive.crawl._resources._known.values())
    assert waiting <= 2 * 300


def test_many_references_are_kept_small_once_the_tree_is_full_and_none_is_lost() -> None:
    names = [f"{number}" for number in range(1500)]
    site: Site = {"a": lists("slow", "b"), "slow": lists("b"), "b": lists(*names)}
    drive = Drive(site, declared("a"), rules=Rules(limits=Limits(sitemaps=1400)))
    drive.ask()
    drive.answer("a")
    drive.ask()
    drive.answer("b")
    assert isinstance(drive.crawl._resources.get(f"{SITE}b").answer.references, PackedReferences)  # type: ignore[union-attr]
    below = drive.run().tree().sub_sitemaps[0].sub_sitemaps[0].sub_sitemaps[0].sub_sitemaps
    assert [sitemap.url for sitemap in below] == [SITE + name for name in names[:1397]]


def seconds_for(children: int) -> float:
    site: Site = {"a": lists(*(f"{number}" for number in range(children)))}
    began = time.process_time()
    found = tree(site, declared("a"))
    assert len(found.sub_sitemaps[0].sub_sitemaps) == children
    return time.process_time() - began


def test_many_children_cost_no_more_each_than_few() -> None:
    few = min(seconds_for(1_500) for _ in range(3))
    many = min(seconds_for(12_000) for _ in range(2))
    assert many < 8 * few * 3, "what grows with the square would take eight times as long again"
