"""Alternates: the page in other languages, as ``xhtml:link rel="alternate"``.

https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
"""

from typing import Any

from usp.formats.vocabulary import Attributes, Extension, UsableURL

_KEPT = ("https://", "http://", "android-app:", "ios-app:")
"""Alternates in an app are no pages, but they are what the site says of the page all the same."""


def _alternate(attributes: Attributes, usable_url: UsableURL) -> tuple[Any, ...] | None:
    """An alternate; also with attributes that are prefixed or in upper case, and with a relative URL."""
    given = {name.lower().rpartition(":")[2]: value.strip() for name, value in attributes.items()}
    if "alternate" not in given.get("rel", "alternate").lower().split():
        return ()
    language, href = given.get("hreflang"), given.get("href")
    if language is None and "media" in given:
        return ()
    if not language or not href:
        return None
    url = href if href.lower().startswith(_KEPT) else usable_url(href)
    return (language, url) if url else ()


HREFLANG = Extension(
    family="xhtml",
    namespaces=("http://www.w3.org/1999/xhtml",),
    prefix="xhtml",
    element="link",
    slot=8,
    section=None,
    finish=_alternate,
    incomplete="incomplete-alternate",
)
