"""From the words of a site to typed pages, and the packed format that both readers write."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from usp.handshake import BLOCK_VERSION
from usp.objects.page import (
    SitemapImage,
    SitemapNewsStory,
    SitemapPage,
    SitemapPageChangeFrequency,
    SitemapVideo,
    SitemapVideoPrice,
)
from usp.rows import ImageRow, MemoryBlock, NewsRow, PriceRow, Row, VideoRow, pack, unpack

URL = "https://example.com/"
ALWAYS, DAILY = SitemapPageChangeFrequency.ALWAYS, SitemapPageChangeFrequency.DAILY


def test_a_row_of_a_url_alone_gives_a_page_of_a_url_alone() -> None:
    assert Row(URL).page() == SitemapPage(URL)
    assert Row(URL).page().images is None


def test_a_plain_row_gives_typed_values_and_keeps_the_words() -> None:
    page = Row(URL, "2024-12-31T23:59:59Z", "daily", "0.8", 7).page()
    assert page == SitemapPage(URL, Decimal("0.8"), datetime(2024, 12, 31, 23, 59, 59, tzinfo=UTC), DAILY)
    assert page.lastmod == "2024-12-31T23:59:59Z"


def test_what_is_no_value_is_read_as_if_it_were_absent() -> None:
    page = Row(URL, "99999999999", "sometimes", "high").page()
    assert page.last_modified is None
    assert page.lastmod == "99999999999"
    assert page.priority == Decimal("0.5")
    assert page.change_frequency is ALWAYS


@pytest.mark.parametrize(
    ("words", "frequency"),
    [
        *((member.value, member) for member in SitemapPageChangeFrequency),
        ("Daily", DAILY),
        ("DAILY", DAILY),
        (" daily\n", DAILY),
        ("dayly", ALWAYS),
        ("0", ALWAYS),
        ("", None),
        (" ", None),
        (None, None),
    ],
)
def test_change_frequencies_are_read_in_any_letter_case(words: str | None, frequency: object) -> None:
    assert Row(URL, changefreq=words).page().change_frequency is frequency


def test_unknown_change_frequencies_are_not_remembered_as_known() -> None:
    assert Row(URL, changefreq="fortnightly").page().change_frequency is ALWAYS
    assert not SitemapPageChangeFrequency.has_value("fortnightly")
    assert Row(URL, changefreq="fortnightly").page().change_frequency is ALWAYS


def test_a_news_row_gives_a_story() -> None:
    news = NewsRow("Title", "2024-01-02", "Name", "en", "Registration", "Blog, Satire", "cats,, dogs ", "A:B")
    day = datetime(2024, 1, 2)  # noqa: DTZ001 - the site gave no zone
    assert Row(URL, news=news).page().news_story == SitemapNewsStory(
        "Title", day, "Name", "en", "Registration", ["Blog", "Satire"], ["cats", "dogs"], ["A:B"]
    )


def test_a_news_row_without_title_and_date_gives_a_story_without_them() -> None:
    assert Row(URL, news=NewsRow()).page().news_story == SitemapNewsStory(None, None)
    assert NewsRow("Title").story(None) == SitemapNewsStory("Title", None)


def test_image_rows_give_images_in_order() -> None:
    images = [ImageRow("https://example.com/1"), ImageRow("https://example.com/2", "C", "G", "T", "L")]
    assert Row(URL, images=images).page().images == [
        SitemapImage("https://example.com/1"),
        SitemapImage("https://example.com/2", caption="C", geo_location="G", title="T", license_="L"),
    ]


def test_a_video_row_gives_a_video_with_typed_values() -> None:
    words = {name: f"the {name}" for name in VideoRow.__struct_fields__}
    typed = {
        "duration": ("600", 600),
        "expiration_date": ("2024-01-02T03:04:05Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        "rating": ("4.2", Decimal("4.2")),
        "view_count": ("12345", 12345),
        "publication_date": ("2024-01-02T03:04:05Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        "family_friendly": ("Yes", True),
        "requires_subscription": ("no", False),
        "live": ("yes", True),
        "tags": (["cat"], ["cat"]),
        "prices": (
            [PriceRow("1.99", "EUR", "rent", "hd"), PriceRow("free")],
            [SitemapVideoPrice(Decimal("1.99"), "EUR", "rent", "hd"), SitemapVideoPrice(None)],
        ),
    }
    row: Any = VideoRow(**words | {name: pair[0] for name, pair in typed.items()})  # type: ignore[arg-type]
    expected: Any = SitemapVideo(**words | {name: pair[1] for name, pair in typed.items()})  # type: ignore[arg-type]
    assert Row(URL, videos=[row]).page().videos == [expected]


def test_an_empty_video_row_gives_a_video_that_says_nothing() -> None:
    assert VideoRow().video() == SitemapVideo()


def test_alternates_stay_pairs_in_order() -> None:
    alternates = [("de", "https://example.com/de"), ("x-default", URL)]
    assert Row(URL, alternates=alternates).page().alternates == alternates


def test_rows_of_empty_lists_give_pages_that_have_none() -> None:
    page = Row(URL, images=[], videos=[], alternates=[]).page()
    assert (page.images, page.videos, page.alternates) == (None, None, None)


def test_changing_the_lists_of_a_page_does_not_change_its_row() -> None:
    row = Row(URL, videos=[VideoRow(tags=["cat"])], alternates=[("de", URL)])
    page = row.page()
    assert page.alternates is not None
    assert page.videos is not None
    page.alternates.clear()
    page.videos[0].tags.clear()
    again = row.page()
    assert (again.alternates, again.videos) == ([("de", URL)], [SitemapVideo(tags=["cat"])])


def arrays(block: bytes) -> list[Any]:
    version, rows = msgspec.msgpack.decode(block)
    assert version == BLOCK_VERSION
    return list(rows)


def test_plain_rows_are_packed_as_arrays_of_five() -> None:
    assert arrays(pack([Row(URL), Row(URL, "2024", "daily", "0.8", 3)])) == [
        [URL, None, None, None, 0],
        [URL, "2024", "daily", "0.8", 3],
    ]


@pytest.mark.parametrize(
    ("row", "extension"),
    [
        (Row(URL, news=NewsRow("T")), [["T", None, None, None, None, None, None, None], None, None, None]),
        (Row(URL, images=[ImageRow("L")]), [None, [["L", None, None, None, None]], None, None]),
        (Row(URL, videos=[VideoRow()]), [None, None, [[None] * 21 + [[], []]], None]),
        (Row(URL, alternates=[("de", "L")]), [None, None, None, [["de", "L"]]]),
    ],
    ids=["news", "images", "videos", "alternates"],
)
def test_rows_with_an_extension_are_packed_as_arrays_of_nine(row: Row, extension: list[Any]) -> None:
    assert arrays(pack([row])) == [[URL, None, None, None, 0, *extension]]


def test_tuples_are_packed_as_they_are_also_among_rows() -> None:
    assert arrays(pack([(URL,), Row(URL), (URL, "2024")])) == [[URL], [URL, None, None, None, 0], [URL, "2024"]]
    assert unpack(pack([(URL,), (URL, "2024", None, None, 5, None, None)])) == [Row(URL), Row(URL, "2024", line=5)]


def test_a_block_without_rows_is_a_block() -> None:
    assert unpack(pack([])) == []


@pytest.mark.parametrize("rows", [[(URL,)], {"another": "layout"}], ids=["same layout", "other layout"])
def test_a_block_of_another_version_is_refused_with_both_versions_named(rows: object) -> None:
    block = msgspec.msgpack.encode((BLOCK_VERSION + 1, rows))
    with pytest.raises(ValueError, match=f"version {BLOCK_VERSION + 1} .* version {BLOCK_VERSION}"):
        unpack(block)


def test_a_block_whose_version_is_written_the_long_way_is_read() -> None:
    assert unpack(b"\x92\xcc" + bytes([BLOCK_VERSION]) + pack([(URL,)])[2:]) == [Row(URL)]


def test_a_memory_block_gives_what_it_was_given() -> None:
    block = MemoryBlock(pack([(URL,)]), 1)
    assert (block.packed(), block.rows) == (pack([(URL,)]), 1)
