"""A document's URLs are remembered, few in a set and many in little memory."""

import random
import sys

import pytest

from usp.formats import seen
from usp.formats.seen import SeenUrls


def test_a_url_is_new_once() -> None:
    urls = SeenUrls()
    assert [urls.add(url) for url in ("a", "b", "a", "", "", "A")] == [True, True, False, True, False, True]


@pytest.mark.parametrize("exact", [0, 10, 5000])
def test_many_are_told_apart_as_few_are(exact: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "EXACT", exact)
    urls = [f"https://example.com/{number}" for number in range(10_000)]
    twice = urls + urls
    random.Random(3).shuffle(twice)
    remembered, known = SeenUrls(), set[str]()
    for url in twice:
        assert remembered.add(url) == (url not in known)
        known.add(url)


def test_parts_of_two_neighbours_are_no_third(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells stand side by side in one string: where one is found it must be one, not the end and start of two."""
    monkeypatch.setattr(seen, "EXACT", 0)
    one, other, between = (int.from_bytes(cell, "little") << 16 for cell in (b"abcdef", b"ghijkl", b"defghi"))
    remembered = SeenUrls()
    assert [remembered._add_packed(key) for key in (one, other, between, between, one)] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_a_million_cost_little_memory() -> None:
    urls = SeenUrls()
    for number in range(300_000):
        urls.add(f"https://example.com/{number}")
    assert urls._buckets is not None
    assert sum(map(sys.getsizeof, urls._buckets)) < 300_000 * 20
    assert not urls.add("https://example.com/299999")


def test_several_are_remembered_if_all_are_new_and_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "EXACT", 4)
    urls = SeenUrls()
    assert urls.add_all([])
    assert urls.add_all(["a", "b"])
    assert not urls.add_all(["c", "a"])
    assert not urls.add_all(["c", "c"])
    assert not urls.add_all(["c", "d", "e"])
    assert urls.add_all(["c", "d"])
    assert [urls.add(url) for url in ("a", "d", "e", "e")] == [False, False, True, False]
