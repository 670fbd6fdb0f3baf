"""The crawl: what to fetch next, and where each answer belongs.

Laws: no I/O, no clock, no chance: time and chance arrive as arguments. The tree depends on the answers alone, never on
the order in which they come: branches grow one after the other, in the order of their sources, though the first URL of
each may be fetched before; a place counts by its way from the root; what a limit cuts off is cut in declared,
depth-first order. Nothing is fetched twice, but for retries and for redirects that set a cookie.
"""

import math
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from usp.crawl.build import Builder, Cut, PagesOf, website
from usp.crawl.growth import children_of
from usp.crawl.places import Branch, Place, Resource
from usp.crawl.references import FEW, PackedReferences
from usp.crawl.resources import Resources
from usp.crawl.rules import Rules
from usp.crawl.sources import Role, Seed
from usp.crawl.trust import trusted_origins
from usp.crawl.walk import Walk
from usp.messages import Answered, Document, Failure, Kind, Redirect, Request
from usp.objects.sitemap import NO_PROBLEMS, AbstractSitemap, IndexWebsiteSitemap
from usp.problems import Outcome, Problems
from usp.values.urls import identity, origin

PLACES_AT_ONCE = 5000
"""Places that one call goes through, as long as others can wait: some hundredths of a second."""


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
        self._trusted = trusted_origins(homepage_url)
        self._branches = [Branch(seed, (number,)) for number, seed in enumerate(seeds)]
        self._begun = 0
        """The branches before this one are asked for."""
        self._turn = 0
        """The branch that grows; those before it have grown."""
        self._found = False
        self._feeds: list[Seed] = []
        self._unattached: list[tuple[Place, int]] = []
        """Places with many children, and how many of these wait for their resources already."""
        self._arrived: list[Place] = []
        self._refused: list[Failure] = []
        self._known: list[Place] = []
        self._in_tree: set[str] = set()
        self._count = 0
        self._walk = Walk(self._branches)
        self._ahead = 0
        """Sitemaps read that the walk has not come to."""
        self._pages = 0
        self._cut: Cut | None = None
        self._over = False
        self._is_behind = False
        """Whether there is more to do before the next answer comes."""
        self._proceed()

    @property
    def done(self) -> bool:
        """Whether nothing is wanted any more."""
        return self._over or self._turn == len(self._branches)

    def begin(self, now: float) -> None:
        """Let the time of the crawl begin, if it has not yet; the first ``wants`` does so."""
        if self._resources.ends == math.inf:
            self._resources.ends = now + self._rules.limits.seconds

    def prolong(self, seconds: float) -> None:
        """Add to the time of the crawl what its consumer took for something else."""
        self._resources.ends += seconds

    def wants(self, now: float) -> list[Request]:
        """What to fetch now, the earliest place first; each must be answered by ``receive``."""
        self.begin(now)
        if self._is_behind:
            self._proceed()
        if self.done or now >= self._resources.ends:
            return []
        bound = self._walk.head.key() if self._walk.head and self._ahead >= self._read_ahead else None
        return [self._request(resource) for resource in self._resources.take(now, bound)]

    def wakes_at(self) -> float:
        """When to ask again although no answer came: a wait may be over, or the time of the crawl."""
        return -math.inf if self._is_behind else min(self._resources.next_moment(), self._resources.ends)

    def receive(self, request: Request, answered: Answered, now: float) -> float | None:
        """Take an answer. Gives the seconds after which the same is asked for again, or None if it counts."""
        resource = self._resources.under_way(request.url)
        wait = self._resources.receive(resource, answered, now)
        if wait is None:
            for place in self._resources.no_longer_waiting(resource):
                if not place.dropped and self._follow(place) and place.branch.accepted and not self._is_put_off(place):
                    self._grow(place)
            self._proceed()
        return wait

    def counted(self, request: Request) -> Document | Failure | Redirect | None:
        """The answer that counts for a request: it may be what an earlier one had said before it broke off."""
        return self._resources.under_way(request.url).answer

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
        known, self._known = self._known, []
        return known

    def take_arrived(self) -> list[Place]:
        """The sitemaps that became known since the last time, in the order in which they did."""
        arrived, self._arrived = self._arrived, []
        return [place for place in arrived if not place.dropped]

    def take_refused(self) -> list[Failure]:
        """Why URLs that the site declares, or redirects to, are not followed: what was refused since the last time."""
        refused, self._refused = self._refused, []
        return refused

    def tree(self, pages_of: PagesOf, problems: Problems = NO_PROBLEMS) -> IndexWebsiteSitemap:
        """The tree as far as it is known; what is not, says that it was not fetched."""
        return website(self.homepage_url, self._branches, self._builder(pages_of), tuple(self.shortcomings), problems)

    def sitemap(self, pages_of: PagesOf) -> AbstractSitemap:
        """The first sitemap that was asked for, with all below it."""
        return self._builder(pages_of).sitemap(self._branches[0].place, [])

    def node(self, place: Place, pages_of: PagesOf) -> AbstractSitemap:
        """The sitemap that stands at a place, without those below it."""
        return self._builder(pages_of).node(place, [])

    def _request(self, resource: Resource) -> Request:
        guessed = all(place.parent is None and place.branch.quiet for place in resource.waiting)
        trusted = origin(resource.identity) in self._trusted
        return Request(resource.identity, guessed=guessed, trusted=trusted)

    # the branches, one after the other

    def _proceed(self) -> None:
        """Let the tree grow as far as answers allow, and ask for the first URLs of the next branches."""
        made = 0
        self._is_behind = True
        while self._is_behind and made < PLACES_AT_ONCE:
            if self._unattached:
                self._grow_below(self._attached(*self._unattached.pop()))
                made += PLACES_AT_ONCE
            self._decide_branches()
            self._pass_settled()
            head = self._walk.head
            is_put_off = head is not None and head.branch.accepted and head.answer is not None
            if head is not None and is_put_off and not self._over:
                self._grow(head)
                made += 1 + len(head.children)
            self._is_behind = not self._over and (is_put_off or bool(self._unattached))
        self._begin_branches()

    def _decide_branches(self) -> None:
        while self._turn < len(self._branches) and not self._over:
            branch = self._branches[self._turn]
            if not branch.accepted and not branch.passed and not self._decide(branch):
                break
            if branch.unsettled:
                break
            branch.passed = True
            self._turn += 1
            if self._turn == len(self._branches) and not self._found:
                self._insert(branch, self._feeds)
                self._feeds = []

    def _begin_branches(self) -> None:
        """Ask for first URLs: for all of them, once robots.txt has been read."""
        while self._begun < len(self._branches):
            branch = self._branches[self._begun]
            self._begin(branch)
            if branch.role is Role.ROBOTS and branch.place.answer is None:
                break
            self._begun += 1

    def _begin(self, branch: Branch) -> None:
        if not branch.place.chain and not branch.passed:
            self._attach(branch.place)

    def _decide(self, branch: Branch) -> bool:
        """Whether it is known what a branch gives; then it comes into the tree, or is passed."""
        if branch.role is Role.DECLARED and self._is_full():
            branch.passed = True
            return True
        self._begin(branch)
        place = branch.place
        if place.answer is None:
            return False
        branch.passed = True
        if branch.role is Role.GUESSED and not self._in_tree.isdisjoint(place.urls()):
            return True  # the tree has what nobody declared to be here
        if branch.role in (Role.LINKS, Role.LINKS_AND_FEEDS):
            self._follow_links(branch)
        elif place.document is not None or branch.role is Role.DECLARED:
            self._accept(branch)
        return True

    def _accept(self, branch: Branch) -> None:
        if self._is_full():
            return
        branch.passed, branch.accepted = False, True
        branch.unsettled = 1
        self._count += 1
        self._grow(branch.place)

    def _is_full(self) -> bool:
        """Whether the limit leaves no room for another branch, which then is noted."""
        full = self._count >= self._rules.limits.sitemaps
        if full:
            self._note_too_many()
        return full

    def _follow_links(self, branch: Branch) -> None:
        """Make branches of what a homepage links to, except for what is declared elsewhere too."""
        answer = branch.place.answer
        if not isinstance(answer, Document):
            return
        declared = [Seed(reference.url, Role.DECLARED) for reference in answer.references]
        feeds = [Seed(reference.url, Role.GUESSED) for reference in answer.feeds]
        self._feeds += feeds if branch.role is Role.LINKS else []
        new = [seed for seed in declared if identity(seed.url) not in self._in_tree]
        self._insert(branch, new + (feeds if branch.role is Role.LINKS_AND_FEEDS else []))

    def _insert(self, after: Branch, seeds: list[Seed]) -> None:
        """Add branches that a document names, after its own and before those that follow."""
        position = self._branches.index(after) + 1
        ordinal = len(self._branches)
        self._branches[position:position] = [
            Branch(seed, (*after.key, ordinal + number)) for number, seed in enumerate(seeds)
        ]
        self._begun = min(self._begun, position)

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
        if target.identity in place.identities_above():
            reason = f"Recursion detected when {redirect.url} redirected to {redirect.target}"
            place.refusal = Failure(place.url, Outcome.REFUSED, reason)
        elif len(place.chain) > self._rules.limits.redirects:
            reason = f"There are more than {self._rules.limits.redirects} redirects, the last one to {redirect.target}"
            place.refusal = Failure(place.url, Outcome.REFUSED, reason)
        elif (unasked := self._not_asked_yet(place, target)) is None:
            reason = f"The redirects go in a circle: {redirect.url} leads to {redirect.target} again"
            place.refusal = Failure(place.url, Outcome.BROKEN, reason)
        else:
            place.chain.append(unasked)
            place.redirected = redirect.target

    def _not_asked_yet(self, place: Place, target: Resource) -> Resource | None:
        """The target of a redirect, or the same asked once more where a circle of redirects set a cookie, with which
        the answer may be another; None if it would be the same again."""
        while target in place.chain:
            circle = place.chain[place.chain.index(target) :]
            if not any(isinstance(one.answer, Redirect) and one.answer.fresh_cookie for one in circle):
                return None
            target = self._resources.once_more(target)
        return target

    def _grow(self, place: Place) -> None:
        """Settle a place whose answer is known, and all those below whose answers are known too, earliest first.

        Documents that stand elsewhere in the tree with their children are put off until the walk comes to them: there
        is nothing new to be fetched below, and indexes that list each other would fill the tree again and again.
        """
        self._settle(place)
        self._grow_below(self._attached(place, 0))

    def _grow_below(self, known: list[Place]) -> None:
        while known:
            place = known.pop()
            if not place.dropped and not self._is_put_off(place):
                self._settle(place)
                known += self._attached(place, 0)

    def _attached(self, place: Place, start: int) -> list[Place]:
        """Let children wait for their resources, a portion of them; gives those that need not, the earliest last."""
        end = start + PLACES_AT_ONCE
        if end < len(place.children):
            self._unattached.append((place, end))
        children = [child for child in place.children[start:end] if not child.settled]
        return [child for child in children if self._attach(child)][::-1]

    def _is_put_off(self, place: Place) -> bool:
        document = place.document
        return document is not None and bool(document.references) and place.chain[-1].has_grown

    def _settle(self, place: Place) -> None:
        place.settled = True
        place.branch.unsettled -= 1
        self._in_tree.update(place.urls())
        if place.refusal is not None:
            self._refused.append(place.refusal)
        if (document := place.document) is not None:
            self._ahead += 1
            self._found = self._found or document.kind is not Kind.ROBOTS
            self._arrived.append(place)
            place.chain[-1].has_grown = True
            place.children = children_of(place, document, self._rules)
            self._make_room(place)
            if self._count >= self._rules.limits.sitemaps and len(document.references) > FEW:
                references = PackedReferences(document.references[: self._rules.limits.sitemaps])
                place.chain[-1].answer = replace(document, references=references)

    def _make_room(self, place: Place) -> None:
        """Count the new children of a place, and cut off what lies beyond the limit: always the end of the tree."""
        place.branch.unsettled += len(place.children)
        self._count += len(place.children)
        if self._count > self._rules.limits.sitemaps:
            self._note_too_many()
        while self._count > self._rules.limits.sitemaps:
            last = place.branch.place
            while last.children:
                last = last.children[-1]
            if last.parent is None:
                break
            last.parent.children.pop()
            last.dropped = True
            self._resources.give_up(last)
            self._count -= 1
            place.branch.unsettled -= not last.settled
            self._ahead -= last.settled and last.document is not None

    def _pass_settled(self) -> None:
        """Walk on over what is settled, up to the limit on pages."""
        if self._over:
            return
        for place in self._walk.advance():
            if (document := place.document) is None:
                continue
            self._ahead -= 1
            self._known.append(place)
            self._pages += sum(block.rows for block in document.blocks)
            excess = self._pages - self._rules.limits.pages
            if excess > 0:
                self._cut = Cut(place, excess)
                self.shortcomings.clear()  # what other limits cut off lies beyond
                self.end_at_limit_of_pages()
                break

    def _note_too_many(self) -> None:
        self.shortcomings[f"The limit of {self._rules.limits.sitemaps:,} sitemaps was reached."] = None

    def _builder(self, pages_of: PagesOf) -> Builder:
        return Builder(pages_of, self._cut, next(iter(self.shortcomings), "the crawl was ended"))
