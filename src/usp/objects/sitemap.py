"""The tree of sitemaps: the result of a crawl, and of reading one document.

Laws: values only. Nothing here reads, fetches or logs. A sitemap holds any ``Sequence`` of pages, as it was given, and
never makes a list of it; trees may be deep and wide, so whatever walks them does so without recursion (``to_dict``
alone recurses: nobody could use a dictionary that deep). A sitemap is always true and has no length. What became of
it (``outcome``, ``problems``) and the words of its parent (``lastmod``) stay out of ``==`` and ``to_dict``.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import chain
from operator import eq
from typing import Any

from usp.objects.attempt import Attempt
from usp.objects.page import SitemapPage
from usp.problems import Outcome, Problems

NO_PROBLEMS = Problems()

SITEMAPS_IN_A_REPR = 100
"""A tree can hold many thousands of sitemaps; who looks at its repr wants to see the first of them."""

INCOMPLETE = {
    Outcome.BLOCKED: "was blocked",
    Outcome.UNREACHABLE: "could not be reached",
    Outcome.BROKEN: "is broken",
    Outcome.TRUNCATED: "is truncated",
    Outcome.REFUSED: "was refused",
}
"""The outcomes after which pages may be missing. What is declared and absent or empty is all the site has to say."""


class AbstractSitemap(ABC):
    """What every sitemap of a tree is.

    ``outcome`` is None where nobody tried the URL: a sitemap constructed by a program, the child of a string that was
    read. ``lastmod`` is the date under which an index declared this sitemap, as written there.
    """

    __slots__ = ("__weakref__", "lastmod", "outcome", "problems", "url")

    url: str
    problems: Problems
    outcome: Outcome | None
    lastmod: str | None

    def __init__(
        self, url: str, *, problems: Problems = NO_PROBLEMS, outcome: Outcome | None = None, lastmod: str | None = None
    ) -> None:
        self.url = url
        self.problems = problems
        self.outcome = outcome
        self.lastmod = lastmod

    # Made when asked for: two lists in each of 50,000 children cost a third of reading their index, all of it spent in
    # the collector of garbage.
    @property
    def pages(self) -> Sequence[SitemapPage]:
        """The pages that stand in this sitemap itself."""
        return []

    @property
    def sub_sitemaps(self) -> Sequence["AbstractSitemap"]:
        """The sitemaps that this one declares, in its order."""
        return []

    def all_sitemaps(self) -> Iterator["AbstractSitemap"]:
        """Every sitemap below this one, depth first, in declared order; not the sitemap itself."""
        waiting = list(reversed(self.sub_sitemaps))
        while waiting:
            sitemap = waiting.pop()
            yield sitemap
            waiting.extend(reversed(sitemap.sub_sitemaps))

    def all_pages(self) -> Iterator[SitemapPage]:
        """Every page of this sitemap, then of those below it, made one after the other."""
        yield from self.pages
        for sitemap in self.all_sitemaps():
            yield from sitemap.pages

    @property
    def complete(self) -> bool:
        """Whether nothing went wrong here or below that could hide pages: only then is a missing page really gone."""
        return next(self._incomplete_because(), None) is None

    @property
    def incomplete_because(self) -> list[str]:
        """Why pages may be missing, one sentence for each sitemap that went wrong; empty for a complete tree."""
        return list(self._incomplete_because())

    def _incomplete_because(self) -> Iterator[str]:
        return filter(None, map(_what_went_wrong, self._self_and_all_sitemaps()))

    @abstractmethod
    def to_dict(self, with_pages: bool = True) -> dict[str, Any]:
        """The sitemap, and all below it, as a dictionary."""

    def _pages_to_dict(self) -> list[dict[str, Any]]:
        return [page.to_dict() for page in self.pages]

    def _sub_sitemaps_to_dict(self, with_pages: bool) -> list[dict[str, Any]]:
        return [sitemap.to_dict(with_pages=with_pages) for sitemap in self.sub_sitemaps]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AbstractSitemap):
            return NotImplemented
        # Nodes with as many children each, met in the same order, make the same tree: zip cannot run short unseen.
        both = zip(self._self_and_all_sitemaps(), other._self_and_all_sitemaps(), strict=False)
        return all(_say_the_same(one, another) for one, another in both)

    def __hash__(self) -> int:
        return hash(self.url)

    def _self_and_all_sitemaps(self) -> Iterator["AbstractSitemap"]:
        return chain((self,), self.all_sitemaps())

    def __reduce__(self) -> tuple[Any, ...]:
        """All sitemaps of the tree side by side: one within the other, a deep tree could not be pickled or copied."""
        every = {id(sitemap): sitemap for sitemap in self._self_and_all_sitemaps()}
        numbers = dict(zip(every, range(len(every)), strict=True))
        return _joined, ([(type(one), *_state(one, numbers)) for one in every.values()],)

    def __repr__(self) -> str:
        parts: list[str] = []
        left = SITEMAPS_IN_A_REPR
        waiting: list[AbstractSitemap | str] = [self]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                parts.append(item)
            else:
                left -= 1
                waiting.extend(reversed(_repr_parts(item, max(left, 0))))
        return "".join(parts)


def _as_list(sitemaps: Sequence[AbstractSitemap]) -> Sequence[AbstractSitemap]:
    """Programs compare and join children as the list that they always were; a list given stays the same list."""
    return sitemaps if isinstance(sitemaps, list) else list(sitemaps)


class InvalidSitemap(AbstractSitemap):
    """A sitemap that could not be read, and why.

    >>> InvalidSitemap("https://example.com/sitemap.xml", "404 Not Found")
    InvalidSitemap(url='https://example.com/sitemap.xml', reason='404 Not Found')
    """

    __slots__ = ("reason",)

    def __init__(
        self,
        url: str,
        reason: str,
        *,
        problems: Problems = NO_PROBLEMS,
        outcome: Outcome | None = None,
        lastmod: str | None = None,
    ) -> None:
        super().__init__(url, problems=problems, outcome=outcome, lastmod=lastmod)
        self.reason = reason

    def to_dict(self, with_pages: bool = True) -> dict[str, Any]:  # noqa: ARG002 - there are none
        """The URL and the reason."""
        return {"url": self.url, "reason": self.reason}


class AbstractIndexSitemap(AbstractSitemap):
    """A sitemap of sitemaps. ``pages`` are those that stand in the index itself, against the protocol."""

    __slots__ = ("pages", "sub_sitemaps")

    pages: Sequence[SitemapPage]
    sub_sitemaps: Sequence[AbstractSitemap]

    def __init__(
        self,
        url: str,
        sub_sitemaps: Sequence[AbstractSitemap],
        *,
        pages: Sequence[SitemapPage] = (),
        problems: Problems = NO_PROBLEMS,
        outcome: Outcome | None = None,
        lastmod: str | None = None,
    ) -> None:
        super().__init__(url, problems=problems, outcome=outcome, lastmod=lastmod)
        self.sub_sitemaps = _as_list(sub_sitemaps)
        self.pages = list(pages) if isinstance(pages, tuple) else pages

    def to_dict(self, with_pages: bool = True) -> dict[str, Any]:
        """The URL and the sitemaps below; ``pages`` is a key only where the index holds some."""
        said: dict[str, Any] = {"url": self.url}
        if with_pages and len(self.pages):
            said["pages"] = self._pages_to_dict()
        said["sub_sitemaps"] = self._sub_sitemaps_to_dict(with_pages)
        return said


class IndexWebsiteSitemap(AbstractIndexSitemap):
    """The root of a tree: a web site, above its robots.txt and the sitemaps found elsewhere.

    ``attempts`` lists every URL that was tried, also those that left nothing in the tree. ``shortcomings`` are the
    reasons why pages may be missing that no sitemap of the tree shows: a robots.txt that could not be had, a limit.
    """

    __slots__ = ("attempts", "shortcomings")

    def __init__(
        self,
        url: str,
        sub_sitemaps: Sequence[AbstractSitemap],
        *,
        problems: Problems = NO_PROBLEMS,
        attempts: tuple[Attempt, ...] = (),
        shortcomings: tuple[str, ...] = (),
    ) -> None:
        super().__init__(url, sub_sitemaps, problems=problems)
        self.attempts = attempts
        self.shortcomings = shortcomings

    def _incomplete_because(self) -> Iterator[str]:
        yield from self.shortcomings
        yield from super()._incomplete_because()


class IndexRobotsTxtSitemap(AbstractIndexSitemap):
    """A robots.txt that declares sitemaps."""

    __slots__ = ()


class IndexXMLSitemap(AbstractIndexSitemap):
    """A ``<sitemapindex>``."""

    __slots__ = ()


class AbstractPagesSitemap(AbstractSitemap):
    """A sitemap of pages. ``sub_sitemaps`` are those that it declares itself, against the protocol."""

    __slots__ = ("pages", "sub_sitemaps")

    pages: Sequence[SitemapPage]
    sub_sitemaps: Sequence[AbstractSitemap]

    def __init__(
        self,
        url: str,
        pages: Sequence[SitemapPage],
        *,
        sub_sitemaps: Sequence[AbstractSitemap] = (),
        problems: Problems = NO_PROBLEMS,
        outcome: Outcome | None = None,
        lastmod: str | None = None,
    ) -> None:
        super().__init__(url, problems=problems, outcome=outcome, lastmod=lastmod)
        self.pages = pages
        self.sub_sitemaps = _as_list(sub_sitemaps)

    def to_dict(self, with_pages: bool = True) -> dict[str, Any]:
        """The URL, the pages if they are wanted, and ``sub_sitemaps`` only where the document declares some."""
        said: dict[str, Any] = {"url": self.url}
        if with_pages:
            said["pages"] = self._pages_to_dict()
        if self.sub_sitemaps:
            said["sub_sitemaps"] = self._sub_sitemaps_to_dict(with_pages)
        return said


class PagesXMLSitemap(AbstractPagesSitemap):
    """A ``<urlset>``."""

    __slots__ = ()


class PagesTextSitemap(AbstractPagesSitemap):
    """A text file of one URL a line."""

    __slots__ = ()


class PagesRSSSitemap(AbstractPagesSitemap):
    """An RSS feed, RDF (RSS 1.0) too."""

    __slots__ = ()


class PagesAtomSitemap(AbstractPagesSitemap):
    """An Atom feed."""

    __slots__ = ()


def _state(sitemap: AbstractSitemap, numbers: dict[int, int]) -> tuple[dict[str, Any], list[int]]:
    """What a sitemap holds, those below it by their numbers."""
    state: Any = object.__getstate__(sitemap)
    added_by_program, slots = state
    held = {name: value for name, value in slots.items() if name != "sub_sitemaps"}
    return {**(added_by_program or {}), **held}, [numbers[id(below)] for below in sitemap.sub_sitemaps]


def _joined(parts: list[tuple[type[AbstractSitemap], dict[str, Any], list[int]]]) -> AbstractSitemap:
    """The tree of which these are the sitemaps, its root first."""
    sitemaps = [kind.__new__(kind) for kind, _, _ in parts]
    for sitemap, (_, held, below) in zip(sitemaps, parts, strict=True):
        for name, value in held.items():
            setattr(sitemap, name, value)
        if isinstance(sitemap, AbstractIndexSitemap | AbstractPagesSitemap):
            sitemap.sub_sitemaps = [sitemaps[number] for number in below]
    return sitemaps[0]


FAMILIES = (AbstractIndexSitemap, AbstractPagesSitemap, InvalidSitemap)
"""Sitemaps of one family can be equal, whatever kind of document each was read from."""


def _family(sitemap: AbstractSitemap) -> type[AbstractSitemap]:
    return next((family for family in FAMILIES if isinstance(sitemap, family)), type(sitemap))


def _reason(sitemap: AbstractSitemap) -> str:
    return sitemap.reason if isinstance(sitemap, InvalidSitemap) else ""


def _say_the_same(one: AbstractSitemap, other: AbstractSitemap) -> bool:
    """Whether two nodes are equal but for what is below them."""
    return (
        _family(one) is _family(other)
        and one.url == other.url
        and _reason(one) == _reason(other)
        and len(one.sub_sitemaps) == len(other.sub_sitemaps)
        and len(one.pages) == len(other.pages)
        and (one.pages is other.pages or all(map(eq, one.pages, other.pages)))
    )


def _what_went_wrong(sitemap: AbstractSitemap) -> str:
    """Why pages of this one sitemap may be missing, or nothing."""
    invalid = isinstance(sitemap, InvalidSitemap)
    if sitemap.outcome in INCOMPLETE:
        sentence = INCOMPLETE[sitemap.outcome]
    elif invalid and sitemap.outcome is None:
        sentence = "was not fetched"
    else:
        return ""
    reason = _reason(sitemap)
    return f"{sitemap.url} {sentence}: {reason}" if reason else f"{sitemap.url} {sentence}."


def _repr_parts(sitemap: AbstractSitemap, at_most: int) -> list[AbstractSitemap | str]:
    """What the repr of a sitemap is made of, with so many of those below; pages are counted only."""
    parts: list[AbstractSitemap | str] = [f"{type(sitemap).__name__}(url={sitemap.url!r}"]
    if isinstance(sitemap, InvalidSitemap):
        parts.append(f", reason={sitemap.reason!r}")
    if count := len(sitemap.pages):
        parts.append(f", pages=<{count} page{'' if count == 1 else 's'}>")
    separator = ", sub_sitemaps=["
    for below in sitemap.sub_sitemaps[:at_most]:
        parts += [separator, below]
        separator = ", "
    if len(sitemap.sub_sitemaps) > at_most:
        parts += [separator, f"… {len(sitemap.sub_sitemaps) - at_most} more"]
    return [*parts, "])" if sitemap.sub_sitemaps else ")"]
