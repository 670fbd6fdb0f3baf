"""The crawl: what to fetch next, and where each answer belongs.

Laws: no I/O, no clock, no chance: time and chance arrive as arguments. The tree depends on the answers alone, never on
the order in which they come: branches grow one after the other, in the order of their sources, though the first URL of
each may be fetched before; a place counts by its way from the root; what a limit cuts off is cut in declared,
depth-first order. Nothing is fetched twice, but for retries and for redirects that set a cookie.
"""

import math
from collections.abc import Callable, Iterable, Sequence

from usp.crawl.build import Builder, Cut, PagesOf, website
from usp.crawl.growth import children_of, identities_above
from usp.crawl.places import Branch, Place, Resource
from usp.crawl.resources import Resources
from usp.crawl.rules import Rules
from usp.crawl.sources import Role, Seed
from usp.crawl.walk import Walk
from usp.messages import Answered, Document, Failure, Kind, Redirect, Request
from usp.objects.sitemap import NO_PROBLEMS, AbstractSitemap, IndexWebsiteSitemap
from usp.problems import Outcome, Problems
from usp.values.urls import identity, origin


class Crawl:
    """Decides; whoever drives it asks ``wants``, fetches, and tells it by ``receive`` until it is ``done``.

    ``at_once`` is the most requests that the fetcher takes at a time. No more than ``read_ahead`` sitemaps are read
    before those that come earlier in the tree.
    """

    def __init__(
        self,
        homepage_url: str,
        seeds: Iterable[Seed],
        rules: Rules,
        *,
        at_once: int | None = None,
        read_ahead: float = math.inf,
        chance: Callable[[], float],
    ) -> None:
        self.homepage_url = homepage_url
        self.shortcomings: dict[str, None] = {}
        self._rules = rules
        self._read_ahead = read_ahead
        self._resources = Resources(rules, at_once, chance)
        self._trusted = _trusted_origins(homepage_url)
        seeds = list(seeds)
        self._parent_urls = frozenset[str]().union(*(seed.parent_urls for seed in seeds))
        self._branches = [Branch(seed, (number,)) for number, seed in enumerate(seeds)]
        self._begun = 0
        """The branches before this one are asked for."""
        self._turn = 0
        """The branch that grows; those before it have grown."""
        self._found = False
        self._feeds: list[str] = []
        self._arrived: list[Place] = []
        self._in_tree: set[str] = set()
        self._count = 0
        self._walk = Walk(self._branches)
        self._ahead = 0
        """Sitemaps read that the walk has not come to."""
        self._pages = 0
        self._cut: Cut | None = None
        self._over = False
        self._proceed()

    @property
    def done(self) -> bool:
        """Whether nothing is wanted any more."""
        return self._over or self._turn == len(self._branches)

    def wants(self, now: float) -> list[Request]:
        """What to fetch now, the earliest place first; each must be answered by ``receive``."""
        if self._resources.ends == math.inf:
            self._resources.ends = now + self._rules.limits.seconds
        if self.done:
            return []
        bound = self._walk.head.key() if self._walk.head and self._ahead >= self._read_ahead else None
        return [self._request(resource) for resource in self._resources.take(now, bound)]

    def wakes_at(self) -> float:
        """When to ask again although no answer came: a wait may be over, or the time of the crawl."""
        return min(self._resources.next_moment(), self._resources.ends)

    def receive(self, request: Request, answered: Answered, now: float) -> float | None:
        """Take an answer. Gives the seconds after which the same is asked for again, or None if it counts."""
        resource = self._resources.get(request.url)
        wait = self._resources.receive(resource, answered, now)
        if wait is None:
            for place in self._resources.no_longer_waiting(resource):
                if not place.dropped and self._follow(place) and place.branch.accepted:
                    self._grow(place)
            self._proceed()
        return wait

    def expire(self, now: float) -> None:
        """End the crawl if its time is over."""
        if now >= self._resources.ends and not self.done:
            self.end(f"The limit of {self._rules.limits.seconds:g} seconds was reached.")

    def end_at_limit_of_pages(self) -> None:
        """End the crawl because there are pages enough."""
        self.end(f"The limit of {self._rules.limits.pages:,} pages was reached.")

    def end(self, reason: str) -> None:
        """End the crawl before it is done; the tree says why."""
        if not self._over:
            self.shortcomings[reason] = None
            self._over = True

    def take_known(self) -> list[Place]:
        """The sitemaps that became known since the last time, in the order of the tree."""
        known: list[Place] = []
        if self._cut is not None:
            return known
        for place in self._walk.advance():
            if (document := place.document) is None:
                continue
            self._ahead -= 1
            known.append(place)
            self._pages += sum(block.rows for block in document.blocks)
            excess = self._pages - self._rules.limits.pages
            if excess > 0:
                self._cut = Cut(place, excess)
                self.end_at_limit_of_pages()
                break
        return known

    def take_arrived(self) -> list[Place]:
        """The sitemaps that became known since the last time, in the order in which they did."""
        arrived, self._arrived = self._arrived, []
        return [place for place in arrived if not place.dropped]

    def tree(self, pages_of: PagesOf, problems: Problems = NO_PROBLEMS) -> IndexWebsiteSitemap:
        """The tree as far as it is known; what is not, says that it was not fetched."""
        return website(self.homepage_url, self._branches, self._builder(pages_of), tuple(self.shortcomings), problems)

    def sitemap(self, pages_of: PagesOf) -> AbstractSitemap:
        """The first sitemap that was asked for, with all below it."""
        return self._builder(pages_of).sitemap(self._branches[0].place)

    def node(self, place: Place, pages_of: PagesOf) -> AbstractSitemap:
        """The sitemap that stands at a place, without those below it."""
        return self._builder(pages_of).node(place, ())

    def _request(self, resource: Resource) -> Request:
        guessed = all(place.parent is None and place.branch.quiet for place in resource.waiting)
        trusted = origin(resource.url) in self._trusted
        return Request(resource.url, resource.key or (), guessed=guessed, trusted=trusted)

    # the branches, one after the other

    def _proceed(self) -> None:
        """Let the branches grow as far as answers allow, and ask for the first URLs of the next ones."""
        while self._turn < len(self._branches) and not self._over:
            branch = self._branches[self._turn]
            if not branch.accepted and not branch.passed and not self._decide(branch):
                break
            if branch.unsettled:
                break
            branch.passed = True
            self._turn += 1
            if self._turn == len(self._branches) and not self._found:
                self._insert(branch, self._feeds, Role.GUESSED)
                self._feeds = []
        self._begin_branches()

    def _begin_branches(self) -> None:
        """Ask for first URLs: for all of them, once robots.txt has been read."""
        while self._begun < len(self._branches):
            branch = self._branches[self._begun]
            self._begin(branch)
            if branch.role is Role.ROBOTS and branch.place.answer is None:
                break
            self._begun += 1

    def _begin(self, branch: Branch) -> None:
        place = branch.place
        if not place.chain and not branch.passed and not self._is_known_already(branch):
            self._attach(place)

    def _is_known_already(self, branch: Branch) -> bool:
        """Whether the tree has what nobody declared to be here."""
        urls = [identity(branch.place.url), *branch.place.urls()]
        return branch.role is Role.GUESSED and not self._in_tree.isdisjoint(urls)

    def _decide(self, branch: Branch) -> bool:
        """Whether a branch comes into the tree; False if that cannot be said yet."""
        self._begin(branch)
        place = branch.place
        if place.chain and place.answer is None:
            return False
        branch.passed = True
        if self._is_known_already(branch):
            return True
        if branch.role in (Role.LINKS, Role.LINKS_AND_FEEDS):
            self._follow_links(branch)
        elif place.document is not None or branch.role is Role.DECLARED:
            self._accept(branch)
        return True

    def _accept(self, branch: Branch) -> None:
        if self._count >= self._rules.limits.sitemaps:
            self._note_too_many()
            return
        branch.passed, branch.accepted = False, True
        branch.unsettled = 1
        self._count += 1
        self._grow(branch.place)

    def _follow_links(self, branch: Branch) -> None:
        """Make branches of what a homepage links to."""
        answer = branch.place.answer
        if not isinstance(answer, Document):
            return
        feeds = [reference.url for reference in answer.feeds]
        if branch.role is Role.LINKS_AND_FEEDS:
            self._insert(branch, feeds, Role.GUESSED)
        else:
            self._feeds += feeds
        self._insert(branch, [reference.url for reference in answer.references], Role.DECLARED)

    def _insert(self, after: Branch, urls: Sequence[str], role: Role) -> None:
        """Add branches that a document names, after its own and before those that follow."""
        position = self._branches.index(after) + 1
        ordinal = len(self._branches)
        new = [Branch(Seed(url, role), (*after.key, ordinal + number)) for number, url in enumerate(urls)]
        self._branches[position:position] = new
        for branch in new:
            if role is Role.DECLARED and not self._in_tree.isdisjoint([identity(branch.place.url)]):
                branch.passed = True  # declared elsewhere too: the tree has it

    # places and what they wait for

    def _attach(self, place: Place) -> bool:
        """Let a place wait for its resource; True if there is nothing to wait for."""
        if place.refusal is None:
            place.chain.append(self._resources.get(place.url))
        return self._follow(place)

    def _follow(self, place: Place) -> bool:
        """Go where the answers lead; True once it is known what the place has to say."""
        while place.refusal is None:
            resource = place.chain[-1]
            answer = resource.answer
            if answer is None:
                self._resources.wait(place, resource)
                return False
            if not isinstance(answer, Redirect):
                return True
            self._redirect(place, answer)
        return True

    def _redirect(self, place: Place, redirect: Redirect) -> None:
        """Let the place wait for the target of a redirect, or refuse to."""
        target = self._resources.get(redirect.target)
        if target.identity in identities_above(place.parent, self._parent_urls):
            reason = f"Recursion detected when {redirect.url} redirected to {redirect.target}"
            place.refusal = Failure(place.url, Outcome.REFUSED, reason)
        elif len(place.chain) > self._rules.limits.redirects:
            reason = f"There are more than {self._rules.limits.redirects} redirects, the last one to {redirect.target}"
            place.refusal = Failure(place.url, Outcome.REFUSED, reason)
        elif target in place.chain and not self._may_ask_again(place, target):
            reason = f"The redirects go in a circle: {redirect.url} leads to {redirect.target} again"
            place.refusal = Failure(place.url, Outcome.BROKEN, reason)
        else:
            place.chain.append(target)
            place.redirected = redirect.target

    def _may_ask_again(self, place: Place, target: Resource) -> bool:
        """Whether a circle of redirects set a cookie, with which the answer may be another; then it is asked for."""
        circle = place.chain[place.chain.index(target) :]
        if not any(isinstance(one.answer, Redirect) and one.answer.fresh_cookie for one in circle):
            return False
        target.cookies += 1
        if target.cookies > self._rules.limits.redirects:
            return False
        target.answer = None
        return True

    def _grow(self, place: Place) -> None:
        """Settle a place whose answer is known, and all those below whose answers are known too, earliest first."""
        known = [place]
        while known:
            place = known.pop()
            if place.dropped:
                continue
            place.settled = True
            place.branch.unsettled -= 1
            self._in_tree.update(place.urls())
            if (document := place.document) is not None:
                self._ahead += 1
                self._found = self._found or document.kind is not Kind.ROBOTS
                self._arrived.append(place)
                place.children = children_of(place, document, self._rules, self._parent_urls)
                self._make_room(place)
                known += [child for child in reversed(place.children) if self._attach(child)]

    def _make_room(self, place: Place) -> None:
        """Count the new children of a place, and cut off what lies beyond the limit: always the end of the tree."""
        place.branch.unsettled += len(place.children)
        self._count += len(place.children)
        while self._count > self._rules.limits.sitemaps:
            last = place.branch.place
            while last.children:
                last = last.children[-1]
            if last.parent is None:
                break
            last.parent.children.pop()
            last.dropped = True
            self._count -= 1
            place.branch.unsettled -= not last.settled
            self._ahead -= last.settled and last.document is not None
            self._note_too_many()

    def _note_too_many(self) -> None:
        self.shortcomings[f"The limit of {self._rules.limits.sitemaps:,} sitemaps was reached."] = None

    def _builder(self, pages_of: PagesOf) -> Builder:
        return Builder(pages_of, self._cut, next(iter(self.shortcomings), "the crawl was ended"))


def _trusted_origins(homepage_url: str) -> frozenset[str]:
    """Where the caller's credentials may go: the homepage's origin, and the same host asked more safely."""
    own = origin(homepage_url)
    scheme, _, host = own.partition("://")
    return frozenset({own, f"https://{host}"} if scheme == "http" and ":" not in host else {own})
