"""Trees that are pickled and copied, and what large ones cost."""

import copy
import gc
import pickle
import time
from collections.abc import Callable

import pytest

from tests.unit.objects.trees import CAT, DOG, PROBLEMS, SITE, deep_tree, tree
from usp.objects.sitemap import (
    IndexXMLSitemap,
    InvalidSitemap,
    PagesXMLSitemap,
)
from usp.problems import Outcome


class MarkedPages(PagesXMLSitemap):
    """A program's own kind, with something of its own."""

    mark = ""


def test_a_tree_pickles_whole() -> None:
    whole = tree(outcome=Outcome.BLOCKED, problems=PROBLEMS, lastmod="2024")
    again = pickle.loads(pickle.dumps(whole))
    assert again == whole
    assert [type(sitemap) for sitemap in again.all_sitemaps()] == [type(sitemap) for sitemap in whole.all_sitemaps()]
    lost = next(sitemap for sitemap in again.all_sitemaps() if isinstance(sitemap, InvalidSitemap))
    assert (lost.outcome, lost.problems, lost.lastmod) == (Outcome.BLOCKED, PROBLEMS, "2024")


def test_a_very_deep_tree_pickles_and_copies() -> None:
    deep = deep_tree(5_000)
    assert pickle.loads(pickle.dumps(deep)) == deep
    assert copy.deepcopy(deep) == deep


def grid(indexes: int) -> IndexXMLSitemap:
    """So many indexes, of a hundred sitemaps each."""

    def index(url: str) -> IndexXMLSitemap:
        return IndexXMLSitemap(url, [PagesXMLSitemap(f"{url}/{number}", [CAT]) for number in range(100)])

    return IndexXMLSitemap(SITE, [index(f"{SITE}/{number}") for number in range(indexes)])


WALKS: dict[str, Callable[[IndexXMLSitemap], object]] = {
    "all_sitemaps": lambda whole: sum(1 for _ in whole.all_sitemaps()),
    "all_pages": lambda whole: sum(1 for _ in whole.all_pages()),
    "complete": lambda whole: whole.complete,
    "==": lambda whole: whole == copy.copy(whole),
    "to_dict": lambda whole: whole.to_dict(),
    "pickle": lambda whole: pickle.loads(pickle.dumps(whole)),
}


@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
def test_large_trees_cost_no_more_a_sitemap_than_small_ones(walk: Callable[[IndexXMLSitemap], object]) -> None:
    def seconds(whole: IndexXMLSitemap) -> float:
        began = time.process_time()
        walk(whole)
        return time.process_time() - began

    small, large = grid(25), grid(200)
    gc.disable()  # its passes go over everything that the other tests left, too
    try:
        assert min(seconds(large) for _ in range(3)) < 8 * 3 * max(min(seconds(small) for _ in range(5)), 0.001)
    finally:
        gc.enable()


def test_a_sitemap_that_stands_twice_and_pages_that_are_shared_stay_so_when_pickled() -> None:
    pages = [CAT, DOG]
    one, other = PagesXMLSitemap(f"{SITE}/a", pages), PagesXMLSitemap(f"{SITE}/b", pages)
    again = pickle.loads(pickle.dumps(IndexXMLSitemap(SITE, [one, other, one])))
    first, second, third = again.sub_sitemaps
    assert first is third
    assert first.pages is second.pages


def test_a_copy_is_a_tree_of_its_own() -> None:
    whole = tree()
    again = copy.deepcopy(whole)
    assert again == whole
    assert not {id(sitemap) for sitemap in again.all_sitemaps()} & {id(sitemap) for sitemap in whole.all_sitemaps()}


def test_what_a_program_adds_to_its_own_kind_of_sitemap_is_pickled_too() -> None:
    marked = MarkedPages(SITE, [CAT])
    marked.mark = "seen"
    (again,) = pickle.loads(pickle.dumps(IndexXMLSitemap(SITE, [marked]))).sub_sitemaps
    assert (type(again), again.mark, again) == (MarkedPages, "seen", marked)
