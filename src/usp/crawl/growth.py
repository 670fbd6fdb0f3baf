"""The places that a document adds below its own: declared order, callbacks, dates, recursion, depth.

Laws: judged from one place alone; nothing is fetched or queued here. What the caller filters leaves no place, what
cannot be followed leaves a place that says why.
"""

from collections.abc import Iterable, Sequence

from usp.crawl.places import Place
from usp.crawl.rules import Rules
from usp.exceptions import InvalidOptionException
from usp.messages import Document, Failure, SitemapRef
from usp.problems import Outcome
from usp.values.urls import HTTP_URL, identity


def children_of(place: Place, document: Document, rules: Rules) -> list[Place]:
    """The places below a place whose document is known."""
    references: Sequence[SitemapRef] = document.references
    if not references:
        return []
    if rules.since is not None or rules.recurse_list_callback is not None or rules.recurse_callback is not None:
        references = _chosen(place, references, rules)
        stay = {reference.url for reference in references}
        place.filtered = tuple(reference.url for reference in document.references if reference.url not in stay)
    above = place.identities_above() | set(place.urls())
    children: list[Place] = []
    for reference in references[: rules.limits.sitemaps]:
        child = Place(reference.url, place.branch, place, len(children), place.level + 1)
        child.lastmod = reference.lastmod
        child.refusal = _refusal(child, above, rules)
        children.append(child)
    return children


def _refusal(child: Place, above: set[str], rules: Rules) -> Failure | None:
    if identity(child.url) in above:
        return Failure(child.url, Outcome.REFUSED, f"Recursion detected in URL {child.url}")
    if child.level > rules.limits.depth:
        reason = f"Recursion level {child.level} is deeper than the limit of {rules.limits.depth}: {child.url}"
        return Failure(child.url, Outcome.REFUSED, reason)
    return None


def _chosen(place: Place, references: Sequence[SitemapRef], rules: Rules) -> list[SitemapRef]:
    """The references that the caller wants followed."""
    declared = {
        reference.url: reference
        for reference in references
        if rules.since is None or rules.since.admits(reference.lastmod)
    }
    parents = {ancestor.final_url for ancestor in place.self_and_ancestors()} | place.branch.parent_urls
    urls = list(declared)
    if rules.recurse_list_callback is not None:
        urls = _list_of_urls(rules.recurse_list_callback(urls, place.level, set(parents)))
    if rules.recurse_callback is not None:
        urls = [url for url in urls if rules.recurse_callback(url, place.level, set(parents))]
    return [declared.get(url) or SitemapRef(url) for url in dict.fromkeys(urls)]


def _list_of_urls(chosen: object) -> list[str]:
    """What a callback gave, if it is what it was to give."""
    if isinstance(chosen, Iterable) and not isinstance(chosen, str):
        urls = list(chosen)
        if all(isinstance(url, str) and HTTP_URL.match(url) for url in urls):
            return urls
    raise InvalidOptionException(f"recurse_list_callback must give a list of HTTP(S) URLs, not {chosen!r:.200}")
