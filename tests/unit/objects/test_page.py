"""What programs can see of a page: NAMES of ``usp.objects.page``, sentence by sentence."""

import copy
import inspect
import pickle
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from usp.objects.page import (
    SITEMAP_PAGE_DEFAULT_PRIORITY,
    SitemapImage,
    SitemapNewsStory,
    SitemapPage,
    SitemapPageChangeFrequency,
    SitemapVideo,
    SitemapVideoPrice,
)
from usp.values.dates import Precision

URL = "https://example.com/"
MOMENT = datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=2)))
STORY = SitemapNewsStory("Title", MOMENT, "Name", "en", "Registration", ["Blog"], ["cats", "dogs"], ["NASDAQ:CATS"])
IMAGE = SitemapImage("https://example.com/cat.jpg", "A cat", "Riga", "Cat", "https://example.com/terms")
VIDEO = SitemapVideo(
    title="Cats", duration=60, rating=Decimal("4.5"), tags=["cat"], prices=[SitemapVideoPrice(Decimal("1.99"), "EUR")]
)
ALTERNATES = [("de", "https://example.com/de"), ("x-default", "https://example.com/")]


def full_page(**changes: Any) -> SitemapPage:
    said: dict[str, Any] = {
        "url": URL,
        "priority": Decimal("0.8"),
        "last_modified": MOMENT,
        "change_frequency": SitemapPageChangeFrequency.DAILY,
        "news_story": STORY,
        "images": [IMAGE],
        "alternates": ALTERNATES,
        "videos": [VIDEO],
    }
    return SitemapPage(**said | changes)


def test_a_page_takes_its_seven_fields_by_position() -> None:
    daily = SitemapPageChangeFrequency.DAILY
    page = SitemapPage(URL, Decimal("0.8"), MOMENT, daily, STORY, [IMAGE], ALTERNATES)
    assert page.url == URL
    assert page.priority == Decimal("0.8")
    assert page.last_modified == MOMENT
    assert page.change_frequency is daily
    assert page.news_story is STORY
    assert page.images == [IMAGE]
    assert page.alternates == ALTERNATES


def test_the_signatures_are_the_promised_ones() -> None:
    page = inspect.signature(SitemapPage).parameters
    assert list(page)[:7] == [
        *("url", "priority", "last_modified", "change_frequency", "news_story", "images", "alternates")
    ]
    assert [name for name in page if page[name].kind is inspect.Parameter.KEYWORD_ONLY] == ["videos", "lastmod"]
    assert list(inspect.signature(SitemapNewsStory).parameters) == [
        *("title", "publish_date", "publication_name", "publication_language", "access"),
        *("genres", "keywords", "stock_tickers"),
    ]
    assert list(inspect.signature(SitemapImage).parameters) == ["loc", "caption", "geo_location", "title", "license_"]


def test_what_is_new_is_given_by_name_only() -> None:
    with pytest.raises(TypeError):
        SitemapPage(URL, Decimal("0.8"), None, None, None, None, None, [VIDEO])  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        SitemapVideo("https://example.com/thumbnail.jpg")  # type: ignore[call-arg]


def test_a_page_of_a_url_alone_has_the_defaults() -> None:
    page = SitemapPage(URL)
    assert page.priority == SITEMAP_PAGE_DEFAULT_PRIORITY == Decimal("0.5")
    assert isinstance(page.priority, Decimal)
    assert page.last_modified is None
    assert page.change_frequency is None
    assert page.news_story is None
    assert page.images is None
    assert page.alternates is None
    assert page.videos is None
    assert page.lastmod is None
    assert page.last_modified_precision is None


def test_the_zone_of_a_date_is_kept() -> None:
    page = SitemapPage(URL, last_modified=MOMENT)
    assert page.last_modified is not None
    assert page.last_modified.utcoffset() == timedelta(hours=2)


