"""However a document is cut into pieces, it says the same; and what was written well reads back exactly."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.property.documents import (
    ROBOTS_URL,
    SAMPLES,
    TEXTS,
    Wire,
    pieces,
    read,
    read_text,
    read_whole,
    wires,
)
from tests.unit.decoding.bodies import cut
from usp.limits import PIECE

SIZES = st.lists(st.integers(0, 40), min_size=1, max_size=5).filter(any)
URLS = st.sampled_from(["https://example.com/shop/sitemap.xml", ROBOTS_URL])


@pytest.mark.parametrize("size", [1, 7, 50])
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_say_the_same_in_pieces(name: str, size: int) -> None:
    text = SAMPLES[name]
    whole = read_whole(text)
    assert read(cut(text.encode(), size)) == whole
    assert read_text(text, size) == whole


@given(wires(), SIZES, URLS)
def test_any_split_of_the_bytes_gives_the_same_document(wire: Wire, sizes: list[int], url: str) -> None:
    whole = read(wire.body, url=url, headers=wire.headers)
    for split in (cut(wire.body, 1), cut(wire.body, 7), pieces(wire.body, sizes)):
        assert read(split, url=url, headers=wire.headers) == whole


@given(TEXTS, st.sampled_from([1, 2, 3, 7, 16]))
def test_any_split_of_the_text_gives_the_same_document(text: str, size: int) -> None:
    assert read_text(text, size) == read_text(text)
