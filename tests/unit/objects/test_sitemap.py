"""What programs can see of a tree: NAMES of ``usp.objects.sitemap``, sentence by sentence."""

import copy
import gc
import inspect
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload
from unittest.mock import ANY

import pytest

from usp.objects.page import SitemapPage
from usp.objects.sitemap import (
    AbstractIndexSitemap,
    AbstractPagesSitemap,
    AbstractSitemap,
    IndexRobotsTxtSitemap,
    IndexWebsiteSitemap,
    IndexXMLSitemap,
    InvalidSitemap,
    PagesAtomSitemap,
    PagesRSSSitemap,
    PagesTextSitemap,
    PagesXMLSitemap,
)
from usp.problems import Outcome, Problem, Problems, Severity

INDEXES = [IndexWebsiteSitemap, IndexRobotsTxtSitemap, IndexXMLSitemap]
LEAVES = [PagesXMLSitemap, PagesTextSitemap, PagesRSSSitemap, PagesAtomSitemap]
SITE = "https://example.com"
CAT, DOG, EMU = (SitemapPage(f"{SITE}/{name}") for name in ("cat", "dog", "emu"))
PROBLEMS = Problems([Problem("missing-end", Severity.NOTE, SITE)], {"missing-end": 1})


def tree(**changes: Any) -> IndexWebsiteSitemap:
    """A website of a robots.txt (an index of two, one lost) and a feed."""
    index = IndexXMLSitemap(
        f"{SITE}/index.xml",
        [PagesXMLSitemap(f"{SITE}/a.xml", [CAT, DOG]), InvalidSitemap(f"{SITE}/b.xml", "404 Not Found", **changes)],
    )
    robots = IndexRobotsTxtSitemap(f"{SITE}/robots.txt", [index])
    return IndexWebsiteSitemap(f"{SITE}/", [robots, PagesRSSSitemap(f"{SITE}/feed", [EMU])])


def deep_tree(depth: int) -> AbstractSitemap:
    sitemap: AbstractSitemap = PagesXMLSitemap(f"{SITE}/pages.xml", [CAT])
    for level in range(depth):
        sitemap = IndexXMLSitemap(f"{SITE}/{level}.xml", [sitemap])
    return sitemap


class MarkedPages(PagesXMLSitemap):
    """A program's own kind, with something of its own."""

    mark = ""


class NoPages(Sequence[SitemapPage]):
    """Pages that nobody may look at: a million of them."""

    def __len__(self) -> int:
        return 1_000_000

    @overload
    def __getitem__(self, index: int) -> SitemapPage: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SitemapPage]: ...
    def __getitem__(self, index: int | slice) -> SitemapPage | Sequence[SitemapPage]:
        raise AssertionError("these pages were not to be read")


