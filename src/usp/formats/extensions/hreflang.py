"""Alternates: the page in other languages, as ``xhtml:link rel="alternate"``.

https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
"""

from collections.abc import Mapping
from typing import Any

from usp.formats.vocabulary import Extension, UsableURL
from usp.values.urls import HTTP_URL

_APPS = ("android-app:", "ios-app:")
"""Alternates in an app: no pages, but what the site says of the page all the same."""

_is_http = HTTP_URL.match


def _alternate(attributes: Mapping[str, str], usable_url: UsableURL) -> tuple[Any, ...] | None:
    language = attributes.get("hreflang")
    href = attributes.get("href")
    if attributes.get("rel", "alternate") == "alternate" and language and href and _is_http(href):
        return language.strip(), href.strip()
    return _unusual_alternate(attributes, usable_url)


def _unusual_alternate(attributes: Mapping[str, str], usable_url: UsableURL) -> tuple[Any, ...] | None:
    """One with prefixed or upper-case attributes, white space, a relative URL, or one for another medium."""
    plain = {name.lower().rpartition(":")[2]: value.strip() for name, value in attributes.items()}
    if plain.get("rel", "alternate").lower() != "alternate" or ("media" in plain and "hreflang" not in plain):
        return ()
    language, href = plain.get("hreflang"), plain.get("href")
    if not language or not href:
        return None
    url = href if href.lower().startswith(_APPS) else usable_url(href)
    return (language, url) if url else None


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
