"""Redirects are answers: joined, followed, refused, or asked for again with the cookie that they set."""

import pytest

from tests.crawls import (
    SITE,
    Drive,
    Site,
    declared,
    fails,
    has,
    homepage,
    leads_to,
    lists,
    outcomes,
    robots,
    shapes,
    tree,
)
from usp.crawl.rules import Rules
from usp.crawl.sources import Role, Seed
from usp.limits import Limits
from usp.messages import Redirect
from usp.objects.sitemap import InvalidSitemap
from usp.problems import Outcome


def hops(count: int) -> Site:
    """A chain of so many redirects, with pages at its end."""
    return {f"{number}": leads_to(f"{number + 1}") for number in range(count)} | {f"{count}": has(1)}


def only(site: Site, url: str) -> InvalidSitemap:
    """The sitemap of a URL, which is invalid."""
    (first,) = tree(site, declared(url)).sub_sitemaps
    assert isinstance(first, InvalidSitemap)
    return first


def test_the_url_of_a_sitemap_is_the_final_one_as_the_redirect_writes_it() -> None:
    site: Site = {"a": leads_to("HTTPS://Example.com/b"), "b": has(1)}
    found = tree(site, declared("a"))
    assert [sitemap.url for sitemap in found.sub_sitemaps] == ["HTTPS://Example.com/b"]
    (attempt,) = found.attempts
    assert (attempt.url, attempt.final_url, attempt.status) == (f"{SITE}a", "HTTPS://Example.com/b", 200)
    assert attempt.seconds == 1.0, "both answers took their time"


def test_the_url_of_a_failure_is_the_final_one_too() -> None:
    failure = only({"a": leads_to("b")}, "a")
    assert (failure.url, failure.reason, failure.outcome) == (f"{SITE}b", "it is absent", Outcome.ABSENT)


@pytest.mark.parametrize("limit", [1, 2, 10])
def test_as_many_redirects_as_the_limit_are_followed_and_no_more(limit: int) -> None:
    rules = Rules(limits=Limits(redirects=limit))
    assert shapes(tree(hops(limit), declared("0"), rules=rules)) == [f"{limit}"]
    drive = Drive(hops(limit + 1), declared("0"), rules=rules).run()
    assert shapes(drive.tree()) == [("0", f"There are more than {limit} redirects, the last one to {SITE}{limit + 1}")]
    assert outcomes(drive.tree()) == {"0": "refused"}
    assert len(drive.asked) == limit + 1
    assert not drive.tree().complete


def test_ten_redirects_are_followed_by_default() -> None:
    assert len(list(tree(hops(10), declared("0")).all_pages())) == 1
    assert len(list(tree(hops(11), declared("0")).all_pages())) == 0


@pytest.mark.parametrize("length", [1, 2, 3])
def test_redirects_in_a_circle_are_broken_and_asked_for_once(length: int) -> None:
    site: Site = {f"{number}": leads_to(f"{(number + 1) % length}") for number in range(length)}
    drive = Drive(site, declared("0")).run()
    assert drive.asked == [f"{SITE}{number}" for number in range(length)]
    reason = f"The redirects go in a circle: {SITE}{length - 1} leads to {SITE}0 again"
    assert shapes(drive.tree()) == [("0", reason)]
    assert outcomes(drive.tree()) == {"0": "broken"}


def test_a_circle_behind_the_first_url_is_one_too() -> None:
    assert "in a circle" in only({"a": leads_to("b"), "b": leads_to("c"), "c": leads_to("b")}, "a").reason


def test_a_redirect_to_another_spelling_of_itself_is_a_circle() -> None:
    assert "in a circle" in only({"a": leads_to("HTTPS://EXAMPLE.com:443/a#top")}, "a").reason


# -- cookies


def test_a_redirect_to_itself_that_sets_a_cookie_is_asked_for_again() -> None:
    drive = Drive({"a": [leads_to("a", cookie=True), has(1)]}, declared("a")).run()
    assert drive.asked == [f"{SITE}a"] * 2
    assert shapes(drive.tree()) == ["a"]
    (attempt,) = drive.tree().attempts
    assert (attempt.outcome, attempt.seconds) == (Outcome.OK, 1.0)


def test_a_circle_that_sets_a_cookie_anywhere_is_gone_round_again() -> None:
    site: Site = {"a": [leads_to("login"), has(1)], "login": leads_to("a", cookie=True)}
    drive = Drive(site, declared("a")).run()
    assert drive.asked == [f"{SITE}a", f"{SITE}login", f"{SITE}a"]
    assert shapes(drive.tree()) == ["a"]


def test_a_circle_that_sets_cookies_for_ever_ends_at_the_limit() -> None:
    drive = Drive({"a": leads_to("a", cookie=True)}, declared("a")).run()
    assert len(drive.asked) == 11
    assert outcomes(drive.tree()) == {"a": "refused"}


def test_a_circle_is_not_gone_round_for_a_cookie_that_was_set_before_it() -> None:
    drive = Drive({"a": leads_to("b", cookie=True), "b": leads_to("c"), "c": leads_to("b")}, declared("a")).run()
    assert len(drive.asked) == 3
    assert "in a circle" in shapes(drive.tree())[0][1]


