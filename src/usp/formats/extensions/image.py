"""Images: several a page. https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps"""

from typing import Any

from usp.formats.vocabulary import Extension, Section, UsableURL, Values

_LEAVES = ("loc", "caption", "geo_location", "title", "license")


def _image(values: Values, usable_url: UsableURL) -> tuple[Any, ...] | None:
    written = values[0]
    url = usable_url(written) if written else None
    return (url, *values[1:]) if url else None


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