@pytest.mark.parametrize(
    ("lastmod", "precision"),
    [("2024", "YEAR"), ("2024-02", "MONTH"), ("2024-02-03", "DAY"), ("10", None), ("", None), (None, None)],
)
def test_the_precision_of_a_date_comes_from_the_words_of_the_site(lastmod: str | None, precision: str | None) -> None:
    page = SitemapPage(URL, lastmod=lastmod)
    assert page.last_modified_precision is (Precision[precision] if precision else None)


def test_pages_hash_by_url() -> None:
    assert hash(full_page()) == hash(SitemapPage(URL))
    assert {full_page(): 1}[full_page(lastmod="2024")] == 1


def test_pages_are_equal_when_all_they_say_is_equal() -> None:
    assert full_page() == full_page()
    assert not full_page() != full_page()  # noqa: SIM202 - another method than __eq__


@pytest.mark.parametrize(
    "change",
    [
        {"url": "https://example.com/other"},
        {"priority": Decimal("0.7")},
        {"last_modified": datetime(2024, 1, 2, 3, 4, 5)},  # noqa: DTZ001 - a site may give no zone
        {"change_frequency": SitemapPageChangeFrequency.NEVER},
        {"news_story": None},
        {"images": None},
        {"images": [IMAGE, IMAGE]},
        {"alternates": ALTERNATES[:1]},
        {"videos": None},
    ],
    ids=str,
)
def test_pages_that_differ_in_one_field_are_unequal(change: dict[str, Any]) -> None:
    assert full_page() != full_page(**change)


def test_the_words_of_the_site_do_not_matter_for_equality() -> None:
    assert full_page(lastmod="2024") == full_page(lastmod="2024-01-01")


def test_a_page_is_unequal_to_anything_else() -> None:
    assert SitemapPage(URL) != URL
    assert SitemapPage(URL) != None  # noqa: E711 - the operator is tested
    assert SitemapPage(URL) not in (URL, None, 1)


@pytest.mark.parametrize("value", [full_page(), STORY, IMAGE, VIDEO, VIDEO.prices[0]], ids=lambda v: type(v).__name__)
def test_values_cannot_be_changed(value: Any) -> None:
    with pytest.raises(AttributeError):
        setattr(value, value.__struct_fields__[0], None)


@pytest.mark.parametrize(
    "value", [full_page(lastmod="2024"), STORY, IMAGE, VIDEO, VIDEO.prices[0]], ids=lambda v: type(v).__name__
)
def test_values_pickle_copy_and_hash(value: Any) -> None:
    again = pickle.loads(pickle.dumps(value))
    assert again == value
    assert hash(again) == hash(value)
    assert again.to_dict() == value.to_dict()
    assert copy.deepcopy(value) == value


def test_the_words_of_the_site_survive_pickling() -> None:
    assert pickle.loads(pickle.dumps(full_page(lastmod="2024"))).lastmod == "2024"


def test_a_plain_page_is_a_dictionary_of_six_keys() -> None:
    assert list(SitemapPage(URL).to_dict().items()) == [
        ("url", URL),
        ("priority", Decimal("0.5")),
        ("last_modified", None),
        ("change_frequency", None),
        ("news_story", None),
        ("images", None),
    ]


def test_further_keys_of_a_page_appear_only_where_there_is_something() -> None:
    plain = set(SitemapPage(URL, lastmod="2024").to_dict())
    assert set(SitemapPage(URL, alternates=[], videos=[]).to_dict()) == plain
    assert set(SitemapPage(URL, alternates=ALTERNATES).to_dict()) - plain == {"alternates"}
    assert set(SitemapPage(URL, videos=[VIDEO]).to_dict()) - plain == {"videos"}


def test_a_full_page_is_a_dictionary_of_values() -> None:
    assert full_page(lastmod="2024").to_dict() == {
        "url": URL,
        "priority": Decimal("0.8"),
        "last_modified": MOMENT,
        "change_frequency": "daily",
        "news_story": STORY.to_dict(),
        "images": [IMAGE.to_dict()],
        "alternates": ALTERNATES,
        "videos": [VIDEO.to_dict()],
    }


