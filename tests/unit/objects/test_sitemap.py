"""What programs can see of a tree."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload
from unittest.mock import ANY

import pytest

from tests.unit.objects.trees import CAT, DOG, EMU, PROBLEMS, SITE, deep_tree, tree
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
from usp.problems import Outcome

INDEXES = [IndexWebsiteSitemap, IndexRobotsTxtSitemap, IndexXMLSitemap]
LEAVES = [PagesXMLSitemap, PagesTextSitemap, PagesRSSSitemap, PagesAtomSitemap]


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
