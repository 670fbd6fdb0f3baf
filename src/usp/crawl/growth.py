"""The places that a document adds below its own: declared order, callbacks, dates, recursion, depth.

Laws: judged from one place alone; nothing is fetched or queued here. What the caller filters leaves no place, what
cannot be followed leaves a place that says why.
"""

from collections.abc import Iterable

from usp.crawl.places import Place
from usp.crawl.rules import Rules
from usp.exceptions import InvalidOptionException
from usp.messages import Document, Failure, SitemapRef
from usp.problems import Outcome
from usp.values.urls import identity


def children_of(place: Place, document: Document, rules: Rules, known: frozenset[str]) -> list[Place]:
    """The places below a place whose document is known; ``known`` are the parents' URLs of the crawl itself."""
    references = document.references
    if not references:
        return []
    chosen, place.filtered = _chosen(place, references, rules, known)
    above = identities_above(place, known)
    children: list[Place] = []
    for reference in chosen[: rules.limits.sitemaps]:
        child = Place(reference.url, place.branch, place, len(children), place.level + 1)
        child.lastmod = reference.lastmod
        child.refusal = _refusal(child, above, rules)
        children.append(child)
    return children


def identities_above(place: Place | None, known: frozenset[str]) -> set[str]:
    """The identities of all URLs that led to a place, and to those above it."""
    above = {url for ancestor in place.self_and_ancestors() for url in ancestor.urls()} if place else set()
    return above.union(map(identity, known))


def _refusal(child: Place, above: set[str], rules: Rules) -> Failure | None:
    if identity(child.url) in above:
        return Failure(child.url, Outcome.REFUSED, f"Recursion detected in URL {child.url}")
    if child.level > rules.limits.depth:
        reason = f"Recursion level {child.level} is deeper than the limit of {rules.limits.depth}: {child.url}"
        return Failure(child.url, Outcome.REFUSED, reason)
    return None


def _chosen(
    place: Place, references: tuple[SitemapRef, ...], rules: Rules, known: frozenset[str]
) -> tuple[list[SitemapRef], tuple[str, ...]]:
    """The references that the caller wants followed, and the URLs of the others."""
    chosen = [reference for reference in references if rules.since is None or rules.since.admits(reference.lastmod)]
    if rules.recurse_list_callback is not None or rules.recurse_callback is not None:
        chosen = _called_back(place, chosen, rules, known)
    if len(chosen) == len(references):
        return chosen, ()
    stay = {reference.url for reference in chosen}
    return chosen, tuple(reference.url for reference in references if reference.url not in stay)


def _called_back(place: Place, references: list[SitemapRef], rules: Rules, known: frozenset[str]) -> list[SitemapRef]:
    declared = {reference.url: reference for reference in references}
    parents = {ancestor.final_url for ancestor in place.self_and_ancestors()} | known
    urls: Iterable[str] = list(declared)
    if rules.recurse_list_callback is not None:
        urls = rules.recurse_list_callback(list(declared), place.level, set(parents))
        if isinstance(urls, str) or not isinstance(urls, Iterable):
            raise InvalidOptionException(f"recurse_list_callback must give a list of URLs, not {type(urls).__name__}")
    if rules.recurse_callback is not None:
        urls = [url for url in urls if rules.recurse_callback(url, place.level, set(parents))]
    return [declared.get(url) or SitemapRef(url) for url in dict.fromkeys(urls)]
