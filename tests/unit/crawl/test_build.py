"""The tree that programs get: its nodes, its attempts, whether it is complete and why not."""

import pickle

import pytest

from tests.crawls import (
    SITE,
    Drive,
    Says,
    Site,
    declared,
    document,
    fails,
    has,
    homepage,
    lists,
    outcomes,
    robots,
    shapes,
    tree,
)
from usp.crawl.rules import Rules
from usp.limits import Limits
from usp.messages import Failure, Kind
from usp.objects.attempt import Attempt
from usp.objects.sitemap import IndexWebsiteSitemap, InvalidSitemap
from usp.pages.block_pages import BlockPages
from usp.problems import Outcome, ProblemLog

INCOMPLETE = [Outcome.BLOCKED, Outcome.UNREACHABLE, Outcome.BROKEN, Outcome.REFUSED]


# -- nodes


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Kind.URLSET, "PagesXMLSitemap"),
        (Kind.TEXT, "PagesTextSitemap"),
        (Kind.RSS, "PagesRSSSitemap"),
        (Kind.ATOM, "PagesAtomSitemap"),
        (Kind.INDEX, "IndexXMLSitemap"),
        (Kind.ROBOTS, "IndexRobotsTxtSitemap"),
        (Kind.HTML, "InvalidSitemap"),
        (Kind.UNKNOWN, "InvalidSitemap"),
    ],
)
def test_the_node_of_a_document_is_of_its_kind(kind: Kind, name: str) -> None:
    (sitemap,) = tree({"a": document(kind)}, declared("a")).sub_sitemaps
    assert type(sitemap).__name__ == name


def test_a_node_keeps_what_became_of_it() -> None:
    log = ProblemLog(f"{SITE}b")
    log.add("truncated-document")
    says = document(Kind.URLSET, Outcome.TRUNCATED, problems=log.problems())
    found = tree({"a": lists(("b", "2024-05-06")), "b": says}, declared("a"))
    below = next(found.sub_sitemaps[0].all_sitemaps())
    assert (below.url, below.outcome, below.lastmod) == (f"{SITE}b", Outcome.TRUNCATED, "2024-05-06")
    assert [problem.code for problem in below.problems] == ["truncated-document"]


@pytest.mark.parametrize("outcome", [Outcome.BROKEN, Outcome.BLOCKED, Outcome.EMPTY, Outcome.REFUSED])
def test_a_document_that_is_no_sitemap_is_invalid_with_its_reason(outcome: Outcome) -> None:
    log = ProblemLog(f"{SITE}a")
    log.add("unknown-root", "<svg>", 3)
    (found,) = tree({"a": document(Kind.UNKNOWN, outcome, problems=log.problems())}, declared("a")).sub_sitemaps
    assert isinstance(found, InvalidSitemap)
    assert found.outcome is outcome
    assert found.reason == "line 3: fatal unknown-root: The XML document is no kind of sitemap. (<svg>)"


def test_the_root_is_the_homepage_with_the_problems_of_the_crawl() -> None:
    log = ProblemLog(SITE)
    log.add("guard-unseen")
    website = Drive({}, []).crawl.tree(BlockPages, log.problems())
    assert isinstance(website, IndexWebsiteSitemap)
    assert (website.url, website.outcome, website.problems.counts) == (SITE, None, {"guard-unseen": 1})


def test_a_tree_may_be_looked_at_while_it_grows() -> None:
    drive = Drive({"a": lists("b"), "b": has(1)}, declared("a"))
    assert shapes(drive.tree()) == []
    drive.ask()
    drive.answer("a")
    assert shapes(drive.tree()) == [("a", ("b", "not fetched: the crawl was ended"))]
    assert shapes(drive.run().tree()) == [("a", "b")]


def test_the_first_sitemap_can_be_had_without_a_website() -> None:
    drive = Drive({"a": lists("b", "gone"), "b": has(1)}, declared("a")).run()
    found = drive.crawl.sitemap(BlockPages)
    assert found == drive.tree().sub_sitemaps[0]
    assert Drive({}, declared("a")).run().crawl.sitemap(BlockPages) == InvalidSitemap(f"{SITE}a", "it is absent")


def test_a_node_can_be_had_without_those_below_it() -> None:
    drive = Drive({"a": lists("b", pages=1), "b": has(1)}, declared("a"))
    drive.ask()
    drive.answer("a")
    (place,) = drive.crawl.take_known()
    node = drive.crawl.node(place, BlockPages)
    assert ([page.url for page in node.pages], node.sub_sitemaps) == ([f"{SITE}a#0"], [])


# -- attempts


def test_every_url_that_was_tried_is_listed_once_in_the_order_of_the_tree() -> None:
    site: Site = {
        "robots.txt": robots("a", "b", "a"),
        "a": lists("c"),
        "b": lists("c", "d"),
        "c": has(1),
        "": homepage(),
    }
    for choose in (lambda count: 0, lambda count: count - 1):
        urls = [attempt.url.removeprefix(SITE) for attempt in tree(site, choose=choose).attempts]
        assert urls[:6] == ["robots.txt", "a", "c", "b", "d", "sitemap.xml"]
        assert urls[-1] == ""
        assert len(set(urls)) == len(urls) == 5 + 18 + 1


def test_an_attempt_says_where_it_led_what_came_of_it_and_how_long_it_took() -> None:
    drive = Drive({"a": [fails(Outcome.UNREACHABLE, 503), fails(Outcome.BLOCKED, 403)]}, declared("a")).run()
    assert drive.tree().attempts == (Attempt(f"{SITE}a", f"{SITE}a", Outcome.BLOCKED, 403, 1.0),)