def test_the_families_are_the_promised_ones() -> None:
    assert all(issubclass(kind, AbstractIndexSitemap) for kind in INDEXES)
    assert all(issubclass(kind, AbstractPagesSitemap) for kind in LEAVES)
    assert all(issubclass(kind, AbstractSitemap) for kind in [AbstractIndexSitemap, AbstractPagesSitemap])
    assert issubclass(InvalidSitemap, AbstractSitemap)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        *((kind, ["url", "sub_sitemaps"]) for kind in INDEXES),
        *((kind, ["url", "pages"]) for kind in LEAVES),
        (InvalidSitemap, ["url", "reason"]),
    ],
)
def test_two_arguments_are_promised_and_the_others_are_given_by_name(kind: Any, names: list[str]) -> None:
    parameters = inspect.signature(kind).parameters.values()
    by_position = [p.name for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    assert by_position == names


def test_an_abstract_sitemap_cannot_be_made() -> None:
    with pytest.raises(TypeError):
        AbstractSitemap(SITE)  # type: ignore[abstract]


@pytest.mark.parametrize("kind", INDEXES)
def test_an_index_has_sitemaps_and_no_pages(kind: Callable[..., AbstractIndexSitemap]) -> None:
    below = [InvalidSitemap(f"{SITE}/b.xml", "gone")]
    index = kind(url=SITE, sub_sitemaps=below)
    assert index.url == SITE
    assert index.sub_sitemaps is below
    assert index.pages == []


@pytest.mark.parametrize("kind", LEAVES)
def test_pages_are_kept_as_given(kind: Callable[..., AbstractPagesSitemap]) -> None:
    pages = NoPages()
    sitemap = kind(url=SITE, pages=pages)
    assert sitemap.pages is pages
    assert sitemap.sub_sitemaps == []


def test_an_invalid_sitemap_has_a_reason_and_nothing_else() -> None:
    sitemap = InvalidSitemap(url=SITE, reason="404 Not Found")
    assert (sitemap.url, sitemap.reason) == (SITE, "404 Not Found")
    assert sitemap.pages == []
    assert sitemap.sub_sitemaps == []
    assert list(sitemap.all_pages()) == []
    assert list(sitemap.all_sitemaps()) == []


def test_sitemaps_share_no_list() -> None:
    one, other = InvalidSitemap(SITE, "gone"), InvalidSitemap(SITE, "gone")
    assert one.pages is not other.pages
    assert one.sub_sitemaps is not other.sub_sitemaps
    assert IndexXMLSitemap(SITE, []).pages is not IndexXMLSitemap(SITE, []).pages


def test_children_given_as_a_tuple_become_a_list() -> None:
    assert IndexXMLSitemap(SITE, (InvalidSitemap(SITE, "gone"),)).sub_sitemaps == [InvalidSitemap(SITE, "gone")]


def test_all_sitemaps_are_given_depth_first_without_the_sitemap_itself() -> None:
    assert [sitemap.url.removeprefix(SITE) for sitemap in tree().all_sitemaps()] == [
        *("/robots.txt", "/index.xml", "/a.xml", "/b.xml", "/feed")
    ]


def test_all_pages_are_given_in_the_order_of_the_tree() -> None:
    assert list(tree().all_pages()) == [CAT, DOG, EMU]


def test_own_pages_come_before_those_of_the_sitemaps_below() -> None:
    inner = PagesXMLSitemap(f"{SITE}/b.xml", [DOG], sub_sitemaps=[PagesTextSitemap(f"{SITE}/c.txt", [EMU])])
    index = IndexXMLSitemap(f"{SITE}/a.xml", [inner], pages=[CAT])
    assert list(index.all_pages()) == [CAT, DOG, EMU]
    assert [sitemap.url for sitemap in index.all_sitemaps()] == [f"{SITE}/b.xml", f"{SITE}/c.txt"]


def test_all_pages_and_all_sitemaps_are_lazy() -> None:
    index = IndexXMLSitemap(SITE, [PagesXMLSitemap(SITE, [CAT]), PagesXMLSitemap(SITE, NoPages())])
    assert isinstance(index.all_pages(), Iterator)
    assert next(index.all_pages()) == CAT
    assert len(list(index.all_sitemaps())) == 2


def test_a_very_deep_tree_can_be_walked_compared_and_shown() -> None:
    deep, same = deep_tree(20_000), deep_tree(20_000)
    assert list(deep.all_pages()) == [CAT]
    assert sum(1 for _ in deep.all_sitemaps()) == 20_000
    assert deep == same
    assert deep.complete
    assert repr(deep).count("IndexXMLSitemap") == 100
    # The interpreter frees nested objects by recursion, which it bounds itself.


def test_sitemaps_are_always_true_and_have_no_length() -> None:
    for sitemap in (IndexXMLSitemap(SITE, []), PagesXMLSitemap(SITE, []), InvalidSitemap(SITE, "")):
        assert sitemap
        assert not hasattr(sitemap, "__len__")
        assert not hasattr(sitemap, "__iter__")


def test_sitemaps_of_one_family_are_equal_when_they_say_the_same() -> None:
    assert tree() == tree()
    assert IndexXMLSitemap(SITE, []) == IndexRobotsTxtSitemap(SITE, [])
    assert PagesXMLSitemap(SITE, [CAT]) == PagesAtomSitemap(SITE, [CAT])
    assert PagesXMLSitemap(SITE, [CAT]) == PagesXMLSitemap(SITE, (CAT,))
    assert InvalidSitemap(SITE, "gone") == InvalidSitemap(SITE, "gone")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (IndexXMLSitemap(SITE, []), PagesXMLSitemap(SITE, [])),
        (IndexXMLSitemap(SITE, []), InvalidSitemap(SITE, "")),
        (PagesXMLSitemap(SITE, []), InvalidSitemap(SITE, "")),
        (PagesXMLSitemap(SITE, [CAT]), PagesXMLSitemap(f"{SITE}/", [CAT])),
        (PagesXMLSitemap(SITE, [CAT]), PagesXMLSitemap(SITE, [CAT, DOG])),
        (PagesXMLSitemap(SITE, [CAT, DOG]), PagesXMLSitemap(SITE, [DOG, CAT])),
        (InvalidSitemap(SITE, "gone"), InvalidSitemap(SITE, "lost")),
        (IndexXMLSitemap(SITE, [InvalidSitemap(SITE, "gone")]), IndexXMLSitemap(SITE, [])),
        (IndexXMLSitemap(SITE, [InvalidSitemap(SITE, "gone")]), IndexXMLSitemap(SITE, [InvalidSitemap(SITE, "lost")])),
        (IndexXMLSitemap(SITE, [], pages=[CAT]), IndexXMLSitemap(SITE, [])),
        (PagesXMLSitemap(SITE, [], sub_sitemaps=[InvalidSitemap(SITE, "gone")]), PagesXMLSitemap(SITE, [])),
        (tree(), IndexWebsiteSitemap(f"{SITE}/", tree().sub_sitemaps[:1])),
    ],
    ids=repr,
)
def test_sitemaps_that_say_different_things_are_unequal(one: AbstractSitemap, other: AbstractSitemap) -> None:
    assert one != other
    assert other != one


