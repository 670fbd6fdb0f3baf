"""The URLs of a crawl, each fetched once: who waits for it, whose turn it is, whether to ask again.

Laws: no clock, no chance: both arrive as arguments. A resource is known by the identity of its URL; the earliest place
that waits for it decides its turn.
"""

import math
from collections.abc import Callable

from usp.crawl.places import Place, Resource
from usp.crawl.retry import Retry
from usp.crawl.rules import Rules
from usp.crawl.turns import Turns
from usp.messages import Answered, Document, Failure, Redirect
from usp.values.urls import identity

_Ticket = tuple[Resource, int]
"""A resource in a queue. It is queued again when an earlier place wants it too: only its last ticket counts."""


class Resources:
    """Every URL that a crawl came across."""

    def __init__(self, rules: Rules, at_once: int | None, chance: Callable[[], float]) -> None:
        self._retry: Retry = rules.retry
        self._chance = chance
        self._turns: Turns[_Ticket] = Turns(rules.politeness, at_once)
        self._known: dict[str, Resource] = {}
        self.ends = math.inf
        """The time after which nothing is asked for again."""

    def get(self, url: str) -> Resource:
        """The resource of a URL, however it is spelled."""
        name = identity(url)
        resource = self._known.get(name)
        if resource is None:
            resource = self._known[name] = Resource(name)
        return resource

    def once_more(self, resource: Resource) -> Resource:
        """The same URL, to be asked again."""
        if resource.again is None:
            resource.again = Resource(resource.identity)
        return resource.again

    def under_way(self, url: str) -> Resource:
        """The resource that was asked for by this URL: the last one, since nothing is asked again before its answer."""
        resource = self.get(url)
        while resource.again is not None:
            resource = resource.again
        return resource

    def wait(self, place: Place, resource: Resource) -> None:
        """Let a place wait for the answer of a resource that has none."""
        resource.waiting.append(place)
        key = place.key()
        if resource.key is None or (resource.queued and key < resource.key):
            self._queue(resource, key)

    def take(self, now: float, no_later_than: tuple[int, ...] | None) -> list[Resource]:
        """The resources to be fetched now, those of the earliest places first."""
        taken: list[Resource] = []
        while tickets := self._turns.take(now, no_later_than=no_later_than):
            for resource, number in tickets:
                if number == resource.ticket and self._is_wanted(resource):
                    resource.queued = False
                    resource.tries += 1
                    taken.append(resource)
                else:
                    self._turns.finish(resource.host, now)
        return taken

    def _is_wanted(self, resource: Resource) -> bool:
        """Whether a place still waits; if not, the resource is as if nobody had ever asked for it."""
        if all(place.dropped for place in resource.waiting):
            resource.queued, resource.key, resource.waiting = False, None, []
        return bool(resource.waiting)

    def receive(self, resource: Resource, answered: Answered, now: float) -> float | None:
        """Take the answer of a resource, unless it is to be asked for again: then gives the seconds until that."""
        self._turns.finish(resource.host, now)
        if resource.answer is not None:  # a redirect that the fetcher followed by itself led here in the meantime
            return None
        resource.status = answered.status
        resource.seconds += answered.seconds
        answer = answered.answer
        if isinstance(answer, Failure):
            wait = self._wait_before_retry(resource, answer, now)
            if wait is not None:
                resource.not_before = now + wait
                self._queue(resource, min(map(Place.key, resource.waiting)))
                return wait
            answer = resource.partial or answer
        if identity(answer.url) != resource.identity:
            answer = self._led_on(resource, answer)
        resource.settle(answer)
        return None

    def no_longer_waiting(self, resource: Resource) -> list[Place]:
        """The places that waited for a resource that is answered now, and for those that its answer came from."""
        waiting: list[Place] = []
        while True:
            waiting += resource.waiting
            resource.waiting = []
            if not isinstance(resource.answer, Redirect):
                return sorted(waiting, key=Place.key)
            target = self.get(resource.answer.target)
            if target.answer is None or not target.waiting:
                return sorted(waiting, key=Place.key)
            resource = target

    def _led_on(self, resource: Resource, answer: Document | Failure | Redirect) -> Redirect:
        """What a resource is whose answer came from another URL: a redirect that the fetcher followed by itself."""
        target = self.get(answer.url)
        if target.answer is None:
            target.status = resource.status
            target.settle(answer)
        return Redirect(resource.identity, answer.url, resource.status or 0)

    def next_moment(self) -> float:
        """When something that waits for its time may be fetched; infinity if nothing does."""
        return self._turns.next_moment()

    def _queue(self, resource: Resource, key: tuple[int, ...]) -> None:
        resource.key = key
        resource.queued = True
        resource.ticket += 1
        self._turns.ask(resource.host, key, (resource, resource.ticket), not_before=resource.not_before)

    def _wait_before_retry(self, resource: Resource, failure: Failure, now: float) -> float | None:
        if failure.partial is not None and failure.partial.usable:
            resource.partial = failure.partial
        asked = self._retry.asked_for(failure)
        if asked is not None:
            self._turns.pause(resource.host, now + asked)
        wait = self._retry.wait(failure, resource.tries, chance=self._chance())
        return wait if wait is not None and now + wait < self.ends else None
