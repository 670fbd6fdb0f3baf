"""Where first URLs come from, in which order, and what each leaves in the tree: BEHAVIOUR of discovery."""

import pytest

from tests.crawls import (
    SITE,
    Drive,
    Site,
    declared,
    document,
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
from usp.crawl.sources import DEFAULT_SOURCES, GivenSitemaps, HomepageLinks, KnownPaths, RobotsTxt, Role, Seed
from usp.crawl.sources.known_paths import KNOWN_PATHS
from usp.exceptions import InvalidOptionException
from usp.messages import Kind
from usp.problems import Outcome


def seeds(*sources: object, homepage: str = SITE) -> list[Seed]:
    return [seed for source in sources for seed in source.seeds(homepage)]  # type: ignore[attr-defined]


def test_robots_txt_comes_first_then_the_known_paths_then_the_links_of_the_homepage() -> None:
    assert [(seed.url, seed.role) for seed in seeds(*DEFAULT_SOURCES)] == [
        (f"{SITE}robots.txt", Role.ROBOTS),
        *((SITE + path, Role.GUESSED) for path in KNOWN_PATHS),
        (SITE, Role.LINKS),
    ]


def test_the_known_paths_are_those_that_are_documented_in_their_order() -> None:
    assert (
        *("sitemap.xml", "sitemap.xml.gz", "sitemap_index.xml", "sitemap-index.xml", "sitemap_index.xml.gz"),
        *("sitemap-index.xml.gz", ".sitemap.xml", "sitemap", "admin/config/search/xmlsitemap"),
        *("sitemap/sitemap-index.xml", "sitemap_news.xml", "sitemap-news.xml", "sitemap_news.xml.gz"),
        *("sitemap-news.xml.gz", "wp-sitemap.xml", "sitemap.txt", "sitemap/sitemap.xml", "sitemaps.xml"),
    ) == KNOWN_PATHS


def test_extra_paths_come_after_the_known_ones_each_once() -> None:
    found = seeds(KnownPaths(extra=("/maps.xml", "sitemap.xml", "maps.xml")), homepage="https://example.com/docs/")
    assert [seed.url for seed in found][-2:] == [f"{SITE}docs/sitemaps.xml", f"{SITE}docs/maps.xml"]
    assert len(found) == len(KNOWN_PATHS) + 1


def test_a_folder_is_searched_with_its_own_robots_txt_and_that_of_the_origin() -> None:
    found = seeds(*DEFAULT_SOURCES, homepage=f"{SITE}docs/")
    assert [seed.url for seed in found][:3] == [
        f"{SITE}robots.txt",
        f"{SITE}docs/robots.txt",
        f"{SITE}docs/sitemap.xml",
    ]
    assert found[-1].url == f"{SITE}docs/"


def test_given_sitemaps_are_resolved_and_declared() -> None:
    found = seeds(GivenSitemaps(("a.xml", "//cdn.example.com/b.xml", "http://example.org/c")))
    assert [seed.url for seed in found] == [f"{SITE}a.xml", "https://cdn.example.com/b.xml", "http://example.org/c"]
    assert {seed.role for seed in found} == {Role.DECLARED}


@pytest.mark.parametrize("url", ["", "ftp://example.com/a.xml", "javascript:void(0)", "http://"])
def test_a_given_sitemap_that_is_no_http_url_raises(url: str) -> None:
    with pytest.raises(InvalidOptionException, match="no HTTP"):
        seeds(GivenSitemaps((url,)))


# -- robots.txt


def test_the_sitemaps_of_robots_txt_stand_below_it_in_their_order() -> None:
    site = {"robots.txt": robots("b", "a"), "a": has(1), "b": lists("c"), "c": has(1)}
    assert shapes(tree(site)) == [("robots.txt", ("b", "c"), "a")]


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        (fails(), Outcome.ABSENT),
        (fails(Outcome.ABSENT, 410), Outcome.ABSENT),
        (homepage(), Outcome.ABSENT),
        (fails(Outcome.EMPTY, 204), Outcome.ABSENT),
        (document(Kind.UNKNOWN, Outcome.EMPTY), Outcome.ABSENT),
        (leads_to("/"), Outcome.ABSENT),
    ],
    ids=["404", "410", "HTML", "204", "0 bytes", "a redirect to nothing"],
)
def test_a_robots_txt_that_is_none_leaves_nothing_and_hides_nothing(says: object, outcome: Outcome) -> None:
    found = tree({"robots.txt": says, "sitemap.xml": has(1)})  # type: ignore[dict-item]
    assert shapes(found) == ["sitemap.xml"]
    assert found.attempts[0].outcome is outcome
    assert found.complete