def test_a_url_is_listed_as_it_was_written_where_it_stands_first() -> None:
    found = tree({"a": lists("HTTPS://EXAMPLE.com/b", "b"), "b": has(1)}, declared("a"))
    assert [attempt.url for attempt in found.attempts] == [f"{SITE}a", "HTTPS://EXAMPLE.com/b"]


def test_a_url_that_was_refused_in_one_place_and_read_in_another_was_read() -> None:
    site: Site = {"a": lists("b"), "b": lists("c"), "c": has(1)}
    found = tree(site, declared("a", "c"), rules=Rules(limits=Limits(depth=1)))
    assert isinstance(next(iter(found.sub_sitemaps[0].sub_sitemaps[0].sub_sitemaps)), InvalidSitemap)
    assert outcomes(found) == {"a": "ok", "b": "ok", "c": "ok"}


def test_what_was_never_asked_for_has_no_status() -> None:
    found = tree({"a": lists("a")}, declared("a"), rules=Rules(recurse_callback=lambda url, level, parents: False))
    assert found.attempts == (Attempt(f"{SITE}a", f"{SITE}a", Outcome.OK, 200, 0.5),)
    found = tree({"a": lists("b")}, declared("a"), rules=Rules(recurse_callback=lambda url, level, parents: False))
    assert found.attempts[1] == Attempt(f"{SITE}b", f"{SITE}b", Outcome.FILTERED)


@pytest.mark.parametrize(
    ("says", "as_known_path", "as_declared"),
    [
        (has(1), "ok", "ok"),
        (fails(), "absent", "absent"),
        (fails(Outcome.EMPTY, 204), "absent", "empty"),
        (document(Kind.UNKNOWN, Outcome.EMPTY), "absent", "empty"),
        (homepage(), "absent", "broken"),
        (document(Kind.HTML, Outcome.BLOCKED), "blocked", "blocked"),
        (document(Kind.UNKNOWN, Outcome.BROKEN), "broken", "broken"),
        (document(Kind.URLSET, Outcome.TRUNCATED), "truncated", "truncated"),
        (fails(Outcome.BLOCKED, 429), "blocked", "blocked"),
        (fails(Outcome.UNREACHABLE, None), "unreachable", "unreachable"),
        (fails(Outcome.REFUSED, None), "refused", "refused"),
    ],
)
def test_the_outcome_depends_on_whether_anybody_said_that_a_sitemap_is_there(
    says: Says, as_known_path: str, as_declared: str
) -> None:
    (first, *_) = [one for one in tree({"sitemap.xml": says}).attempts if one.url == f"{SITE}sitemap.xml"]
    assert str(first.outcome) == as_known_path
    (alone,) = tree({"a": says}, declared("a")).attempts
    assert str(alone.outcome) == as_declared


# -- complete


@pytest.mark.parametrize("outcome", INCOMPLETE)
def test_a_declared_sitemap_that_could_not_be_had_may_hide_pages(outcome: Outcome) -> None:
    found = tree({"robots.txt": robots("a", "b"), "a": fails(outcome, None), "b": has(1)})
    assert not found.complete
    (reason,) = found.incomplete_because
    assert reason.startswith(f"{SITE}a ")
    assert reason.endswith(f": it is {outcome}")


@pytest.mark.parametrize("says", [fails(), fails(Outcome.ABSENT, 410), fails(Outcome.EMPTY, 204)])
def test_a_declared_sitemap_that_is_gone_or_empty_hides_nothing(says: Says) -> None:
    assert tree({"robots.txt": robots("a"), "a": says}).complete


def test_a_truncated_sitemap_may_hide_pages() -> None:
    assert tree({"a": document(Kind.URLSET, Outcome.TRUNCATED)}, declared("a")).incomplete_because == [
        f"{SITE}a is truncated."
    ]


def test_what_the_caller_filters_hides_nothing() -> None:
    rules = Rules(recurse_callback=lambda url, level, parents: False)
    assert tree({"robots.txt": robots("a"), "a": fails(Outcome.BLOCKED, 403)}, rules=rules).complete


def test_reasons_come_in_order_limits_first_then_first_urls_then_the_tree() -> None:
    blocked = fails(Outcome.BLOCKED, 403)
    site: Site = {"robots.txt": blocked, "sitemap.xml": lists("a", "b", "c"), "a": blocked, "b": has(1)}
    found = tree(site, rules=Rules(limits=Limits(sitemaps=3)))
    assert found.incomplete_because == [
        "The limit of 3 sitemaps was reached.",
        f"{SITE}robots.txt was blocked: it is blocked",
        f"{SITE}a was blocked: it is blocked",
    ]


def test_a_site_that_blocks_everything_is_not_a_site_without_sitemaps() -> None:
    nothing = tree({})
    assert (nothing.sub_sitemaps, nothing.complete) == ([], True)
    blocked = Drive(lambda url: fails(Outcome.BLOCKED, 403)).run().tree()
    assert (blocked.sub_sitemaps, blocked.complete) == ([], False)
    assert {attempt.outcome for attempt in blocked.attempts} == {Outcome.BLOCKED}
    assert len(blocked.incomplete_because) == len(blocked.attempts)


def test_a_site_that_cannot_be_reached_is_not_complete() -> None:
    def unreachable(url: str) -> Failure:
        return Failure(url, Outcome.UNREACHABLE, "no route to host", connected=False)

    found = Drive(lambda url: unreachable).run().tree()
    assert found.incomplete_because[0] == f"{SITE}robots.txt could not be reached: no route to host"


def test_a_tree_pickles_with_its_attempts_and_reasons() -> None:
    found = tree({"robots.txt": robots("a", "b"), "a": has(2), "b": fails(Outcome.BLOCKED, 403)})
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert (again.attempts, again.incomplete_because) == (found.attempts, found.incomplete_because)