@pytest.mark.parametrize("late", [False, True])
def test_all_places_of_a_url_go_round_the_same_circle(late: bool) -> None:
    """Whether they come before or after the cookie was set: who comes later finds the same answers."""
    site: Site = {"i": lists("a"), "a": [leads_to("b"), has(1)], "b": leads_to("a", cookie=True)}
    drive = Drive(site, declared("a", "i"))
    drive.ask()
    if not late:
        drive.answer("i")
    drive.answer("a")
    for url in ("b", "a"):
        drive.ask()
        drive.answer(url)
    drive.run()
    assert shapes(drive.tree()) == ["a", ("i", "a")]
    assert sorted(drive.asked) == sorted(f"{SITE}{url}" for url in "iaba")


def test_each_url_of_a_circle_is_asked_again_for_itself() -> None:
    site: Site = {"a": [leads_to("b"), has(1)], "b": [leads_to("a", cookie=True), has(2)]}
    for choose in (lambda count: 0, lambda count: count - 1):
        found = tree(site, declared("a", "b"), choose=choose).sub_sitemaps
        assert [(sitemap.url, len(sitemap.pages)) for sitemap in found] == [(f"{SITE}a", 1), (f"{SITE}b", 2)]


# -- what the tree has


def test_a_redirect_joins_what_was_fetched_already() -> None:
    drive = Drive({"a": leads_to("c"), "b": leads_to("c"), "c": has(1)}, declared("c", "a", "b")).run()
    assert drive.asked == [f"{SITE}c", f"{SITE}a", f"{SITE}b"]
    assert shapes(drive.tree()) == ["c", "c", "c"]


def test_a_redirect_to_an_ancestor_is_refused_as_a_recursion() -> None:
    site: Site = {"a": lists("b", "d"), "b": leads_to("c"), "c": leads_to("a"), "d": has(1)}
    found = tree(site, declared("a"))
    assert shapes(found) == [("a", ("b", f"Recursion detected when {SITE}c redirected to {SITE}a"), "d")]
    assert outcomes(found)["b"] == "refused"
    assert "Recursion detected when" in repr(found)


def test_a_child_that_is_named_as_an_ancestor_was_before_its_redirect_is_refused() -> None:
    site: Site = {"a": leads_to("b"), "b": lists("a", "b", "c"), "c": leads_to("a")}
    reasons = [("a", f"Recursion detected in URL {SITE}a"), ("b", f"Recursion detected in URL {SITE}b")]
    last = ("c", f"Recursion detected when {SITE}c redirected to {SITE}a")
    assert shapes(tree(site, declared("a"))) == [("b", *reasons, last)]


def test_a_redirect_to_a_parent_in_somebody_elses_tree_is_refused() -> None:
    seed = Seed(f"{SITE}a", Role.DECLARED, parent_urls=frozenset([f"{SITE}TOP", f"{SITE}top"]))
    assert shapes(tree({"a": leads_to("top")}, [seed])) == [
        ("a", f"Recursion detected when {SITE}a redirected to {SITE}top")
    ]


def test_a_redirect_to_a_sibling_is_none() -> None:
    site: Site = {"a": lists("b", "c"), "b": leads_to("c"), "c": has(1)}
    assert shapes(tree(site, declared("a"))) == [("a", "c", "c")]


def test_a_redirect_is_judged_from_where_each_place_stands() -> None:
    site: Site = {"a": lists("b", "x"), "b": lists("x"), "x": leads_to("b")}
    found = tree(site, declared("a", "x"))
    redirected = ("x", f"Recursion detected when {SITE}x redirected to {SITE}b")
    named = ("x", f"Recursion detected in URL {SITE}x")
    assert shapes(found) == [("a", ("b", redirected), ("b", named)), ("b", named)]


def test_redirects_of_robots_txt_and_of_the_homepage_are_followed() -> None:
    site: Site = {
        "robots.txt": leads_to("https://www.example.com/robots.txt"),
        "https://www.example.com/robots.txt": robots("a"),
        "": leads_to("https://www.example.com/"),
        "https://www.example.com/": homepage("b"),
        "a": has(1),
        "b": has(1),
    }
    found = tree(site)
    assert [sitemap.url for sitemap in found.sub_sitemaps] == ["https://www.example.com/robots.txt", f"{SITE}b"]
    assert found.sub_sitemaps[0].sub_sitemaps[0].url == f"{SITE}a"


def test_a_redirect_that_is_busy_is_asked_for_again() -> None:
    drive = Drive({"a": leads_to("b"), "b": [fails(Outcome.UNREACHABLE, 503), has(1)]}, declared("a")).run()
    assert drive.asked == [f"{SITE}a", f"{SITE}b", f"{SITE}b"]
    assert shapes(drive.tree()) == ["b"]


def test_followed_redirects_to_each_other_come_to_an_end() -> None:
    """A fetcher that follows redirects by itself and ends elsewhere each time."""
    site: Site = {
        "a": lambda url: Redirect(f"{SITE}b", f"{SITE}a", 302),
        "b": lambda url: Redirect(f"{SITE}a", f"{SITE}b", 302),
    }
    for choose in (lambda count: 0, lambda count: count - 1):
        assert "in a circle" in shapes(tree(site, declared("a", "b"), choose=choose))[0][1]
