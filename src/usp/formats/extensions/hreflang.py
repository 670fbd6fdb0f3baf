"""Alternates: the page in other languages, as ``xhtml:link rel="alternate"``.

https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
"""

from collections.abc import Mapping
from typing import Any

from usp.formats.vocabulary import Extension, UsableURL

_APPS = ("android-app:", "ios-app:")
"""Alternates in an app: no pages, but what the site says of the page all the same."""

_SCHEMES = ("https://", "http://")


def _alternate(attributes: Mapping[str, str], usable_url: UsableURL) -> tuple[Any, ...] | None:
    try:
        language, href = attributes["hreflang"], attributes["href"]
        if language and attributes["rel"] == "alternate" and href.startswith(_SCHEMES):
            return language.strip(), href.rstrip()
    except KeyError:
        pass
    return _unusual_alternate(attributes, usable_url)


def _unusual_alternate(attributes: Mapping[str, str], usable_url: UsableURL) -> tuple[Any, ...] | None:
    """One with prefixed or upper-case attributes, white space, a relative URL, or one for another medium."""
    plain = {name.lower().rpartition(":")[2]: value.strip() for name, value in attributes.items()}
    if "alternate" not in plain.get("rel", "alternate").lower().split() or (
        "media" in plain and "hreflang" not in plain
    ):
        return ()
    language, href = plain.get("hreflang"), plain.get("href")
    if not language or not href:
        return None
    url = href if href.lower().startswith(_APPS) else usable_url(href)
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