def test_trees_of_the_same_sitemaps_in_another_shape_are_unequal() -> None:
    def leaf() -> AbstractSitemap:
        return IndexXMLSitemap(SITE, [])

    assert IndexXMLSitemap(SITE, [IndexXMLSitemap(SITE, [leaf()])]) != IndexXMLSitemap(SITE, [leaf(), leaf()])
    nested = IndexXMLSitemap(SITE, [IndexXMLSitemap(SITE, [leaf(), leaf()])])
    assert nested != IndexXMLSitemap(SITE, [IndexXMLSitemap(SITE, [leaf()]), leaf()])


@pytest.mark.parametrize("other", [SITE, None, 1, [], {"url": SITE}], ids=repr)
def test_a_sitemap_compared_with_anything_else_is_unequal(other: object) -> None:
    for sitemap in (IndexXMLSitemap(SITE, []), PagesXMLSitemap(SITE, []), InvalidSitemap(SITE, "")):
        assert sitemap != other
        assert other != sitemap
        assert sitemap == ANY


def test_outcome_problems_and_lastmod_do_not_matter_for_equality() -> None:
    told = PagesXMLSitemap(SITE, [CAT], outcome=Outcome.OK, problems=PROBLEMS, lastmod="2024")
    assert told == PagesXMLSitemap(SITE, [CAT])
    assert told.to_dict() == PagesXMLSitemap(SITE, [CAT]).to_dict()


@pytest.mark.parametrize("kind", [IndexRobotsTxtSitemap, IndexXMLSitemap, *LEAVES])
def test_what_became_of_a_sitemap_is_kept(kind: Any) -> None:
    sitemap = kind(SITE, [], outcome=Outcome.TRUNCATED, problems=PROBLEMS, lastmod="2024")
    assert (sitemap.outcome, sitemap.problems, sitemap.lastmod) == (Outcome.TRUNCATED, PROBLEMS, "2024")
    assert (kind(SITE, []).outcome, len(kind(SITE, []).problems), kind(SITE, []).lastmod) == (None, 0, None)


def test_the_root_of_a_tree_keeps_problems_and_is_no_answer_itself() -> None:
    root = IndexWebsiteSitemap(SITE, [], problems=PROBLEMS)
    assert (root.outcome, root.problems, root.lastmod) == (None, PROBLEMS, None)


def test_sitemaps_hash_by_url() -> None:
    assert hash(PagesXMLSitemap(SITE, [CAT])) == hash(InvalidSitemap(SITE, "gone"))
    assert len({PagesXMLSitemap(SITE, [CAT]), PagesXMLSitemap(SITE, [CAT])}) == 1


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


def test_to_dict_gives_the_whole_tree() -> None:
    assert tree().to_dict() == {
        "url": f"{SITE}/",
        "sub_sitemaps": [
            {
                "url": f"{SITE}/robots.txt",
                "sub_sitemaps": [
                    {
                        "url": f"{SITE}/index.xml",
                        "sub_sitemaps": [
                            {"url": f"{SITE}/a.xml", "pages": [CAT.to_dict(), DOG.to_dict()]},
                            {"url": f"{SITE}/b.xml", "reason": "404 Not Found"},
                        ],
                    }
                ],
            },
            {"url": f"{SITE}/feed", "pages": [EMU.to_dict()]},
        ],
    }


def test_to_dict_without_pages_reads_no_page() -> None:
    index = IndexXMLSitemap(SITE, [PagesXMLSitemap(f"{SITE}/a.xml", NoPages())], pages=NoPages())
    assert index.to_dict(with_pages=False) == {"url": SITE, "sub_sitemaps": [{"url": f"{SITE}/a.xml"}]}


