"""The tree that programs get, built from the places of a crawl.

Laws: no recursion, for a chain of sitemaps may be as long as the limit on depth allows; the pages of a shared document
are one sequence, however many nodes show them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from usp.crawl.nodes import node_of
from usp.crawl.outcome import outcome_of
from usp.crawl.places import Branch, Place
from usp.crawl.sources import Role
from usp.messages import Document
from usp.objects.attempt import Attempt
from usp.objects.page import SitemapPage
from usp.objects.sitemap import INCOMPLETE, AbstractSitemap, IndexWebsiteSitemap, InvalidSitemap
from usp.problems import Outcome, Problems
from usp.rows import Block, without_last
from usp.values.urls import identity

PagesOf = Callable[[Sequence[Block]], Sequence[SitemapPage]]
"""Makes the sequence of pages that some blocks are."""


class Cut(NamedTuple):
    """Where the limit on pages ends the tree: the last sitemap in it, and how many of its pages are too many."""

    place: Place
    excess: int


class Builder:
    """Makes nodes of places."""

    def __init__(self, pages_of: PagesOf, cut: Cut | None, interrupted: str) -> None:
        self._pages_of = pages_of
        self._cut = cut
        self._interrupted = f"not fetched: {interrupted}"
        self._pages: dict[int, Sequence[SitemapPage]] = {}
        self.has_ended = False
        """Whether the last place was reached that the limit on pages leaves."""

    def sitemap(self, place: Place, shown: list[Place]) -> AbstractSitemap:
        """The node of a place, with all below it, whose places are added to ``shown``."""
        found: list[AbstractSitemap] = []
        waiting = [(place, found)]
        while waiting and not self.has_ended:
            one, beside = waiting.pop()
            children: list[AbstractSitemap] = []
            shown.append(one)
            beside.append(self.node(one, children))
            self.has_ended = self._cut is not None and self._cut.place is one
            waiting += [(child, children) for child in reversed(one.children)]
        return found[0]

    def node(self, place: Place, children: list[AbstractSitemap]) -> AbstractSitemap:
        """The node of one place."""
        answer = place.answer
        if isinstance(answer, Document):
            return node_of(answer, self.pages(place, answer), children, url=place.final_url, lastmod=place.lastmod)
        url = place.final_url if place.refusal is None else place.url
        reason, outcome = (answer.reason, answer.outcome) if answer else (self._interrupted, Outcome.REFUSED)
        return InvalidSitemap(url, reason, outcome=outcome, lastmod=place.lastmod)

    def pages(self, place: Place, document: Document) -> Sequence[SitemapPage]:
        """The pages that a place shows."""
        if self._cut is not None and self._cut.place is place:
            return self._pages_of(without_last(document.blocks, self._cut.excess))
        pages = self._pages.get(id(document))
        if pages is None:
            pages = self._pages[id(document)] = self._pages_of(document.blocks)
        return pages


def website(
    url: str, branches: Sequence[Branch], builder: Builder, shortcomings: Sequence[str], problems: Problems
) -> IndexWebsiteSitemap:
    """The root of the tree."""
    nodes: list[AbstractSitemap] = []
    places: list[Place] = []
    absent: list[Branch] = []
    for branch in branches:
        if branch.accepted:
            nodes.append(builder.sitemap(branch.place, places))
            if builder.has_ended:
                break
        elif branch.role is not Role.DECLARED or not branch.passed:  # else a limit cut it off
            absent.append(branch)
            places.append(branch.place)
    nothing_found = not any(True for node in nodes for _ in node.all_pages())
    return IndexWebsiteSitemap(
        url,
        nodes,
        problems=problems,
        attempts=_attempts(places),
        shortcomings=(*shortcomings, *_hidden(absent, nothing_found=nothing_found)),
    )


def _hidden(branches: Sequence[Branch], *, nothing_found: bool) -> Iterator[str]:
    """What first URLs that leave nothing in the tree may hide; known paths count only if nothing at all was found."""
    for branch in branches:
        if branch.role is not Role.ROBOTS and not nothing_found:
            continue
        outcome = _outcome(branch.place)
        answer = branch.place.answer
        if outcome in INCOMPLETE and answer is not None:
            yield f"{branch.place.url} {INCOMPLETE[outcome]}: {answer.reason}"


def _attempts(places: Sequence[Place]) -> tuple[Attempt, ...]:
    """Every URL that was tried or left out, in the order of the tree, each once: what was asked for says more."""
    attempts: dict[str, Attempt] = {}
    asked: set[str] = set()
    for place in places:
        if place.chain:
            name = place.chain[0].identity
            if name not in asked:
                asked.add(name)
                attempts[name] = _attempt(place)
        elif place.refusal is not None:
            attempts.setdefault(identity(place.url), _attempt(place))
        for url in place.filtered:
            attempts.setdefault(identity(url), Attempt(url, url, Outcome.FILTERED))
    return tuple(attempts.values())


def _attempt(place: Place) -> Attempt:
    status = place.chain[-1].status if place.chain else None
    seconds = sum(resource.seconds for resource in place.chain)
    return Attempt(place.url, place.final_url, _outcome(place), status, seconds)


def _outcome(place: Place) -> Outcome:
    """What became of the URL of a place, seen from there."""
    answer = place.answer
    if answer is None:
        return Outcome.REFUSED
    role = place.branch.role
    declared = place.parent is not None or role is Role.DECLARED
    return outcome_of(answer, declared=declared, is_homepage=role in (Role.LINKS, Role.LINKS_AND_FEEDS))
