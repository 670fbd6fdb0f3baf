"""Videos: several a page. https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps"""

from typing import Any

from usp.formats.vocabulary import Extension, Section, UsableURL, Values, filled

_LEAVES = (
    "thumbnail_loc",
    "title",
    "description",
    "content_loc",
    "player_loc",
    "duration",
    "expiration_date",
    "rating",
    "view_count",
    "publication_date",
    "family_friendly",
    "restriction",
    "platform",
    "requires_subscription",
    "uploader",
    "live",
    "category",
    "gallery_loc",
    "tag",
    "price",
)
"""In the order of ``VideoRow``, where the attributes kept follow their leaf."""

_SLOTS = {name: slot for slot, name in enumerate(_LEAVES)}
_TAG, _PRICE = _SLOTS["tag"], _SLOTS["price"]
_WITH_ATTRIBUTE = {
    _SLOTS["restriction"]: ("relationship",),
    _SLOTS["platform"]: ("relationship",),
    _SLOTS["uploader"]: ("info",),
}


def _video(values: Values, usable_url: UsableURL) -> tuple[Any, ...] | None:  # noqa: ARG001
    row: list[Any] = []
    for slot, value in enumerate(values[:_TAG]):
        if slot in _WITH_ATTRIBUTE:
            row.extend(value or (None, None))
        else:
            row.append(value)
    prices = [price for price in filled(values[_PRICE]) if price[0]]
    return (*row, filled(values[_TAG]), prices)


VIDEO = Extension(
    family="video",
    namespaces=("http://www.google.com/schemas/sitemap-video/1.1",),
    prefix="video",
    element="video",
    slot=7,
    section=Section(
        size=len(_LEAVES),
        leaves=_SLOTS,
        attributes={**_WITH_ATTRIBUTE, _PRICE: ("currency", "type", "resolution")},
        lists=frozenset({_TAG, _PRICE}),
        ignored=frozenset({"id", "content_segment_loc", "tvshow", "episode", "content_id"}),
    ),
    finish=_video,
)
