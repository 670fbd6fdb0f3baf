"""Images: several a page. https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps"""

from typing import Any

from usp.formats.vocabulary import Extension, Section, UsableURL, Values
from usp.values.urls import HTTP_URL

_is_http = HTTP_URL.match
_LEAVES = ("loc", "caption", "geo_location", "title", "license")


def _image(values: Values, usable_url: UsableURL) -> tuple[Any, ...] | None:
    written = values[0]
    if not written:
        return None
    url = written if _is_http(written) else usable_url(written)
    return (url, *values[1:]) if url else ()


IMAGE = Extension(
    family="image",
    namespaces=("http://www.google.com/schemas/sitemap-image/1.1",),
    prefix="image",
    element="image",
    slot=6,
    section=Section(size=len(_LEAVES), leaves={name: slot for slot, name in enumerate(_LEAVES)}),
    finish=_image,
    incomplete="incomplete-image",
)
