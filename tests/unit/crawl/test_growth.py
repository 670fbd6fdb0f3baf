"""What stands below a document: declared order, recursion, depth, dates, the caller's callbacks."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from tests.crawls import SITE, Drive, Site, declared, has, leads_to, lists, outcomes, robots, shapes, tree
from usp.crawl.rules import Rules
from usp.crawl.since import Since
from usp.crawl.sources import Role, Seed
from usp.exceptions import InvalidOptionException
from usp.limits import Limits
from usp.messages import Kind
from usp.objects.sitemap import InvalidSitemap
from usp.problems import Outcome

Called = tuple[Any, int, set[str]]


def paths(urls: Any) -> Any:
    return type(urls)(url.removeprefix(SITE) for url in urls)


# -- order, dates


def test_children_stand_in_declared_order_however_their_answers_come() -> None:
    site: Site = {"a": lists("d", "b", "c"), "b": lists("e"), **{url: has(1) for url in "cde"}}
    for choose in (lambda count: 0, lambda count: count - 1):
        assert shapes(tree(site, declared("a"), choose=choose)) == [("a", "d", ("b", "e"), "c")]


def test_a_child_keeps_the_date_under_which_it_is_declared() -> None:
    site: Site = {"a": lists(("b", "2024-01-02"), ("gone", "yesterday"), "c"), "b": has(1), "c": has(1)}
    assert [sitemap.lastmod for sitemap in tree(site, declared("a")).all_sitemaps()] == [
        *(None, "2024-01-02", "yesterday", None)
    ]


def test_a_failing_child_harms_none_of_its_siblings() -> None:
    site: Site = {"a": lists("b", "gone", "c"), "b": has(1), "c": has(2)}
    found = tree(site, declared("a"))
    assert shapes(found) == [("a", "b", ("gone", "it is absent"), "c")]
    assert len(list(found.all_pages())) == 3


def test_pages_of_an_index_and_sitemaps_of_a_urlset_are_kept() -> None:
    site: Site = {"a": lists("b", pages=2), "b": lists("c", kind=Kind.URLSET, pages=1), "c": has(1)}
    found = tree(site, declared("a"))
    assert [type(sitemap).__name__ for sitemap in found.all_sitemaps()] == [
        *("IndexXMLSitemap", "PagesXMLSitemap", "PagesXMLSitemap")
    ]
    assert [page.url.removeprefix(SITE) for page in found.all_pages()] == ["a#0", "a#1", "b#0", "c#0"]


# -- recursion and depth


def cycle(length: int) -> Site:
    return {f"{number}": lists(f"{(number + 1) % length}", "page") for number in range(length)} | {"page": has(1)}


@pytest.mark.parametrize("length", [1, 2, 3])
def test_an_ancestor_is_refused_as_a_child_and_its_siblings_are_not(length: int) -> None:
    found = tree(cycle(length), declared("0"))
    refused = [sitemap for sitemap in found.all_sitemaps() if isinstance(sitemap, InvalidSitemap)]
    assert [(one.url, one.reason, one.outcome) for one in refused] == [
        (f"{SITE}0", f"Recursion detected in URL {SITE}0", Outcome.REFUSED)
    ]
    assert len(list(found.all_pages())) == length
    assert not found.complete


def test_an_ancestor_is_known_however_it_is_spelled() -> None:
    site: Site = {"a": lists("HTTPS://EXAMPLE.com:443/a#again")}
    assert shapes(tree(site, declared("a"))) == [
        ("a", ("HTTPS://EXAMPLE.com:443/a#again", "Recursion detected in URL HTTPS://EXAMPLE.com:443/a#again"))
    ]


def test_a_sitemap_that_stands_elsewhere_is_no_recursion() -> None:
    site: Site = {"a": lists("b", "c"), "b": lists("c"), "c": has(1)}
    assert shapes(tree(site, declared("a"))) == [("a", ("b", "c"), "c")]


def test_robots_txt_is_at_level_0_and_the_deepest_level_is_the_limit() -> None:
    site: Site = {"robots.txt": robots("1"), **{f"{level}": lists(f"{level + 1}") for level in range(1, 9)}}
    found = tree(site, rules=Rules(limits=Limits(depth=3)))
    reason = f"Recursion level 4 is deeper than the limit of 3: {SITE}4"
    assert shapes(found) == [("robots.txt", ("1", ("2", ("3", ("4", reason)))))]
    assert outcomes(found)["4"] == "refused"
    assert not found.complete


def test_eleven_levels_below_the_first_are_read_by_default() -> None:
    site: Site = {f"{level}": lists(f"{level + 1}", "page") for level in range(20)} | {"page": has(1)}
    drive = Drive(site, declared("0")).run()
    assert sorted(paths(drive.asked)) == sorted([*map(str, range(12)), "page"])
    assert len(list(drive.tree().all_pages())) == 11


# -- callbacks


def test_callbacks_get_what_is_promised() -> None:
    lists_seen: list[Called] = []
    seen: list[Called] = []

    def choose(urls: list[str], level: int, parents: set[str]) -> list[str]:
        lists_seen.append((paths(urls), level, paths(parents)))
        return urls

    def follow(url: str, level: int, parents: set[str]) -> bool:
        seen.append((url.removeprefix(SITE), level, paths(parents)))
        return True

    site: Site = {"robots.txt": robots("a", "b"), "a": lists("c"), "b": has(1), "c": has(1), "sitemap.xml": lists("d")}
    tree(site, rules=Rules(recurse_callback=follow, recurse_list_callback=choose))
    assert lists_seen == [
        (["a", "b"], 0, {"robots.txt"}),
        (["c"], 1, {"robots.txt", "a"}),
        (["d"], 0, {"sitemap.xml"}),
    ]
    assert seen == [
        ("a", 0, {"robots.txt"}),
        ("b", 0, {"robots.txt"}),
        ("c", 1, {"robots.txt", "a"}),
        ("d", 0, {"sitemap.xml"}),
    ]


def test_the_list_is_called_before_the_single_ones_and_filters_for_them() -> None:
    calls: list[object] = []

    def choose(urls: list[str], level: int, parents: set[str]) -> list[str]:
        calls.append(paths(urls))
        return urls[1:]

    def follow(url: str, level: int, parents: set[str]) -> bool:
        calls.append(url.removeprefix(SITE))
        return not url.endswith("c")

    site: Site = {"a": lists("b", "c", "d"), **{url: has(1) for url in "bcd"}}
    drive = Drive(site, declared("a"), rules=Rules(recurse_callback=follow, recurse_list_callback=choose)).run()
    assert calls == [["b", "c", "d"], "c", "d"]
    assert shapes(drive.tree()) == [("a", "d")]
    assert drive.asked == [f"{SITE}a", f"{SITE}d"]
    assert outcomes(drive.tree()) == {"a": "ok", "b": "filtered", "c": "filtered", "d": "ok"}
    assert drive.tree().complete


def test_parents_are_named_by_their_final_urls_with_those_above_the_crawl() -> None:
    seen: list[Called] = []

    def follow(url: str, level: int, parents: set[str]) -> bool:
        seen.append((url.removeprefix(SITE), level, paths(parents)))
        parents.clear()  # it is theirs alone
        return True

    site: Site = {"a": leads_to("b"), "b": lists("c", "d"), "c": has(1), "d": has(1)}
    seed = Seed(f"{SITE}a", Role.DECLARED, level=3, parent_urls=frozenset([f"{SITE}top"]))
    assert shapes(tree(site, [seed], rules=Rules(recurse_callback=follow))) == [("b", "c", "d")]
    assert seen == [("c", 3, {"b", "top"}), ("d", 3, {"b", "top"})]


@pytest.mark.parametrize(
    "chosen",
    [
        lambda urls: tuple(urls),
        lambda urls: (url for url in urls),
        lambda urls: [*urls, *urls],
        lambda urls: dict.fromkeys(urls),
    ],
    ids=["a tuple", "a generator", "twice", "a dictionary"],
)
def test_a_list_callback_may_give_any_iterable_of_urls(chosen: Callable[[list[str]], Any]) -> None:
    rules = Rules(recurse_list_callback=lambda urls, level, parents: chosen(urls))
    assert shapes(tree({"a": lists("b", "c"), "b": has(1), "c": has(1)}, declared("a"), rules=rules)) == [
        ("a", "b", "c")
    ]


def test_a_list_callback_may_reorder_and_add_urls() -> None:
    rules = Rules(
        recurse_list_callback=lambda urls, level, parents: [f"{SITE}d", *reversed(urls)] if level == 0 else urls
    )
    site: Site = {"a": lists(("b", "2024"), "c"), "b": has(1), "c": has(1), "d": has(1)}
    found = tree(site, declared("a"), rules=rules)
    assert shapes(found) == [("a", "d", "c", "b")]
    assert [sitemap.lastmod for sitemap in found.all_sitemaps()] == [None, None, None, "2024"]


def test_a_url_that_a_callback_puts_in_the_place_of_another_leaves_that_one_out() -> None:
    rules = Rules(recurse_list_callback=lambda urls, level, parents: [f"{SITE}c"])
    found = tree({"a": lists("b"), "c": has(1)}, declared("a"), rules=rules)
    assert shapes(found) == [("a", "c")]
    assert outcomes(found) == {"a": "ok", "b": "filtered", "c": "ok"}


@pytest.mark.parametrize(
    "chosen", ["https://example.com/b", None, 1, [1], [None], [["https://example.com/b"]], [b"b"], ["b"], ["ftp://b/"]]
)
def test_a_list_callback_that_gives_no_urls_raises(chosen: Any) -> None:
    rules = Rules(recurse_list_callback=lambda urls, level, parents: chosen)
    with pytest.raises(InvalidOptionException, match="recurse_list_callback must give a list of HTTP"):
        tree({"a": lists("b")}, declared("a"), rules=rules)


def test_what_a_callback_raises_reaches_the_caller() -> None:
    def follow(url: str, level: int, parents: set[str]) -> bool:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        tree({"a": lists("b")}, declared("a"), rules=Rules(recurse_callback=follow))


def test_callbacks_are_not_called_for_documents_that_declare_nothing() -> None:
    def follow(url: str, level: int, parents: set[str]) -> bool:
        raise AssertionError(url)

    site: Site = {"robots.txt": robots(), "sitemap.xml": has(1), "": lists(kind=Kind.HTML)}
    assert shapes(tree(site, rules=Rules(recurse_callback=follow))) == ["robots.txt", "sitemap.xml"]


def test_each_place_of_a_shared_document_is_asked_about_for_itself() -> None:
    """Level and parents differ from place to place, and so may the answer."""
    site: Site = {"a": lists("c"), "b": lists("c"), "c": lists("d"), "d": has(1)}
    rules = Rules(recurse_callback=lambda url, level, parents: not (url.endswith("d") and f"{SITE}a" in parents))
    found = tree(site, declared("a", "b"), rules=rules)
    assert shapes(found) == [("a", "c"), ("b", ("c", "d"))]
    assert outcomes(found)["d"] == "ok", "it was left out once, and fetched once"


# -- since


def test_a_sitemap_that_is_older_is_not_fetched() -> None:
    site: Site = {"a": lists(("old", "2023-12-31"), ("new", "2024-01-01"), ("year", "2024"), "none", ("odd", "soon"))}
    drive = Drive(site, declared("a"), rules=Rules(since=Since(date(2024, 1, 1)))).run()
    assert paths(drive.asked) == ["a", "new", "year", "none", "odd"]
    assert outcomes(drive.tree())["old"] == "filtered"
    assert drive.tree().complete


def test_callbacks_are_not_asked_about_what_is_older() -> None:
    seen: list[str] = []

    def choose(urls: list[str], level: int, parents: set[str]) -> list[str]:
        seen.extend(urls)
        return urls

    rules = Rules(since=Since(date(2024, 1, 1)), recurse_list_callback=choose)
    tree({"a": lists(("old", "2023"), "new")}, declared("a"), rules=rules)
    assert paths(seen) == ["new"]