def test_a_story_is_a_dictionary_of_its_eight_fields() -> None:
    assert list(STORY.to_dict().items()) == [
        ("title", "Title"),
        ("publish_date", MOMENT),
        ("publication_name", "Name"),
        ("publication_language", "en"),
        ("access", "Registration"),
        ("genres", ["Blog"]),
        ("keywords", ["cats", "dogs"]),
        ("stock_tickers", ["NASDAQ:CATS"]),
    ]


@pytest.mark.parametrize("absent", [(), (None, None, None), ([], [], [])], ids=["left out", "None", "empty"])
def test_the_lists_of_a_story_read_as_empty_when_absent(absent: tuple[Any, ...]) -> None:
    story = SitemapNewsStory("Title", MOMENT, None, None, None, *absent)
    assert (story.genres, story.keywords, story.stock_tickers) == ([], [], [])


def test_a_story_may_lack_its_title_and_its_date() -> None:
    assert SitemapNewsStory(None, None).to_dict()["title"] is None
    assert SitemapNewsStory(title=None, publish_date=None).publish_date is None


def test_stories_share_no_list() -> None:
    one, other = SitemapNewsStory("Title", MOMENT), SitemapNewsStory("Title", MOMENT)
    one.genres.append("Satire")
    assert other.genres == []


def test_videos_share_no_list() -> None:
    SitemapVideo().tags.append("cat")
    SitemapVideo().prices.append(SitemapVideoPrice(None))
    assert (SitemapVideo().tags, SitemapVideo().prices) == ([], [])


def test_an_image_is_a_dictionary_of_its_five_fields() -> None:
    assert list(IMAGE.to_dict().items()) == [
        ("loc", "https://example.com/cat.jpg"),
        ("caption", "A cat"),
        ("geo_location", "Riga"),
        ("title", "Cat"),
        ("license", "https://example.com/terms"),
    ]
    assert IMAGE.license == "https://example.com/terms"


def test_an_image_of_a_location_alone_says_nothing_more() -> None:
    image = SitemapImage(loc=IMAGE.loc)
    assert (image.caption, image.geo_location, image.title, image.license) == (None, None, None, None)


def test_a_video_is_a_dictionary_of_its_fields() -> None:
    said = VIDEO.to_dict()
    assert set(said) == set(inspect.signature(SitemapVideo).parameters)
    assert said["prices"] == [{"price": Decimal("1.99"), "currency": "EUR", "type": None, "resolution": None}]
    assert said["tags"] == ["cat"]


def test_changing_a_dictionary_does_not_change_the_page() -> None:
    page = full_page()
    said = page.to_dict()
    said["alternates"].clear()
    said["news_story"]["genres"].clear()
    said["videos"][0]["tags"].clear()
    assert page == full_page()


def test_change_frequencies_have_lower_case_values() -> None:
    assert [frequency.name for frequency in SitemapPageChangeFrequency] == [
        *("ALWAYS", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY", "NEVER")
    ]
    assert all(frequency.value == frequency.name.lower() for frequency in SitemapPageChangeFrequency)


@pytest.mark.parametrize(("value", "known"), [("always", True), ("never", True), ("NEVER", False), ("", False)])
def test_has_value_knows_the_values(value: str, known: bool) -> None:
    assert SitemapPageChangeFrequency.has_value(value) is known


def test_the_repr_of_a_page_shows_what_the_site_said_and_nothing_else() -> None:
    assert repr(SitemapPage(URL)) == "SitemapPage(url='https://example.com/')"
    page = SitemapPage(URL, Decimal("0.8"), images=[SitemapImage(IMAGE.loc)], lastmod="2024")
    assert repr(page) == (
        "SitemapPage(url='https://example.com/', priority=Decimal('0.8'), "
        "images=[SitemapImage(loc='https://example.com/cat.jpg')], lastmod='2024')"
    )


def test_dates_of_the_same_moment_are_equal_in_any_zone() -> None:
    assert SitemapPage(URL, last_modified=MOMENT) == SitemapPage(URL, last_modified=MOMENT.astimezone(UTC))
