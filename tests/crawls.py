"""Crawls without a network: a site is a mapping of URLs to what they say; whoever drives chooses what is answered next.

A site is written as ``{"a.xml": lists("b.xml", "c.xml"), "b.xml": has(2)}``, relative to ``SITE``. A list gives one
answer after the other; what is missing is 404.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from usp.crawl.plan import Crawl
from usp.crawl.rules import Rules
from usp.crawl.sources import DEFAULT_SOURCES, Role, Seed
from usp.messages import Answered, Document, Failure, Kind, Redirect, Request, SitemapRef
from usp.objects.sitemap import AbstractSitemap, IndexWebsiteSitemap, InvalidSitemap
from usp.pages.block_pages import BlockPages
from usp.problems import Outcome, ProblemLog
from usp.rows import MemoryBlock, Row, pack
from usp.values.urls import identity

SITE = "https://example.com/"

Answer = Document | Failure | Redirect
Says = Callable[[str], Answer]
"""What a URL says, given how it was asked for."""
Site = Mapping[str, Says | list[Says]]
EndlessSite = Callable[[str], Says]
"""What a URL of a site says that has no end."""


def absolute(url: str) -> str:
    return url if "://" in url else SITE + url.lstrip("/")


def _references(urls: Iterable[str | tuple[str, str]]) -> tuple[SitemapRef, ...]:
    dated = [(url, None) if isinstance(url, str) else url for url in urls]
    return tuple(SitemapRef(absolute(url), lastmod) for url, lastmod in dated)


def document(kind: Kind = Kind.URLSET, outcome: Outcome = Outcome.OK, **parts: Any) -> Says:
    return lambda url: Document(url, kind, outcome, **parts)


def lists(*urls: str | tuple[str, str], kind: Kind = Kind.INDEX, pages: int = 0) -> Says:
    """An index of these sitemaps; a pair is a URL with its date."""
    references = _references(urls)
    return lambda url: Document(url, kind, Outcome.OK, blocks=_blocks(url, pages), references=references)


def robots(*urls: str) -> Says:
    return lists(*urls, kind=Kind.ROBOTS)


def homepage(*urls: str, feeds: Sequence[str] = ()) -> Says:
    """An HTML page that links to sitemaps and feeds."""
    links = {"references": _references(urls), "feeds": _references(feeds)}
    return document(Kind.HTML, Outcome.BROKEN, problems=_problems("html-page"), **links)


def has(pages: int, kind: Kind = Kind.URLSET) -> Says:
    """A sitemap with so many pages, called after its URL."""
    return lambda url: Document(url, kind, Outcome.OK, blocks=_blocks(url, pages))


def leads_to(url: str, *, cookie: bool = False) -> Says:
    return lambda asked: Redirect(asked, absolute(url), 301, fresh_cookie=cookie)


def fails(outcome: Outcome = Outcome.ABSENT, status: int | None = 404, **more: Any) -> Says:
    return lambda url: Failure(url, outcome, f"it is {outcome}", status=status, **more)


def _blocks(url: str, pages: int) -> tuple[MemoryBlock, ...]:
    rows = [Row(f"{url}#{number}") for number in range(pages)]
    chunks = [rows[start : start + 1000] for start in range(0, pages, 1000)]
    return tuple(MemoryBlock(pack(chunk), len(chunk)) for chunk in chunks)


def _problems(code: str) -> Any:
    log = ProblemLog(SITE)
    log.add(code)
    return log.problems()


def declared(*urls: str) -> list[Seed]:
    return [Seed(absolute(url), Role.DECLARED) for url in urls]


def _by_identity(site: Site) -> Callable[[str], Says | list[Says]]:
    known = {identity(absolute(url)): says for url, says in site.items()}
    return lambda url: known.get(url, fails())


class Drive:
    """One crawl of a site, driven to its end: ``choose`` says which of so many requests under way is answered next."""

    def __init__(
        self,
        site: Site | EndlessSite,
        seeds: Iterable[Seed] | None = None,
        *,
        choose: Callable[[int], int] = lambda under_way: 0,
        chance: float = 0.0,
        **options: Any,
    ) -> None:
        self._says = _by_identity(site) if isinstance(site, Mapping) else site
        self._met: dict[str, int] = {}
        self._choose = choose
        self.now = 1000.0
        self.asked: list[str] = []
        """The URLs asked for, in the order of the requests."""
        self.under_way: list[Request] = []
        self.known: list[str] = []
        """The URLs of the sitemaps as they became known, in the order of the tree."""
        if seeds is None:
            seeds = [seed for source in DEFAULT_SOURCES for seed in source.seeds(SITE)]
        options.setdefault("rules", Rules())
        self.crawl = Crawl(SITE, seeds, chance=lambda: chance, **options)

    def ask(self) -> list[Request]:
        """Take the requests that are wanted now."""
        new = self.crawl.wants(self.now)
        self.asked += [request.url for request in new]
        self.under_way += new
        return new

    def answer(self, url: str | None = None) -> float | None:
        """Answer one of the requests under way: that for a URL, or the one that is chosen."""
        urls = [request.url for request in self.under_way]
        number = self._choose(len(urls)) if url is None else urls.index(absolute(url))
        request = self.under_way.pop(number)
        answer = self._said(request.url)
        status = 200 if isinstance(answer, Document) else answer.status
        return self.crawl.receive(request, Answered(answer, status, 0.5), self.now)

    def _said(self, url: str) -> Answer:
        says = self._says(identity(url))
        if isinstance(says, list):
            turn = self._met.get(identity(url), 0)
            self._met[identity(url)] = turn + 1
            says = says[min(turn, len(says) - 1)]
        return says(url)

    def step(self) -> None:
        """Ask; then take one answer or, if nothing is under way, wait."""
        self.ask()
        self.known += [place.final_url for place in self.crawl.take_known()]
        if self.crawl.done:
            return
        if self.under_way:
            self.answer()
        else:
            until = self.crawl.wakes_at()
            assert until < math.inf, "nothing is under way, and nothing will be"
            self.now = max(self.now, until)
            self.crawl.expire(self.now)

    def run(self) -> Self:
        while not self.crawl.done:
            self.step()
        self.known += [place.final_url for place in self.crawl.take_known()]
        return self

    def tree(self) -> IndexWebsiteSitemap:
        return self.crawl.tree(BlockPages)


def tree(site: Site, seeds: Iterable[Seed] | None = None, **options: Any) -> IndexWebsiteSitemap:
    """The tree of a site, crawled to the end."""
    return Drive(site, seeds, **options).run().tree()


def shape(sitemap: AbstractSitemap) -> Any:
    """A tree as nested tuples: each sitemap's path, and what is below it or why there is nothing."""
    path = sitemap.url.removeprefix(SITE)
    if isinstance(sitemap, InvalidSitemap):
        return path, sitemap.reason
    below = [shape(child) for child in sitemap.sub_sitemaps]
    return (path, *below) if below else path


def shapes(website: IndexWebsiteSitemap) -> list[Any]:
    """The shapes of what stands directly below the root."""
    return [shape(sitemap) for sitemap in website.sub_sitemaps]


def outcomes(website: IndexWebsiteSitemap) -> dict[str, str]:
    """What became of every URL that was tried and was not absent."""
    tried = {attempt.url.removeprefix(SITE): str(attempt.outcome) for attempt in website.attempts}
    return {url: outcome for url, outcome in tried.items() if outcome != Outcome.ABSENT}
