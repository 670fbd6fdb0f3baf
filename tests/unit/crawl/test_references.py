"""References packed: the same sequence, in less memory."""

from usp.crawl.references import PackedReferences
from usp.messages import SitemapRef

FEW = [
    SitemapRef("https://example.com/a?b=ü", "2024-01-02", 3),
    SitemapRef("https://example.com/b"),
    SitemapRef("c", ""),
]


def test_packed_references_are_the_same_sequence() -> None:
    packed = PackedReferences(FEW)
    assert list(packed) == FEW
    assert (len(packed), packed[1], packed[-1], packed[:2]) == (3, FEW[1], FEW[2], FEW[:2])
    assert packed
    assert not PackedReferences([])


def test_packed_references_can_be_packed_again() -> None:
    assert list(PackedReferences(PackedReferences(FEW)[:2])) == FEW[:2]


def test_packed_references_take_no_more_than_the_document_did() -> None:
    many = PackedReferences(
        [SitemapRef(f"https://example.com/sitemaps/products-{number}.xml") for number in range(5000)]
    )
    assert len(many._packed) < 5000 * 20
