"""News: one story a page. https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap"""

from typing import Any

from usp.formats.vocabulary import Extension, Section, UsableURL, Values

_LEAVES = ("title", "publication_date", "name", "language", "access", "genres", "keywords", "stock_tickers")


def _story(values: Values, usable_url: UsableURL) -> tuple[Any, ...] | None:  # noqa: ARG001
    return tuple(values)


NEWS = Extension(
    family="news",
    namespaces=("http://www.google.com/schemas/sitemap-news/0.9",),
    prefix="news",
    element="news",
    slot=5,
    section=Section(
        size=len(_LEAVES),
        leaves={name: slot for slot, name in enumerate(_LEAVES)},
        groups=frozenset({"publication"}),
        ignored=frozenset({"geo_locations"}),
    ),
    finish=_story,
    several=False,
)
