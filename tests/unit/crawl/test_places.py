"""Places know where they stand."""

from tests.crawls import SITE
from usp.crawl.places import Branch, Place, Resource
from usp.crawl.sources import Role, Seed
from usp.messages import Document, Failure, Kind, Redirect
from usp.problems import Outcome

ABOVE = frozenset(["HTTPS://EXAMPLE.com/top#map"])


def line(*indices: int) -> Place:
    """A place below so many others, each at its index."""
    branch = Branch(Seed(f"{SITE}0", Role.DECLARED, 2, ABOVE), (7,))
    place = branch.place
    place.chain.append(Resource(f"{SITE}0"))
    for index in indices:
        place = Place(f"{SITE}{place.level}", branch, place, index, place.level + 1)
        place.chain.append(Resource(f"{SITE}{place.level}"))
    return place


def test_the_key_of_a_place_is_its_way_from_the_root() -> None:
    assert line().key() == (7,)
    assert line(3, 0, 2).key() == (7, 3, 0, 2)
    assert line(3).key() < line(3, 0).key() < line(4).key()


def test_the_level_of_a_place_counts_from_that_of_its_seed() -> None:
    assert (line().level, line(0, 0).level) == (2, 4)


def test_the_urls_above_a_place_are_those_of_its_ancestors_and_of_what_is_above_the_crawl() -> None:
    assert line().identities_above() == {f"{SITE}top"}
    assert line(0, 0).identities_above() == {f"{SITE}top", f"{SITE}0", f"{SITE}3"}


def test_a_place_says_what_the_last_url_of_its_redirects_says() -> None:
    place = line()
    assert (place.answer, place.document) == (None, None)
    target = Resource(f"{SITE}target")
    place.chain[0].settle(Redirect(f"{SITE}0", f"{SITE}target", 301))
    assert place.answer is None
    place.chain.append(target)
    target.settle(Document(f"{SITE}target", Kind.URLSET, Outcome.OK))
    assert place.document is place.answer is target.answer


def test_what_is_no_sitemap_is_no_document_of_a_place() -> None:
    place = line()
    place.chain[0].settle(Document(f"{SITE}0", Kind.HTML, Outcome.BROKEN))
    assert place.answer is not None
    assert place.document is None


def test_a_refusal_stands_above_whatever_the_url_says() -> None:
    place = line()
    place.chain[0].settle(Document(f"{SITE}0", Kind.URLSET, Outcome.OK))
    place.refusal = Failure(f"{SITE}0", Outcome.REFUSED, "no")
    assert place.answer is place.refusal
    assert place.document is None


def test_a_resource_belongs_to_its_host_whatever_the_scheme() -> None:
    assert Resource("https://me:secret@example.com:8443/a").host == "example.com:8443"
    assert Resource("http://example.com/a").host == Resource("https://example.com/b").host == "example.com"