@pytest.mark.parametrize("outcome", [Outcome.BLOCKED, Outcome.UNREACHABLE, Outcome.REFUSED, Outcome.BROKEN])
def test_a_robots_txt_that_could_not_be_had_leaves_nothing_and_may_hide_pages(outcome: Outcome) -> None:
    found = tree({"robots.txt": fails(outcome, 403), "sitemap.xml": has(1)})
    assert shapes(found) == ["sitemap.xml"]
    assert found.incomplete_because[0].startswith(f"{SITE}robots.txt ")
    assert f"it is {outcome}" in found.incomplete_because[0]


def test_a_robots_txt_without_sitemaps_stays_in_the_tree() -> None:
    found = tree({"robots.txt": robots()})
    assert shapes(found) == ["robots.txt"]
    assert found.complete


def test_both_robots_txt_of_a_folder_are_read() -> None:
    site: Site = {"robots.txt": robots("a"), "docs/robots.txt": robots("b"), "a": has(1), "b": has(1)}
    found = tree(site, seeds(*DEFAULT_SOURCES, homepage=f"{SITE}docs/"))
    assert shapes(found) == [("robots.txt", "a"), ("docs/robots.txt", "b")]


# -- known paths


def test_known_paths_are_asked_for_once_robots_txt_is_read_and_not_before() -> None:
    drive = Drive({"robots.txt": robots("a"), "a": has(1)})
    drive.ask()
    assert drive.asked == [f"{SITE}robots.txt"]
    drive.answer()
    drive.ask()
    assert f"{SITE}sitemap.xml" in drive.asked, "though what robots.txt declares is still to come"


def test_known_paths_stand_in_the_tree_in_their_order_however_they_come() -> None:
    site = {"sitemap.xml": has(1), "sitemap": has(1), "sitemaps.xml": has(1)}
    for choose in (lambda count: 0, lambda count: count - 1):
        assert shapes(tree(site, choose=choose)) == ["sitemap.xml", "sitemap", "sitemaps.xml"]


def test_a_known_path_that_is_absent_leaves_nothing() -> None:
    found = tree({"sitemap.xml": fails(), "sitemap": homepage(), "sitemap.txt": fails(Outcome.EMPTY, 204)})
    assert (found.sub_sitemaps, found.complete) == ([], True)
    tried = {attempt.url: attempt.outcome for attempt in found.attempts}
    assert {SITE + path for path in KNOWN_PATHS} < set(tried)
    assert set(tried.values()) == {Outcome.ABSENT}


def test_a_known_path_that_the_tree_has_already_leaves_nothing_more_and_is_fetched_once() -> None:
    site: Site = {"robots.txt": robots("i"), "i": lists("sitemap.xml"), "sitemap.xml": has(1)}
    drive = Drive(site).run()
    assert shapes(drive.tree()) == [("robots.txt", ("i", "sitemap.xml"))]
    assert drive.asked.count(f"{SITE}sitemap.xml") == 1


def test_a_known_path_that_leads_to_what_the_tree_has_already_leaves_nothing_more() -> None:
    site: Site = {
        "robots.txt": robots("i"),
        "i": has(1),
        "sitemap.xml": leads_to("i"),
        "sitemap": leads_to("sitemap.xml"),
    }
    drive = Drive(site).run()
    assert shapes(drive.tree()) == [("robots.txt", "i")]
    assert drive.asked.count(f"{SITE}i") == 1
    assert outcomes(drive.tree())["sitemap.xml"] == "ok", "it was tried all the same"


def test_of_known_paths_that_lead_to_the_same_the_first_stays() -> None:
    site: Site = {"sitemap.xml": leads_to("maps/1"), "sitemap": leads_to("maps/1"), "maps/1": has(1)}
    assert shapes(tree(site)) == ["maps/1"]


def test_the_tree_does_not_depend_on_which_of_robots_txt_and_known_paths_comes_first() -> None:
    site: Site = {"robots.txt": robots("a"), "a": leads_to("sitemap.xml"), "sitemap.xml": leads_to("c"), "c": has(1)}
    found = [tree(site, choose=choose) for choose in (lambda count: 0, lambda count: count - 1)]
    assert shapes(found[0]) == shapes(found[1]) == [("robots.txt", "c")]
    assert found[0].attempts == found[1].attempts


