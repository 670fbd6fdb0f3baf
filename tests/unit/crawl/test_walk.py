"""The tree while it grows: passed in its own order, read no further ahead than wanted."""

import math

from tests.crawls import SITE, Drive, Site, declared, fails, has, lists, robots
from usp.crawl.places import Branch, Place
from usp.crawl.politeness import Politeness
from usp.crawl.rules import Rules
from usp.crawl.sources import Role, Seed
from usp.crawl.walk import Walk
from usp.limits import Limits
from usp.problems import Outcome

FAMILY: Site = {"a": lists("b", "c"), "b": lists("d"), "c": has(1), "d": has(1), "e": has(1)}


def taken(drive: Drive) -> list[str]:
    return [place.url.removeprefix(SITE) for place in drive.crawl.take_known()]


def arrived(drive: Drive) -> list[str]:
    return [place.url.removeprefix(SITE) for place in drive.crawl.take_arrived()]


def answer(drive: Drive, *urls: str) -> None:
    for url in urls:
        drive.ask()
        drive.answer(url)


# -- the walk itself


def branch_of(*shape: str) -> Branch:
    """An accepted branch whose places are named by their way from the root; all of it settled."""
    branch = Branch(Seed(SITE, Role.DECLARED), (0,))
    branch.accepted = True
    named = {"": branch.place}
    branch.place.settled = True
    for name in shape:
        above = named[name[:-1]]
        place = Place(name, branch, above, len(above.children), above.level + 1)
        place.settled = True
        above.children.append(place)
        named[name] = place
    return branch


def test_a_walk_passes_every_place_once_depth_first() -> None:
    walk = Walk([branch_of("a", "b", "aa", "ab", "aaa"), branch_of("c")])
    assert [place.url for place in walk.advance()] == [SITE, "a", "aa", "aaa", "ab", "b", SITE, "c"]
    assert list(walk.advance()) == []
    assert walk.head is None


def test_a_walk_stops_before_what_is_not_settled_and_goes_on_later() -> None:
    branch = branch_of("a", "b", "aa", "ab")
    waiting = branch.place.children[0].children[1]
    waiting.settled = False
    walk = Walk([branch])
    assert [place.url for place in walk.advance()] == [SITE, "a", "aa"]
    assert walk.head is waiting
    assert list(walk.advance()) == []
    waiting.settled = True
    assert [place.url for place in walk.advance()] == ["ab", "b"]


def test_a_walk_waits_for_branches_that_are_not_decided_and_leaves_out_those_that_are_none() -> None:
    nothing, undecided = branch_of(), branch_of()
    nothing.accepted, nothing.passed = False, True
    undecided.accepted, undecided.place.settled = False, False
    walk = Walk([nothing, undecided, branch_of("a")])
    assert list(walk.advance()) == []
    assert walk.head is undecided.place
    undecided.passed = True
    assert [place.url for place in walk.advance()] == [SITE, "a"]


def test_a_walk_of_nothing_is_over() -> None:
    walk = Walk([])
    assert list(walk.advance()) == []
    assert walk.head is None


# -- the crawl seen through it


def test_sitemaps_become_known_in_the_order_of_the_tree_each_once() -> None:
    drive = Drive(FAMILY, declared("a", "e"))
    answer(drive, "e")
    assert taken(drive) == []
    answer(drive, "a")
    assert taken(drive) == ["a"]
    answer(drive, "c")
    assert taken(drive) == []
    answer(drive, "b", "d")
    assert taken(drive) == ["b", "d", "c", "e"]
    assert drive.crawl.done
    assert taken(drive) == []


def test_sitemaps_arrive_in_the_order_in_which_they_do() -> None:
    drive = Drive(FAMILY, declared("a"))
    answer(drive, "a", "c", "b")
    assert arrived(drive) == ["a", "c", "b"]
    answer(drive, "d")
    assert arrived(drive) == ["d"]
    assert arrived(drive) == []


def test_what_is_no_sitemap_neither_becomes_known_nor_arrives() -> None:
    drive = Drive({"a": lists("b", "gone"), "b": has(1)}, declared("a")).run()
    assert drive.known == [f"{SITE}a", f"{SITE}b"]
    assert arrived(drive) == ["a", "b"]


def test_what_a_limit_cut_off_does_not_arrive() -> None:
    drive = Drive(FAMILY, declared("a"), rules=Rules(limits=Limits(sitemaps=3)))
    answer(drive, "a", "c", "b")
    assert arrived(drive) == ["a", "b"]


def test_a_sitemap_that_stands_twice_is_known_twice() -> None:
    drive = Drive({"a": lists("b", "c"), "b": lists("x"), "c": lists("x"), "x": has(1)}, declared("a")).run()
    assert [url.removeprefix(SITE) for url in drive.known] == ["a", "b", "x", "c", "x"]


# -- reading ahead


def wide(read_ahead: float, children: int = 9) -> Drive:
    site: Site = {"a": lists(*(f"{number}" for number in range(children))), **{f"{n}": has(1) for n in range(children)}}
    drive = Drive(site, declared("a"), read_ahead=read_ahead, rules=Rules(politeness=Politeness(connections=2)))
    answer(drive, "a")
    drive.ask()
    return drive


def test_behind_a_slow_sitemap_no_more_is_read_than_wanted() -> None:
    drive = wide(read_ahead=3)
    while len(drive.under_way) > 1:
        drive.answer(drive.under_way[-1].url)  # the first one never comes
        drive.ask()
    assert drive.under_way[0].url == f"{SITE}0"
    assert len(drive.asked) == 1 + 1 + 3
    drive.run()
    assert drive.known == [f"{SITE}a", *(f"{SITE}{number}" for number in range(9))]


def test_everything_is_read_where_nobody_waits_for_an_order() -> None:
    drive = wide(read_ahead=math.inf)
    while len(drive.under_way) > 1:
        drive.answer(drive.under_way[-1].url)
        drive.ask()
    assert len(drive.asked) == 1 + 9


def test_what_everything_waits_for_is_always_asked_for() -> None:
    site: Site = {
        "a": lists("b", "x"),
        "b": [fails(Outcome.UNREACHABLE, 503), lists("c", "y")],
        **{name: has(1) for name in "cxyz"},
    }
    drive = Drive(site, declared("a", "z"), read_ahead=1, choose=lambda count: count - 1, chance=1.0).run()
    assert [url.removeprefix(SITE) for url in drive.known] == ["a", "b", "c", "y", "x", "z"]


def test_sitemaps_that_are_cut_off_are_not_ahead_of_anything() -> None:
    site: Site = {"a": lists("b", "x", "y"), "b": lists("c", "d", "e"), **{name: has(1) for name in "cdexy"}}
    rules = Rules(limits=Limits(sitemaps=4))
    drive = Drive(site, declared("a"), rules=rules, read_ahead=2)
    answer(drive, "a", "x", "y", "b")
    drive.ask()
    assert f"{SITE}d" in drive.asked, "x and y are gone, and hold up nothing"
    assert [url.removeprefix(SITE) for url in drive.run().known] == ["a", "b", "c", "d"]


def test_the_first_urls_of_later_sources_are_read_ahead_too() -> None:
    drive = Drive({"robots.txt": robots("a"), "a": has(1), "sitemap.xml": has(1)}, read_ahead=1)
    assert [url.removeprefix(SITE) for url in drive.run().known] == ["robots.txt", "a", "sitemap.xml"]