def test_to_dict_of_empty_sitemaps_keeps_the_keys_of_their_family() -> None:
    assert list(IndexXMLSitemap(SITE, []).to_dict()) == ["url", "sub_sitemaps"]
    assert list(PagesXMLSitemap(SITE, []).to_dict()) == ["url", "pages"]
    assert list(InvalidSitemap(SITE, "gone").to_dict()) == ["url", "reason"]


def test_to_dict_of_a_mixed_document_has_both_keys() -> None:
    lost = InvalidSitemap(f"{SITE}/b.xml", "gone")
    both = {"url": SITE, "pages": [CAT.to_dict()], "sub_sitemaps": [lost.to_dict()]}
    assert IndexXMLSitemap(SITE, [lost], pages=[CAT]).to_dict() == both
    assert PagesXMLSitemap(SITE, [CAT], sub_sitemaps=[lost]).to_dict() == both


def test_the_repr_shows_the_reason_also_from_above() -> None:
    reason = "Recursion detected in URL https://example.com/b.xml"
    lost = InvalidSitemap(f"{SITE}/b.xml", reason)
    assert reason in repr(lost)
    assert reason in str(lost)
    assert reason in repr(IndexWebsiteSitemap(SITE, [IndexXMLSitemap(SITE, [lost])]))


def test_the_repr_counts_the_pages_and_does_not_read_them() -> None:
    lost = InvalidSitemap(f"{SITE}/b", "gone")
    index = IndexXMLSitemap(SITE, [PagesXMLSitemap(f"{SITE}/a", NoPages()), lost], pages=[CAT])
    assert repr(index) == (
        "IndexXMLSitemap(url='https://example.com', pages=<1 page>, sub_sitemaps=["
        "PagesXMLSitemap(url='https://example.com/a', pages=<1000000 pages>), "
        "InvalidSitemap(url='https://example.com/b', reason='gone')])"
    )


def test_the_repr_of_a_wide_tree_stays_small() -> None:
    index = IndexXMLSitemap(SITE, [InvalidSitemap(SITE, "gone")] * 10_000)
    assert repr(index).endswith(", … 9901 more])")
    assert len(repr(IndexXMLSitemap(SITE, [index] * 1000))) < 50_000


@pytest.mark.parametrize(
    "outcome", [Outcome.BLOCKED, Outcome.UNREACHABLE, Outcome.BROKEN, Outcome.TRUNCATED, Outcome.REFUSED]
)
def test_a_tree_with_a_sitemap_that_went_wrong_is_incomplete(outcome: Outcome) -> None:
    assert not tree(outcome=outcome).complete
    (sentence,) = tree(outcome=outcome).incomplete_because
    assert sentence.startswith(f"{SITE}/b.xml ")
    assert sentence.endswith(": 404 Not Found")
    assert not PagesXMLSitemap(SITE, [], outcome=outcome).complete
    assert not IndexRobotsTxtSitemap(SITE, [], outcome=outcome).complete


@pytest.mark.parametrize("outcome", [Outcome.OK, Outcome.ABSENT, Outcome.EMPTY, Outcome.FILTERED])
def test_a_tree_with_a_sitemap_that_says_what_it_has_is_complete(outcome: Outcome) -> None:
    assert tree(outcome=outcome).complete
    assert tree(outcome=outcome).incomplete_because == []
    assert PagesXMLSitemap(SITE, [], outcome=outcome).complete


def test_a_child_that_was_never_tried_makes_a_tree_incomplete() -> None:
    assert tree().incomplete_because == [f"{SITE}/b.xml was not fetched: 404 Not Found"]
    assert not tree().complete


def test_sitemaps_made_by_a_program_are_complete() -> None:
    assert IndexXMLSitemap(SITE, [PagesXMLSitemap(SITE, [CAT])]).complete


def test_every_reason_is_given_in_the_order_of_the_tree() -> None:
    index = IndexXMLSitemap(
        SITE,
        [InvalidSitemap(f"{SITE}/a", "403 Forbidden", outcome=Outcome.BLOCKED), PagesXMLSitemap(f"{SITE}/b", [])],
        outcome=Outcome.TRUNCATED,
    )
    assert index.incomplete_because == [f"{SITE} is truncated.", f"{SITE}/a was blocked: 403 Forbidden"]


def test_a_program_may_add_its_own_kind_of_sitemap() -> None:
    class PagesOfMine(AbstractPagesSitemap):
        pass

    assert PagesOfMine(SITE, [CAT]) == PagesXMLSitemap(SITE, [CAT])
    assert PagesOfMine(SITE, [CAT]).to_dict() == {"url": SITE, "pages": [CAT.to_dict()]}