def test_known_paths_may_hide_pages_only_if_nothing_at_all_was_found() -> None:
    blocked = fails(Outcome.BLOCKED, 403)
    assert tree({"sitemap.xml": blocked, "sitemap": has(1)}).complete
    assert tree({"sitemap.xml": blocked}).incomplete_because == [f"{SITE}sitemap.xml was blocked: it is blocked"]
    assert not tree({"robots.txt": robots(), "sitemap.xml": blocked}).complete, (
        "a robots.txt without sitemaps is nothing"
    )


# -- the homepage


def test_the_sitemaps_that_a_homepage_links_to_come_last_and_declared() -> None:
    found = tree({"sitemap.xml": has(1), "": homepage("a", "b"), "b": has(1)})
    assert shapes(found) == ["sitemap.xml", ("a", "it is absent"), "b"]
    assert outcomes(found)[""] == "ok"
    assert found.complete, "declared and absent is all that the site has to say"


def test_a_link_to_what_the_tree_has_already_adds_nothing() -> None:
    site: Site = {"sitemap.xml": has(1), "": homepage("sitemap.xml", "a"), "a": has(1)}
    assert shapes(tree(site)) == ["sitemap.xml", "a"]


def test_feeds_of_a_homepage_count_only_if_nothing_else_was_found() -> None:
    page = homepage(feeds=["feed", "gone"])
    feed = has(2, Kind.RSS)
    assert shapes(tree({"": page, "feed": feed})) == ["feed"]
    assert shapes(tree({"": page, "feed": feed, "robots.txt": robots()})) == ["robots.txt", "feed"]
    drive = Drive({"": page, "feed": feed, "sitemap.xml": has(1)}).run()
    assert shapes(drive.tree()) == ["sitemap.xml"]
    assert f"{SITE}feed" not in drive.asked


def test_feeds_of_a_homepage_count_when_asked_for_behind_the_sitemaps_that_it_links_to() -> None:
    site: Site = {"sitemap.xml": has(1), "": homepage("a", feeds=["feed"]), "a": has(1), "feed": has(1, Kind.ATOM)}
    drive = Drive(site, seeds(KnownPaths(), HomepageLinks(feeds=True))).run()
    assert shapes(drive.tree()) == ["sitemap.xml", "a", "feed"]
    assert drive.asked.index(f"{SITE}a") < drive.asked.index(f"{SITE}feed")


def test_a_homepage_that_is_blocked_or_gone_leaves_nothing() -> None:
    for says in (fails(), fails(Outcome.BLOCKED, 403)):
        assert tree({"": says, "sitemap.xml": has(1)}).complete
    assert not tree({"": fails(Outcome.BLOCKED, 403)}).complete


def test_links_of_a_homepage_that_comes_first_are_asked_for_together() -> None:
    drive = Drive({"": homepage("a", "b", "c")}, seeds(HomepageLinks(), RobotsTxt()))
    drive.ask()
    drive.answer("")
    drive.ask()
    assert [url.removeprefix(SITE) for url in drive.asked] == ["", "robots.txt", "a", "b", "c"]


# -- what the caller gives


def test_what_the_caller_gives_is_in_the_tree_whatever_it_is() -> None:
    found = tree({"b": has(1), "c": homepage()}, declared("a", "b", "b", "c"))
    assert shapes(found) == [
        ("a", "it is absent"),
        "b",
        "b",
        ("c", "fatal html-page: This is an HTML page, not a sitemap."),
    ]
    assert outcomes(found) == {"b": "ok", "c": "broken"}
    assert not found.complete


def test_a_sitemap_can_be_asked_for_within_somebody_elses_tree() -> None:
    above = frozenset([f"{SITE}top", "HTTPS://EXAMPLE.com:443/maps"])
    site: Site = {"a": lists("top", "maps", "b"), "b": lists("c"), "c": has(1)}
    found = tree(site, [Seed(f"{SITE}a", Role.DECLARED, level=10, parent_urls=above)])
    assert shapes(found) == [
        (
            "a",
            ("top", f"Recursion detected in URL {SITE}top"),
            ("maps", f"Recursion detected in URL {SITE}maps"),
            ("b", ("c", f"Recursion level 12 is deeper than the limit of 11: {SITE}c")),
        )
    ]
