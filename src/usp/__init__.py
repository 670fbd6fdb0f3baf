"""USP finds, fetches, reads and keeps every sitemap of a web site.

    >>> import usp
    >>> sitemap = usp.parse("https://example.com/\\nhttps://example.com/cats")
    >>> [page.url for page in sitemap.all_pages()]
    ['https://example.com/', 'https://example.com/cats']

Nothing is imported before it is used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from usp.exceptions import InvalidOptionException, InvalidSourceException, SitemapException
    from usp.limits import Limits
    from usp.parsing import parse, value_problems
    from usp.problems import Outcome, Problem, Problems, Severity

__version__ = "1.0.0a1"

_HOMES = {
    "InvalidOptionException": "usp.exceptions",
    "InvalidSourceException": "usp.exceptions",
    "Limits": "usp.limits",
    "Outcome": "usp.problems",
    "Problem": "usp.problems",
    "Problems": "usp.problems",
    "Severity": "usp.problems",
    "SitemapException": "usp.exceptions",
    "parse": "usp.parsing",
    "value_problems": "usp.parsing",
}

__all__ = [
    "InvalidOptionException",
    "InvalidSourceException",
    "Limits",
    "Outcome",
    "Problem",
    "Problems",
    "Severity",
    "SitemapException",
    "parse",
    "value_problems",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'usp' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
